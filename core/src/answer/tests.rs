//! Whole answers over a small repository: read, indexed, searched, answered.

mod claims;

use super::*;
use crate::chunk;
use crate::embed::Embedding;
use crate::index::{Index, IndexBuilder, Vectors};
use crate::job::run_to_end;
use crate::search::{Question, Strategy, search};
use crate::source::{Repo, SourceFile};

const SESSIONS: &str = r#""""Sessions."""

from .models import Request

DEFAULT_REDIRECT_LIMIT = 30


class Session:
    """A session that persists cookies."""

    def send(self, request):
        """Send a given PreparedRequest."""
        response = self.adapter(request).send(request)
        return self.resolve_redirects(response, request)

    def resolve_redirects(self, response, request):
        """Receives a Response. Returns a generator of Responses."""
        while response.is_redirect:
            self.rebuild_method(request, response)
            yield self.send(request)

    def rebuild_method(self, request, response):
        """When being redirected we may want to change the method of the request
        based on certain specs or browser behavior.
        """
        if response.status_code == 303 and request.method != "HEAD":
            request.method = "GET"

    def get_adapter(self, url):
        return lookup_adapter(url)


def lookup_adapter(url):
    """Look up the adapter for a URL scheme."""
    return ADAPTERS[url.split(":")[0]]
"#;

const TESTS: &str = r#"
def test_redirects_change_the_method():
    """Redirects are followed and the method is changed."""
    assert redirects_followed_and_method_changed()
"#;

const MANIFEST: &str = r#"[project]
name = "sessions"
version = "1.0"
license = {text = "MIT"}
requires-python = ">=3.9"
dependencies = [
    "urllib3>=1.21",
    "idna",
]
"#;

const LICENCE: &str = "\n  The MIT License\n\nPermission is hereby granted.\n";

const README: &str = "# Sessions\n\nA library for requests.\n\n## Timeouts\n\nBy default requests do not time out, so set a\ntimeout explicitly in production. Retries are off.\n";

fn index() -> Index {
    let files = [
        ("LICENSE", LICENCE),
        ("README.md", README),
        ("pyproject.toml", MANIFEST),
        ("src/sessions.py", SESSIONS),
        ("tests/test_sessions.py", TESTS),
    ];
    index_of(&files)
}

/// Indexes files with these paths and texts.
pub(super) fn index_of(files: &[(&str, &str)]) -> Index {
    let repo = Repo {
        name: "sessions-1.0".into(),
        files: files
            .iter()
            .map(|&(path, text)| SourceFile {
                path: path.into(),
                text: text.into(),
            })
            .collect(),
        ..Repo::default()
    };
    let Ok(index) = run_to_end(IndexBuilder::new(repo, chunk::Chunking::FUNCTION));
    index
}

/// Answers a question, searched by words alone.
pub(super) fn answered(index: &Index, text: &str) -> Answer {
    ask(index, text)
}

/// Asserts that the answer to each question contains a text.
pub(super) fn says(index: &Index, cases: &[(&str, &str)]) {
    for (question, expected) in cases {
        let said = answered(index, question).cited(&index.repo);
        assert!(said.contains(expected), "{question}: {said}");
    }
}

/// Returns each statement with the sources of its footnotes in brackets.
pub(super) fn statements_of(index: &Index, question: &str) -> Vec<String> {
    let answer = ask(index, question);
    let statements = statements(&answer).into_iter().enumerate();
    statements
        .map(|(at, plain)| {
            let sources = sources(index, &answer, at);
            let lines = sources.iter().filter_map(|source| source.split(' ').next());
            format!("{plain} [{}]", lines.collect::<Vec<_>>().join(" "))
        })
        .collect()
}

fn ask(index: &Index, text: &str) -> Answer {
    let question = Question::new(text).unwrap();
    let vectors = Vectors::new(4, index.chunks.len());
    let hits = search(
        index,
        &vectors,
        &question,
        None::<&Embedding>,
        &Strategy::default(),
        50,
    );
    answer(index, &question, &hits)
}

