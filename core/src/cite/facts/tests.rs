//! What is proven, and what only looks proven.

use crate::answer::review::{Progress, Reviewer, Standing};
use crate::cite::Evidence;
use crate::index::Index;
use crate::index::tests::whole_index;

const PYTHON: &str = r#"import os
from json import loads as read

LIMIT = 30


class Store(Base):
    """Keeps keys. Never hand out the master key."""

    kind = "memory"

    def get(self, key, default=None):
        """Looks the key up.

        Example: LIMIT = 99
        """
        if key is None:
            raise KeyError(key)
        value = read(self.raw(key))
        # a limit of 45 was too low
        return value

    def raw(self, key):
        return self.rows.get(key, "x")

    @property
    def size(self):
        return 7

    def flags(self, strict):
        if strict:
            return True
        return False


def encrypt(text):
    """Encrypts the text with AES."""
    return text
"#;

const RUST: &str = r#"pub enum Role {
    Server,
    Client,
}

pub struct Frame {
    pub length: u32,
}

impl Display for Frame {
    fn fmt(&self, f: &mut Formatter) -> Result {
        write(f, self.length)
    }
}

pub fn connect(url: &str, limit: u8) -> Frame {
    connect_with(url, None, 3)
}
"#;

const MANIFEST: &str = r#"{
  "name": "store",
  "version": "1.2.3",
  "license": "MIT",
  "dependencies": { "left-pad": "^1.0.0" }
}
"#;

fn index() -> Index {
    whole_index(
        "store-1.2.3",
        &[
            ("store.py", PYTHON),
            ("frame.rs", RUST),
            ("package.json", MANIFEST),
        ],
    )
}

fn standing(index: &Index, text: &str) -> Standing {
    let mut reviewer = Reviewer::new();
    let review = reviewer.advance(index, &Evidence::everything(), text, Progress::Finished);
    review
        .statements
        .last()
        .map_or(Standing::Uncited, |statement| statement.standing)
}

#[test]
fn facts_are_proven_however_they_are_worded() {
    let index = index();
    for text in [
        "`Store.get` calls `read` and `self.raw` [store.py:12-21].",
        "`raw` is called by the method `get` of class `Store` [store.py:12-21].",
        "The class `Store` inherits from `Base` and defines `get`, `raw` and `size` [store.py:7-33].",
        "The base class of `Store` is `Base` [store.py:7-8].",
        "`Base` is the base class of `Store` [store.py:7-8].",
        "`Base` is extended by `Store` [store.py:7-8].",
        "`Store` does not inherit from `Frame`, and its base class is `Base` [store.py:7-8].",
        "`LIMIT` is 30 [store.py:4].",
        "`Store.get` takes `key` and `default`, which defaults to `None` [store.py:12-21].",
        "The `default` parameter of `get` defaults to `None` [store.py:12].",
        "`get` has two parameters: `key` and `default` [store.py:12-21].",
        "`get` raises `KeyError` if `key is None` [store.py:12-21].",
        "`get` raises `KeyError` [store.py:12-21].",
        "`size` returns 7 [store.py:27-28].",
        "`store.py` imports `os` [store.py:1-2].",
        "`Store.raw` does not call `read` [store.py:23-24].",
        "`Store` is documented as “Keeps keys.” [store.py:7-8].",
        "The docstring of `encrypt` says “Encrypts the text with AES.” [store.py:36-38].",
        "The enum `Role` contains the variants `Server` and `Client` [frame.rs:1-4].",
        "The two variants of `Role` are `Server` and `Client` [frame.rs:1-4].",
        "`Frame` implements `Display` [frame.rs:6-14].",
        "`connect` calls `connect_with` with `None` and `3` [frame.rs:16-18].",
        "`connect` returns a `Frame` [frame.rs:16-18].",
        "`connect` is a public function [frame.rs:16-18].",
        "The version of the package is `1.2.3` [package.json:1-4].",
        "The package depends on `left-pad` `^1.0.0` [package.json:5].",
        "“Encrypts the text with AES.” [store.py:37]",
    ] {
        assert_eq!(standing(&index, text), Standing::Proven, "{text}");
    }
}

