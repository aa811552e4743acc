mod rules;

use std::collections::BTreeSet;

use super::sentence::{About, questions};
use super::*;
use crate::index::tests::index;
use crate::job::run_to_end;
use crate::lang::SymbolKind;
use crate::lines::LineIndex;

const STORE: &str = r#""""Keeps things."""

import json
from app.paths import locate

LIMIT_OF_ENTRIES = 100


class Store:
    """A place that keeps values by their keys."""

    def put(self, key, value):
        """Write a value under its key, replacing what was there."""
        check_key(key)

    def fetch_all(self):
        """Return every pair of the folder, oldest first."""
        return []


class Cache(Store):
    pass


def check_key(key):
    """Refuse names that cannot stand in a path."""
    return locate(key)


def twin_one():
    """Return the number of entries that are left."""


def twin_two():
    """Return the number of entries that are left."""
"#;

const FILES: [(&str, &str); 6] = [
    ("src/app/store.py", STORE),
    (
        "src/app/paths.py",
        "import os\n\n\ndef locate(key):\n    return os.path.join('x', key)\n",
    ),
    (
        "tests/test_store.py",
        "from app.store import check_key\n\n\ndef test_odd_keys():\n    key = check_key('a')\n    \
         assert key == 'x/a'\n",
    ),
    (
        "README.md",
        "# App\n\n## Opening a store\n\nCall it.\n\n## Usage\n\nRun it.\n",
    ),
    (
        "CHANGES.md",
        "# Changes\n\n- Keys may hold spaces (#123).\n- Values are\n  copied (#77).\n- Twice (#5).\n",
    ),
    (
        "pyproject.toml",
        "[project]\nname = \"app\"\nlicense = \"MIT\"\ndependencies = [\"httpx>=1\"]\n",
    ),
];

fn made(files: &[(&str, &str)], change: impl FnOnce(&mut Order)) -> Made {
    let mut order = Order::new("app");
    change(&mut order);
    let Ok(made) = run_to_end(MakeQuestions::new(Arc::new(index(files)), order));
    made
}

fn of_kind<'m>(made: &'m Made, kind: &str) -> Vec<&'m Item> {
    let of_kind = |item: &&Item| item.category.as_deref() == Some(kind);
    made.items.iter().filter(of_kind).collect()
}

#[test]
fn every_kind_finds_its_questions_with_the_lines_that_answer_them() {
    let made = made(&FILES, |_| {});
    // Kind, the name in the question, file, first line, last line.
    for (kind, named, file, start, end) in [
        (
            "documentation",
            "replacing what was there",
            "src/app/store.py",
            12,
            14,
        ),
        ("documents", "Opening a store", "README.md", 3, 5),
        ("changelog", "#77", "CHANGES.md", 4, 5),
        ("tests", "test_odd_keys", "tests/test_store.py", 6, 6),
        ("tests", "check_key", "tests/test_store.py", 4, 6),
        ("calls", "locate", "src/app/store.py", 25, 27),
        ("inheritance", "Store", "src/app/store.py", 21, 22),
        ("imports", "store.py", "src/app/store.py", 3, 3),
        ("importers", "paths.py", "src/app/store.py", 4, 4),
        ("signatures", "Store.put", "src/app/store.py", 12, 14),
        ("values", "LIMIT_OF_ENTRIES", "src/app/store.py", 6, 6),
        ("places", "Cache", "src/app/store.py", 21, 22),
        ("manifest", "httpx", "pyproject.toml", 4, 4),
    ] {
        let questions = of_kind(&made, kind);
        let item = questions.iter().find(|item| item.query.contains(named));
        let item = item.unwrap_or_else(|| panic!("{kind} {named}: {questions:#?}"));
        let is_it = |span: &&crate::eval::GoldSpan| {
            (span.file.as_str(), span.start, span.end) == (file, start, end)
        };
        assert!(item.gold_spans.iter().any(|span| is_it(&span)), "{item:#?}");
        assert!(item.gold_files.iter().any(|path| path == file), "{item:#?}");
    }
}

#[test]
fn gold_lines_stand_in_their_files_and_ids_are_unique() {
    let made = made(&FILES, |_| {});
    let ids: BTreeSet<&str> = made.items.iter().map(|item| item.id.as_str()).collect();
    assert_eq!(ids.len(), made.items.len());
    for item in &made.items {
        assert!(!item.gold_spans.is_empty(), "{item:#?}");
        for span in &item.gold_spans {
            let file = FILES.iter().find(|(path, _)| *path == span.file).unwrap();
            let lines = LineIndex::new(file.1);
            assert!(span.end <= lines.line_count(), "{item:#?}");
        }
    }
}

