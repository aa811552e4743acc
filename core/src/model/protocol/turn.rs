//! A model's answer so far, independent of any service.

use super::chat::ToolCall;
use super::failure::Failure;
use super::framing::MAX_FRAME_BYTES;
use super::stream::{FinishReason, StreamEvent};

/// Most calls in one answer; a model that makes more has lost its way.
const MAX_CALLS: usize = 64;

/// Collects events and the pieces of calls. Each service's reader passes in what it reads.
#[derive(Default)]
pub(super) struct Turn {
    events: Vec<StreamEvent>,
    /// In the order they began, each with the service's number for it.
    calls: Vec<(u64, ToolCall)>,
    /// Bytes of all arguments so far.
    n_argument_bytes: usize,
    prompt_tokens: Option<u32>,
    answer_tokens: Option<u32>,
    stop: Option<FinishReason>,
    has_begun: bool,
    is_over: bool,
}

impl Turn {
    /// Takes the events since the last call.
    pub fn take(&mut self) -> Vec<StreamEvent> {
        std::mem::take(&mut self.events)
    }

    /// Whether `Done` or `Failed` was emitted.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Whether anything that belongs to an answer was read.
    pub fn has_begun(&self) -> bool {
        self.has_begun
    }

    /// Notes that the service does answer, even if nothing of the answer was read yet.
    pub fn begin(&mut self) {
        self.has_begun = true;
    }

    pub fn text(&mut self, text: &str) {
        self.has_begun = true;
        if !text.is_empty() {
            self.events.push(StreamEvent::Text(text.to_owned()));
        }
    }

    pub fn thinking(&mut self, text: &str) {
        self.has_begun = true;
        if !text.is_empty() {
            self.events.push(StreamEvent::Thinking(text.to_owned()));
        }
    }

    /// Sets the token counts, replacing earlier ones: services send totals, not differences.
    pub fn usage(&mut self, prompt_tokens: Option<u32>, answer_tokens: Option<u32>) {
        self.has_begun |= prompt_tokens.is_some() || answer_tokens.is_some();
        self.prompt_tokens = prompt_tokens.or(self.prompt_tokens);
        self.answer_tokens = answer_tokens.or(self.answer_tokens);
    }

    pub fn stop(&mut self, stop: FinishReason) {
        self.has_begun = true;
        self.stop = Some(stop);
    }

    /// Adds a piece of the call that the service numbers `number`. Without a number it is the last
    /// call, or a new one if `id` is new. A known number with another id is a new call too: some
    /// services number every call 0.
    pub fn call(&mut self, number: Option<u64>, id: Option<&str>, name: Option<&str>, part: &str) {
        self.has_begun = true;
        let is_same = |(known, call): &&mut (u64, ToolCall)| {
            number.is_none_or(|number| number == *known)
                && id.is_none_or(|id| id == call.id || call.id.is_empty())
        };
        let last = self.calls.iter_mut().rev().find(is_same);
        self.n_argument_bytes += part.len();
        if self.n_argument_bytes > MAX_FRAME_BYTES {
            return self.fail(Failure::Stream {
                message: "it asked for tools with several megabytes of arguments".to_owned(),
            });
        }
        if let Some((_, call)) = last {
            call.arguments.push_str(part);
            if call.name.is_empty() {
                name.unwrap_or_default().clone_into(&mut call.name);
            }
            if call.id.is_empty() {
                id.unwrap_or_default().clone_into(&mut call.id);
            }
        } else if self.calls.len() < MAX_CALLS {
            let number = number.unwrap_or(self.calls.len() as u64);
            let call = ToolCall::new(id.unwrap_or_default(), name.unwrap_or_default(), part);
            self.calls.push((number, call));
        }
    }

    /// Adds a call that arrived as a whole.
    pub fn whole_call(&mut self, call: ToolCall) {
        self.has_begun = true;
        self.n_argument_bytes += call.arguments.len();
        if self.n_argument_bytes > MAX_FRAME_BYTES {
            self.fail(Failure::Stream {
                message: "it asked for tools with several megabytes of arguments".to_owned(),
            });
        } else if self.calls.len() < MAX_CALLS {
            // No piece follows it, so it gets a number that no piece has.
            self.calls.push((u64::MAX, call));
        }
    }

    /// Ends the answer, which the service said is complete.
    pub fn end(&mut self) {
        if self.is_over {
            return;
        }
        let stop = self.stop.take().unwrap_or(FinishReason::End);
        // If the answer was cut, so are the arguments.
        let is_complete = matches!(stop, FinishReason::End | FinishReason::Tools);
        let calls = if is_complete {
            std::mem::take(&mut self.calls)
        } else {
            Vec::new()
        };
        let stop = match stop {
            FinishReason::End if !calls.is_empty() => FinishReason::Tools,
            FinishReason::Tools if calls.is_empty() => FinishReason::End,
            stop => stop,
        };
        for (at, (_, mut call)) in calls.into_iter().enumerate() {
            if call.id.is_empty() {
                call.id = format!("call_{at}");
            }
            if call.arguments.trim().is_empty() {
                "{}".clone_into(&mut call.arguments);
            }
            self.events.push(StreamEvent::Call(call));
        }
        if self.prompt_tokens.is_some() || self.answer_tokens.is_some() {
            self.events.push(StreamEvent::Usage {
                prompt_tokens: self.prompt_tokens,
                answer_tokens: self.answer_tokens,
            });
        }
        self.events.push(StreamEvent::Done(stop));
        self.is_over = true;
    }

    pub fn fail(&mut self, failure: Failure) {
        if !self.is_over {
            self.events.push(StreamEvent::Failed(failure));
            self.is_over = true;
        }
    }

    /// Ends the bytes. An answer whose end was announced is complete; any other was cut off.
    pub fn finish(&mut self) {
        if self.stop.is_some() {
            self.end();
        } else {
            self.fail(Failure::CutOff);
        }
    }
}
