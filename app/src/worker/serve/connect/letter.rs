//! A request to the service with its costs; the ledger and the answer's own count are based on it.

use footnote_core::model::prompt::chat_tokens;
use footnote_core::model::protocol::{Chat, HttpRequest, chat_request};

use super::Connection;
use crate::worker::protocol::Tally;

pub struct Letter {
    /// Its purpose, as shown in the ledger.
    pub purpose: &'static str,
    pub request: HttpRequest,
    /// An estimate.
    pub tokens: u32,
    /// Most tokens that its answer may have.
    pub answer_tokens: u32,
}

impl Letter {
    /// A request without text for a model.
    pub fn plain(purpose: &'static str, request: HttpRequest) -> Self {
        Self {
            purpose,
            request,
            tokens: 0,
            answer_tokens: 0,
        }
    }

    /// A chat request to the model.
    pub fn chat(purpose: &'static str, connection: &Connection, chat: &Chat) -> Self {
        Self {
            purpose,
            request: chat_request(&connection.service, connection.key(), chat),
            tokens: chat_tokens(chat) as u32,
            answer_tokens: chat.max_tokens,
        }
    }

    /// What each sending of it adds to a tally.
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
        // A service that does not support tools is not sent them, so they do not count.
        let chat = chat.without(ChatOption::Tools).unwrap();
        assert_eq!(Letter::chat("answer", &connection, &chat).tally(), small);
    }
}
