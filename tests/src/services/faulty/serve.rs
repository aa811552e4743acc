//! What happens on one connection: read, record, check, reply.

use std::io;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};

use super::super::http::{Head, RecordedRequest};
use super::super::script::{Reply, Script};
use super::super::wire::{Wanted, Wire, ollama};
use super::{End, Exchange, Setup};

/// The message with the error for a wrong address.
const UNKNOWN_PATH: &str = "404 page not found";

/// What the threads of a server share.
pub struct Shared {
    pub setup: Setup,
    pub script: Mutex<Script>,
    pub exchanges: Mutex<Vec<Exchange>>,
    /// Notified of each change to the exchanges.
    pub changed: Condvar,
    /// The open connections, to be shut down when the server stops.
    pub streams: Mutex<Vec<TcpStream>>,
    pub stopped: AtomicBool,
}

/// Accepts connections until the server stops.
pub fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming().flatten() {
        if shared.stopped.load(Ordering::SeqCst) {
            break;
        }
        if let Ok(clone) = stream.try_clone() {
            shared.streams.lock().unwrap().push(clone);
        }
        let shared = Arc::clone(shared);
        std::thread::spawn(move || shared.serve(stream));
    }
}

impl Shared {
    /// Answers the single request of a connection and records how that ended.
    fn serve(&self, mut stream: TcpStream) {
        let Ok(Some(request)) = RecordedRequest::read(&stream) else {
            return;
        };
        let index = {
            let mut exchanges = self.exchanges.lock().unwrap();
            exchanges.push(Exchange {
                request: request.clone(),
                end: None,
            });
            exchanges.len() - 1
        };
        self.changed.notify_all();
        let end = match self.answer(&mut stream, &request) {
            Ok(end) => end,
            Err(_) if self.stopped.load(Ordering::SeqCst) => End::Stopped,
            Err(_) => End::ClientLeft,
        };
        // The clone kept for stopping the server would keep the connection open.
        let _ = stream.shutdown(Shutdown::Both);
        self.exchanges.lock().unwrap()[index].end = Some(end);
        self.changed.notify_all();
    }

    fn answer(&self, stream: &mut TcpStream, request: &RecordedRequest) -> io::Result<End> {
        if request.method == "OPTIONS" {
            self.preflight(request).send(stream, b"")?;
            return Ok(End::Finished);
        }
        let Some((wire, wanted)) = Wire::of(request) else {
            let head = self.open_to_pages(Head::new(404, "text/plain"));
            head.send(stream, UNKNOWN_PATH.as_bytes())?;
            return Ok(End::Finished);
        };
        if let Some((status, message)) = self.refusal(wire, &wanted, request) {
            return self.reply(stream, wire, &wanted, Reply::failure(status, &message));
        }
        let reply = match &wanted {
            Wanted::Models => self.script.lock().unwrap().models_reply(),
            Wanted::Details => None,
            Wanted::Answer { .. } => {
                let answerer = self.script.lock().unwrap().next();
                Some(answerer(request))
            }
        };
        if let Some(reply) = reply {
            return self.reply(stream, wire, &wanted, reply);
        }
        let body = match (&wanted, self.setup.models.first()) {
            (Wanted::Details, Some(model)) => ollama::details(model),
            _ => wire.models(&self.setup.models),
        };
        self.open_to_pages(Head::new(200, "application/json"))
            .send(stream, body.to_string().as_bytes())?;
        Ok(End::Finished)
    }

    /// What is wrong with a request, before the script is asked.
    fn refusal(
        &self,
        wire: Wire,
        wanted: &Wanted,
        request: &RecordedRequest,
    ) -> Option<(u16, String)> {
        if let Some((status, message)) = wire.demand(request) {
            return Some((status, message.to_owned()));
        }
        let key = self.setup.key.as_deref();
        if key.is_some() && wire.key(request) != key {
            let (status, message) = wire.wrong_key();
            return Some((status, message.to_owned()));
        }
        let Wanted::Answer { model, .. } = wanted else {
            return None;
        };
        let known = self.setup.models.iter().any(|offered| offered.id == *model);
        (!known).then(|| (404, wire.unknown_model(model)))
    }

    fn preflight(&self, request: &RecordedRequest) -> Head {
        if !self.setup.cors {
            return Head::new(403, "text/plain");
        }
        let asked = request.header("access-control-request-headers");
        self.open_to_pages(Head::new(204, "text/plain"))
            .with("Access-Control-Allow-Methods", "GET, POST, OPTIONS")
            .with("Access-Control-Allow-Headers", asked.unwrap_or("*"))
            .with("Access-Control-Allow-Private-Network", "true")
    }

    pub(super) fn open_to_pages(&self, head: Head) -> Head {
        if !self.setup.cors {
            return head;
        }
        // Without the second header a page cannot read how long it should wait.
        head.with("Access-Control-Allow-Origin", "*")
            .with("Access-Control-Expose-Headers", "Retry-After")
    }
}
