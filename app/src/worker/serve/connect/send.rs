//! Sends one request to the connected service: enters it in the ledger, watches it, stops it, and
//! names its failure.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use footnote_core::model::protocol::{Failure, HttpRequest, Probe, Secret, Service, classify};
use gloo::timers::callback::Interval;

use super::Connector;
use super::letter::Letter;
use super::patience::Patience;
use crate::platform::clock::now_ms;
use crate::platform::http::{self, Abort, HttpError, Outgoing};
use crate::platform::online;
use crate::worker::serve::cancel::Cancel;

/// Milliseconds between two checks for cancellation and silence.
const WATCH_MS: u32 = 50;
/// How long a service may be silent before or during an answer: a local one may have to load its
/// model first, and the page says so and lets the user stop it.
const MAX_SILENCE_MS: f64 = 180_000.0;
/// If this multiple of the user's patience is longer, it is the limit on silence instead.
const MAX_PATIENCE: f64 = 3.0;
/// Bytes of an error's body to read.
const MAX_ERROR_BYTES: usize = 64 << 10;

/// The recipient of a request.
#[derive(Clone, Copy)]
pub struct Target<'a> {
    pub service: &'a Service,
    pub key: Option<&'a Secret>,
}

/// The state of the watch on a request.
struct Watched {
    last_sign: Cell<f64>,
    /// How often the page said that nothing arrives.
    told: Cell<u32>,
    timed_out: Cell<bool>,
    received: Cell<usize>,
    status: Cell<Option<u16>>,
}

impl Watched {
    fn sign(&self, bytes: usize) {
        self.last_sign.set(now_ms());
        self.received.set(self.received.get() + bytes);
    }
}

impl Connector {
    /// Sends `request` and passes the body of a successful response to `hear` piece by piece.
    /// Nothing is sent that is not in the ledger.
    pub async fn exchange(
        &self,
        target: Target<'_>,
        letter: &Letter,
        cancel: &Cancel,
        patience: Option<&Patience>,
        hear: impl FnMut(&[u8]) -> bool,
    ) -> Result<(), Failure> {
        let egress = &self.services.egress;
        let entry = egress.begin(letter.purpose, &letter.request, letter.tokens);
        let abort = Abort::default();
        let watched = Rc::new(Watched {
            last_sign: Cell::new(now_ms()),
            told: Cell::new(0),
            timed_out: Cell::new(false),
            received: Cell::new(0),
            status: Cell::new(None),
        });
        let watch = watch(&watched, &abort, cancel, patience);
        let result = read(target.service, &letter.request, &abort, &watched, hear).await;
        drop(watch);
        if let Some(patience) = patience {
            patience.heed(0.0, watched.told.get());
        }
        let result = match result {
            Ok(()) => Ok(()),
            Err(Trouble::Failure(failure)) => Err(failure),
            Err(Trouble::Http(error)) => Err(self
                .name_failure(target, error, watched.timed_out.get())
                .await),
        };
        let result = result.map_err(|failure| match target.key {
            Some(key) => failure.without_secret(key),
            None => failure,
        });
        egress.end(
            entry,
            &outcome(&result, watched.status.get()),
            watched.received.get(),
        );
        result
    }

    /// Returns the whole body of a successful response.
    pub(super) async fn fetch(
        &self,
        target: Target<'_>,
        letter: &Letter,
        cancel: &Cancel,
    ) -> Result<Vec<u8>, Failure> {
        let bytes = RefCell::new(Vec::new());
        let hear = |piece: &[u8]| {
            bytes.borrow_mut().extend_from_slice(piece);
            bytes.borrow().len() < MAX_LIST_BYTES
        };
        self.exchange(target, letter, cancel, None, hear).await?;
        Ok(bytes.into_inner())
    }

