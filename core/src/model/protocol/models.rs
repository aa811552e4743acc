//! The models that a service has.

use serde_json::Value;

use super::classify;
use super::failure::Failure;
use super::http::HttpRequest;
use super::secret::Secret;
use super::service::Service;
use super::services::Kind;

/// A model, as its service describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelInfo {
    /// The value for [`super::Chat::model`].
    pub id: String,
    /// Tokens of its context window.
    pub window: Option<u32>,
    /// Whether it supports tools.
    pub tools: Option<bool>,
}

/// The request for the list of models. It costs nothing and needs the key, so it tests a
/// connection.
pub fn models_request(service: &Service, secret: Option<&Secret>) -> HttpRequest {
    let url = (service.kind.spec().models_url)(&service.base);
    HttpRequest::get(url, service.kind, secret)
}

/// Reads the list, in the service's order.
///
/// # Errors
/// If the body is not such a list: an error with a success status, an HTML page, other JSON.
pub fn read_models(kind: Kind, body: &[u8]) -> Result<Vec<ModelInfo>, Failure> {
    let value = document(body)?;
    let models = (kind.spec().models)(&value);
    models.ok_or_else(|| failure_of(&value, body))
}

/// The request for what the list does not say about a model; `None` if there is nothing more to
/// ask.
pub fn model_request(
    service: &Service,
    secret: Option<&Secret>,
    model: &str,
) -> Option<HttpRequest> {
    let details = service.kind.spec().details.as_ref()?;
    let (url, body) = (details.request)(&service.base, model);
    Some(HttpRequest::post(
        url,
        service.kind,
        secret,
        body.to_string(),
    ))
}

/// Reads the answer to [`model_request`].
///
/// # Errors
/// If the body does not describe a model.
pub fn read_model(kind: Kind, model: &str, body: &[u8]) -> Result<ModelInfo, Failure> {
    let value = document(body)?;
    let details = kind.spec().details.as_ref();
    let info = details.and_then(|details| (details.read)(model, &value));
    info.ok_or_else(|| failure_of(&value, body))
}

fn document(body: &[u8]) -> Result<Value, Failure> {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    serde_json::from_slice(body).map_err(|_| Failure::not_a_service(&String::from_utf8_lossy(body)))
}

/// LM Studio sends an error with status 200 for a path of another service.
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
