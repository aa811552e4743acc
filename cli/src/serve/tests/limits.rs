use std::io::{BufRead, BufReader};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::ProptestConfig;
use proptest::{prop_assert_eq, proptest};

use super::*;
use crate::serve::source::{
    Found, IndexFile, Query, Reply, Repository, SymbolQuery, Symbols, Trouble, User,
};
use crate::serve::tokens;

/// Never answers a question; counts how many it was asked.
#[derive(Default)]
struct Endless(AtomicUsize);

impl Catalogue for Endless {
    fn repositories<'a>(&'a self, _: &'a User) -> Reply<'a, Vec<Repository>> {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }

    fn search<'a>(&'a self, _: &'a User, _: &'a Query) -> Reply<'a, Found> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Box::pin(std::future::pending())
    }

    fn symbols<'a>(&'a self, _: &'a User, _: &'a SymbolQuery) -> Reply<'a, Symbols> {
        let why = "disk /dev/secret is on fire".to_owned();
        Box::pin(std::future::ready(Err(Trouble::Failed(why))))
    }

    fn index_file<'a>(&'a self, _: &'a User, _: &'a str) -> Reply<'a, IndexFile> {
        Box::pin(std::future::ready(Err(Trouble::Absent("none".to_owned()))))
    }
}

fn site(options: &[&str]) -> Site {
    Site::start(options, None, Arc::new(Endless::default()))
}

#[test]
fn too_large_or_wrong_requests_are_refused_with_what_to_do() {
    let site = site(&[]);
    let long = format!("/api/search?q={}", "a".repeat(10_001));
    let body = ("Content-Length", "1");
    for (method, target, header, status, part) in [
        ("GET", &*long, None, 413, "at most 10000"),
        ("GET", "/api/search?q=a", Some(body), 413, "needs a body"),
        (
            "GET",
            "/api/search?q=a",
            Some(("Transfer-Encoding", "chunked")),
            413,
            "needs a body",
        ),
        ("GET", "/api/search", None, 400, "/api/search?q=QUESTION"),
        ("GET", "/api/search?q=a&limit=0", None, 400, "1 to 100"),
        ("GET", "/api/search?q=a&limit=101", None, 400, "1 to 100"),
        ("GET", "/api/search?q=a&limit=x", None, 400, "Ask like this"),
        (
            "GET",
            "/api/symbols?name=a&of=x",
            None,
            400,
            "Ask like this",
        ),
        ("GET", "/api/symbols?name=+", None, 400, "name is empty"),
        ("GET", "/api/nothing", None, 404, "no page"),
        ("POST", "/api/search?q=a", None, 405, "only GET"),
        ("GET", "/", Some(("Host", "evil.example")), 421, "--host"),
        ("GET", "/api/symbols?name=a", None, 500, "its log"),
    ] {
        let headers: Vec<_> = header.into_iter().collect();
        let answer = site.ask(method, target, &headers);
        let error = answer.error();
        assert_eq!(answer.status, status, "{target:.40} {error}");
        assert!(error.contains(part) && !error.contains("secret"), "{error}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
    }
}

#[test]
fn a_question_that_is_long_only_once_encoded_has_an_address_that_is_too_long() {
    let ask = |signs: usize| {
        let question = "%E2%82%AC".repeat(signs);
        let site = site(&[]);
        // Definitions are answered by an error at once, questions never.
        site.get(&format!("/api/symbols?name={question}")).status
    };
    assert_eq!((ask(7_000), ask(7_500)), (500, 414));
}

#[test]
fn numbers_that_a_server_cannot_work_with_are_refused_when_it_starts() {
    for (option, bad, good) in [
        ("--running", "0", "1"),
        ("--running", "18446744073709551615", "1000000"),
        ("--connections", "0", "1000000"),
        ("--time", "0", "86400"),
        ("--drain", "86401", "0"),
        ("--look", "0", "1"),
    ] {
        let parse = |value| Line::try_parse_from(["serve", option, value]).is_ok();
        assert!(!parse(bad) && parse(good), "{option}");
    }
}

#[test]
fn a_folder_that_is_named_counts_more_than_a_database() {
    let address = ["--database", "postgres://localhost/one"];
    let folder = ["--indexes", "there"];
    for (options, expected) in [
        (vec![address], true),
        (vec![folder, address], false),
        (vec![folder], false),
    ] {
        let line = [&["serve"], options.concat().as_slice()].concat();
        let Line { args } = Line::parse_from(line);
        assert_eq!(args.database().is_some(), expected, "{options:?}");
    }
}

#[test]
fn a_request_that_takes_too_long_is_ended_and_too_many_at_once_are_refused() {
    let endless = Arc::new(Endless::default());
    let catalogue = Arc::clone(&endless) as _;
    let site = Site::start(&["--time", "2", "--running", "1"], None, catalogue);
    std::thread::scope(|scope| {
        let slow = scope.spawn(|| site.get("/api/search?q=a"));
        while endless.0.load(Ordering::SeqCst) == 0 {
            std::thread::yield_now();
        }
        let refused = site.get("/api/repositories");
        assert_eq!(refused.status, 503);
        assert_eq!(refused.header("retry-after"), "1");
        assert_eq!(
            site.get("/healthz").status,
            503,
            "a full server is not well"
        );
        let slow = slow.join().unwrap();
        assert_eq!(slow.status, 503);
        assert_eq!(slow.header("retry-after"), "2");
        assert!(slow.error().contains("longer than 2 s"), "{}", slow.error());
    });
    assert_eq!(site.get("/api/repositories").status, 200);
}

#[test]
fn most_of_ten_thousand_quick_requests_are_refused_and_the_server_survives() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tokens.jsonl");
    let ann = tokens::add(&file, "ann", &[]).unwrap();
    let options = [
        "--rate",
        "1",
        "--burst",
        "100",
        "--tokens",
        file.to_str().unwrap(),
    ];
    let site = site(&options);
    let requests = 10_000;
    let mut stream = TcpStream::connect(site.address).unwrap();
    let reader = BufReader::new(stream.try_clone().unwrap());
    let (mut answered, mut refused) = (0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let one = "GET /api/repositories HTTP/1.1\r\nHost: localhost\r\n\r\n";
            let last =
                "GET /api/repositories HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            for _ in 1..requests {
                stream.write_all(one.as_bytes()).unwrap();
            }
            stream.write_all(last.as_bytes()).unwrap();
        });
        for line in reader.split(b'\n') {
            let line = line.unwrap();
            // A body has no line end, so that the next answer begins on its last line.
            let is = |status: &str| String::from_utf8_lossy(&line).contains(status);
            answered += usize::from(is("HTTP/1.1 200"));
            refused += usize::from(is("HTTP/1.1 429"));
        }
    });
    assert_eq!(answered + refused, requests);
    assert!((100..1000).contains(&answered), "{answered}");
    let next = site.get("/api/repositories");
    assert_eq!(next.status, 429);
    assert_eq!(next.header("retry-after"), "1");
    assert!(
        next.error().contains("1 requests a second"),
        "{}",
        next.error()
    );
    assert_eq!(site.with_token(&ann, "/api/repositories").status, 200);
    assert_eq!(site.get("/healthz").status, 200);
}

