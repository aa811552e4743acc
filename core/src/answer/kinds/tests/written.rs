//! Questions about the text: usages, errors, environment, comments, words, searches.

use super::super::super::tests::answered;
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
        "lib/page_color.js",
        "const getEnv = (key) => {\n  return process.env[key];\n};\n\nexport const color = getEnv('FERN_COLOR');\n// getEnv('NOT_CALLED')\n",
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
    (
        "Where is folder used?",
        &[
            "`folder` is used at 3 places: in `src/fern/web.py` and `serve`. [src/fern/web.py:1 src/fern/web.py:3 src/fern/web.py:13]",
        ],
    ),
    (
        "which files use Store?",
        &[
            "`Store` is used in 2 files, at 4 places: `src/fern/web.py` and `tests/test_store.py`. [src/fern/web.py:1 tests/test_store.py:1]",
        ],
    ),
    (
        "usages of LIMIT",
        &["`LIMIT` is used at 1 place: in `Store.put`. [src/fern/store.py:17]"],
    ),
    (
        "Is Unused used?",
        &["No. `Unused` is defined but used nowhere else in code. [src/fern/errors.py:9]"],
    ),
    (
        "Which environment variables are read?",
        &[
            "The repository reads 7 environment variables: `FERN_STRICT`, `FERN_MODE`, `NODE_ENV`, `FERN_LIMIT`, `FERN_HOME`, `HOME` and `FERN_COLOR`. [crate/src/lib.rs:4 lib/page.js:1 src/fern/store.py:6 src/fern/store.py:26-27 src/fern/store.py:26-28 lib/page_color.js:5]",
            "At 1 place the name of the variable is not written out: `name()`. [src/fern/store.py:29]",
        ],
    ),
    (
        "Does lib read environment variables?",
        &[
            "Yes. `lib` reads 3 environment variables: `FERN_MODE`, `NODE_ENV` and `FERN_COLOR`. [lib/page.js:1 lib/page_color.js:5]",
        ],
    ),
    (
        "does the rust code read any environment variables",
        &["Yes. The Rust code reads 1 environment variable: `FERN_STRICT`. [crate/src/lib.rs:4]"],
    ),
    (
        "where is FERN_HOME looked up",
        &[
            "The environment variable `FERN_HOME` is read at 2 places: in `folder`. [src/fern/store.py:26-27 src/fern/store.py:26-28]",
        ],
    ),
    (
        "What does Store.put raise?",
        &[
            "`Store.put` in `src/fern/store.py` raises 1 kind of error itself, at 1 place: `Full`. [src/fern/store.py:18]",
            "At 1 place it raises an error that it was given or has caught: in `Store.put`. [src/fern/store.py:22]",
        ],
    ),
    (
        "which errors are raised in store.py",
        &[
            "`src/fern/store.py` raises 2 kinds of errors itself, at 2 places: `Missing` and `Full`. [src/fern/store.py:13 src/fern/store.py:18]",
            "At 1 place it raises an error that it was given or has caught: in `Store.put`. [src/fern/store.py:22]",
        ],
    ),
    (
        "what can open throw?",
        &[
            "`open` in `lib/page.js` raises 2 kinds of errors itself, at 2 places: `TypeError` and `RangeError`. [lib/page.js:6 lib/page.js:9]",
        ],
    ),
    (
        "what errors does check return",
        &[
            "`check` in `crate/src/lib.rs` can fail with `Error`, as its signature says. [crate/src/lib.rs:3]",
            "`check` in `crate/src/lib.rs` raises 1 kind of error itself, at 1 place: `Error::Strict`. [crate/src/lib.rs:5]",
        ],
    ),
    (
        "does serve raise an error",
        &[
            "`serve` in `src/fern/web.py` raises no error itself, and no function that it certainly calls raises one. [src/fern/web.py:10-13]",
        ],
    ),
    (
        "who raises Missing?",
        &["`Missing` is raised at 1 place: in `Store.get`. [src/fern/store.py:13]"],
    ),
    (
        "who raises Unused?",
        &[
            "`Unused` is raised nowhere: no statement in the repository’s code raises it by name. [src/fern/errors.py:9-10]",
        ],
    ),
    (
        "list all TODO comments",
        &["The repository has 1 TODO comment: `src/fern/store.py:11`. [src/fern/store.py:11]"],
    ),
    (
        "which files have FIXME or TODO comments?",
        &[
            "2 files have TODO or FIXME comments: `src/fern/store.py` and `src/fern/web.py`. [src/fern/store.py:11 src/fern/web.py:11]",
        ],
    ),
    (
        "any HACK comments in src/fern?",
        &[
            "No. `src/fern` has no HACK comment: no comment in 3 searched files contains such a mark. [src/fern/errors.py:1-10]",
        ],
    ),
    (
        "which files mention the word notes?",
        &[
            "1 file contains the word `notes`, 5 times in all: `src/fern/store.py`. [src/fern/store.py:1]",
        ],
    ),
    (
        "files in lib that contain `missing words`",
        &[
            "`lib` does not contain the text `missing words`: 2 files were searched. [lib/page.js:1-12]",
        ],
    ),
    (
        "\"raise Missing\"",
        &[
            "The text `raise Missing` matches 1 line in 1 file: `src/fern/store.py:13`. [src/fern/store.py:13]",
        ],
    ),
    (
        "/os\\.(environ|getenv)\\b/ path:src -file:web",
        &[
            "The expression `/os\\.(environ|getenv)\\b/` matches 4 lines in 1 file: `src/fern/store.py:6`, `src/fern/store.py:27`, `src/fern/store.py:28` and `src/fern/store.py:29`. [src/fern/store.py:6 src/fern/store.py:27 src/fern/store.py:28 src/fern/store.py:29]",
        ],
    ),
    (
        "/RAISE full/i lang:python",
        &[
            "The expression `/RAISE full/i` matches 1 line in 1 file: `src/fern/store.py:18`. [src/fern/store.py:18]",
        ],
    ),
    (
        "symbol:get",
        &["1 definition of `get` is there: `src/fern/store.py:10`. [src/fern/store.py:10-14]"],
    ),
    (
        "note symbol:Store.put",
        &[
            "The text `note` matches 3 lines in 1 file: `src/fern/store.py:16`, `src/fern/store.py:17` and `src/fern/store.py:20`. [src/fern/store.py:16 src/fern/store.py:17 src/fern/store.py:20]",
        ],
    ),
    (
        "\"nowhere at all\" path:src",
        &[
            "The text `nowhere at all` matches nothing in the 4 files that the search covers. [crate/src/lib.rs:1-11]",
        ],
    ),
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
            "The expression has the unknown flag q: use i or x.",
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
fn a_question_with_quotes_in_it_is_not_a_search() {
    let index = sample();
    for question in [
        "what does \"Store\" do?",
        "/users/:id",
        "how does Store work",
    ] {
        let found = answered(&index, question);
        assert_ne!(found.kind, Some("search"), "{question}");
    }
}
