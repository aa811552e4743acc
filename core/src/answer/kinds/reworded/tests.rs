use super::super::super::notes::Notes;
use super::*;
use crate::index::Index;
use crate::index::tests::whole_index;
use crate::search::Question;

const FILES: &[(&str, &str)] = &[
    (
        "src/fern/api.py",
        "from .client import Client\n\n\ndef get_text(url):\n    return request_text(url)\n\n\n\
         def request_text(url):\n    client = Client()\n    return Client.send(client, url)\n",
    ),
    (
        "src/fern/client.py",
        "import os\n\n\nclass Client:\n    def __init__(self):\n        if not os.environ.get(\"FERN\"):\n            \
         raise ValueError()\n\n    def send(self, url):\n        raise KeyError(url)\n\n\n\
         class QuietClient(Client):\n    pass\n",
    ),
    (
        "src/problem.rs",
        "pub enum Problem {\n    Full,\n    Missing(String),\n}\n",
    ),
    (
        "tests/test_api.py",
        "from fern.api import request_text\n\n\ndef test_request():\n    request_text(\"a\")\n",
    ),
];

/// A question in free words, and a plain one with the same answer.
const SAME: &[(&str, &str)] = &[
    (
        "what code do I have to look at if I change what request_text returns",
        "what is affected if request_text changes",
    ),
    (
        "which exceptions might the Client constructor ever raise in practice?",
        "which errors does Client.__init__ raise",
    ),
    (
        "which kinds of clients are there (subclasses of Client)?",
        "subclasses of Client",
    ),
    (
        "which classes extend Client in this code today",
        "subclasses of Client",
    ),
    (
        "I want to rename request_text, who calls it?",
        "who calls request_text",
    ),
    (
        "how do we get from get_text down to Client.send",
        "how does get_text reach Client.send",
    ),
    (
        "what error variants does Problem have",
        "variants of Problem",
    ),
    (
        "which functions call fern::client::Client::send today",
        "who calls Client.send",
    ),
    (
        "what env variables can switch off the checks of a quiet client",
        "which environment variables are read",
    ),
    (
        "all environment variables that can be used to configure fern",
        "which environment variables are read",
    ),
];

fn said(index: &Index, question: &str) -> String {
    let question = Question::new(question).unwrap();
    let mut notes = Notes::new(&index.repo);
    super::super::state(index, &question, &mut notes);
    let lines = notes.statements.iter();
    lines.map(|line| plain(&line.spans) + "\n").collect()
}

#[test]
fn a_question_in_free_words_has_the_answer_of_the_plain_one() {
    let index = whole_index("fern-1.0", FILES);
    for (free, of_plain) in SAME {
        let wanted = said(&index, of_plain);
        assert!(!wanted.is_empty(), "{of_plain}");
        assert_eq!(said(&index, free), wanted, "{free}");
    }
}

#[test]
fn what_lies_outside_the_place_that_was_named_is_left_out() {
    let index = whole_index("fern-1.0", FILES);
    let all = said(&index, "who calls request_text");
    assert!(all.contains("test_request"), "{all}");
    for question in [
        "who calls request_text in the library itself",
        "which functions call request_text (not in tests)",
    ] {
        let found = said(&index, question);
        assert!(
            found.contains("get_text") && !found.contains("test_request"),
            "{found}"
        );
    }
}

#[test]
fn a_question_about_more_than_its_names_is_left_to_the_search() {
    let index = whole_index("fern-1.0", FILES);
    for question in [
        "what if I forget to call request_text and the program goes on",
        "which errors besides KeyError does Client.send raise",
    ] {
        assert_eq!(said(&index, question), "", "{question}");
    }
}

#[test]
fn every_wording_is_read_by_a_kind() {
    for rule in RULES {
        let asked = rule.wording.replace('X', "alpha").replace('Y', "beta");
        let words = Plain::new(&asked).unwrap();
        let is_read = KINDS.iter().any(|kind| {
            let mut wordings = kind.wordings.iter();
            wordings.any(|wording| words.read(wording).is_some())
        });
        assert!(is_read, "{asked}");
    }
}
