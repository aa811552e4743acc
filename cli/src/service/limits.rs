//! What a run has used, and what it may use.

use footnote_core::model::prompt::chat_tokens;
use footnote_core::model::protocol::Chat;

/// Requests and tokens, used and allowed.
pub struct Limits {
    max_requests: Option<u32>,
    max_tokens: Option<u64>,
    pub used: Used,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Used {
    pub requests: u32,
    /// As counted by the service, else as estimated.
    pub prompt_tokens: u64,
    pub answer_tokens: u64,
}

impl Limits {
    pub fn new(max_requests: Option<u32>, max_tokens: Option<u64>) -> Self {
        Self {
            max_requests,
            max_tokens,
            used: Used::default(),
        }
    }

    /// Checks whether one more request may be sent; if not, returns a sentence that says why.
    pub fn check(&self, chat: &Chat) -> Result<(), String> {
        let Used {
            requests,
            prompt_tokens,
            answer_tokens,
        } = self.used;
        if self.max_requests.is_some_and(|most| requests >= most) {
            return Err(format!(
                "requests sent: {requests}, as many as --max-requests allows"
            ));
        }
        let used = prompt_tokens + answer_tokens;
        let needed = chat_tokens(chat) as u64 + u64::from(chat.max_tokens);
        match self.max_tokens {
            Some(most) if used + needed > most => Err(format!(
                "{used} tokens were used, and the next request may take {needed}: more than \
                 --max-tokens {most} allows"
            )),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use footnote_core::model::protocol::Message;

    use super::*;

    fn chat() -> Chat {
        let mut chat = Chat::new("m", "Answer.");
        chat.messages.push(Message::User("why?".to_owned()));
        chat.max_tokens = 100;
        chat
    }

    #[test]
    fn a_request_that_could_exceed_a_limit_is_not_sent() {
        let size = chat_tokens(&chat()) as u64;
        let mut limits = Limits::new(Some(2), Some(2 * size + 150));
        assert_eq!(limits.check(&chat()), Ok(()));
        limits.used = Used {
            requests: 1,
            prompt_tokens: size,
            answer_tokens: 50,
        };
        assert_eq!(limits.check(&chat()), Ok(()));
        limits.used.answer_tokens = 51;
        assert!(limits.check(&chat()).unwrap_err().contains("--max-tokens"));
        limits.used = Used {
            requests: 2,
            ..Used::default()
        };
        assert!(
            limits
                .check(&chat())
                .unwrap_err()
                .contains("--max-requests")
        );
        assert_eq!(Limits::new(None, None).check(&chat()), Ok(()));
    }
}
