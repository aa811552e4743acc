//! The addresses of the server, and what every request passes before it is answered: the name it
//! was asked by, its size, who asks, how much that client asks, how much everybody asks, and time.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::sync::Semaphore;

use super::limits::{Client, Hosts, Limits, Rate};
use super::metrics::Metrics;
use super::page::Page;
use super::source::{Catalogue, TokenHash, User};
use super::tokens::{self, Tokens};
use super::{api, indexes, reply};

/// Everything that requests share.
pub struct App {
    pub catalogue: Arc<dyn Catalogue>,
    pub page: Option<Page>,
    pub tokens: Tokens,
    pub limits: Limits,
    pub rate: Rate,
    pub hosts: Hosts,
    pub running: Arc<Semaphore>,
    pub metrics: Metrics,
    pub log_questions: bool,
    /// Whether a proxy says in `X-Forwarded-For` who asks.
    pub behind_proxy: bool,
}

/// The address at the other end of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// The server's addresses.
pub fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/healthz", get(api::health))
        .route("/metrics", get(api::metrics))
        .route("/indexes.json", get(indexes::list))
        .route("/indexes/indexes.json", get(indexes::list))
        .route("/indexes/{name}", get(indexes::one))
        .route("/api/repositories", get(api::repositories))
        .route("/api/search", get(api::search))
        .route("/api/symbols", get(api::symbols))
        .fallback(get(page).fallback(only_get))
        .method_not_allowed_fallback(only_get)
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard))
        .with_state(app)
}

async fn page(State(app): State<Arc<App>>, request: Request) -> Response {
    match &app.page {
        Some(page) => page.answer(request.uri().path(), request.headers()),
        None => {
            let sentence = "this server has no page; /api/search?q=QUESTION answers questions";
            reply::error(StatusCode::NOT_FOUND, sentence)
        }
    }
}

async fn only_get() -> Response {
    let sentence = "only GET and HEAD are answered here";
    let mut response = reply::error(StatusCode::METHOD_NOT_ALLOWED, sentence);
    let allowed = header::HeaderValue::from_static("GET, HEAD");
    response.headers_mut().insert(header::ALLOW, allowed);
    response
}

/// Counts, logs and seals every answer.
async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let running = app.metrics.begin();
    let route = route(request.uri().path());
    let method = request.method().clone();
    // The part behind the question mark may be a question, and questions are private.
    let asked = match app.log_questions {
        true => request.uri().query().map(str::to_owned),
        false => None,
    };
    let mut user = None;
    let (parts, body) = request.into_parts();
    let mut response = match app.admit(&parts, route).await {
        Ok(admitted) => {
            user.clone_from(&admitted.name);
            app.answer(Request::from_parts(parts, body), admitted, next)
                .await
        }
        Err(refusal) => *refusal,
    };
    reply::seal(response.headers_mut());
    let status = response.status().as_u16();
    let took = began.elapsed();
    app.metrics.end(route, status, took);
    drop(running);
    let ms = took.as_millis() as u64;
    tracing::info!(%method, route, status, ms, user, asked, "answered");
    response
}

/// The kind of a request, for counts and logs.
fn route(path: &str) -> &'static str {
    match path {
        "/healthz" => "health",
        "/metrics" => "metrics",
        "/indexes.json" | "/indexes/indexes.json" => "indexes",
        "/api/search" => "search",
        "/api/symbols" => "symbols",
        "/api/repositories" => "repositories",
        _ if path.starts_with("/indexes/") => "index",
        _ => "page",
    }
}

type Refusal = Box<Response>;

impl App {
    /// Whether there are tokens, so that not everyone who asks is equal.
    pub fn tells_users_apart(&self) -> bool {
        self.tokens.are_used() || self.catalogue.has_users()
    }

