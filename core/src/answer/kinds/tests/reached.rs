//! Questions on what leads where: tests of a subject, chains of calls, what a change affects.

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
    ("Which tests cover check?", &[]),
    ("is alone tested?", &[]),
    ("tests for client.py", &[]),
    ("which tests exercise Table.insert", &[]),
    ("What does TestCheck.test_nothing check?", &[]),
    ("what does the inserts_once test assert?", &[]),
    ("How does get reach encode?", &[]),
    ("call chain from Client.send to Client.text", &[]),
    ("how does Router::route get to Table::insert", &[]),
    ("How does api.py get to wire.py?", &[]),
    ("how does encode reach get?", &[]),
    ("What happens when request is called?", &[]),
    ("Who is affected if I change encode?", &[]),
    ("what breaks if I remove Client", &[]),
    ("which files are affected when wire.py changes?", &[]),
    ("if I change alone, what breaks?", &[]),
];

#[test]
fn questions_on_what_leads_where_are_answered_with_a_footnote_for_each_hop() {
    super::compare(&sample(), ANSWERS);
}
