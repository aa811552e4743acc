//! LiteLLM's proxy: an OpenAI-compatible service that others wrote, with fixed answers.
//!
//! `cargo xtask test` installs it once, with pinned versions. It answers pages of every origin,
//! lists its models, streams a few characters per event, and speaks Anthropic's `/v1/messages` too.
//! Without a database behind it, a wrong key gets status 400 and the message “No connected db.”.

use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;
use xtask::paths;

use super::real::{RealService, wait_until_up};
use crate::process::{Owned, free_port};

/// The key that it accepts.
pub const KEY: &str = "sk-tests-of-footnote";
/// The model whose answer has three citations that hold and one that does not.
pub const CITING: &str = "mock-citing";
/// The model that cites nothing.
pub const SILENT: &str = "mock-silent";

/// Statements about requests 2.32.5: the sentence, the lines that it cites, and a word in them.
pub const STATEMENTS: [(&str, &str, &str); 3] = [
    (
        "Redirects are followed by `resolve_redirects`, one response after another",
        "src/requests/sessions.py:159-280",
        "resolve_redirects",
    ),
    (
        "The next address is read by `get_redirect_target` from the `location` header",
        "src/requests/sessions.py:107-125",
        "get_redirect_target",
    ),
    (
        "Credentials are dropped where `should_strip_auth` says so",
        "src/requests/sessions.py:127-157",
        "should_strip_auth",
    ),
];
/// A citation of a file that requests never had.
pub const LIE: &str = "src/requests/redirects.py:10-42";

/// The answer of [`CITING`] to everything.
pub fn citing_answer() -> String {
    let honest = STATEMENTS
        .iter()
        .map(|(sentence, lines, _)| format!("- {sentence} [{lines}]."));
    let lie = format!("- A cache of redirects is kept by `RedirectCache` [{LIE}].");
    let points: Vec<String> = honest.chain([lie]).collect();
    format!(
        "Requests follows redirects itself.\n\n{}\n",
        points.join("\n")
    )
}

/// The answer of [`SILENT`] to everything.
pub const SILENT_ANSWER: &str = "Redirects are followed automatically, as one would expect.";

/// A running proxy; it ends when dropped.
pub struct LiteLlm {
    port: u16,
    _process: Owned,
    _folder: TempDir,
}

impl LiteLlm {
    /// Starts the proxy and waits until it answers.
    ///
    /// # Panics
    /// If it is not installed or does not start.
    pub fn start() -> Self {
        let program = paths::services().join("litellm/bin/litellm");
        assert!(
            program.is_file(),
            "install it first (cargo xtask services): {}",
            program.display()
        );
        let folder = tempfile::tempdir().expect("a temporary folder");
        // Its configuration is YAML, and JSON is YAML.
        let config = folder.path().join("config.yaml");
        std::fs::write(&config, configuration().to_string()).expect("its configuration");
        let log_path = folder.path().join("log");
        let log = std::fs::File::create(&log_path).expect("its log");
        let port = free_port();
        let child = Command::new(program)
            .args(["--host", "127.0.0.1", "--port", &port.to_string()])
            .arg("--config")
            .arg(config)
            // Otherwise it fetches its price list from the network.
            .env("LITELLM_LOCAL_MODEL_COST_MAP", "True")
            .current_dir(folder.path())
            .stdout(Stdio::from(log.try_clone().expect("its log")))
            .stderr(Stdio::from(log))
            .spawn();
        let mut process = Owned(child.expect("LiteLLM starts"));
        wait_until_up(&mut process, port, "/health/liveliness", &log_path);
        Self {
            port,
            _process: process,
            _folder: folder,
        }
    }
}

impl RealService for LiteLlm {
    fn port(&self) -> u16 {
        self.port
    }
}

fn configuration() -> Value {
    let model = |name: &str, answer: &str| {
        json!({
            "model_name": name,
            "litellm_params": {
                "model": format!("openai/{name}"), "api_key": "unused", "mock_response": answer,
            },
            "model_info": { "max_input_tokens": 8192 },
        })
    };
    json!({
        "model_list": [model(CITING, &citing_answer()), model(SILENT, SILENT_ANSWER)],
        "general_settings": { "master_key": KEY },
    })
}

#[cfg(test)]
mod tests {
    use footnote_core::job::run_to_end;
    use footnote_core::model::protocol::{
        Chat, Failure, FinishReason, Kind, Message, Secret, Service, StreamEvent, chat_request,
        classify, models_request, read_models,
    };
    use footnote_core::source::ArchiveReader;

    use super::*;
    use crate::browser::archive;
    use crate::services::client::{read_stream, send, text_of};

    /// One proxy for all checks, since it takes ten seconds to start.
    #[test]
    fn the_proxy_lists_its_models_streams_their_answers_and_lets_pages_in() {
        let proxy = LiteLlm::start();
        let service = Service::new(Kind::OPENAI, &proxy.base_url()).unwrap();
        let key = Secret::new(KEY).unwrap();
        let listed = send(proxy.port(), &models_request(&service, Some(&key)));
        let models = read_models(Kind::OPENAI, &listed.body()).unwrap();
        let ids: Vec<&str> = models.iter().map(|model| model.id.as_str()).collect();
        assert_eq!(ids, [CITING, SILENT]);
        assert!(listed.headers.contains("access-control-allow-origin: *"));

        for (model, answer) in [(CITING, citing_answer()), (SILENT, SILENT_ANSWER.into())] {
            let mut chat = Chat::new(model, "Answer briefly.");
            chat.messages.push(Message::User("Where?".to_owned()));
            let received = send(proxy.port(), &chat_request(&service, Some(&key), &chat));
            assert_eq!(received.status, 200, "{}", received.text());
            let events = read_stream(Kind::OPENAI, &received);
            assert!(events.len() > 10, "streamed in {} events", events.len());
            assert_eq!(text_of(&events), answer);
            assert_eq!(events.last(), Some(&StreamEvent::Done(FinishReason::End)));
        }

        let wrong = Secret::new("sk-wrong").unwrap();
        let refused = send(proxy.port(), &models_request(&service, Some(&wrong)));
        let failure = classify(&service, refused.status, None, &refused.body());
        assert!(matches!(failure, Failure::BadKey { .. }), "{failure:?}");
    }

    #[test]
    fn the_statements_hold_in_requests_and_the_lie_does_not() {
        let bytes = std::fs::read(archive("requests-2.32.5.tar.gz")).unwrap();
        let reader = ArchiveReader::open("requests-2.32.5.tar.gz", bytes).unwrap();
        let repo = run_to_end(reader).unwrap();
        for (sentence, cited, word) in STATEMENTS {
            let (path, range) = cited.split_once(':').unwrap();
            let (start, end) = range.split_once('-').unwrap();
            let (start, end): (usize, usize) = (start.parse().unwrap(), end.parse().unwrap());
            let file = repo.file(repo.find(path).unwrap()).unwrap();
            let lines: Vec<&str> = file.text.lines().collect();
            assert!(lines[start - 1].contains(&format!("def {word}")), "{cited}");
            assert!(
                lines[end - 1].starts_with("        "),
                "{cited} ends in the method"
            );
            assert!(sentence.contains(word));
        }
        let (path, _) = LIE.split_once(':').unwrap();
        assert_eq!(repo.find(path), None);
    }
}
