//! Collects an answer that nobody watches while it arrives.

use super::{Failure, FinishReason, Kind, StreamEvent, StreamReader, Thoughts};

/// Collects the streamed bytes of an answer; thoughts are left out.
pub struct Listener {
    reader: StreamReader,
    thoughts: Thoughts,
    /// Number of bytes that may still arrive.
    room: usize,
    /// The answer's text so far.
    pub text: String,
    /// Tokens of the prompt, as counted by the service.
    pub prompt_tokens: Option<u32>,
    /// Tokens of the answer, as counted by the service.
    pub answer_tokens: Option<u32>,
    /// Whether any of an answer has arrived.
    pub has_begun: bool,
    outcome: Option<Result<FinishReason, Failure>>,
}

impl Listener {
    /// For the answer of a kind of service. It is cut after `most_bytes`, since a model that writes
    /// more has lost its way.
    pub fn new(kind: Kind, most_bytes: usize) -> Self {
        Self {
            reader: StreamReader::new(kind),
            thoughts: Thoughts::default(),
            room: most_bytes,
            text: String::new(),
            prompt_tokens: None,
            answer_tokens: None,
            has_begun: false,
            outcome: None,
        }
    }

    /// Takes a piece; returns false if no more is wanted.
    pub fn hear(&mut self, piece: &[u8]) -> bool {
        self.room = self.room.saturating_sub(piece.len());
        let events = self.reader.push(piece);
        self.take(events);
        if self.room == 0 && self.outcome.is_none() {
            self.outcome = Some(Ok(FinishReason::Length));
        }
        self.outcome.is_none()
    }

    /// Ends the bytes; returns how the answer ended.
    ///
    /// # Errors
    /// The failure that the service reported, or that the answer was cut off.
    pub fn end(&mut self) -> Result<FinishReason, Failure> {
        if self.outcome.is_none() {
            let events = self.reader.finish();
            self.take(events);
        }
        let rest = self.thoughts.rest();
        self.text.push_str(&rest);
        self.outcome.clone().unwrap_or(Err(Failure::CutOff))
    }

    fn take(&mut self, events: Vec<StreamEvent>) {
        for event in events {
            self.has_begun |= !matches!(event, StreamEvent::Failed(_));
            match event {
                StreamEvent::Text(text) => {
                    let text = self.thoughts.without(&text);
                    self.text.push_str(&text);
                }
                StreamEvent::Usage {
                    prompt_tokens,
                    answer_tokens,
                } => (self.prompt_tokens, self.answer_tokens) = (prompt_tokens, answer_tokens),
                StreamEvent::Done(reason) => self.outcome = Some(Ok(reason)),
                StreamEvent::Failed(failure) => self.outcome = Some(Err(failure)),
                // No tools are offered, and thoughts are not part of an answer.
                StreamEvent::Call(_) | StreamEvent::Thinking(_) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(text: &str) -> String {
        format!("{{\"message\":{{\"content\":\"{text}\"}},\"done\":false}}\n")
    }

    const END: &str = "{\"message\":{\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\",\
        \"prompt_eval_count\":7,\"eval_count\":3}\n";

    #[test]
    fn an_answer_is_collected_without_its_thoughts() {
        let mut listener = Listener::new(Kind::OLLAMA, 10_000);
        assert!(listener.hear(event("<think>hm</think>Yes").as_bytes()));
        assert!(!listener.hear(END.as_bytes()));
        assert_eq!(listener.end(), Ok(FinishReason::End));
        assert_eq!(listener.text, "Yes");
        assert_eq!(
            (listener.prompt_tokens, listener.answer_tokens),
            (Some(7), Some(3))
        );
    }

    #[test]
    fn an_answer_without_end_is_cut_whatever_it_holds() {
        for text in ["word ", "<think>hm "] {
            let mut listener = Listener::new(Kind::OLLAMA, 5_000);
            let piece = event(text);
            let heard = (0..1_000).take_while(|_| listener.hear(piece.as_bytes()));
            assert!(heard.count() < 200, "{text}");
            assert_eq!(listener.end(), Ok(FinishReason::Length), "{text}");
        }
    }

    #[test]
    fn an_answer_that_breaks_off_is_an_error() {
        let mut listener = Listener::new(Kind::OLLAMA, 5_000);
        listener.hear(event("Half").as_bytes());
        assert_eq!(listener.end(), Err(Failure::CutOff));
        assert!(listener.has_begun);
    }
}
