//! Unfinished code in a fence, and questions that contain code and ask something else.

use super::super::super::tests::answered;
use crate::answer::{Outcome, resolve};
use crate::index::Index;
use crate::index::tests::whole_index;
use crate::search::Question;
use crate::search::unfinished::question;

const FILES: &[(&str, &str)] = &[
    (
        "src/fern/web.py",
        "class Session:\n    def send(self, url):\n        return url\n\n\ndef close_all(sessions):\n    pass\n",
    ),
    (
        "src/fern/text.py",
        "def slug(text):\n    return text.lower()\n",
    ),
];

fn sample() -> Index {
    whole_index("fern-1.0", FILES)
}

const CODE: &str = "from fern.web import Session, close_all, frob\nimport fern.text\n\n\n@cached\ndef run(urls):\n    many = []\n    for url in urls:\n        session = Session(\n";

#[test]
fn imported_used_and_missing_names_are_stated_with_their_lines() {
    let asked = question(CODE, "python", 3);
    let expected = [
        "The last 3 lines of the code use 1 definition that it imports: `Session`. [src/fern/web.py:1]",
        "The code also imports 1 definition: `close_all`. [src/fern/web.py:6]",
        "It imports 1 file of the repository as a whole: `src/fern/text.py`. [src/fern/text.py:1-2]",
        "Line 1 imports `frob` from `src/fern/web.py`, and nothing of that name was found there. [src/fern/web.py:1-7]",
    ];
    super::compare(&sample(), &[(&asked, &expected)]);
    let answer = answered(&sample(), &asked);
    assert_eq!(answer.kind, Some("unfinished"));
    let Outcome::Found { statements, .. } = answer.outcome else {
        panic!("nothing found");
    };
    let item = &statements[0].items[0];
    assert_eq!(
        item.detail,
        "imported in line 1, named in line 9; class Session"
    );
}

#[test]
fn one_last_line_and_a_name_that_nobody_knows() {
    let asked = question("x = slug(a)\ny = frobnicate(x", "py", 1);
    let expected = [
        "By name alone, lines above may mean 1 definition: `slug`. [src/fern/text.py:1]",
        "Line 2 calls `frobnicate`, which neither the code nor any of the repository’s 2 files of code defines or calls. [src/fern/text.py:1-2]",
    ];
    super::compare(&sample(), &[(&asked, &expected)]);
}

#[test]
fn code_that_needs_nothing_is_refused_with_a_reason() {
    let answer = answered(&sample(), &question("import os\nos.getcwd(", "python", 3));
    let Outcome::Nothing { why } = answer.outcome else {
        panic!("something found");
    };
    assert!(
        why.starts_with("The code (read as Python) imports and names nothing"),
        "{why}"
    );
}

#[test]
fn questions_that_hold_code_and_ask_something_else_are_not_taken() {
    let index = sample();
    for asked in [
        "Why does this fail?\n```python\nSession(\n```",
        "Complete this code",
        "What does this unfinished code need?\n```python\nSession(\n```\nAnd who calls close_all?",
        "What does Session do?",
    ] {
        assert_ne!(answered(&index, asked).kind, Some("unfinished"), "{asked}");
    }
}

#[test]
fn a_decorator_is_not_a_scope_and_a_name_is_not_a_misspelt_word() {
    let asked = question(CODE, "src/fern/run.py", 5);
    let asked = Question::new(&asked).unwrap();
    let resolved = resolve(&sample(), &asked, &["What does Session do?"]);
    assert_eq!(resolved.question, asked);
    assert_eq!(resolved.note, None);
}