#[test]
fn facts_that_are_false_or_not_seen_are_not_proven() {
    let index = index();
    for text in [
        // The reverse direction, another name, another number.
        "`Store.raw` calls `get` [store.py:12-24].",
        "`Base` inherits from `Store` [store.py:7-8].",
        "The base classes of `Store` are `Base` and `Frame` [store.py:7-8].",
        "The base class of `Store` is `Frame` [store.py:7-8].",
        "The two base classes of `Store` are `Base` [store.py:7-8].",
        "`LIMIT` is 99 [store.py:4-16].",
        "`LIMIT` is 45 [store.py:4-21].",
        "`get` has three parameters [store.py:12-21].",
        "`get` takes `default` and `key`, in this order [store.py:12-21].",
        "`connect` calls `connect_with` with `None` and `4` [frame.rs:16-18].",
        "`store.py` does not import `os` [store.py:1-2].",
        "`Role` contains three variants [frame.rs:1-4].",
        // One branch of several, or under another condition.
        "`flags` returns `True` [store.py:30-33].",
        "`get` raises `KeyError` unless `key is None` [store.py:12-21].",
        // An unread word claims more.
        "`Store.get` always calls `read` [store.py:12-21].",
        "`Store.get` only calls `read` [store.py:12-21].",
        "`Store.get` safely calls `read` [store.py:12-21].",
        "`Store.get` calls `read` before `self.raw` is checked [store.py:12-21].",
        "`raw` calls `self.rows.get` in `frame.rs` [store.py:23-24].",
        // What documentation says is quoted, never taken as true.
        "`encrypt` encrypts the text with AES [store.py:36-38].",
        // A quotation that is cut, altered, or about something else.
        "The docstring of `Store` says “hand out the master key” [store.py:7-8].",
        "The docstring of `Store` says “Always hand out the master key” [store.py:7-8].",
        "The docstring of `get` says “Encrypts the text with AES.” [store.py:36-38].",
        "The docstring of `Store` says “Looks the key up.” [store.py:7-21].",
        "The docstring of `Frame.encrypt` says “Encrypts the text with AES.” [store.py:36-38].",
        "The docstring of `text` says “Encrypts the text with AES.” [store.py:36-38].",
        // A part of the sentence that was not checked.
        "`LIMIT` is 30 if `kind` [store.py:4].",
        "`LIMIT` is 30 in `frame.rs` [store.py:4].",
        "`LIMIT` on line 99 is 30 [store.py:4].",
        "`Store` inherits from `frames.Base` [store.py:7-8].",
        "`Store` extends two classes: `Base` [store.py:7-8].",
        "`Store` extends `Base` with `kind` [store.py:7-8].",
        "`store.py` imports `os` as `system` [store.py:1-2].",
        "`store.py` imports `yaml.loads` [store.py:1-2].",
        "`store.py` defines the method `get` of class `Frame` [store.py:7-21].",
        "`Store` defines `Frame.get` [store.py:7-21].",
        "The async method `get` calls `self.raw` [store.py:12-21].",
        "`get` calls two functions: `self.raw` [store.py:12-21].",
        "`get` raises `errors.KeyError` [store.py:12-21].",
        "The three methods `get` and `raw` are defined in `store.py` [store.py:7-33].",
        "`connect` returns a `frames.Frame` [frame.rs:16-18].",
        "Unlike `raw`, `get` calls `read` and takes `key` [store.py:12-24].",
        "The development dependencies include `left-pad` `^1.0.0` [package.json:5].",
        // The proof is not in the lines.
        "`Store.get` calls `read` [store.py:12-16].",
        "`size` returns 7 [store.py:23-24].",
        "The version of the package is `1.2.4` [package.json:1-4].",
        // Nothing states it.
        "The package is audited and depends on `left-pad` `^1.0.0` [package.json:5].",
        "It calls `read` [store.py:12-21].",
    ] {
        assert_ne!(standing(&index, text), Standing::Proven, "{text}");
    }
}

#[test]
fn a_denied_fact_is_contradicted_and_says_what_is_there() {
    let index = index();
    for (text, instead) in [
        ("`LIMIT` is 31 [store.py:4].", "The lines have 30, not 31."),
        (
            "`size` returns `8` [store.py:27-28].",
            "The lines have 7, not 8.",
        ),
        (
            "`get` takes no parameters [store.py:12-21].",
            "It takes 2: key, default.",
        ),
    ] {
        let mut reviewer = Reviewer::new();
        let review = reviewer.advance(&index, &Evidence::everything(), text, Progress::Finished);
        assert_eq!(
            review.statements[0].standing,
            Standing::Contradicted,
            "{text}"
        );
        assert!(
            review.notes[0].why.contains(instead),
            "{text}: {}",
            review.notes[0].why
        );
    }
}

#[test]
fn names_are_imported_from_the_module_that_follows_them() {
    let text = "from b import x, y\nfrom c import z\n";
    let index = whole_index("a-1.0", &[("a.py", text)]);
    for (text, is_proven) in [
        (
            "`a.py` imports `x` and `y` from `b`, and `z` from `c` [a.py:1-2].",
            true,
        ),
        (
            "`a.py` imports `x` and `y` from `b` and `z` from `c` [a.py:1-2].",
            true,
        ),
        (
            "`a.py` imports `x` and `z` from `b`, and `y` from `c` [a.py:1-2].",
            false,
        ),
        (
            "`a.py` imports `z` from `b`, and `x` from `c` [a.py:1-2].",
            false,
        ),
        ("`a.py` imports `x` from `b` and `c` [a.py:1-2].", false),
    ] {
        let standing = standing(&index, text);
        assert_eq!(standing == Standing::Proven, is_proven, "{text}");
    }
}
