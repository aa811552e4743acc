//! Dependency questions about a small repository, and their answers.

mod apart;
mod asked;
mod declared;
mod open;
mod reached;
mod read;
mod set;
mod stated;
mod steps;
mod unfinished;
mod written;

use super::super::tests::statements_of;
use crate::answer::{Fit, Outcome};
use crate::index::Index;
use crate::index::tests::whole_index;

const FILES: &[(&str, &str)] = &[
    ("src/tern/__init__.py", "from .app import App\n"),
    (
        "src/tern/app.py",
        "\"\"\"The application.\"\"\"\nimport json\nimport os.path\n\nfrom urllib3 import Retry\n\nfrom .models import Note\nfrom . import text\n\n\nclass App:\n    def run(self):\n        note = Note()\n        return self.save_note(note)\n\n    def save_note(self, note):\n        return text.slug(json.dumps(note))\n",
    ),
    (
        "src/tern/models.py",
        "import dataclasses\n\n\nclass Note:\n    pass\n",
    ),
    (
        "src/tern/text.py",
        "def slug(text):\n    return text\n\n\ndef unused():\n    return slug(1)\n",
    ),
    ("src/tern/alone.py", "LIMIT = 1\n"),
    (
        "tests/test_app.py",
        "import pytest\nfrom tern.app import App\n\n\ndef test_run():\n    App().run()\n",
    ),
];

fn sample() -> Index {
    whole_index("tern-1.0", FILES)
}

/// A question and its statements, each with the `path:lines` of its footnotes.
const ANSWERS: &[(&str, &[&str])] = &[
    (
        "Which libraries does app.py import?",
        &[
            "`src/tern/app.py` imports 1 third-party library: `urllib3`. [src/tern/app.py:5]",
            "`src/tern/app.py` imports 2 modules of the standard library: `json` and `os`. [src/tern/app.py:2 src/tern/app.py:3]",
        ],
    ),
    (
        "Which libraries does tern use?",
        &[
            "The project’s own code imports 1 third-party library: `urllib3`. [src/tern/app.py:5]",
            "The project’s own code imports 3 modules of the standard library: `json`, `os` and `dataclasses`. [src/tern/app.py:2 src/tern/app.py:3 src/tern/models.py:1]",
        ],
    ),
    (
        "What does the app module import?",
        &[
            "`src/tern/app.py` imports from 2 files of the repository: `src/tern/models.py` and `src/tern/text.py`. [src/tern/app.py:7 src/tern/app.py:8]",
            "`src/tern/app.py` imports 3 libraries: `json`, `os` and `urllib3`. [src/tern/app.py:2 src/tern/app.py:3 src/tern/app.py:5]",
        ],
    ),
    (
        "Does app.py import json?",
        &["Yes. `src/tern/app.py` imports `json`. [src/tern/app.py:2]"],
    ),
    (
        "Does app.py import numpy?",
        &[
            "No. `src/tern/app.py` does not import `numpy`; it imports `src/tern/models.py`, `src/tern/text.py`, `json`, `os` and `urllib3`. [src/tern/app.py:2-8]",
        ],
    ),
    (
        "Does models.py depend on app.py?",
        &[
            "No. `src/tern/models.py` does not import `src/tern/app.py`; it imports `dataclasses`. [src/tern/models.py:1]",
        ],
    ),
    (
        "Does alone.py import os?",
        &[
            "No. `src/tern/alone.py` does not import `os`; it imports nothing. [src/tern/alone.py:1]",
        ],
    ),
    (
        "Does the project import flask?",
        &[
            "No. The project’s own code does not import `flask`; it imports `json`, `os`, `urllib3` and `dataclasses`. [src/tern/app.py:2 src/tern/app.py:3 src/tern/app.py:5 src/tern/models.py:1]",
        ],
    ),
    (
        "What depends on the models module?",
        &["`src/tern/models.py` is imported by 1 file: `src/tern/app.py`. [src/tern/app.py:7]"],
    ),
    (
        "Who imports App?",
        &[
            "`App` in `src/tern/app.py` is imported by 2 files: `src/tern/__init__.py` and `tests/test_app.py`. [src/tern/__init__.py:1 tests/test_app.py:2]",
            "`App` in `src/tern/app.py` is called at 1 place: in `test_run`. [tests/test_app.py:6]",
        ],
    ),
    (
        "What imports alone.py?",
        &[
            "`src/tern/alone.py` is imported by no other file: none of the 9 imports leads to it. [src/tern/alone.py:1]",
        ],
    ),
    (
        "Are app.py and models.py coupled?",
        &[
            "Yes, one way. `src/tern/app.py` imports `src/tern/models.py`. [src/tern/app.py:7]",
            "`src/tern/models.py` does not import `src/tern/app.py`; it imports `dataclasses`. [src/tern/models.py:1]",
        ],
    ),
    (
        "Does __init__.py import models.py?",
        &[
            "No. `src/tern/__init__.py` does not import `src/tern/models.py`; it imports `src/tern/app.py`. [src/tern/__init__.py:1]",
            "Not directly. `src/tern/__init__.py` imports `src/tern/app.py`, which imports `src/tern/models.py`. [src/tern/__init__.py:1 src/tern/app.py:7]",
        ],
    ),
    (
        "Who calls slug?",
        &[
            "`slug` in `src/tern/text.py` is called at 2 places: in `App.save_note` and `unused`. [src/tern/app.py:17 src/tern/text.py:6]",
        ],
    ),
    (
        "Who calls unused?",
        &[
            "`unused` in `src/tern/text.py` has no certain call: none of the 7 calls can mean only it. [src/tern/text.py:5]",
        ],
    ),
    (
        "What does App.run call?",
        &[
            "`App.run` in `src/tern/app.py` calls `Note` and `App.save_note`. [src/tern/app.py:13 src/tern/app.py:14]",
        ],
    ),
];