#[test]
fn guessed_tokens_count_against_the_address() {
    let site = site(&["--rate", "1", "--burst", "5"]);
    let guess = |at: usize| {
        let token = format!("footnote_{at:064}");
        site.with_token(&token, "/api/repositories").status
    };
    let statuses: Vec<u16> = (0..50).map(guess).collect();
    assert_eq!(statuses[..5], [401; 5]);
    assert!(statuses.contains(&429));
}

#[test]
fn behind_a_proxy_clients_are_distinguished_by_the_address_it_forwards() {
    let site = site(&["--behind-proxy", "--rate", "1", "--burst", "2"]);
    let from = |address: &str| {
        let header = [("X-Forwarded-For", address)];
        site.ask("GET", "/api/repositories", &header).status
    };
    let forged: Vec<u16> = (0..20)
        .map(|at| from(&format!("10.9.9.{at}, 10.0.0.1")))
        .collect();
    assert!(forged.contains(&429), "{forged:?}");
    assert_eq!(from("10.0.0.2"), 200);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// What the answer is does not matter here: there is one, or the connection ends.
    #[test]
    fn the_server_survives_whatever_is_sent(
        target in "/(api/search|api/symbols|indexes|metrics)?[ -~]{0,80}",
        name in "(Range|If-None-Match|If-Range|Authorization|Host|X-Forwarded-For|[A-Za-z-]{1,20})",
        value in "(bytes=|Bearer )?[ -~]{0,80}",
        garbage: Vec<u8>,
    ) {
        let site = GARBAGE.get_or_init(|| site(&["--behind-proxy", "--burst", "100000"]));
        let head = format!("GET {target} HTTP/1.1\r\n{name}: {value}\r\nConnection: close\r\n\r\n");
        for bytes in [head.as_bytes(), &garbage] {
            let mut stream = TcpStream::connect(site.address).unwrap();
            stream.write_all(bytes).unwrap();
            stream.shutdown(std::net::Shutdown::Write).unwrap();
            let mut answer = Vec::new();
            // The server may end a connection that makes no sense before it has read all of it.
            let _ = stream.read_to_end(&mut answer);
        }
        prop_assert_eq!(site.get("/healthz").status, 200);
    }
}

static GARBAGE: OnceLock<Site> = OnceLock::new();

#[test]
fn questions_are_in_the_log_only_if_that_was_asked_for() {
    assert!(!site(&[]).app.log_questions);
    assert!(site(&["--log-questions"]).app.log_questions);
}

#[test]
fn a_connection_that_sends_no_request_ends_with_the_server() {
    let site = site(&["--drain", "20"]);
    let silent = TcpStream::connect(site.address).unwrap();
    assert_eq!(site.get("/healthz").status, 200);
    drop(site);
    drop(silent);
}
