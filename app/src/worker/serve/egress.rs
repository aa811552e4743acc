//! The ledger of what left the page: every request with its exact bytes, entered before it is sent
//! and completed when its answer has ended. It lives as long as the engine and can be saved as a
//! file.

use std::cell::RefCell;

use footnote_core::model::protocol::HttpRequest;

use crate::platform::clock::{now_ms, today_ms};
use crate::worker::protocol::EgressView;

/// Most requests to keep, newest first; a school lesson makes fewer.
const MAX_KEPT: usize = 200;

#[derive(Debug, Default)]
pub struct Egress {
    /// Oldest first, each with the time at which it was sent.
    requests: RefCell<Vec<(EntryId, f64, EgressView)>>,
}

/// Identifies a request in the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryId(u64);

impl Egress {
    /// Enters a request that is about to be sent; `tokens` is an estimate, 0 if no model reads it.
    pub fn begin(&self, purpose: &str, request: &HttpRequest, tokens: u32) -> EntryId {
        let shown = request.redacted();
        let mut requests = self.requests.borrow_mut();
        let id = EntryId(requests.last().map_or(0, |(EntryId(last), ..)| last + 1));
        let view = EgressView {
            at_ms: today_ms(),
            purpose: purpose.to_owned(),
            method: shown.method.to_owned(),
            url: shown.url.clone(),
            headers: headers(&shown),
            body: shown.body.unwrap_or_default(),
            tokens,
            outcome: "in progress".to_owned(),
            received_bytes: 0.0,
            milliseconds: 0.0,
        };
        if requests.len() >= MAX_KEPT {
            requests.remove(0);
        }
        requests.push((id, now_ms(), view));
        id
    }

    /// Enters the outcome of a request.
    pub fn end(&self, id: EntryId, outcome: &str, received: usize) {
        let mut requests = self.requests.borrow_mut();
        let found = requests.iter_mut().find(|(known, ..)| *known == id);
        if let Some((_, began, view)) = found {
            view.outcome = outcome.to_owned();
            view.received_bytes = received as f64;
            view.milliseconds = now_ms() - *began;
        }
    }

    /// Newest first.
    pub fn views(&self) -> Vec<EgressView> {
        let requests = self.requests.borrow();
        requests
            .iter()
            .rev()
            .map(|(_, _, view)| view.clone())
            .collect()
    }
}

/// Names and values as shown; keys are hidden.
pub fn headers(redacted: &HttpRequest) -> Vec<(String, String)> {
    let headers = redacted.headers.iter();
    headers
        .map(|header| (header.name.to_owned(), header.value.clone()))
        .collect()
}
