//! `footnote serve --database` as a process.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Stdio;

use serde_json::Value;

use crate::common::{Running, Server, archive, borrowed, files, until, wait_for};

/// The server as a process.
struct Served {
    address: String,
    _process: Running,
    /// Closed, it would end the server's log.
    _log: BufReader<std::process::ChildStderr>,
}

impl Served {
    fn start(server: &Server) -> Self {
        let mut child = server
            .footnote(&["serve", "--no-page", "--port", "0"])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let process = Running(child);
        loop {
            let mut line = String::new();
            assert_ne!(log.read_line(&mut line).unwrap(), 0, "it ended");
            let said: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line}"));
            if let Some(address) = said["address"].as_str() {
                return Self {
                    address: address.to_owned(),
                    _process: process,
                    _log: log,
                };
            }
        }
    }

    /// The status and the body of an answer.
    fn ask(&self, target: &str, token: Option<&str>) -> (u16, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let token = token.map_or(String::new(), |it| {
            format!("Authorization: Bearer {it}\r\n")
        });
        let request =
            format!("GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{token}\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|it| it == b"\r\n\r\n").unwrap();
        let head = String::from_utf8_lossy(&answer[..end]);
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, answer.split_off(end + 4))
    }

    fn json(&self, target: &str, token: Option<&str>) -> Value {
        let (status, body) = self.ask(target, token);
        assert_eq!(status, 200, "{}", String::from_utf8_lossy(&body));
        serde_json::from_slice(&body).unwrap()
    }
}

const QUESTION: &str = "/api/search?q=who+follows+the+redirect+of+a+session";

/// Runs the program and returns what it prints.
fn run(server: &Server, args: &[&str]) -> String {
    let output = server.footnote(args).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn push(server: &Server, name: &str, subject: &str, group: &[&str]) {
    let texts = files("src", subject, 4);
    let path = archive(server.folder.path(), name, &borrowed(&texts));
    let mut args = vec!["push", path.to_str().unwrap()];
    args.extend(group);
    run(server, &args);
}

#[test]
fn a_server_answers_from_the_pushed_repositories_that_the_token_opens() {
    let server = Server::start();
    push(&server, "open", "redirect", &[]);
    push(&server, "secret", "redirect", &["--group", "board"]);
    let both = ["--group", "others", "--groups", "team,board"];
    run(&server, &[&["users", "add", "ada"], &both[..]].concat());
    let token = run(&server, &["users", "token", "ada"]);
    let served = Served::start(&server);

    let (without, with) = (
        served.json(QUESTION, None),
        served.json(QUESTION, Some(&token)),
    );
    assert_eq!(
        (&without["searched"], &with["searched"]),
        (&1.into(), &2.into())
    );
    assert!(!without.to_string().contains("secret"));
    assert!(with.to_string().contains("secret"));
    let imports = "/api/symbols?name=requests.sessions&of=imports&limit=20";
    assert_eq!(served.json(imports, None)["total"], 4);
    assert_eq!(served.json(imports, Some(&token))["total"], 8);

    let listed = served.json("/api/repositories", Some(&token));
    let hidden = listed["repositories"].as_array().unwrap().iter();
    let hidden = hidden
        .clone()
        .find(|it| it["repository"] == "secret")
        .unwrap();
    let file = format!("/indexes/{}", hidden["index"].as_str().unwrap());
    assert_eq!(served.ask(&file, None).0, 404);
    let (status, bytes) = served.ask(&file, Some(&token));
    assert_eq!(
        (status, bytes.len() as u64),
        (200, hidden["size"].as_u64().unwrap())
    );
    assert!(footnote_core::index::file::is_index_file(&bytes));
    assert_eq!(served.ask("/metrics", None).0, 403);

    run(&server, &["users", "revoke", "ada"]);
    assert_eq!(served.ask(QUESTION, Some(&token)).0, 401);
    assert_eq!(served.json(QUESTION, None), without);
}

#[test]
fn a_server_outlives_its_database() {
    let mut server = Server::start();
    push(&server, "open", "redirect", &[]);
    let served = Served::start(&server);
    let before = served.json(QUESTION, None);
    server.postgres.kill();
    // Its children may answer until they notice.
    wait_for(until("nothing answers", async || {
        let (status, body) = served.ask(QUESTION, None);
        let body = String::from_utf8_lossy(&body);
        assert!(!body.contains("127.0.0.1"), "{body}");
        status == 503
    }));
    assert_eq!(served.ask("/healthz", None).0, 503);
    server.postgres.restart().unwrap();
    wait_for(until("it is well", async || {
        served.ask("/healthz", None).0 == 200
    }));
    assert_eq!(served.json(QUESTION, None), before);
}
