//! A request as plain data, for the caller to send and for the ledger to show.

use std::fmt;

use super::secret::Secret;
use super::services::Kind;

/// What stands in the place of a secret.
const REDACTED: &str = "(not shown)";

/// One header.
#[derive(Clone, PartialEq, Eq)]
pub struct Header {
    /// In lower case.
    pub name: &'static str,
    /// As it is sent, a key included.
    pub value: String,
    /// Whether the value must not be shown.
    pub secret: bool,
}

/// A request, complete. `Debug` never shows a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpRequest {
    /// `GET` or `POST`.
    pub method: &'static str,
    /// The whole address; it never holds a key.
    pub url: String,
    /// All that have to be set; the browser adds its own.
    pub headers: Vec<Header>,
    /// JSON.
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

    /// The request as the ledger shows it: whole, but for the values of secret headers.
    pub fn redacted(&self) -> HttpRequest {
        let mut shown = self.clone();
        for header in shown.headers.iter_mut().filter(|header| header.secret) {
            header.value = REDACTED.to_owned();
        }
        shown
    }

    /// Bytes of the body.
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

/// What each request of a kind carries.
fn headers(kind: Kind, secret: Option<&Secret>) -> Vec<Header> {
    (kind.spec().headers)(secret.map(Secret::expose))
}
