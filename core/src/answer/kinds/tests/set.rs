//! Questions about what is set without a declaration, about overriding, and about files with the
//! same name.

use super::super::super::tests::answered;
use crate::answer::Fit;
use crate::index::Index;
use crate::index::tests::whole_index;

const FILES: &[(&str, &str)] = &[
    (
        "src/fern/web.py",
        "def head(url, **options):\n    options.setdefault(\"follow\", False)\n    strict = True\n    return send(url, options)\n\n\ndef log(name, value):\n    pass\n\n\ndef send(url, options):\n    log(\"pace\", 5)\n    return options.get(\"retries\", 3)\n\n\nclass Base:\n    def close(self):\n        pass\n\n    def read(self):\n        pass\n\n\nclass File(Base):\n    def close(self):\n        pass\n",
    ),
    (
        "src/fern/view.js",
        "export default class View {\n  width = 10\n}\n\nView.defaultProps = {\n  ratio: '4:3',\n};\n",
    ),
    (
        "src/fern/kind.ts",
        "export enum Kind {\n  Next = 'N',\n  Done = 'D',\n}\n\nexport const A_ONE_NUM = 1;\nexport const A_TWO_NUM = 2;\n",
    ),
    ("tests/web.py", "def test_head():\n    pass\n"),
];

fn sample() -> Index {
    whole_index("fern-1.0", FILES)
}

/// A question and its statements, each with the `path:lines` of its footnotes.
const ANSWERS: &[(&str, &[&str])] = &[
    (
        "is follow on by default in head?",
        &[
            "No. The body of `head` in `src/fern/web.py` has `options.setdefault(\"follow\", False)`. [src/fern/web.py:2]",
        ],
    ),
    (
        // An assignment is shown, not read as on or off: it may be conditional.
        "is strict on by default in head?",
        &["The body of `head` in `src/fern/web.py` has `strict = True`. [src/fern/web.py:3]"],
    ),
    (
        "default retries",
        &["`src/fern/web.py` has `return options.get(\"retries\", 3)`. [src/fern/web.py:13]"],
    ),
    (
        "what is the default value of the ratio prop?",
        &["`src/fern/view.js` has `ratio: '4:3'`. [src/fern/view.js:6]"],
    ),
    (
        "values of Kind",
        &[
            "`Kind` in `src/fern/kind.ts` has 2 variants: `Kind.Next` and `Kind.Done`. [src/fern/kind.ts:2 src/fern/kind.ts:3]",
        ],
    ),
    (
        "which numbers are assigned to A_*_NUM?",
        &[
            "Names like `A_*_NUM` belong to 2 definitions: `A_ONE_NUM` and `A_TWO_NUM`. [src/fern/kind.ts:6 src/fern/kind.ts:7]",
        ],
    ),
    (
        "does File override close?",
        &["Yes. `File.close` overrides `Base.close`. [src/fern/web.py:25 src/fern/web.py:17]"],
    ),
    (
        "does File override read?",
        &[
            "No. `File` in `src/fern/web.py` has no method `read`; it inherits `Base.read`. [src/fern/web.py:24-26]",
        ],
    ),
];

#[test]
fn questions_about_values_are_answered_with_the_line_that_sets_them() {
    super::compare(&sample(), ANSWERS);
}

#[test]
fn a_value_that_is_not_a_default_is_not_presented_as_one() {
    let index = sample();
    for question in [
        "default pace",
        "default width",
        "which url does head send when redirected",
    ] {
        let found = answered(&index, question);
        assert_ne!(
            (found.kind, found.fit),
            (Some("defaults"), Fit::Exact),
            "{question}"
        );
    }
}

#[test]
fn other_files_with_the_same_name_are_mentioned() {
    let index = sample();
    for question in ["list the functions in web.py", "show me web.py"] {
        let note = answered(&index, question).note;
        assert_eq!(
            note.as_deref(),
            Some("`tests/web.py` has the same name."),
            "{question}"
        );
    }
    assert_eq!(
        answered(&index, "list the functions in src/fern/web.py").note,
        None
    );
}

#[test]
fn missing_things_are_named_in_the_words_of_the_question() {
    let index = sample();
    for (question, subject) in [
        ("where is the circuit breaker of head", "circuit breaker"),
        (
            "which class applies the watermark to the ratio?",
            "watermark",
        ),
        ("how does head speak HTTP/2?", "HTTP/2"),
    ] {
        let answer = answered(&index, question);
        let why = match answer.outcome {
            crate::answer::Outcome::Nothing { why } => why,
            crate::answer::Outcome::Found { .. } => answer.note.unwrap_or_default(),
        };
        assert_ne!(answer.fit, Fit::Exact, "{question}");
        assert!(why.contains(&format!("“{subject}")), "{question}: {why}");
    }
}
