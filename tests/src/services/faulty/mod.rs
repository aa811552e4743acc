//! A language model service that fails as a test wants it to.
//!
//! One server speaks the wire formats of OpenAI, Anthropic, Gemini and Ollama; the path of a
//! request tells which one it uses. Each connection has a thread and carries one request.
//!
//! ```no_run
//! use footnote_tests::services::faulty::FaultyServer;
//! use footnote_tests::services::script::{Gate, Reply, Script, Step};
//!
//! let gate = Gate::new();
//! let server = FaultyServer::with_key("right").start(
//!     Script::new()
//!         .then(Reply::rate_limited(1))
//!         .then(Reply::steps([Step::Text("half".into()), Step::Stall(gate.clone()), Step::Cut])),
//! );
//! let base_url = server.url() + "/v1";
//! # drop(base_url);
//! gate.open();
//! ```

mod reply;
mod serve;
#[cfg(test)]
mod tests;

use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use super::http::RecordedRequest;
use super::script::Script;
use super::wire::{Model, Wanted, Wire};
use serve::Shared;

/// The model that a server offers by default.
pub const MODEL: &str = "scripted-8k";
/// How long [`FaultyServer::wait_until`] waits for its condition.
const PATIENCE: Duration = Duration::from_secs(90);

/// How an exchange ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Everything was sent.
    Finished,
    /// The script cut the connection.
    Cut,
    /// The other side closed the connection first.
    ClientLeft,
    /// The server was stopped first.
    Stopped,
}

/// One request and what became of it.
#[derive(Clone, Debug)]
pub struct Exchange {
    pub request: RecordedRequest,
    /// `None` while the reply is being sent.
    pub end: Option<End>,
}

/// A server that has not been started yet.
#[derive(Clone, Debug)]
pub struct Setup {
    key: Option<String>,
    cors: bool,
    models: Vec<Model>,
    port: u16,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            key: None,
            cors: true,
            models: vec![Model {
                id: MODEL.to_owned(),
                context_tokens: 8192,
            }],
            port: 0,
        }
    }
}

impl Setup {
    /// Refuses requests without this key, wherever the wire format carries it.
    pub fn key(mut self, key: &str) -> Self {
        self.key = Some(key.to_owned());
        self
    }

    /// Refuses pages of other origins: preflight requests get 403, and replies lack the headers.
    pub fn without_cors(mut self) -> Self {
        self.cors = false;
        self
    }

    /// Sets the models on offer; requests for others get 404.
    pub fn models(mut self, models: Vec<Model>) -> Self {
        self.models = models;
        self
    }

    /// Uses this port instead of a free one, for a server that comes back.
    pub fn port(mut self, port: u16) -> Self {
        self.port = port;
        self
    }

    /// Starts the server.
    ///
    /// # Panics
    /// If the port cannot be taken.
    pub fn start(self, script: Script) -> FaultyServer {
        let listener = TcpListener::bind(("127.0.0.1", self.port)).expect("a port of localhost");
        let address = listener.local_addr().expect("the listener's address");
        let shared = Arc::new(Shared {
            setup: self,
            script: Mutex::new(script),
            exchanges: Mutex::default(),
            changed: Condvar::new(),
            streams: Mutex::default(),
            stopped: AtomicBool::new(false),
        });
        let thread = std::thread::spawn({
            let shared = Arc::clone(&shared);
            move || serve::accept(&listener, &shared)
        });
        FaultyServer {
            address,
            shared,
            thread: Some(thread),
        }
    }
}

/// A running server; dropping it cuts every connection and frees the port.
pub struct FaultyServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl FaultyServer {
    /// A server on a free port that takes any key and any page.
    pub fn start(script: Script) -> Self {
        Setup::default().start(script)
    }

    /// Like [`Setup::key`].
    pub fn with_key(key: &str) -> Setup {
        Setup::default().key(key)
    }

    /// Like [`Setup::without_cors`].
    pub fn without_cors() -> Setup {
        Setup::default().without_cors()
    }

    /// The origin, such as `http://localhost:8080`. OpenAI's wire format needs `/v1` after it.
    pub fn url(&self) -> String {
        format!("http://localhost:{}", self.port())
    }

    /// The port of localhost.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Replaces what is left of the script.
    pub fn set_script(&self, script: Script) {
        *self.shared.script.lock().unwrap() = script;
    }

    /// Cuts every connection; new ones are accepted as before.
    pub fn cut_all(&self) {
        for stream in self.shared.streams.lock().unwrap().drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// Everything that arrived, including preflight requests, in order.
    pub fn exchanges(&self) -> Vec<Exchange> {
        self.shared.exchanges.lock().unwrap().clone()
    }

    /// The requests for an answer, in order.
    pub fn asked(&self) -> Vec<Exchange> {
        let mut exchanges = self.exchanges();
        exchanges.retain(|exchange| is_asked(&exchange.request));
        exchanges
    }

    /// Waits until the exchanges fulfil a condition. Blocks the thread.
    ///
    /// # Panics
    /// After a minute and a half; the message lists the exchanges.
    pub fn wait_until(&self, what: &str, condition: impl Fn(&[Exchange]) -> bool) {
        let guard = self.shared.exchanges.lock().unwrap();
        let waited = self
            .shared
            .changed
            .wait_timeout_while(guard, PATIENCE, |exchanges| !condition(exchanges));
        let (exchanges, timeout) = waited.unwrap();
        let listed = exchanges.iter().map(|exchange| {
            let request = &exchange.request;
            format!("{} {} {:?}", request.method, request.path, exchange.end)
        });
        assert!(
            !timeout.timed_out(),
            "waited in vain for {what}; the server saw:\n{}",
            listed.collect::<Vec<_>>().join("\n")
        );
    }

    /// Waits until the `n`th request for an answer (from 1) has ended; returns how.
    pub fn wait_for_end(&self, n: usize) -> End {
        let ends = |exchanges: &[Exchange]| -> Option<End> {
            let mut asked = exchanges
                .iter()
                .filter(|exchange| is_asked(&exchange.request));
            asked.nth(n - 1).and_then(|exchange| exchange.end)
        };
        self.wait_until(&format!("the end of request {n}"), |exchanges| {
            ends(exchanges).is_some()
        });
        ends(&self.exchanges()).expect("waited for")
    }
}

impl Drop for FaultyServer {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::SeqCst);
        // Wakes the listener, which then sees that it has to stop.
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        self.cut_all();
    }
}

fn is_asked(request: &RecordedRequest) -> bool {
    matches!(Wire::of(request), Some((_, Wanted::Answer { .. })))
}
