//! Which models a service has.

use serde_json::{Value, json};

use super::failure::Failure;
use super::http::HttpRequest;
use super::secret::Secret;
use super::service::{Kind, Service};
use super::{anthropic, classify, gemini, ollama, openai};

/// A model, as far as its service tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelInfo {
    /// What [`super::Chat::model`] wants.
    pub id: String,
    /// Tokens that it reads at once.
    pub window: Option<u32>,
    /// Whether it takes tools.
    pub tools: Option<bool>,
}

/// Asks for the list of models. It costs nothing and needs the key, so that it tests a connection.
pub fn models_request(service: &Service, secret: Option<&Secret>) -> HttpRequest {
    let base = &service.base;
    let url = match service.kind {
        Kind::OpenAi => format!("{base}/models"),
        // As many as one page may have.
        Kind::Anthropic => format!("{base}/v1/models?limit=1000"),
        Kind::Gemini => format!("{base}/models?pageSize=1000"),
        Kind::Ollama => format!("{base}/api/tags"),
    };
    HttpRequest::get(url, service.kind, secret)
}

/// Reads the list, in the service's order.
///
/// # Errors
/// If the body is no such list: an error sent with a status of success, a page, other JSON.
pub fn read_models(kind: Kind, body: &[u8]) -> Result<Vec<ModelInfo>, Failure> {
    let value = document(body)?;
    let models = match kind {
        Kind::OpenAi => openai::models(&value),
        Kind::Anthropic => anthropic::models(&value),
        Kind::Gemini => gemini::models(&value),
        Kind::Ollama => ollama::models(&value),
    };
    models.ok_or_else(|| failure_of(&value, body))
}

/// Asks for what the list does not tell of a model; `None` where there is nothing more to ask.
pub fn model_request(
    service: &Service,
    secret: Option<&Secret>,
    model: &str,
) -> Option<HttpRequest> {
    if service.kind != Kind::Ollama {
        return None;
    }
    let url = format!("{}/api/show", service.base);
    let body = json!({"model": model}).to_string();
    Some(HttpRequest::post(url, service.kind, secret, body))
}

/// Reads the answer to [`model_request`].
///
/// # Errors
/// If the body does not describe a model.
pub fn read_model(model: &str, body: &[u8]) -> Result<ModelInfo, Failure> {
    let value = document(body)?;
    ollama::details(model, &value).ok_or_else(|| failure_of(&value, body))
}

fn document(body: &[u8]) -> Result<Value, Failure> {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    serde_json::from_slice(body).map_err(|_| Failure::not_a_service(&String::from_utf8_lossy(body)))
}

/// LM Studio sends an error with status 200 where another service's address is asked for.
fn failure_of(value: &Value, body: &[u8]) -> Failure {
    match classify::in_stream("", value) {
        Some(failure @ (Failure::Stream { .. } | Failure::WrongAddress { .. })) => {
            Failure::WrongAddress {
                message: failure.said().unwrap_or_default().to_owned(),
            }
        }
        Some(failure) => failure,
        None => Failure::not_a_service(&String::from_utf8_lossy(body)),
    }
}
