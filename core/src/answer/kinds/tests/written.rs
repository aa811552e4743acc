//! Questions on what stands in the text: usages, errors, environment, comments, words, searches.

use super::super::super::tests::{answered, statements_of};
use crate::answer::Outcome;
use crate::index::Index;
use crate::index::tests::whole_index;

const FILES: &[(&str, &str)] = &[
    (
        "src/fern/store.py",
        "\"\"\"Where notes are kept. TODO is no comment here.\"\"\"\nimport os\n\nfrom .errors import Full, Missing\n\nLIMIT = int(os.environ.get(\"FERN_LIMIT\", \"10\"))\n\n\nclass Store:\n    def get(self, key):\n        # TODO: say which key\n        if key not in self.notes:\n            raise Missing(key)\n        return self.notes[key]\n\n    def put(self, key, note):\n        if len(self.notes) >= LIMIT:\n            raise Full(\"no room\")\n        try:\n            self.notes[key] = note\n        except OSError:\n            raise\n\n\ndef folder():\n    for key in \"FERN_HOME\", \"HOME\":\n        if os.environ.get(key):\n            return os.environ[key]\n    return os.getenv(name())\n",
    ),
    (
        "src/fern/errors.py",
        "class Missing(KeyError):\n    pass\n\n\nclass Full(Exception):\n    pass\n\n\nclass Unused(Exception):\n    pass\n",
    ),
    (
        "src/fern/web.py",
        "from .store import Store, folder\n\nHANDLERS = {\"folder\": folder}\n\n\ndef show(folder=None):\n    return folder\n\n\ndef serve():\n    # FIXME this is slow\n    store = Store()\n    return show(folder=folder())\n",
    ),
    (
        "lib/page.js",
        "const mode = process.env.FERN_MODE || process.env['NODE_ENV'];\n\n// process.env.NOT_READ\nfunction open(path) {\n  if (!path) {\n    throw new TypeError('a path is needed');\n  }\n  var error = new RangeError('far');\n  throw error;\n}\n\nmodule.exports = { open, mode };\n",
    ),
    (
        "crate/src/lib.rs",
        "//! A crate.\n\npub fn check(n: usize) -> Result<(), Error> {\n    if std::env::var_os(\"FERN_STRICT\").is_some() {\n        return Err(Error::Strict);\n    }\n    match inner(n) {\n        Err(Error::Other) => Ok(()),\n        _ => panic!(\"no\"),\n    }\n}\n",
    ),
    (
        "tests/test_store.py",
        "from fern.store import Store\n\n\ndef test_get():\n    assert Store().get(1)\n",
    ),
];

fn sample() -> Index {
    whole_index("fern-1.0", FILES)
}

/// A question and its statements, each with the `path:lines` of its footnotes.
const ANSWERS: &[(&str, &[&str])] = &[
    ("Where is folder used?", &[]),
    ("which files use Store?", &[]),
    ("usages of LIMIT", &[]),
    ("Is Unused used?", &[]),
    ("Which environment variables are read?", &[]),
    ("Does lib read environment variables?", &[]),
    ("does the rust code read any environment variables", &[]),
    ("where is FERN_HOME looked up", &[]),
    ("What does Store.put raise?", &[]),
    ("which errors are raised in store.py", &[]),
    ("what can open throw?", &[]),
    ("what errors does check return", &[]),
    ("does serve raise an error", &[]),
    ("who raises Missing?", &[]),
    ("who raises Unused?", &[]),
    ("list all TODO comments", &[]),
    ("which files have FIXME or TODO comments?", &[]),
    ("any HACK comments in src/fern?", &[]),
    ("which files mention the word notes?", &[]),
    ("files in lib that contain `missing words`", &[]),
    ("\"raise Missing\"", &[]),
    ("/os\\.(environ|getenv)\\b/ path:src -file:web", &[]),
    ("/RAISE full/i lang:python", &[]),
    ("symbol:get", &[]),
    ("note symbol:Store.put", &[]),
    ("\"nowhere at all\" path:src", &[]),
];

#[test]
fn questions_on_the_text_are_answered_with_a_footnote_for_each_line() {
    super::compare(&sample(), ANSWERS);
}

#[test]
fn a_search_that_cannot_be_made_says_why() {
    let index = sample();
    for (question, why) in [
        (
            "/(open/",
            "The expression /(open/ cannot be searched for: unclosed group.",
        ),
        (
            "/open/q",
            "The flag q of the expression is not known: i and x are.",
        ),
    ] {
        let answer = answered(&index, question);
        assert_eq!(
            answer.outcome,
            Outcome::Nothing {
                why: why.to_owned()
            }
        );
    }
}

#[test]
fn a_question_with_quotes_in_it_is_no_search() {
    let index = sample();
    for question in [
        "what does \"Store\" do?",
        "/users/:id",
        "how does Store work",
    ] {
        let found = answered(&index, question);
        assert_ne!(found.kind, Some("search"), "{question}");
        statements_of(&index, question);
    }
}