#[test]
fn a_sentence_never_gives_away_the_name_that_it_asks_for() {
    let made = made(&FILES, |order| {
        order.kinds = vec!["documentation".to_owned()]
    });
    assert!(!made.items.is_empty());
    for item in &made.items {
        let words = item.query.to_lowercase();
        for name in ["put", "fetch_all", "fetch all", "check_key", "check key"] {
            let is_held = words.split(' ').any(|word| word == name);
            assert!(!is_held, "{}", item.query);
        }
        // A class stands only in questions about its members.
        let is_of_class = item.gold_spans.iter().any(|span| span.start == 9);
        assert!(!is_of_class || !words.contains("store"), "{words}");
    }
}

#[test]
fn a_question_with_two_answers_is_dropped_and_counted() {
    let made = made(&FILES, |order| {
        order.kinds = vec!["documentation".to_owned()]
    });
    assert!(
        made.items
            .iter()
            .all(|item| !item.query.contains("that are left"))
    );
    let [count] = made.counts.as_slice() else {
        panic!("{:?}", made.counts);
    };
    assert_eq!(
        count
            .dropped
            .get("other definitions are documented in the same words"),
        Some(&2)
    );
}

#[test]
fn the_same_seed_makes_the_same_set_and_another_one_another() {
    let texts = |seed| {
        let made = made(&FILES, |order| (order.seed, order.count) = (seed, 12));
        made.items
            .into_iter()
            .map(|item| item.query)
            .collect::<Vec<_>>()
    };
    assert_eq!(texts(1), texts(1));
    assert_ne!(texts(1), texts(2));
}

#[test]
fn fewer_than_wanted_are_explained_and_no_more_than_wanted_are_made() {
    let all = made(&FILES, |_| {});
    assert!(all.short.unwrap().contains("not 200"));
    let few = made(&FILES, |order| order.count = 5);
    assert_eq!((few.items.len(), few.short), (5, None));
    let kinds: BTreeSet<_> = few.items.iter().map(|item| item.category.clone()).collect();
    assert_eq!(kinds.len(), 5, "drawn in turn");
    let none = made(&[("a.bin", "")], |_| {});
    assert!(none.items.is_empty() && none.short.is_some());
}

#[test]
fn no_questions_are_asked_about_files_that_a_build_produced() {
    let text =
        "/** Removes an item from the list of open things. */\nexport function dropItem(a) {}\n";
    let made = made(&[("src/drop.ts", text), ("dist/drop.js", text)], |order| {
        order.kinds = vec!["documentation".to_owned(), "signatures".to_owned()]
    });
    assert!(!made.items.is_empty());
    for item in &made.items {
        assert_eq!(item.gold_files, ["src/drop.ts"]);
    }
}

#[test]
fn sentences_become_questions_by_what_they_begin_with() {
    use SymbolKind::{Class, Function, Method};
    for (sentence, kind, expected) in [
        (
            "Send a given :class:`PreparedRequest` to its host.",
            Function,
            Some("Which function is used to send a given PreparedRequest to its host?"),
        ),
        (
            "Returns the ``name`` of the [`Service`] behind it.",
            Method,
            Some("Which method returns the name of the Service behind it?"),
        ),
        (
            "This method tries all of them in turn.",
            Method,
            Some("Which method tries all of them in turn?"),
        ),
        (
            "A pool of the open connections, by host.",
            Class,
            Some("Which class is described as “a pool of the open connections, by host”?"),
        ),
        ("The server did not send any data.", Class, None),
        ("The request timed out while it waited.", Class, None),
        ("Requests uses this method internally.", Method, None),
        ("See http://example.com for more on it.", Function, None),
        ("Get it.", Function, None),
        ("Convert the value (and its", Function, None),
    ] {
        let about = About {
            kind,
            owner: None,
            is_inner: false,
            signature: "",
        };
        let made = questions(sentence, &about);
        match expected {
            Some(expected) => {
                let made = made.unwrap();
                assert!(made.iter().any(|it| it == expected), "{made:?}");
            }
            None => assert!(made.is_err(), "{made:?}"),
        }
    }
}

#[test]
fn the_two_parts_of_a_split_share_no_file() {
    let files: Vec<(String, String)> = (0..40)
        .map(|n| {
            let text = format!("VALUE_OF_{n} = {n}\n\n\nclass Thing{n}:\n    pass\n");
            (format!("src/part{n}.py"), text)
        })
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (&**a, &**b)).collect();
    let made = made(&files, |_| {});
    let split = split(&made.items, 0.2, 1);
    assert_eq!(split.train.len() + split.valid.len(), made.items.len());
    assert!((0.15..=0.2).contains(&split.share()), "{}", split.share());
    let of = |ids: &BTreeSet<String>| {
        let own = made.items.iter().filter(|item| ids.contains(&item.id));
        own.flat_map(|item| item.gold_files.clone())
            .collect::<BTreeSet<_>>()
    };
    assert!(of(&split.train).is_disjoint(&of(&split.valid)));
}
