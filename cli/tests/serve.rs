//! `footnote serve` as a process: what it prints, how it stops, and what `token` and `doctor` do.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// More than what the system keeps of a connection that nobody reads.
const LARGE: usize = 32 * 1024 * 1024;

fn footnote(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_footnote"));
    command.args(args);
    command
}

fn said(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

/// A server as a process; it is killed if a test fails.
struct Process {
    child: Child,
    address: String,
    log: BufReader<std::process::ChildStderr>,
}

impl Process {
    fn start(args: &[&str]) -> Self {
        let mut child = footnote(&["serve", "--port", "0"])
            .args(args)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let mut address = None;
        while address.is_none() {
            let mut line = String::new();
            assert_ne!(log.read_line(&mut line).unwrap(), 0, "it ended");
            let line: serde_json::Value = serde_json::from_str(&line).unwrap();
            address = line["address"].as_str().map(str::to_owned);
        }
        Self {
            child,
            address: address.unwrap(),
            log,
        }
    }

    fn ask(&self, target: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let request = format!("GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        stream
    }

    fn stop(&self) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &id]).status().unwrap();
        assert!(sent.success());
    }

    fn next_line(&mut self) -> String {
        let mut line = String::new();
        assert_ne!(self.log.read_line(&mut line).unwrap(), 0, "it ended");
        line
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn page(folder: &Path) {
    fs::write(folder.join("index.html"), "<p>page").unwrap();
    fs::write(folder.join("large.bin"), vec![b'x'; LARGE]).unwrap();
}

#[test]
fn a_server_that_is_stopped_finishes_sending_what_it_began() {
    let folder = tempfile::tempdir().unwrap();
    page(folder.path());
    let path = folder.path().to_str().unwrap();
    let mut server = Process::start(&["--indexes", path, "--page", path]);
    let mut stream = server.ask("/large.bin");
    let mut first = [0; 1000];
    stream.read_exact(&mut first).unwrap();
    server.stop();
    while !server.next_line().contains("running requests may finish") {}
    assert!(
        TcpStream::connect(&server.address).is_err(),
        "it accepts no more"
    );
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).unwrap();
    let all = [&first[..], &rest].concat();
    let body = all.windows(4).position(|it| it == b"\r\n\r\n").unwrap() + 4;
    assert_eq!(all.len() - body, LARGE);
    assert!(server.child.wait().unwrap().success());
}

#[test]
fn each_request_is_a_line_of_json_without_its_question() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    for (options, expected) in [(&[][..], false), (&["--log-questions"], true)] {
        let args = [&["--indexes", path, "--no-page"], options].concat();
        let mut server = Process::start(&args);
        let _answer = server.ask("/api/search?q=private+matter");
        let line = server.next_line();
        let value: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(value["route"], "search");
        assert_eq!(value["status"], 200);
        assert!(value["ms"].is_u64() && value["timestamp"].is_string());
        assert_eq!(line.contains("private"), expected, "{line}");
    }
}

#[test]
fn missing_and_damaged_files_are_reported_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let (path, none) = (folder.path().to_str().unwrap(), folder.path().join("none"));
    let none = none.to_str().unwrap();
    fs::write(folder.path().join("tokens.jsonl"), "{}\n").unwrap();
    let tokens = folder.path().join("tokens.jsonl");
    for (args, part) in [
        (
            ["--indexes", none, "--no-page"].as_slice(),
            "footnote index",
        ),
        (&["--indexes", path, "--page", path], "--no-page"),
        (
            &[
                "--indexes",
                path,
                "--no-page",
                "--tokens",
                tokens.to_str().unwrap(),
            ],
            "line 1",
        ),
    ] {
        let output = footnote(&["serve", "--port", "0"])
            .args(args)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(said(&output).contains(part), "{}", said(&output));
    }
}

#[test]
fn tokens_are_made_listed_and_revoked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.jsonl");
    let file = file.to_str().unwrap();
    let run = |args: &[&str]| {
        let args = [&["token"], args, &["--tokens", file]].concat();
        footnote(&args).output().unwrap()
    };
    let made = run(&["new", "ann", "--groups", "web,ops"]);
    let token = String::from_utf8(made.stdout).unwrap();
    assert!(token.starts_with("footnote_") && token.trim().len() > 60);
    assert!(!fs::read_to_string(file).unwrap().contains(token.trim()));
    assert_eq!(said(&run(&["list"])), "ann\tops,web\n");
    assert!(run(&["revoke", "ann"]).status.success());
    assert_eq!(said(&run(&["list"])), "");
    assert_eq!(run(&["revoke", "ann"]).status.code(), Some(2));
}

#[test]
fn the_doctor_says_what_is_wrong_and_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    fs::write(folder.path().join("index.html"), "<p>page").unwrap();
    fs::write(folder.path().join("bad.footnote"), "no index").unwrap();
    fs::write(
        folder.path().join("access.json"),
        r#"{ "repositories": { "typo": [] } }"#,
    )
    .unwrap();
    let tokens = folder.path().join("tokens.jsonl");
    fs::write(&tokens, "").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&tokens, fs::Permissions::from_mode(0o644)).unwrap();
    }
    let server = Process::start(&["--indexes", path, "--no-page"]);
    let port = server.address.rsplit(':').next().unwrap();
    let tokens = tokens.to_str().unwrap();
    let args = ["doctor", "--indexes", path, "--page", path, "--port", port];
    let output = footnote(&args).args(["--tokens", tokens]).output().unwrap();
    let report = said(&output);
    assert_eq!(output.status.code(), Some(1), "{report}");
    for part in [
        "bad.footnote cannot be served",
        "footnote index ARCHIVE",
        "names repositories that are not there: typo",
        "cannot be used",
    ] {
        let line = report.lines().find(|line| line.contains(part));
        assert!(line.is_some_and(|it| it.starts_with("WRONG")), "{report}");
    }
    #[cfg(unix)]
    assert!(report.contains("chmod 600"), "{report}");
    let url = format!("http://{}", server.address);
    let output = footnote(&args).args(["--url", &url]).output().unwrap();
    let answers = format!("{url}/healthz answers");
    assert!(said(&output).contains(&answers), "{}", said(&output));
}