fn statements(answer: &Answer) -> Vec<String> {
    match &answer.outcome {
        Outcome::Found { statements, .. } => statements.iter().map(Statement::plain).collect(),
        Outcome::Nothing { why } => panic!("{why}"),
    }
}

/// Returns `path:lines` for each footnote of a statement.
fn sources(index: &Index, answer: &Answer, statement: usize) -> Vec<String> {
    let Outcome::Found {
        statements,
        footnotes,
    } = &answer.outcome
    else {
        return Vec::new();
    };
    statements[statement]
        .footnotes
        .iter()
        .map(|&number| {
            let note = &footnotes[number as usize - 1];
            assert_eq!(note.number, number);
            let path = &index.repo.file(note.source.file()).unwrap().path;
            format!("{path}:{} {}", note.source.lines(), note.why)
        })
        .collect()
}

#[test]
fn an_answer_asked_for_again_is_what_it_would_be_alone() {
    let index = index();
    let vectors = Vectors::new(4, index.chunks.len());
    let embedding = Embedding::from_raw(vec![0.5; 4]);
    for (text, fit) in [
        ("Who calls rebuild_method?", Fit::Exact),
        ("how are redirects followed", Fit::Likely),
    ] {
        let question = Question::new(text).unwrap();
        let first = super::ask(&index, &vectors, &question, None);
        assert_eq!(first.answer.fit, fit, "{text}");
        let again = ask_again(&index, &vectors, &question, Some(&embedding), &first);
        let alone = super::ask(&index, &vectors, &question, Some(&embedding));
        assert_eq!(again, alone, "{text}");
    }
}

#[test]
fn a_definition_and_what_it_calls_are_stated_with_their_lines() {
    let index = index();
    let answer = ask(
        &index,
        "where are redirects followed and how is the method changed?",
    );
    let said = statements(&answer);
    assert_eq!(
        said,
        [
            "`Session.rebuild_method`, a method in `src/sessions.py` that takes `request` and `response`, is documented as “When being redirected we may want to change the method of the request based on certain specs or browser behavior.”",
            "`rebuild_method` is called by `Session.resolve_redirects`, which is documented as “Receives a Response.”",
        ]
    );
    assert_eq!(
        sources(&index, &answer, 0),
        ["src/sessions.py:22-27 definition, with the quoted words"]
    );
    assert_eq!(
        sources(&index, &answer, 1),
        [
            "src/sessions.py:19 call",
            "src/sessions.py:16-20 definition, with the quoted words"
        ]
    );
}

#[test]
fn callers_are_stated_when_little_else_is_known() {
    let index = index();
    let said = statements(&ask(&index, "which adapter is looked up for a url?"));
    assert_eq!(
        said[..2],
        [
            "`lookup_adapter`, a function in `src/sessions.py` that takes `url`, is documented as “Look up the adapter for a URL scheme.”",
            "`lookup_adapter` is called by `Session.get_adapter`.",
        ],
    );
}

#[test]
fn tests_are_stated_only_when_asked_for() {
    let index = index();
    let about_tests = |question| {
        statements(&ask(&index, question))
            .iter()
            .any(|said| said.contains("test_sessions.py"))
    };
    assert!(!about_tests(
        "where are redirects followed and how is the method changed?"
    ));
    assert!(about_tests("which test covers redirects?"));
}

#[test]
fn constants_are_stated_with_their_value() {
    let index = index();
    let said = statements(&ask(&index, "what is the default redirect limit?"));
    assert!(
        said.iter()
            .any(|said| said == "`DEFAULT_REDIRECT_LIMIT` in `src/sessions.py` is set to `30`."),
        "{said:#?}"
    );
}

