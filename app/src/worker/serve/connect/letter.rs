//! A request on its way to the service, with what it counts for: the ledger and the answer's own
//! count read it here.

use footnote_core::model::prompt::chat_tokens;
use footnote_core::model::protocol::{Chat, HttpRequest, chat_request};

use super::Connection;
use crate::worker::protocol::Tally;

pub struct Letter {
    /// What it is for, as the ledger says it.
    pub purpose: &'static str,
    pub request: HttpRequest,
    /// Estimated.
    pub tokens: u32,
    /// Tokens that its answer may have.
    pub answer_tokens: u32,
}

impl Letter {
    /// A request that holds nothing for a model to read.
    pub fn plain(purpose: &'static str, request: HttpRequest) -> Self {
        Self {
            purpose,
            request,
            tokens: 0,
            answer_tokens: 0,
        }
    }

    /// What the model is asked.
    pub fn chat(purpose: &'static str, connection: &Connection, chat: &Chat) -> Self {
        Self {
            purpose,
            request: chat_request(&connection.service, connection.key(), chat),
            tokens: chat_tokens(chat) as u32,
            answer_tokens: chat.max_tokens,
        }
    }

    /// What it counts for each time that it is sent.
    pub fn tally(&self) -> Tally {
        Tally {
            requests: 1,
            tokens: self.tokens,
            bytes: self.request.body_bytes() as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use footnote_core::model::protocol::{ChatOption, Kind, Message, Service};
    use footnote_core::model::tools;

    use super::*;
    use crate::worker::protocol::ConnectionView;

    #[test]
    fn a_letter_counts_what_its_request_holds() {
        let service = Service::new(Kind::OPENAI, "http://localhost:1").unwrap();
        let connection = Connection::new(&ConnectionView {
            service,
            key: None,
            model: "m".into(),
            window: None,
        });
        let connection = connection.unwrap_or_else(|notice| panic!("{notice:?}"));
        let mut chat = Chat::new("m", "Answer.");
        chat.messages = vec![Message::User("How?".into())];
        let small = Letter::chat("answer", &connection, &chat).tally();
        assert_eq!(small.requests, 1);
        chat.tools = tools::tools();
        let offered = Letter::chat("answer", &connection, &chat).tally();
        assert!(offered.tokens > small.tokens && offered.bytes > small.bytes);
        // A service that knows no tools is not sent them, so they do not count.
        let chat = chat.without(ChatOption::Tools).unwrap();
        assert_eq!(Letter::chat("answer", &connection, &chat).tally(), small);
    }
}
