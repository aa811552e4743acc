//! The program asks a scripted language model service, which answers, refuses, or breaks off.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Command, Output};

use footnote_tests::services::faulty::{FaultyServer, MODEL};
use footnote_tests::services::http::RecordedRequest;
use footnote_tests::services::script::{Gate, Reply, Script, Step};
use footnote_tests::services::writer::writer;
use serde_json::{Value, json};

const KEY: &str = "sk-never-shown";

/// A folder with pairs in which the first answer is better, and where outputs are kept.
struct Bench(tempfile::TempDir);

impl Bench {
    fn new(n_pairs: usize) -> Self {
        let bench = Self(tempfile::tempdir().unwrap());
        let pair = |at: usize| {
            let line =
                json!({"id": format!("q{at}"), "question": "why?", "answers": ["good", "poor"]});
            format!("{line}\n")
        };
        let pairs: String = (0..n_pairs).map(pair).collect();
        fs::write(bench.path("pairs.jsonl"), pairs).unwrap();
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs `judge`, once in each order, without asking for permission.
    fn judge(&self, address: &str, more: &[&str]) -> Output {
        let (pairs, outputs) = (self.path("pairs.jsonl"), self.path("outputs.jsonl"));
        let mut command = footnote(&["judge"]);
        command.arg(pairs).arg("--outputs").arg(outputs);
        command.args(["--repetitions", "1", "--service", address]);
        command.args(["--model", MODEL, "--yes"]);
        command.args(more).output().unwrap()
    }

    /// The stored outputs, in the order in which they came.
    fn kept(&self) -> Vec<String> {
        let text = fs::read_to_string(self.path("outputs.jsonl")).unwrap_or_default();
        let output = |line: &str| {
            let line: Value = serde_json::from_str(line).unwrap();
            line["output"].as_str().unwrap().to_owned()
        };
        text.lines().map(output).collect()
    }
}

/// The program in an environment without a key and without a proxy.
fn footnote(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_footnote"));
    for name in [
        "FOOTNOTE_KEY",
        "ALL_PROXY",
        "HTTP_PROXY",
        "http_proxy",
        "all_proxy",
    ] {
        command.env_remove(name);
    }
    command.args(args);
    command
}

fn said(output: &Output) -> String {
    let streams = [output.stdout.as_slice(), &output.stderr];
    streams.map(String::from_utf8_lossy).concat()
}

/// Checks the exit status of a run; returns what it printed.
fn ended(output: &Output, status: i32) -> String {
    let text = said(output);
    assert_eq!(output.status.code(), Some(status), "{text}");
    text
}

fn better(request: &RecordedRequest) -> Reply {
    let prompt = request.prompt();
    let answers = prompt.rfind("good") < prompt.rfind("poor");
    Reply::text(if answers {
        "First.\n[[A]]"
    } else {
        "Second.\n[[B]]"
    })
}

fn body(server: &FaultyServer, at: usize) -> Value {
    server.asked()[at].request.json()
}

#[test]
fn a_judge_is_asked_once_and_reported() {
    let bench = Bench::new(20);
    let server = FaultyServer::with_key(KEY).start(Script::new().always(better));
    let judge = || {
        let (pairs, outputs) = (bench.path("pairs.jsonl"), bench.path("outputs.jsonl"));
        let mut command = footnote(&["judge", "--repetitions", "1", "--yes", "--model", MODEL]);
        command.args(["--service", &server.url()]).arg(pairs);
        command.arg("--outputs").arg(outputs);
        ended(&command.env("FOOTNOTE_KEY", KEY).output().unwrap(), 0)
    };
    let text = judge();
    assert!(text.starts_with("The judge prefers side one"), "{text}");
    let announced = format!(
        "{}/v1 (OpenAI-compatible, this machine), model {MODEL}: 40",
        server.url()
    );
    assert!(text.contains(&announced), "{text}");
    assert!(text.contains("Requests sent: 40"), "{text}");
    assert_eq!(bench.kept().len(), 40);
    assert!(!text.contains(KEY), "{text}");
    let body = body(&server, 0);
    assert_eq!(
        (&body["model"], &body["temperature"]),
        (&json!(MODEL), &Value::Null)
    );

    let again = judge();
    assert!(again.starts_with("The judge prefers side one"), "{again}");
    assert_eq!(server.asked().len(), 40);
}

#[test]
fn nothing_is_sent_unless_the_user_agrees() {
    let bench = Bench::new(1);
    let server = FaultyServer::start(Script::new().always(better));
    let (pairs, outputs) = (bench.path("pairs.jsonl"), bench.path("outputs.jsonl"));
    let mut command = footnote(&["judge", "--service", &server.url(), "--model", MODEL]);
    let command = command.arg(pairs).arg("--outputs").arg(&outputs);
    let text = ended(&command.output().unwrap(), 2);
    assert!(text.contains("6 requests"), "{text}");
    assert!(text.contains("add --yes"), "{text}");
    assert!(server.exchanges().is_empty());
    assert!(!outputs.exists());
}

#[test]
fn a_run_that_was_cut_short_continues_where_it_stopped() {
    let bench = Bench::new(20);
    let server = FaultyServer::start(Script::new().always(better));
    let text = ended(&bench.judge(&server.url(), &["--max-requests", "6"]), 1);
    assert!(text.contains("as many as --max-requests allows"), "{text}");
    assert!(
        text.contains("34 of 40 requests have no output yet"),
        "{text}"
    );
    let outputs = bench.path("outputs.jsonl");
    let kept = fs::read(&outputs).unwrap();
    fs::write(&outputs, &kept[..kept.len() - 9]).unwrap();

    let text = ended(&bench.judge(&server.url(), &[]), 0);
    assert!(
        text.contains("outputs.jsonl:6: left out: not JSON"),
        "{text}"
    );
    assert_eq!(server.asked().len(), 6 + 35);
    let lines = fs::read_to_string(&outputs).unwrap();
    assert_eq!(lines.lines().count(), 6 + 35);
}

#[test]
fn a_limit_of_tokens_holds_before_a_request_is_sent() {
    let bench = Bench::new(5);
    let server = FaultyServer::start(Script::new().always(better));
    let text = ended(&bench.judge(&server.url(), &["--max-tokens", "500"]), 2);
    assert!(text.contains("--max-tokens 500"), "{text}");
    assert!(text.contains("no request was answered"), "{text}");
    assert!(server.exchanges().is_empty());
}

#[test]
fn temporary_failures_are_retried_and_only_whole_answers_are_kept() {
    let half = Reply::steps([Step::Text("half [[A]]".into()), Step::Cut]);
    for (first, why) in [
        (Reply::rate_limited(0), "limits how often"),
        (half, "ended before the answer did"),
    ] {
        let bench = Bench::new(2);
        let server = FaultyServer::start(Script::new().then(first).always(better));
        let text = ended(&bench.judge(&server.url(), &[]), 1);
        assert!(text.contains("Request 1: ") && text.contains(why), "{text}");
        assert!(text.contains("Sent again in "), "{text}");
        assert_eq!(server.asked().len(), 5);
        assert_eq!(body(&server, 0), body(&server, 1));
        let kept = bench.kept();
        assert_eq!(kept.len(), 4);
        assert!(
            kept.iter().all(|output| !output.contains("half")),
            "{kept:?}"
        );
    }
}

#[test]
fn prose_is_kept_as_an_output_that_could_not_be_read() {
    let bench = Bench::new(2);
    let thought = "<think>[[A]]</think>\n\nHard to say.";
    let server = FaultyServer::start(Script::new().always(|_| Reply::text(thought)));
    let text = ended(&bench.judge(&server.url(), &[]), 1);
    assert!(text.contains("4: the output has no verdict"), "{text}");
    assert_eq!(bench.kept(), ["Hard to say."; 4]);
    ended(&bench.judge(&server.url(), &[]), 1);
    assert_eq!(server.asked().len(), 4);
}

#[test]
fn options_that_the_service_refuses_are_left_out_unless_the_user_set_them() {
    let refused = |name: &str| Reply::failure(400, &format!("Unsupported parameter: '{name}'"));
    let bench = Bench::new(2);
    let server = FaultyServer::start(Script::new().then(refused("stream_options")).always(better));
    let text = ended(&bench.judge(&server.url(), &[]), 1);
    assert!(
        text.contains("The option is left out from now on"),
        "{text}"
    );
    assert_eq!(server.asked().len(), 5);
    assert_ne!(body(&server, 0)["stream_options"], Value::Null);
    assert!((1..5).all(|at| body(&server, at)["stream_options"].is_null()));

    let bench = Bench::new(2);
    let server = FaultyServer::start(Script::new().always(move |_| refused("temperature")));
    let text = ended(&bench.judge(&server.url(), &["--temperature", "0.5"]), 2);
    assert!(text.contains("Leave out the option"), "{text}");
    assert_eq!(server.asked().len(), 1);
    assert_eq!(body(&server, 0)["temperature"], 0.5);
}

#[test]
fn a_request_that_takes_too_long_is_given_up_and_the_others_go_on() {
    let bench = Bench::new(1);
    let stalled = Reply::steps([Step::Text("Well".into()), Step::Stall(Gate::new())]);
    let server = FaultyServer::start(Script::new().then(stalled).always(better));
    let text = ended(&bench.judge(&server.url(), &["--time-limit", "1"]), 1);
    assert!(text.contains("took too long"), "{text}");
    assert!(
        text.contains("1 of 2 requests have no output yet: run the same command"),
        "{text}"
    );
    assert_eq!(bench.kept().len(), 1);
}

#[test]
fn three_failures_in_a_row_end_the_run_and_earlier_outputs_are_kept() {
    let bench = Bench::new(4);
    let refused = |_: &RecordedRequest| Reply::failure(400, "Not today");
    let script = Script::new().then_with(better).then_with(refused);
    let server = FaultyServer::start(script.then_with(better).always(refused));
    let text = ended(&bench.judge(&server.url(), &[]), 2);
    assert!(text.contains("3 requests in a row failed"), "{text}");
    assert!(text.contains("Not today"), "{text}");
    assert_eq!((server.asked().len(), bench.kept().len()), (6, 2));
    server.set_script(Script::new().always(better));
    ended(&bench.judge(&server.url(), &[]), 1);
    assert_eq!((server.asked().len(), bench.kept().len()), (12, 8));
}

#[test]
fn a_failure_that_every_request_would_meet_ends_the_run_and_says_what_to_do() {
    let wrong_key = FaultyServer::with_key("right").start(Script::new());
    let page = FaultyServer::start(Script::new().always(|_| Reply::html(200)));
    let nobody = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let bench = Bench::new(3);
    for (address, more, what, todo) in [
        (
            wrong_key.url(),
            &[][..],
            "does not accept the key",
            "--key-env",
        ),
        (
            page.url(),
            &[],
            "not a language model service",
            "--service-kind",
        ),
        (
            page.url(),
            &["--model", "another"],
            "does not have this model",
            "--model",
        ),
        (
            format!("http://{nobody}"),
            &[],
            "did not answer",
            "Start the server",
        ),
    ] {
        let text = ended(&bench.judge(&address, more), 2);
        assert!(text.contains(what) && text.contains(todo), "{text}");
        assert!(bench.kept().is_empty());
    }
    assert_eq!((wrong_key.asked().len(), page.asked().len()), (1, 2));
}

#[test]
fn a_redirect_is_reported_and_not_followed() {
    let elsewhere = FaultyServer::start(Script::new().always(better));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let to = format!("{}/v1/chat/completions", elsewhere.url());
    let redirect = format!("HTTP/1.1 307 Moved\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n");
    let thread = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        RecordedRequest::read(&stream).unwrap();
        stream.write_all(redirect.as_bytes()).unwrap();
        // Until the other side has read it.
        let _ = stream.read_to_end(&mut Vec::new());
    });
    let text = ended(&Bench::new(1).judge(&address, &[]), 2);
    thread.join().unwrap();
    assert!(
        text.contains(&format!("a redirect to {to}, which is not followed")),
        "{text}"
    );
    assert!(elsewhere.exchanges().is_empty());
}