    /// Who asks, if the request may be answered.
    async fn admit(&self, request: &Parts, route: &str) -> Result<User, Refusal> {
        let headers = &request.headers;
        if route == "health" {
            return Ok(User::default());
        }
        if !self.hosts.allow(headers) {
            let sentence = "this server does not answer to that name: use localhost, or name the \
                            host with --host when you start the server";
            return Err(reply::error(StatusCode::MISDIRECTED_REQUEST, sentence).into());
        }
        if has_body(headers) {
            let sentence = "no request here needs a body: put the question into the address, as \
                            in /api/search?q=QUESTION";
            return Err(reply::error(StatusCode::PAYLOAD_TOO_LARGE, sentence).into());
        }
        let address = Client::at(self.address(request));
        let Some(token) = headers.get(header::AUTHORIZATION) else {
            self.count(&address)?;
            return Ok(User::default());
        };
        let token = token.to_str().ok().and_then(bearer);
        let hash = token.and_then(tokens::hash);
        if let Some(user) = hash.and_then(|hash| self.tokens.user(hash)) {
            return self.known(user);
        }
        // Counted before anything is looked up elsewhere: guessing is slow.
        self.count(&address)?;
        match self.elsewhere(hash).await? {
            Some(user) => self.known(user),
            None => Err(unknown().into()),
        }
    }

    /// The user whom only the catalogue knows.
    async fn elsewhere(&self, hash: Option<TokenHash>) -> Result<Option<User>, Refusal> {
        let Some(hash) = hash else {
            return Ok(None);
        };
        let user = self.catalogue.user(hash).await;
        user.map_err(|trouble| trouble.into_response().into())
    }

    fn known(&self, user: User) -> Result<User, Refusal> {
        let name = user.name.clone().unwrap_or_default();
        self.count(&Client::User(name))?;
        Ok(user)
    }

    fn count(&self, client: &Client) -> Result<(), Refusal> {
        self.rate.check(client).map_err(|seconds| {
            let rate = self.limits.rate;
            let sentence = format!(
                "you sent more than {rate} requests a second. Wait {seconds} s, then ask more \
                 slowly"
            );
            reply::wait(StatusCode::TOO_MANY_REQUESTS, seconds, &sentence).into()
        })
    }

    /// The address of who asks. Only what the last proxy wrote counts: everything before it could
    /// have been sent by anyone.
    fn address(&self, request: &Parts) -> IpAddr {
        let peer = request.extensions.get::<Peer>();
        let peer = peer.map_or(IpAddr::from([0, 0, 0, 0]), |peer| peer.0.ip());
        if !self.behind_proxy {
            return peer;
        }
        let forwarded = request
            .headers
            .get_all("x-forwarded-for")
            .iter()
            .next_back();
        let last = forwarded.and_then(|it| it.to_str().ok()?.rsplit(',').next());
        last.and_then(|it| it.trim().parse().ok()).unwrap_or(peer)
    }

    /// Answers within the limits of time and of requests that run.
    async fn answer(&self, mut request: Request, user: User, next: Next) -> Response {
        let Ok(_permit) = self.running.try_acquire() else {
            let sentence = "the server is already answering as many requests as it can. Ask again \
                            in a moment";
            return reply::wait(StatusCode::SERVICE_UNAVAILABLE, 1, sentence);
        };
        request.extensions_mut().insert(user);
        let answer = tokio::time::timeout(self.limits.time, next.run(request));
        answer.await.unwrap_or_else(|_| {
            let seconds = self.limits.time.as_secs_f64();
            let sentence = format!(
                "the answer took longer than {seconds} s. Ask a shorter question, or ask again \
                 when the server is less busy"
            );
            reply::wait(StatusCode::SERVICE_UNAVAILABLE, 2, &sentence)
        })
    }
}

/// The token of `Bearer TOKEN`.
fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn unknown() -> Response {
    let sentence = "this token is not valid, or no longer valid. Ask whoever runs the server for a \
                    new one, or ask without a token to see what is public";
    let mut response = reply::error(StatusCode::UNAUTHORIZED, sentence);
    let scheme = header::HeaderValue::from_static("Bearer");
    response
        .headers_mut()
        .insert(header::WWW_AUTHENTICATE, scheme);
    response
}

fn has_body(headers: &HeaderMap) -> bool {
    let length = headers.get(header::CONTENT_LENGTH);
    let is_empty = length.is_none_or(|it| it.as_bytes() == b"0");
    !is_empty || headers.contains_key(header::TRANSFER_ENCODING)
}
