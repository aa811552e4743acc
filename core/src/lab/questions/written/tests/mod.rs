//! Whole runs with scripted replies on a small repository.

mod alignment;
mod faults;
mod runs;
mod strategies;

use std::sync::Arc;

use serde_json::json;

use super::*;
use crate::index::tests::index;
use crate::model::protocol::Message;

const STORE: &str = r#""""Keeps things."""

import json
from app.paths import locate

LIMIT = 100


class Store:
    """A place that keeps values by their keys."""

    def put(self, key, value):
        """Write a value under its key, replacing what was there."""
        check_key(key)
        self.values[key] = value

    def fetch_all(self):
        """Return every pair of the folder, oldest first."""
        return sorted(self.values)


def check_key(key):
    """Refuse names that cannot stand in a path."""
    return locate(key)
"#;

const CLIENT: &str = r#"import httpx
from app.store import Store


class Client(Store):
    """Talks to the server."""

    def send(self, key):
        """Send a value to the server."""
        response = httpx.post('/values', json=self.values[key])
        return response.status_code
"#;

/// Four source files in two folders, and other files.
const FILES: [(&str, &str); 8] = [
    ("src/app/store.py", STORE),
    (
        "src/app/paths.py",
        "import os\n\n\ndef locate(key):\n    \"\"\"Find the file of a key.\"\"\"\n    \
         name = os.path.join('x', key)\n    return name\n",
    ),
    ("src/net/client.py", CLIENT),
    (
        "src/net/retry.py",
        "import time\n\n\ndef again(call):\n    \"\"\"Call until it works.\"\"\"\n    \
         while not call():\n        time.sleep(1)\n",
    ),
    ("src/app/__init__.py", ""),
    (
        "tests/test_store.py",
        "from app.store import check_key\n\n\ndef test_odd_keys():\n    check_key('a')\n    \
         assert True\n    assert 1\n",
    ),
    (
        "README.md",
        "# App\n\nKeeps values.\n\n## Installing\n\nRun `pip install app`.\nIt needs Python 3.9.\n",
    ),
    (
        "pyproject.toml",
        "[project]\nname = \"app\"\nlicense = \"MIT\"\ndependencies = [\"httpx>=1\"]\n",
    ),
];

fn order(strategies: &[&str]) -> WrittenOrder {
    WrittenOrder {
        strategies: strategies.iter().map(|it| (*it).to_owned()).collect(),
        ..WrittenOrder::new("app")
    }
}

fn writing(files: &[(&str, &str)], order: WrittenOrder) -> Writing {
    Writing::new(Arc::new(index(files)), order)
}

/// All text that is sent to the model.
fn said(ask: &Ask) -> String {
    let messages = ask.chat.messages.iter().map(|message| match message {
        Message::User(text)
        | Message::Assistant { text, .. }
        | Message::ToolResult { text, .. } => text.as_str(),
    });
    messages.collect::<Vec<_>>().join("\n---\n")
}

fn reply(text: &str) -> Reply<'_> {
    Reply {
        text,
        answer_tokens: Some(50),
        from_cache: false,
    }
}

/// Runs to the end; returns the requests.
fn run(writing: &mut Writing, mut model: impl FnMut(&Ask) -> String) -> Vec<Ask> {
    let mut asks = Vec::new();
    while let Some(ask) = writing.request("m") {
        let text = model(&ask);
        writing.answer(reply(&text));
        asks.push(ask);
        assert!(asks.len() < 2_000, "it never ends");
    }
    asks
}

/// Questions as a model writes them.
fn questions(all: &[(&str, &[&str])]) -> String {
    let all: Vec<_> = all
        .iter()
        .map(|(question, files)| json!({ "question": question, "files": files }))
        .collect();
    json!(all).to_string()
}

/// A question unlike any other, by number.
fn nth(n: usize) -> String {
    const WORDS: [&str; 8] = [
        "locking", "sorting", "sending", "retrying", "parsing", "closing", "naming", "caching",
    ];
    let word = |at: usize| WORDS[(n / WORDS.len().pow(at as u32)) % WORDS.len()];
    format!(
        "How does {} depend on {} and {} here?",
        word(0),
        word(1),
        word(2)
    )
}

/// The count of one strategy.
fn count(made: &WrittenMade, strategy: &str) -> WrittenCount {
    let mut counts = made.counts.iter();
    counts.find(|it| it.strategy == strategy).unwrap().clone()
}

/// Checks what holds for every count.
fn check(made: &WrittenMade) {
    for count in &made.counts {
        let dropped: usize = count.dropped.values().sum();
        assert_eq!(count.made, count.kept + dropped, "{count:?}");
    }
    let kept: usize = made.counts.iter().map(|it| it.kept).sum();
    assert_eq!(kept, made.items.len());
    let ids: std::collections::BTreeSet<&str> =
        made.items.iter().map(|item| item.id.as_str()).collect();
    assert_eq!(ids.len(), made.items.len());
}