#[test]
fn a_key_is_taken_from_the_named_variable_and_from_nowhere_else() {
    let bench = Bench::new(1);
    let server = FaultyServer::with_key(KEY).start(Script::new().always(better));
    let text = ended(
        &bench.judge(&server.url(), &["--key-env", "NO_SUCH_KEY"]),
        2,
    );
    assert!(
        text.contains("the variable NO_SUCH_KEY is not set"),
        "{text}"
    );
    let text = ended(&bench.judge("api.anthropic.com", &[]), 2);
    assert!(
        text.contains("Anthropic needs a key: put it into the variable FOOTNOTE_KEY"),
        "{text}"
    );
    let text = ended(&bench.judge(&format!("http://{KEY}@localhost"), &[]), 2);
    assert!(text.contains("must not contain a user name"), "{text}");
    assert!(server.exchanges().is_empty());
}

/// A small repository of several files that refer to each other.
fn repository(bench: &Bench) -> PathBuf {
    let folder = bench.path("teahouse");
    for (path, text) in [
        (
            "tea/pot.py",
            "\"\"\"Pots.\"\"\"\n\n\ndef pour(cup):\n    \"\"\"Pours tea into a cup.\"\"\"\n    hot = cup + 1\n    return hot\n",
        ),
        (
            "tea/cup.py",
            "from tea.pot import pour\n\n\ndef fill(cup):\n    \"\"\"Fills a cup from the pot.\"\"\"\n    full = pour(cup)\n    return full\n",
        ),
        (
            "tea/tray.py",
            "from tea.cup import fill\n\n\ndef serve(cups):\n    \"\"\"Serves all cups of a table.\"\"\"\n    served = [fill(cup) for cup in cups]\n    return served\n",
        ),
        (
            "README.md",
            "# Teahouse\n\nServes tea. Install it with pip install teahouse.\n",
        ),
    ] {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

#[test]
fn a_model_writes_questions_and_kept_replies_are_not_requested_again() {
    let service = FaultyServer::start(Script::new().always(writer()));
    let bench = Bench::new(0);
    let folder = repository(&bench);
    let run = |out: &str| {
        let mut command = footnote(&["questions"]);
        command.arg(&folder).arg("--out").arg(bench.path(out));
        command.args([
            "--count",
            "6",
            "--service",
            &format!("{}/v1", service.url()),
        ]);
        command.args(["--model", MODEL, "--yes", "--cache"]);
        command.arg(bench.path("said.jsonl")).output().unwrap()
    };
    let text = ended(&run("first.jsonl"), 0);
    assert!(
        text.contains("To be sent to") && text.contains("6 questions"),
        "{text}"
    );
    assert!(text.contains("the path does not exist"), "{text}");
    let first = fs::read_to_string(bench.path("first.jsonl")).unwrap();
    assert_eq!(first.lines().count(), 6, "{text}");
    let asked = service.asked().len();
    ended(&run("second.jsonl"), 0);
    assert_eq!(service.asked().len(), asked);
    let second = fs::read_to_string(bench.path("second.jsonl")).unwrap();
    assert_eq!(first, second);
}

#[test]
fn questions_written_before_a_service_gave_up_are_kept() {
    let service = FaultyServer::start(Script::new().always({
        let n = std::sync::atomic::AtomicUsize::new(0);
        let write = writer();
        move |request| match n.fetch_add(1, std::sync::atomic::Ordering::SeqCst) {
            0 => write(request),
            _ => Reply::failure(401, "wrong key"),
        }
    }));
    let bench = Bench::new(0);
    let folder = repository(&bench);
    let mut command = footnote(&["questions"]);
    command
        .arg(&folder)
        .arg("--out")
        .arg(bench.path("set.jsonl"));
    command.args([
        "--count",
        "50",
        "--service",
        &format!("{}/v1", service.url()),
    ]);
    command.args(["--model", MODEL, "--yes", "--strategies", "s2,s3"]);
    ended(&command.output().unwrap(), 2);
    let set = fs::read_to_string(bench.path("set.jsonl")).unwrap();
    assert!(set.lines().count() >= 1, "{set}");
}