    /// Browsers do not tell scripts why a request failed. A second, blind request distinguishes a
    /// server that refuses from no server at all.
    async fn name_failure(&self, target: Target<'_>, error: HttpError, timed_out: bool) -> Failure {
        match error {
            HttpError::Stopped if timed_out => Failure::Timeout,
            HttpError::Stopped => Failure::Stopped,
            HttpError::Broken(_) => Failure::CutOff,
            HttpError::Unreachable(_) => {
                let probe = HttpRequest {
                    method: "GET",
                    url: target.service.base.clone(),
                    headers: Vec::new(),
                    body: None,
                };
                let letter = Letter::plain("reachability check", probe);
                let egress = &self.services.egress;
                let entry = egress.begin(letter.purpose, &letter.request, letter.tokens);
                let reached = http::is_reachable(&letter.request.url).await;
                egress.end(entry, if reached { "yes" } else { "no" }, 0);
                Failure::from_probe(
                    target.service,
                    Probe {
                        reached,
                        online: online::is_online(),
                        page_is_secure: http::own_origin().starts_with("https:"),
                    },
                )
            }
        }
    }
}

/// Bytes of a list of models to read.
const MAX_LIST_BYTES: usize = 8 << 20;

enum Trouble {
    Http(HttpError),
    Failure(Failure),
}

impl From<HttpError> for Trouble {
    fn from(error: HttpError) -> Self {
        Trouble::Http(error)
    }
}

/// Aborts the request if the user stops it or nothing more arrives.
fn watch(
    watched: &Rc<Watched>,
    abort: &Abort,
    cancel: &Cancel,
    patience: Option<&Patience>,
) -> Interval {
    let (watched, abort, cancel) = (Rc::clone(watched), abort.clone(), cancel.clone());
    let patience = patience.cloned();
    let max_silence = patience.as_ref().map_or(MAX_SILENCE_MS, |patience| {
        MAX_SILENCE_MS.max(patience.milliseconds() * MAX_PATIENCE)
    });
    Interval::new(WATCH_MS, move || {
        let silence = now_ms() - watched.last_sign.get();
        if let Some(patience) = &patience {
            let told = patience.heed(silence, watched.told.get());
            watched.told.set(told);
        }
        let is_over = silence > max_silence;
        if is_over {
            watched.timed_out.set(true);
        }
        if is_over || cancel.asked() {
            abort.abort();
        }
    })
}

async fn read(
    service: &Service,
    request: &HttpRequest,
    abort: &Abort,
    watched: &Watched,
    mut hear: impl FnMut(&[u8]) -> bool,
) -> Result<(), Trouble> {
    let headers = request.headers.iter();
    let outgoing = Outgoing {
        method: request.method,
        url: &request.url,
        headers: headers
            .map(|header| (header.name, header.value.as_str()))
            .collect(),
        body: request.body.as_deref(),
    };
    let incoming = http::send(&outgoing, abort).await?;
    watched.sign(0);
    watched.status.set(Some(incoming.status));
    if !(200..300).contains(&incoming.status) {
        let (status, retry_after) = (incoming.status, incoming.retry_after.clone());
        // If the body of an error breaks off, it is still that error.
        let body = incoming.bytes(MAX_ERROR_BYTES).await.unwrap_or_default();
        watched.sign(body.len());
        return Err(Trouble::Failure(classify(
            service,
            status,
            retry_after.as_deref(),
            &body,
        )));
    }
    let body = incoming.body();
    while let Some(piece) = body.next().await? {
        watched.sign(piece.len());
        if !hear(&piece) {
            // No more data is needed; do not wait for the connection to end.
            abort.abort();
            return Ok(());
        }
    }
    Ok(())
}

/// A few words for the ledger.
fn outcome(result: &Result<(), Failure>, status: Option<u16>) -> String {
    match (result, status) {
        (Ok(()), Some(status)) => format!("{status}"),
        (Err(Failure::Stopped), _) => "stopped".to_owned(),
        (Err(Failure::Timeout), _) => "timed out".to_owned(),
        (Err(Failure::CutOff), _) => "cut off".to_owned(),
        (Err(_), Some(status)) => format!("{status}, failed"),
        (_, None) => "not reached".to_owned(),
    }
}