#[test]
fn dependency_questions_are_answered_with_a_footnote_for_each_line() {
    compare(&sample(), ANSWERS);
}

#[test]
fn a_dependency_question_in_an_odd_wording_is_read_by_its_verb_and_its_names() {
    let importers =
        "`src/tern/models.py` is imported by 1 file: `src/tern/app.py`. [src/tern/app.py:7]";
    let callers = "`slug` in `src/tern/text.py` is called at 2 places: in `App.save_note` and `unused`. [src/tern/app.py:17 src/tern/text.py:6]";
    for (question, expected) in [
        (
            "everything that leans on models.py, file by file",
            importers,
        ),
        ("models.py → who makes use of it?", importers),
        ("i will rename slug, so show all that invoke it", callers),
        ("name whatever gets slug called", callers),
        ("which file has models.py among its imports?", importers),
        (
            "Is models.py leaned on by app.py?",
            "Yes. `src/tern/app.py` imports `src/tern/models.py`. [src/tern/app.py:7]",
        ),
        (
            "Is models.py something that app.py leans on?",
            "Yes. `src/tern/app.py` imports `src/tern/models.py`. [src/tern/app.py:7]",
        ),
        (
            "app.py leans on models.py, true?",
            "Yes. `src/tern/app.py` imports `src/tern/models.py`. [src/tern/app.py:7]",
        ),
    ] {
        let said = statements_of(&sample(), question);
        assert_eq!(
            said.first().map(String::as_str),
            Some(expected),
            "{question}"
        );
    }
}

#[test]
fn a_recognised_question_without_an_exact_result_gets_only_the_closest() {
    let index = sample();
    for (question, fit) in [
        ("Who calls slug?", Fit::Exact),
        ("By which route does app.py arrive at slug?", Fit::Exact),
        ("By which route does slug arrive at alone.py?", Fit::Closest),
        ("which functions save notes", Fit::Closest),
        ("saving notes", Fit::Likely),
    ] {
        let answer = super::super::tests::answered(&index, question);
        assert_eq!(answer.fit, fit, "{question}");
    }
}

/// Asks each question and compares its statements.
fn compare(index: &Index, answers: &[(&str, &[&str])]) {
    let mut wrong = Vec::new();
    for (question, expected) in answers {
        let found = statements_of(index, question);
        if found != *expected {
            wrong.push(format!(
                "{question}\n  expected {expected:#?}\n  found {found:#?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn questions_about_other_things_are_left_to_the_search() {
    let index = sample();
    for question in [
        "Does app.py use cookies?",
        "What uses magic?",
        "Which libraries does nothing import?",
    ] {
        let mut notes = super::Notes::new(&index.repo);
        let question = crate::search::Question::new(question).unwrap();
        super::state(&index, &question, &mut notes);
        assert_eq!(notes.statements, [], "{}", question.text());
    }
}

#[test]
fn the_files_of_an_answer_come_from_its_footnotes() {
    let index = sample();
    let answer = super::super::tests::answered(&index, "Who calls slug?");
    assert!(matches!(answer.outcome, Outcome::Found { .. }));
    let files: Vec<_> = answer
        .files
        .iter()
        .map(|file| index.repo.file(file.file).unwrap().path.as_str())
        .collect();
    assert_eq!(files, ["src/tern/app.py", "src/tern/text.py"]);
}
