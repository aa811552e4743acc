//! A request as plain data, for the caller to send and for the ledger to show.

use std::fmt;

use super::secret::Secret;
use super::services::Kind;

/// Replaces a secret.
const REDACTED: &str = "(not shown)";

/// One header.
#[derive(Clone, PartialEq, Eq)]
pub struct Header {
    /// In lower case.
    pub name: &'static str,
    /// The value as sent, including keys.
    pub value: String,
    /// Whether the value must not be shown.
    pub secret: bool,
}

/// A complete request. `Debug` never shows a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpRequest {
    /// `GET` or `POST`.
    pub method: &'static str,
    /// The whole address; it never contains a key.
    pub url: String,
    /// All headers to set; the browser adds its own.
    pub headers: Vec<Header>,
    /// The JSON body.
    pub body: Option<String>,
}

impl HttpRequest {
    pub(super) fn get(url: String, kind: Kind, secret: Option<&Secret>) -> Self {
        Self {
            method: "GET",
            url,
            headers: headers(kind, secret),
            body: None,
        }
    }

    pub(super) fn post(url: String, kind: Kind, secret: Option<&Secret>, body: String) -> Self {
        let mut headers = headers(kind, secret);
        headers.insert(0, Header::plain("content-type", "application/json"));
        Self {
            method: "POST",
            url,
            headers,
            body: Some(body),
        }
    }

    /// The request as the ledger shows it: complete, except for the values of secret headers.
    pub fn redacted(&self) -> HttpRequest {
        let mut shown = self.clone();
        for header in shown.headers.iter_mut().filter(|header| header.secret) {
            header.value = REDACTED.to_owned();
        }
        shown
    }

    /// Size of the body in bytes.
    pub fn body_bytes(&self) -> usize {
        self.body.as_ref().map_or(0, String::len)
    }
}

impl Header {
    pub(super) fn plain(name: &'static str, value: &str) -> Self {
        Self {
            name,
            value: value.to_owned(),
            secret: false,
        }
    }

    pub(super) fn secret(name: &'static str, value: String) -> Self {
        Self {
            name,
            value,
            secret: true,
        }
    }
}

impl fmt::Debug for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = if self.secret { REDACTED } else { &self.value };
        write!(f, "{}: {value}", self.name)
    }
}

/// The headers of every request to a kind of service.
fn headers(kind: Kind, secret: Option<&Secret>) -> Vec<Header> {
    (kind.spec().headers)(secret.map(Secret::expose))
}
