//! A scripted model that writes questions for the laboratory from what it is shown.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;

use super::http::RecordedRequest;
use super::script::Reply;

/// The subjects of questions, so that no two are alike.
const ABOUT: [&str; 24] = [
    "redirected downloads",
    "cookies of a session",
    "a proxy that refuses",
    "certificates that expired",
    "streaming a large body",
    "uploading several files",
    "basic authentication",
    "compressed content",
    "international domain names",
    "connection pools",
    "broken chunks",
    "case of header names",
    "url fragments",
    "json that is invalid",
    "netrc credentials",
    "hooks after a response",
    "status codes by name",
    "elapsed time",
    "pickling responses",
    "environment variables",
    "deprecated imports",
    "guessing an encoding",
    "digest challenges",
    "adapters by prefix",
];

/// How the first and the second question of a reply begin; different in each round of [`ABOUT`].
const ASKED: [[&str; 2]; 4] = [
    [
        "How does the package deal with",
        "What happens inside when there is",
    ],
    [
        "Which steps are taken one after the other for",
        "Who decides in the end about",
    ],
    [
        "What has to be set before a caller can rely on",
        "Why would nobody notice a fault in",
    ],
    [
        "Where does a request wait because of",
        "Which exceptions can be traced back to",
    ],
];

/// A model that asks about one subject after another. It names files that it was shown and, each
/// time, one that it was not.
pub fn writer() -> impl Fn(&RecordedRequest) -> Reply + Send + Sync + 'static {
    let n = AtomicUsize::new(0);
    move |request| {
        let prompt = request.prompt();
        let next = || n.fetch_add(1, Ordering::SeqCst);
        match &prompt {
            it if it.contains("You teach beginners") => Reply::text(
                "The piece is part of the package. Line by line it sets up what the caller needs.",
            ),
            it if it.contains("You grade examples") => Reply::text("Clear.\nScore: 5"),
            it if it.contains("You write one question") => Reply::text(&pair(it, about(next()))),
            it if it.contains("JSON") => Reply::text(&questions(it, next())),
            _ => Reply::text("ready"),
        }
    }
}

fn about(n: usize) -> &'static str {
    ABOUT[n % ABOUT.len()]
}

/// Two questions with files of the prompt, and one whose file does not exist.
fn questions(prompt: &str, n: usize) -> String {
    let paths = paths(prompt);
    let some = |n: usize| paths.iter().take(n).collect::<Vec<_>>();
    let (one, two) = (about(2 * n), about(2 * n + 1));
    let [first, second] = ASKED[2 * n / ABOUT.len() % ASKED.len()];
    json!([
        {"question": format!("{first} {one}?"), "files": some(2)},
        {"question": format!("{second} {two}?"), "files": some(3)},
        {"question": format!("Where is the cache for {one} kept on disk?"),
         "files": ["nowhere/at_all.py"]},
    ])
    .to_string()
}

/// A question with its answer, with citations and quotations from the lines of the prompt.
fn pair(prompt: &str, about: &str) -> String {
    let path = paths(prompt).into_iter().next().unwrap_or_default();
    let mut numbered = prompt.lines().filter_map(|line| {
        let (number, text) = line.trim_start().split_once("| ")?;
        let number: u32 = number.parse().ok()?;
        (text.trim().len() > 8).then(|| (number, text.trim().to_owned()))
    });
    let (line, quote) = numbered.next_back().unwrap_or_default();
    json!({
        "question": format!("What does {path} do about {about} there?"),
        "answer": format!("It says `{quote}`. [{path}:{line}-{line}]"),
        "lines": [line, line],
        "quote": quote,
    })
    .to_string()
}

/// The paths of Python files in a prompt, in order, without those in the example of the form.
fn paths(prompt: &str) -> Vec<String> {
    let words = prompt.split(|it: char| it.is_whitespace() || "`\"'()[],:".contains(it));
    let mut found: Vec<String> = Vec::new();
    let is_path = |word: &&str| word.ends_with(".py") && word.contains('/');
    for word in words.filter(|word| is_path(word) && !word.starts_with("path/of/")) {
        if !found.iter().any(|known| known == word) {
            found.push(word.to_owned());
        }
    }
    found
}
