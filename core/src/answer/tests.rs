//! Answers over a small repository, whole: read, indexed, searched, answered.

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

/// An index of files of these paths and texts.
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

/// The answer to a question, searched by words alone.
pub(super) fn answered(index: &Index, text: &str) -> Answer {
    ask(index, text)
}

/// Each statement with the sources of its footnotes in brackets.
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

/// `path:lines` of the footnotes of a statement.
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
fn what_calls_a_definition_is_said_when_little_else_is_known() {
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

const FALSE_CLAIMS: &str = r#""""Passwords."""

# Keeps every secret for ever.
VAULT = 3


class Vault:
    """Stores secrets that nobody can read."""

    def open(self, password):
        """Opens the vault in no time."""
        return encrypt_password(password)


def encrypt_password(password):
    """Encrypts the password with AES-256 and returns the cipher text.

    :param password: what to hide
    :param key: the key
    :raises KeyError: without a key
    """
    return password


def shout(word):
    """Erases `word` from the disk."""
    pass
"#;

const FALSE_README: &str = "# Vault\n\n## Passwords\n\nThe function encrypt_password encrypts every password with AES-256. This is not\ndone for short ones.\n";
const FALSE_CHANGES: &str =
    "# Changelog\n\n## 2.0\n\n- encrypt_password now hashes passwords with Argon2.\n";
const FALSE_MANIFEST: &str =
    "[project]\nname = \"vault\"\nversion = \"1.0\"\ndescription = \"Encrypts the whole disk.\"\n";

/// Words of [`FALSE_CLAIMS`] and the documents beside it that are not true of the code.
const CLAIMED: [&str; 9] = [
    "ncrypts the password",
    "ncrypts every password",
    "AES-256",
    "nobody can read",
    "in no time",
    "rases",
    "for ever",
    "Argon2",
    "whole disk",
];

/// A sentence without what stands between quotation marks.
fn unquoted(said: &str) -> String {
    let mut depth = 0;
    said.chars()
        .filter(|&c| {
            depth += i32::from(c == '“') - i32::from(c == '”');
            depth == 0
        })
        .collect()
}

#[test]
fn what_documentation_says_is_quoted_and_never_asserted() {
    let index = index_of(&[
        ("CHANGELOG.md", FALSE_CHANGES),
        ("README.md", FALSE_README),
        ("pyproject.toml", FALSE_MANIFEST),
        ("src/vault.py", FALSE_CLAIMS),
    ]);
    let mut n_quoted = 0;
    for question in [
        "Where is encrypt_password defined?",
        "What does encrypt_password do?",
        "Which function encrypts the password with AES-256?",
        "What is Vault for?",
        "Who calls encrypt_password?",
        "What does Vault.open call?",
        "And what does open do?",
        "What is VAULT?",
        "What does shout do?",
        "Are passwords encrypted with AES-256 according to the README?",
        "What does the documentation say about “Passwords”?",
        "What changed in version 2.0 of encrypt_password, by the changelog?",
        "What is this project about?",
    ] {
        let said = statements(&ask(&index, question));
        for said in &said {
            let own = unquoted(said);
            assert!(
                CLAIMED.iter().all(|claim| !own.contains(claim)),
                "{question}: {said}"
            );
            n_quoted += usize::from(CLAIMED.iter().any(|claim| said.contains(claim)));
        }
    }
    assert!(n_quoted > 12, "{n_quoted}");
}

#[test]
fn each_form_of_a_claim_is_quoted_word_for_word() {
    let index = index_of(&[
        ("CHANGELOG.md", FALSE_CHANGES),
        ("README.md", FALSE_README),
        ("pyproject.toml", FALSE_MANIFEST),
        ("src/vault.py", FALSE_CLAIMS),
    ]);
    for (question, expected) in [
        (
            "What does encrypt_password do?",
            "`encrypt_password`, a function in `src/vault.py` that takes `password`, is documented as “Encrypts the password with AES-256 and returns the cipher text.” [src/vault.py:15-22]",
        ),
        (
            "What does encrypt_password do?",
            "The body of `encrypt_password` only returns `password`; its documentation describes a parameter `key` that the signature does not have, and says that it raises `KeyError`, but the body raises no `KeyError` itself. [src/vault.py:22 src/vault.py:19 src/vault.py:15 src/vault.py:20 src/vault.py:16-22]",
        ),
        (
            "What does encrypt_password do?",
            "`encrypt_password` is called by `Vault.open`, which is documented as “Opens the vault in no time.” [src/vault.py:12 src/vault.py:10-12]",
        ),
        (
            "What does shout do?",
            "`shout`, a function in `src/vault.py` that takes `word`, is documented as “Erases `word` from the disk.” [src/vault.py:25-27]",
        ),
        (
            "What does shout do?",
            "The body of `shout` is empty. [src/vault.py:26-27]",
        ),
        (
            "What is VAULT?",
            "`VAULT` in `src/vault.py` is set to `3` and is documented as “Keeps every secret for ever.” [src/vault.py:3-4]",
        ),
        (
            "Are passwords encrypted with AES-256 according to the README?",
            "`README.md` says under “Passwords”: “The function encrypt_password encrypts every password with AES-256. This is not done for short ones.” [README.md:3-6]",
        ),
        (
            "What changed in version 2.0 of encrypt_password, by the changelog?",
            "`CHANGELOG.md` says under “2.0”: “encrypt_password now hashes passwords with Argon2.” [CHANGELOG.md:3-5]",
        ),
        (
            "What is this project about?",
            "According to `pyproject.toml`, the project describes itself as “Encrypts the whole disk.” [pyproject.toml:4]",
        ),
    ] {
        let said = statements_of(&index, question);
        assert!(
            said.iter().any(|said| said == expected),
            "{question}: {said:#?}"
        );
    }
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
        assert!(said.len() >= 2, "{question}: {said:#?}");
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
