//! Streamed bytes → events.

use serde_json::Value;

use super::chat::ToolCall;
use super::classify;
use super::failure::Failure;
use super::framing::{Frame, Framing};
use super::services::Kind;
use super::turn::Turn;

/// One event of an answer. The last one of a stream, and only the last, is `Done` or `Failed`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StreamEvent {
    /// More of the answer.
    Text(String),
    /// More of the model's thoughts before its answer; not part of the answer.
    Thinking(String),
    /// A complete tool call; all of them come right before `Done`.
    Call(ToolCall),
    /// The service's token counts, if it sends them; at most once, before `Done`.
    Usage {
        /// Tokens that the model read.
        prompt_tokens: Option<u32>,
        /// Tokens that it wrote.
        answer_tokens: Option<u32>,
    },
    /// The answer is complete, or will not get any longer.
    Done(FinishReason),
    /// The answer failed; what arrived before stays valid.
    Failed(Failure),
}

/// Why the model stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FinishReason {
    /// It finished.
    End,
    /// It reached a limit of tokens, the answer's or the model's.
    Length,
    /// It wants tools to be run.
    Tools,
    /// It, or its service, refused.
    Refused {
        /// The service's word for it: `content_filter`, `refusal`, `SAFETY` …
        why: String,
    },
}

/// Reads one answer. See the [module](super).
pub struct StreamReader {
    kind: Kind,
    framing: Framing,
    turn: Turn,
    /// The beginning of the first JSON that is not part of an answer.
    foreign: Option<String>,
}

impl StreamReader {
    /// A reader for a service of this kind.
    pub fn new(kind: Kind) -> Self {
        Self {
            kind,
            framing: (kind.spec().framing)(),
            turn: Turn::default(),
            foreign: None,
        }
    }

    /// The events that `bytes` complete. Nothing follows `Done` or `Failed`.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<StreamEvent> {
        if self.turn.is_over() {
            return Vec::new();
        }
        for frame in self.framing.push(bytes) {
            self.frame(frame, false);
        }
        self.turn.take()
    }

    /// The remaining events when the bytes end. The stream is over after this.
    pub fn finish(&mut self) -> Vec<StreamEvent> {
        for frame in self.framing.finish() {
            self.frame(frame, true);
        }
        if !self.turn.has_begun()
            && let Some(start) = self.foreign.take()
        {
            self.turn.fail(Failure::not_a_service(&start));
        }
        self.turn.finish();
        self.turn.take()
    }

    fn frame(&mut self, frame: Frame, is_last: bool) {
        if self.turn.is_over() {
            return;
        }
        match frame {
            Frame::Data { event, data } => self.data(&event, &data, is_last),
            Frame::Document(bytes) => self.document(&bytes),
            Frame::Foreign(start) => self.turn.fail(Failure::not_a_service(&start)),
            Frame::TooLong => self.turn.fail(Failure::Stream {
                message: "it sent several megabytes without an end".to_owned(),
            }),
        }
    }

    fn data(&mut self, event: &str, data: &str, is_last: bool) {
        let data = data.trim();
        if data == "[DONE]" {
            return self.turn.end();
        }
        match serde_json::from_str::<Value>(data) {
            Ok(value) => self.value(event, &value),
            // The connection ended in the middle of an event.
            Err(_) if is_last && self.turn.has_begun() => self.turn.fail(Failure::CutOff),
            Err(_) if event == "error" => self.turn.fail(Failure::stream(data)),
            Err(_) if !self.turn.has_begun() => self.turn.fail(Failure::not_a_service(data)),
            Err(_) if data.is_empty() => {}
            Err(_) => self.turn.fail(Failure::Stream {
                message: "it sent an event that is not JSON".to_owned(),
            }),
        }
    }

    /// Reads a whole answer or an error in place of a stream; also several documents in a row, or
    /// in a list.
    fn document(&mut self, bytes: &[u8]) {
        for value in serde_json::Deserializer::from_slice(bytes).into_iter::<Value>() {
            match value {
                Ok(Value::Array(values)) => {
                    for value in &values {
                        self.value("", value);
                    }
                }
                Ok(value) => self.value("", &value),
                Err(error) if error.is_eof() => return self.turn.fail(Failure::CutOff),
                Err(_) => {
                    let text = String::from_utf8_lossy(bytes);
                    return self.turn.fail(Failure::not_a_service(&text));
                }
            }
        }
    }

    fn value(&mut self, event: &str, value: &Value) {
        if self.turn.is_over() {
            return;
        }
        if let Some(failure) = classify::in_stream(event, value) {
            return self.turn.fail(failure);
        }
        (self.kind.spec().read)(&mut self.turn, value);
        if !self.turn.has_begun() && self.foreign.is_none() {
            self.foreign = Some(value.to_string());
        }
    }
}
