//! Questions about what leads where: tests of a subject, chains of calls, effects of a change.

use crate::index::Index;
use crate::index::tests::whole_index;

const FILES: &[(&str, &str)] = &[
    (
        "src/fern/api.py",
        "from .client import Client\n\n\ndef get(url):\n    return request(url)\n\n\ndef request(url):\n    client = Client()\n    return client.send(url)\n\n\ndef alone():\n    return 1\n",
    ),
    (
        "src/fern/client.py",
        "from .wire import Wire, encode\n\n\nclass Client:\n    def __init__(self):\n        self.wire = Wire()\n\n    def send(self, url):\n        check(url)\n        return self.body(encode(url))\n\n    def body(self, data):\n        return self.text + data\n\n    @property\n    def text(self):\n        return encode(\"\")\n\n\ndef check(url):\n    assert url\n\n\nclass Quiet(Client):\n    pass\n",
    ),
    (
        "src/fern/wire.py",
        "class Wire:\n    pass\n\n\ndef encode(text):\n    return text.encode()\n",
    ),
    (
        "crate/src/lib.rs",
        "pub struct Router {\n    table: Table,\n}\n\nimpl Router {\n    pub fn route(&self) {\n        told!(self.table.insert(1));\n    }\n}\n\npub struct Table;\n\nimpl Table {\n    pub fn insert(&self, n: u8) {}\n}\n\n#[test]\nfn inserts_once() {\n    assert_eq!(\n        Table.insert(1),\n        ()\n    );\n}\n",
    ),
    (
        "tests/test_client.py",
        "import pytest\nfrom fern.client import Client, check\n\n\nclass TestCheck:\n    def test_nothing(self):\n        with pytest.raises(AssertionError):\n            check(None)\n\n\ndef test_send():\n    client = Client()\n    assert client.send(\"a\") == b\"a\"\n",
    ),
];

fn sample() -> Index {
    whole_index("fern-1.0", FILES)
}

/// A question and its statements, each with the `path:lines` of its footnotes.
const ANSWERS: &[(&str, &[&str])] = &[
    (
        "Which tests cover check?",
        &["`check` is exercised by 1 test: `TestCheck.test_nothing`. [tests/test_client.py:8]"],
    ),
    (
        "is alone tested?",
        &[
            "No. `alone` is exercised by no test that Footnote can find: none in 1 searched test file calls it, imports it or is named after it. [src/fern/api.py:13-14]",
        ],
    ),
    (
        "tests for client.py",
        &[
            "`src/fern/client.py` is exercised by 1 test file: `tests/test_client.py`. [tests/test_client.py:2]",
            "`tests/test_client.py` has 2 tests: `TestCheck.test_nothing` and `test_send`. [tests/test_client.py:6 tests/test_client.py:11]",
        ],
    ),
    (
        "which tests exercise Table.insert",
        &["`Table.insert` is exercised by 1 test: `inserts_once`. [crate/src/lib.rs:20]"],
    ),
    (
        "What does TestCheck.test_nothing check?",
        &[
            "`TestCheck.test_nothing` in `tests/test_client.py` exercises `check`. [tests/test_client.py:8]",
            "`TestCheck.test_nothing` asserts 1 thing: `with pytest.raises(AssertionError):`. [tests/test_client.py:7]",
        ],
    ),
    (
        "what does the inserts_once test assert?",
        &[
            "`inserts_once` in `crate/src/lib.rs` exercises `Table.insert`. [crate/src/lib.rs:20]",
            "`inserts_once` asserts 1 thing: `assert_eq!( Table.insert(1), () );`. [crate/src/lib.rs:19-22]",
        ],
    ),
    (
        "How does get reach encode?",
        &[
            "`get` calls `request`, which calls `Client.send`, which calls `encode`. [src/fern/api.py:5 src/fern/api.py:10 src/fern/client.py:10]",
        ],
    ),
    (
        "call chain from Client.send to Client.text",
        &[
            "`Client.send` calls `Client.body`, which uses `Client.text`. [src/fern/client.py:10 src/fern/client.py:13]",
        ],
    ),
    (
        "how does Router::route get to Table::insert",
        &["`Router.route` calls `Table.insert`. [crate/src/lib.rs:7]"],
    ),
    (
        "How does api.py get to wire.py?",
        &[
            "`src/fern/api.py` imports `src/fern/client.py`, which imports `src/fern/wire.py`. [src/fern/api.py:1 src/fern/client.py:1]",
        ],
    ),
    (
        "how does encode reach get?",
        &[
            "No chain of up to 5 calls that the graph knows leads from `encode` to `get`. [src/fern/wire.py:5 src/fern/api.py:4]",
            "`get` calls `request`, which calls `Client.send`, which calls `encode`. [src/fern/api.py:5 src/fern/api.py:10 src/fern/client.py:10]",
        ],
    ),
    (
        "What happens when request is called?",
        &[
            "`request` in `src/fern/api.py` calls, in the order of its lines, `Client` and `Client.send`. [src/fern/api.py:9 src/fern/api.py:10]",
            "`Client.send` in `src/fern/client.py` in turn calls `check`, `Client.body` and `encode`. [src/fern/client.py:9 src/fern/client.py:10]",
        ],
    ),
    (
        "Who is affected if I change encode?",
        &[
            "`encode` in `src/fern/wire.py` directly affects 2 callers: `Client.send` and `Client.text`. [src/fern/client.py:10 src/fern/client.py:17]",
            "1 file imports `encode`: `src/fern/client.py`. [src/fern/client.py:1]",
            "Through those, 3 definitions more can be affected by `encode`, within 3 calls: `request`, `test_send` and `get`. [src/fern/api.py:10 tests/test_client.py:13 src/fern/api.py:5]",
        ],
    ),
    (
        "what breaks if I remove Client",
        &[
            "`Client` in `src/fern/client.py` directly affects 2 callers: `request` and `test_send`. [src/fern/api.py:9 tests/test_client.py:12]",
            "1 class inherits from `Client`: `Quiet`. [src/fern/client.py:24]",
            "2 files import `Client`: `src/fern/api.py` and `tests/test_client.py`. [src/fern/api.py:1 tests/test_client.py:2]",
            "Through those, 1 definition more can be affected by `Client`, within 3 calls: `get`. [src/fern/api.py:5]",
        ],
    ),
    (
        "which files are affected when wire.py changes?",
        &[
            "`src/fern/wire.py` directly affects 1 file that imports it: `src/fern/client.py`. [src/fern/client.py:1]",
            "Through those, 2 files more can be affected by `src/fern/wire.py`: `src/fern/api.py` and `tests/test_client.py`. [src/fern/api.py:1 tests/test_client.py:2]",
        ],
    ),
    (
        "if I change alone, what breaks?",
        &[
            "`alone` in `src/fern/api.py` affects nothing for certain: no call, import or base class in the repository can mean only it. [src/fern/api.py:13-14]",
        ],
    ),
];

#[test]
fn questions_about_chains_are_answered_with_a_footnote_for_each_hop() {
    super::compare(&sample(), ANSWERS);
}