#[test]
fn facts_of_manifests_are_stated_exactly() {
    let index = index();
    for (question, first) in [
        (
            "which licence is it under?",
            "According to `pyproject.toml`, the licence is `MIT`.",
        ),
        (
            "What version is this?",
            "According to `pyproject.toml`, the version is `1.0`.",
        ),
        (
            "which Python version is required",
            "According to `pyproject.toml`, the project needs `Python >=3.9`.",
        ),
        (
            "what are the dependencies of sessions",
            "According to `pyproject.toml`, the run-time dependencies are `urllib3>=1.21` and `idna`.",
        ),
        (
            "does it depend on idna?",
            "Yes. `pyproject.toml` names the dependency `idna`.",
        ),
        (
            "does it depend on numpy?",
            "No. `pyproject.toml` does not name `numpy`; its run-time dependencies are `urllib3>=1.21` and `idna`.",
        ),
    ] {
        let answer = ask(&index, question);
        let said = statements(&answer);
        assert_eq!(said[0], first, "{question}");
        // Who asks about one dependency wants nothing beside it.
        let is_of_one = question.starts_with("does it depend");
        assert_eq!(said.len() == 1, is_of_one, "{question}: {said:#?}");
        assert!(sources(&index, &answer, 0)[0].starts_with("pyproject.toml:"));
    }
    let said = statements(&ask(&index, "which licence is it under?"));
    assert_eq!(said[1], "`LICENSE` starts with “The MIT License”.");
}

#[test]
fn questions_about_code_are_not_answered_from_the_manifest() {
    let index = index();
    for question in [
        "how does the version of a request depend on the adapter",
        "where is the dependency on the adapter resolved",
    ] {
        let answer = ask(&index, question);
        if let Outcome::Found { statements, .. } = &answer.outcome {
            assert!(
                !statements[0].plain().contains("pyproject.toml"),
                "{question}"
            );
        }
    }
}

#[test]
fn documents_are_quoted_under_their_heading() {
    let index = index();
    let answer = ask(&index, "do requests time out by default in production?");
    let said = statements(&answer);
    assert_eq!(
        said[0],
        "`README.md` says under “Timeouts”: “By default requests do not time out, so set a timeout explicitly in production.”",
    );
    assert_eq!(
        sources(&index, &answer, 0),
        ["README.md:5-8 the quoted words"]
    );
}

#[test]
fn a_question_about_something_else_is_answered_with_nothing() {
    let index = index();
    for question in [
        "how is the quantum flux capacitor calibrated",
        "what is the capital of France",
        "xyzzy",
    ] {
        let answer = ask(&index, question);
        let Outcome::Nothing { why } = &answer.outcome else {
            panic!("{question}: {:#?}", statements(&answer));
        };
        assert!(why.contains("sessions-1.0"), "{why}");
        assert!(answer.files.is_empty());
    }
}

#[test]
fn every_footnote_is_used_and_numbered_in_order_of_first_use() {
    let index = index();
    let answer = ask(&index, "how does Session.send follow redirects?");
    let Outcome::Found {
        statements,
        footnotes,
    } = &answer.outcome
    else {
        panic!("nothing");
    };
    let mut seen = Vec::new();
    for number in statements.iter().flat_map(|said| &said.footnotes) {
        if !seen.contains(number) {
            seen.push(*number);
        }
    }
    let expected: Vec<u32> = (1..=footnotes.len() as u32).collect();
    assert_eq!(seen, expected);
    assert!(statements.iter().all(|said| !said.footnotes.is_empty()));
}

#[test]
fn suggestions_are_questions_that_get_an_answer() {
    let index = index();
    let questions = suggestions(&index);
    assert_eq!(questions.len(), 3, "{questions:?}");
    for question in &questions {
        assert!(!statements(&ask(&index, question)).is_empty(), "{question}");
    }
}

#[test]
fn a_long_question_says_how_it_was_read() {
    let index = index();
    let noise: String = (0..200).map(|n| format!("word{n}x ")).collect();
    let text = format!("{} resolve_redirects rebuild_method", noise.repeat(10));
    assert!(text.len() > 15_000);
    let answer = ask(&index, &format!("{text} redirects method response"));
    assert!(
        answer
            .note
            .is_none_or(|note| note.starts_with("The question is long"))
    );
}
