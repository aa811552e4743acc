//! llama.cpp's server with a model of random weights: what it says is nonsense, but the protocol is
//! real.
//!
//! It is built from source, which takes minutes. Only `cargo xtask test --all` prepares it and runs
//! its tests, which are otherwise ignored.

use std::process::{Command, Stdio};

use tempfile::TempDir;
use xtask::paths;

use super::real::{RealService, wait_until_up};
use crate::process::{Owned, free_port};

/// The name of its one model.
pub const MODEL: &str = "tiny";

/// A running server; it ends when dropped.
pub struct Llama {
    port: u16,
    _process: Owned,
    _folder: TempDir,
}

impl Llama {
    /// Writes the model, starts the server and waits until it answers.
    ///
    /// # Panics
    /// If it is not installed or does not start.
    pub fn start() -> Self {
        let python = paths::services().join("llama/bin/python");
        assert!(
            python.is_file(),
            "install it first (cargo xtask services --all): {}",
            python.display()
        );
        let folder = tempfile::tempdir().expect("a temporary folder");
        let model = folder.path().join("tiny.gguf");
        let written = Command::new(&python)
            .arg(paths::root().join("tests/services/tiny_gguf.py"))
            .arg(&model)
            .status();
        assert!(
            written.is_ok_and(|status| status.success()),
            "the model is written"
        );
        let log_path = folder.path().join("log");
        let log = std::fs::File::create(&log_path).expect("its log");
        let port = free_port();
        let child = Command::new(&python)
            .args(["-m", "llama_cpp.server", "--host", "127.0.0.1"])
            .args(["--port", &port.to_string(), "--model_alias", MODEL])
            // The whole window of the model, because its tokens are single characters.
            .args(["--n_ctx", "32768"])
            .arg("--model")
            .arg(model)
            .stdout(Stdio::from(log.try_clone().expect("its log")))
            .stderr(Stdio::from(log))
            .spawn();
        let mut process = Owned(child.expect("llama.cpp's server starts"));
        wait_until_up(&mut process, port, "/v1/models", &log_path);
        Self {
            port,
            _process: process,
            _folder: folder,
        }
    }
}

impl RealService for Llama {
    fn port(&self) -> u16 {
        self.port
    }
}

#[cfg(test)]
mod tests {
    use footnote_core::model::protocol::{
        Chat, Kind, Message, Service, StreamEvent, chat_request, models_request, read_models,
    };

    use super::*;
    use crate::services::client::{read_stream, send, text_of};

    #[test]
    #[ignore = "needs llama.cpp, which is built from source: cargo xtask test --all"]
    fn llama_cpp_lists_its_model_and_streams_what_random_weights_say() {
        let server = Llama::start();
        let service = Service::new(Kind::OPENAI, &server.base_url()).unwrap();
        let listed = send(server.port(), &models_request(&service, None));
        let models = read_models(Kind::OPENAI, &listed.body()).unwrap();
        assert_eq!(models[0].id, MODEL);

        let mut chat = Chat::new(MODEL, "Answer briefly.");
        chat.max_tokens = 48;
        let question = "Wo werden Umlaute geprüft?";
        chat.messages.push(Message::User(question.to_owned()));
        let received = send(server.port(), &chat_request(&service, None, &chat));
        assert_eq!(received.status, 200, "{}", received.text());
        let events = read_stream(Kind::OPENAI, &received);
        assert!(events.len() > 10, "streamed in {} events", events.len());
        assert!(text_of(&events).len() > 10, "{events:?}");
        assert!(
            matches!(events.last(), Some(StreamEvent::Done(_))),
            "{events:?}"
        );
    }
}
