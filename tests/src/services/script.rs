//! What a test tells a [`FaultyServer`](super::faulty::FaultyServer) to do.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use serde_json::Value;

use super::http::RecordedRequest;

/// A call of a tool that the model asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    pub id: String,
    pub name: String,
    pub arguments: Value,
}

/// One thing that happens while an answer streams.
#[derive(Clone, Debug)]
pub enum Step {
    /// One event with this text.
    Text(String),
    /// One event with reasoning that is not part of the answer.
    Reasoning(String),
    /// The same text this many times, in one event each.
    Repeat { text: String, times: usize },
    /// A call of a tool; its arguments come in two events if the wire format allows it.
    ToolCall(ToolCall),
    /// These bytes, whatever the wire format.
    Raw(Vec<u8>),
    /// An error in the middle of the stream, as the service would report it.
    Error(String),
    /// Nothing more until the test opens the gate.
    Stall(Gate),
    /// The connection ends at once, in the middle of the body.
    Cut,
    /// The body ends properly, but the protocol's own end is missing.
    EndEarly,
}

/// Why the model says it stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// It was done, or wants its tools to be called.
    Stop,
    /// It reached the token limit.
    Length,
}

/// How the bytes of a stream are split into writes. A receiver that reads late may still join them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// One write per step.
    Steps,
    /// This many bytes per write, through the middle of events, escapes and characters.
    Every(usize),
}

/// The reply to one request.
#[derive(Clone, Debug)]
pub enum Reply {
    /// An answer, streamed if the request asks for it.
    Answer {
        steps: Vec<Step>,
        finish: Finish,
        split: Split,
    },
    /// An error with the service's usual body.
    Failure {
        status: u16,
        message: String,
        /// The value of `Retry-After`, in seconds.
        retry_after_s: Option<u32>,
    },
    /// Something other than an answer: any status, content type and body.
    Other {
        status: u16,
        content_type: String,
        body: Vec<u8>,
    },
}

impl Reply {
    /// An answer of these steps.
    pub fn steps(steps: impl IntoIterator<Item = Step>) -> Self {
        Self::Answer {
            steps: steps.into_iter().collect(),
            finish: Finish::Stop,
            split: Split::Steps,
        }
    }

    /// An answer of this text, a few characters per event, as services send it.
    pub fn text(text: &str) -> Self {
        let characters: Vec<char> = text.chars().collect();
        let pieces = characters.chunks(4).map(|piece| piece.iter().collect());
        Self::steps(pieces.map(Step::Text))
    }

    /// An answer of this many tokens, in one event each.
    pub fn tokens(times: usize) -> Self {
        let text = "token ".to_owned();
        Self::steps([Step::Repeat { text, times }])
    }

    /// Ten megabytes of tokens, one kilobyte per event.
    pub fn flood() -> Self {
        let text = "token ".repeat(1024 / 6);
        let times = 10_000_000 / text.len() + 1;
        Self::steps([Step::Repeat { text, times }])
    }

    /// A call of one tool.
    pub fn tool_call(id: &str, name: &str, arguments: Value) -> Self {
        Self::steps([Step::ToolCall(ToolCall {
            id: id.to_owned(),
            name: name.to_owned(),
            arguments,
        })])
    }

    /// A status with the body that the service usually sends with it.
    pub fn failure(status: u16, message: &str) -> Self {
        Self::Failure {
            status,
            message: message.to_owned(),
            retry_after_s: None,
        }
    }

    /// Status 429 with a `Retry-After`.
    pub fn rate_limited(retry_after_s: u32) -> Self {
        Self::Failure {
            status: 429,
            message: "Rate limit reached for requests".to_owned(),
            retry_after_s: Some(retry_after_s),
        }
    }

    /// A web page where an answer is expected, as from a proxy or a wrong address.
    pub fn html(status: u16) -> Self {
        Self::Other {
            status,
            content_type: "text/html; charset=utf-8".to_owned(),
            body: b"<!doctype html><title>Welcome</title><h1>It works!</h1>".to_vec(),
        }
    }

    /// Splits the bytes of an answer into writes in another way.
    pub fn split(mut self, how: Split) -> Self {
        if let Self::Answer { split, .. } = &mut self {
            *split = how;
        }
        self
    }

    /// Ends an answer for another reason.
    pub fn finish(mut self, why: Finish) -> Self {
        if let Self::Answer { finish, .. } = &mut self {
            *finish = why;
        }
        self
    }
}

type Answerer = Arc<dyn Fn(&RecordedRequest) -> Reply + Send + Sync>;

/// The replies to the requests for an answer, in order.
#[derive(Clone, Default)]
pub struct Script {
    replies: VecDeque<Answerer>,
    otherwise: Option<Answerer>,
    models: Option<Reply>,
}

impl Script {
    /// A script without any reply: requests that it does not foresee get status 500, with a message
    /// that says so.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives the next request this reply.
    pub fn then(self, reply: Reply) -> Self {
        self.then_with(move |_| reply.clone())
    }

    /// Gives the next request a reply computed from it.
    pub fn then_with(
        mut self,
        answerer: impl Fn(&RecordedRequest) -> Reply + Send + Sync + 'static,
    ) -> Self {
        self.replies.push_back(Arc::new(answerer));
        self
    }

    /// Gives every later request a reply computed from it.
    pub fn always(
        mut self,
        answerer: impl Fn(&RecordedRequest) -> Reply + Send + Sync + 'static,
    ) -> Self {
        self.otherwise = Some(Arc::new(answerer));
        self
    }

    /// Answers requests for the list of models with this instead.
    pub fn models(mut self, reply: Reply) -> Self {
        self.models = Some(reply);
        self
    }

    pub(super) fn models_reply(&self) -> Option<Reply> {
        self.models.clone()
    }

    /// Takes the answerer of the next request for an answer. It is called after the script's lock
    /// is released, so that a slow one blocks nobody.
    pub(super) fn next(&mut self) -> Answerer {
        let next = self.replies.pop_front().or_else(|| self.otherwise.clone());
        next.unwrap_or_else(|| {
            Arc::new(|_| Reply::failure(500, "The script of this test has no reply left."))
        })
    }
}

/// A point where a stream stops until the test lets it go on.
#[derive(Clone, Debug, Default)]
pub struct Gate(Arc<(Mutex<GateState>, Condvar)>);

#[derive(Debug, Default)]
struct GateState {
    reached: bool,
    open: bool,
}

impl Gate {
    /// A closed gate.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets everything through, now and later.
    pub fn open(&self) {
        self.change(|state| state.open = true);
    }

    /// Waits until a stream has reached the gate: all bytes before it were sent.
    ///
    /// # Panics
    /// If none arrives within `patience`.
    pub fn wait_reached(&self, patience: Duration) {
        let (state, changed) = &*self.0;
        let guard = state.lock().unwrap();
        let waited = changed.wait_timeout_while(guard, patience, |state| !state.reached);
        assert!(!waited.unwrap().1.timed_out(), "no stream reached the gate");
    }

    /// Records that a stream is here.
    pub(super) fn reach(&self) {
        self.change(|state| state.reached = true);
    }

    /// Waits a moment; returns whether the gate is open.
    pub(super) fn wait_open(&self, moment: Duration) -> bool {
        let (state, changed) = &*self.0;
        let guard = state.lock().unwrap();
        let waited = changed.wait_timeout_while(guard, moment, |state| !state.open);
        waited.unwrap().0.open
    }

    fn change(&self, change: impl FnOnce(&mut GateState)) {
        let (state, changed) = &*self.0;
        change(&mut state.lock().unwrap());
        changed.notify_all();
    }
}
