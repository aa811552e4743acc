//! What all answers have in common: errors as JSON, headers, tags.

use axum::Json;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::source::Trouble;

/// An error as JSON: a sentence that says what to do.
pub fn error(status: StatusCode, sentence: &str) -> Response {
    let mut response = (status, Json(json!({ "error": sentence }))).into_response();
    no_store(response.headers_mut());
    response
}

/// An error after which the client should wait.
pub fn wait(status: StatusCode, seconds: u64, sentence: &str) -> Response {
    let mut response = error(status, sentence);
    let headers = response.headers_mut();
    headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds.max(1)));
    response
}

/// Answers that depend on who asks are kept nowhere.
pub fn no_store(headers: &mut HeaderMap) {
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::VARY, HeaderValue::from_static("Authorization"));
}

/// Sets the entity tag; `tag` has letters, digits and hyphens only.
pub fn tag(headers: &mut HeaderMap, tag: &str) {
    if let Ok(value) = HeaderValue::from_str(&format!("\"{tag}\"")) {
        headers.insert(header::ETAG, value);
    }
}

/// Whether the client already has the bytes with this tag.
pub fn is_known(asked: &HeaderMap, tag: &str) -> bool {
    let known = asked.get_all(header::IF_NONE_MATCH).iter();
    let mut known = known.filter_map(|it| it.to_str().ok());
    known.any(|list| {
        let mut tags = list.split(',').map(str::trim);
        tags.any(|it| it == "*" || it.trim_start_matches("W/").trim_matches('"') == tag)
    })
}

/// The headers that every answer has. `frame-ancestors` counts only as a header; the rest of the
/// page's policy is in the page.
pub fn seal(headers: &mut HeaderMap) {
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, "frame-ancestors 'none'"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

impl IntoResponse for Trouble {
    fn into_response(self) -> Response {
        match self {
            Self::Question(sentence) => error(StatusCode::BAD_REQUEST, &sentence),
            Self::Absent(sentence) => error(StatusCode::NOT_FOUND, &sentence),
            Self::Busy(sentence) => wait(StatusCode::SERVICE_UNAVAILABLE, 2, &sentence),
            Self::Failed(why) => {
                tracing::error!("an answer failed: {why}");
                let sentence = "something failed on the server; its log says what";
                error(StatusCode::INTERNAL_SERVER_ERROR, sentence)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_known_in_every_form_that_clients_send() {
        for (sent, expected) in [
            ("\"abc\"", true),
            ("W/\"abc\"", true),
            ("\"x\", \"abc\"", true),
            ("*", true),
            ("\"abcd\"", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::IF_NONE_MATCH, HeaderValue::from_static(sent));
            assert_eq!(is_known(&headers, "abc"), expected, "{sent}");
        }
        assert!(!is_known(&HeaderMap::new(), "abc"));
    }

    #[test]
    fn a_failure_does_not_reveal_its_reason() {
        let response = Trouble::Failed("/secret/path".to_owned()).into_response();
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let length = response.headers().get(header::CONTENT_LENGTH);
        assert!(length.is_some() || response.headers().contains_key(header::CACHE_CONTROL));
    }
}
