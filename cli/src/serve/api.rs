//! `/api/…`: questions over all repositories, answered as JSON.

use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query as Asked, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::app::App;
use super::limits::{MAX_QUESTION, MAX_RESULTS};
use super::reply;
use super::source::{Kind, Query, SymbolQuery, Trouble, User};

/// Results when the request does not say how many.
const RESULTS: usize = 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    q: String,
    limit: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Named {
    name: String,
    #[serde(default)]
    of: Kind,
    limit: Option<usize>,
}

/// `/api/search?q=QUESTION&limit=N`.
pub async fn search(
    State(app): State<Arc<App>>,
    Extension(user): Extension<User>,
    asked: Result<Asked<Search>, QueryRejection>,
) -> Response {
    let Search { q, limit } = match asked {
        Ok(Asked(asked)) => asked,
        Err(error) => return misread(&error, "/api/search?q=QUESTION&limit=20"),
    };
    if let Some(refusal) = too_long(&q) {
        return refusal;
    }
    let limit = match checked(limit) {
        Ok(limit) => limit,
        Err(refusal) => return refusal.into_response(),
    };
    let query = Query { question: q, limit };
    json(app.catalogue.search(&user, &query).await)
}

/// `/api/symbols?name=NAME&of=definitions|imports&limit=N`.
pub async fn symbols(
    State(app): State<Arc<App>>,
    Extension(user): Extension<User>,
    asked: Result<Asked<Named>, QueryRejection>,
) -> Response {
    let Named { name, of, limit } = match asked {
        Ok(Asked(asked)) => asked,
        Err(error) => return misread(&error, "/api/symbols?name=Session&of=definitions&limit=20"),
    };
    if let Some(refusal) = too_long(&name) {
        return refusal;
    }
    let name = name.trim().to_owned();
    if name.is_empty() {
        let sentence = "the name is empty. Give one, such as name=Session.send";
        return reply::error(StatusCode::BAD_REQUEST, sentence);
    }
    let limit = match checked(limit) {
        Ok(limit) => limit,
        Err(refusal) => return refusal.into_response(),
    };
    let query = SymbolQuery { name, of, limit };
    json(app.catalogue.symbols(&user, &query).await)
}

/// `/api/repositories`.
pub async fn repositories(
    State(app): State<Arc<App>>,
    Extension(user): Extension<User>,
) -> Response {
    let all = app.catalogue.repositories(&user).await;
    json(all.map(|repositories| json!({ "repositories": repositories })))
}

/// `/healthz`: whether the server answers, and nothing about what it holds.
pub async fn health(State(app): State<Arc<App>>) -> Response {
    match app.catalogue.is_well().await {
        Ok(()) => json(Ok::<_, Trouble>(json!({ "status": "ok" }))),
        Err(trouble) => {
            tracing::warn!("health check failed: {trouble}");
            let sentence = "the database cannot be reached";
            reply::wait(StatusCode::SERVICE_UNAVAILABLE, 5, sentence)
        }
    }
}

/// `/metrics`, which counts what not everyone may read: with tokens, only for those in the group
/// `operators`.
pub async fn metrics(State(app): State<Arc<App>>, Extension(user): Extension<User>) -> Response {
    if app.tells_users_apart() && !user.groups.contains("operators") {
        let sentence = "only tokens of the group `operators` may read the metrics";
        return reply::error(StatusCode::FORBIDDEN, sentence);
    }
    let text = app.metrics.text(&app.catalogue.gauges());
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    let mut response = ([(header::CONTENT_TYPE, kind)], text).into_response();
    reply::no_store(response.headers_mut());
    response
}

/// A result as JSON.
pub fn json(result: Result<impl Serialize, Trouble>) -> Response {
    match result {
        Ok(value) => {
            let mut response = Json(value).into_response();
            reply::no_store(response.headers_mut());
            response
        }
        Err(trouble) => trouble.into_response(),
    }
}

fn misread(error: &QueryRejection, example: &str) -> Response {
    let sentence = format!("{}. Ask like this: {example}", error.body_text());
    reply::error(StatusCode::BAD_REQUEST, &sentence)
}

fn too_long(text: &str) -> Option<Response> {
    let chars = text.chars().count();
    (chars > MAX_QUESTION).then(|| {
        let sentence = format!(
            "the question has {chars} characters, but at most {MAX_QUESTION} can be asked over \
             all repositories. Keep the part that says what you want to know"
        );
        reply::error(StatusCode::PAYLOAD_TOO_LARGE, &sentence)
    })
}

fn checked(limit: Option<usize>) -> Result<usize, Trouble> {
    let limit = limit.unwrap_or(RESULTS);
    if (1..=MAX_RESULTS).contains(&limit) {
        return Ok(limit);
    }
    let sentence = format!("limit can be 1 to {MAX_RESULTS}");
    Err(Trouble::Question(sentence))
}
