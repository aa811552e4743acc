use std::sync::Arc;

use super::*;
use crate::index::graph::SymbolId;
use crate::index::tests::index;
use crate::job::run_to_end;
use crate::search::Side;
use crate::source::FileId;

const FILES: &[(&str, &str)] = &[
    (
        "src/shop/cart.py",
        "from .mail import send_mail\n\n\nclass Cart:\n    \"\"\"Holds what somebody wants to buy.\"\"\"\n\n    def checkout(self, address):\n        \"\"\"Orders all items. Empties the cart.\"\"\"\n        send_mail(address, self.items)\n        self.items = []\n",
    ),
    (
        "src/shop/mail.py",
        "def send_mail(address, body):\n    print(address, body)\n",
    ),
    ("README.md", "# Shop\n\nA shop for books.\n"),
];

fn texts() -> (Arc<Index>, Texts) {
    let index = Arc::new(index(FILES));
    let Ok(texts) = run_to_end(Describe::new(Arc::clone(&index), Written::default()));
    (index, texts)
}

fn text_at(index: &Index, texts: &Texts, title: &str) -> String {
    let mut all = index.chunk_ids();
    let found = all.find(|(id, _)| index.title(*id) == title);
    let (id, _) = found.unwrap_or_else(|| panic!("no chunk {title}"));
    texts.of(id).unwrap().text.clone()
}

#[test]
fn texts_written_by_code_state_kind_documentation_calls_and_callers() {
    let (index, texts) = texts();
    assert_eq!(texts.len(), index.chunks.len());
    let mail = text_at(&index, &texts, "send_mail");
    assert!(
        mail.contains("send_mail is a function, from mail.py in src/shop."),
        "{mail}"
    );
    assert!(mail.contains("It is called by Cart.checkout."), "{mail}");
    let cart = text_at(&index, &texts, "Cart");
    assert!(cart.contains("It calls send_mail."), "{cart}");
    let all: Vec<String> = index
        .chunk_ids()
        .filter_map(|(id, _)| Some(texts.of(id)?.text.clone()))
        .collect();
    let joined = all.join("\n");
    for expected in [
        "It calls send_mail.",
        "Of checkout it says: “Orders all items”.",
        "Its documentation says: “Holds what somebody wants to buy”.",
        "The section “Shop” of README.md.",
    ] {
        assert!(joined.contains(expected), "{expected}: {joined}");
    }
    for text in &all {
        assert!(
            !text.is_empty() && text.chars().count() <= 2 * CHARACTERS,
            "{text}"
        );
    }
}

#[test]
fn callers_from_one_file_can_be_left_out() {
    let index = index(FILES);
    let id = SymbolId {
        file: FileId(2),
        at: 0,
    };
    let all = describe_definition(&index, id, None);
    assert!(
        all.starts_with("send_mail") && all.contains("It is called by"),
        "{all}"
    );
    let without = describe_definition(&index, id, Some(FileId(1)));
    assert!(!without.contains("It is called by"), "{without}");
    let nowhere = SymbolId {
        file: FileId(9),
        at: 0,
    };
    assert_eq!(describe_definition(&index, nowhere, None), "");
}

#[test]
fn text_by_a_model_replaces_the_text_by_code_and_is_found() {
    let index = Arc::new(index(FILES));
    let chunk = index.chunk_ids().next().unwrap().0;
    let written = WrittenText {
        text: "Keeps purchases until payment.".into(),
        model: "m".into(),
    };
    let written = Written([(key(&index, chunk), written)].into());
    let Ok(texts) = run_to_end(Describe::new(Arc::clone(&index), written));
    assert_eq!(texts.of(chunk).unwrap().writer, Writer::Model("m".into()));
    assert_eq!(texts.written().count(), 1);
    index.set_texts(Some(Arc::new(texts)));
    let question = crate::search::Question::new("purchases payment").unwrap();
    let none = crate::index::Vectors::new(1, 0);
    let strategy = crate::search::Strategy::from_name("text").unwrap();
    let hits = crate::search::search(&index, &none, &question, None, &strategy, 3);
    assert_eq!(hits.first().map(|hit| hit.chunk), Some(chunk));
    index.set_texts(None);
    assert!(index.texts().is_none());
}

#[test]
fn texts_of_another_repository_are_not_taken() {
    let (_, texts) = texts();
    let other = index(&[("a.py", "x = 1\n")]);
    other.set_texts(Some(Arc::new(texts)));
    assert!(other.texts().is_none());
}

#[test]
fn a_text_is_doubted_for_names_that_do_not_exist_and_for_other_lines() {
    let index = index(FILES);
    let mail = index
        .chunk_ids()
        .find(|(id, _)| index.title(*id) == "send_mail");
    let chunk = mail.unwrap().0;
    for (text, doubts_expected) in [
        ("Prints an address and a body, as send_mail.", 0),
        (
            "Calls `smtp_connect()` to print the address and the body.",
            1,
        ),
        (
            "Trains neural networks on galaxies with gradient descent over epochs.",
            1,
        ),
        ("", 1),
    ] {
        let doubts = doubts(&index, chunk, text);
        assert_eq!(doubts.len(), doubts_expected, "{text}: {doubts:?}");
    }
}

#[test]
fn a_chunk_is_compared_token_by_token_by_its_text_or_by_its_code() {
    let (index, texts) = texts();
    let chunk = index.chunk_ids().next().unwrap().0;
    let text = texts.of(chunk).unwrap().text.clone();
    assert_eq!(Side::Text.text(&index, chunk), text, "code writes it");
    index.set_texts(Some(Arc::new(texts)));
    assert_eq!(Side::Text.text(&index, chunk), text);
    assert_eq!(Side::Code.text(&index, chunk), index.embedding_text(chunk));
}
