//! The example that `core`'s documentation names, on the sample archive.
#![allow(clippy::unwrap_used)]

#[allow(dead_code, reason = "its `main` is not called here")]
#[path = "../examples/ask.rs"]
mod ask;

const SAMPLE: &[u8] = include_bytes!("../../public/samples/courier.zip");

#[test]
fn the_example_answers_with_citations() {
    let question = "How long does a failed job wait?";
    let text = ask::ask("courier.zip", SAMPLE.to_vec(), question).unwrap();
    assert!(text.contains(" [1]\n"), "{text}");
    assert!(text.contains("\n[1] "), "{text}");
    assert!(text.contains("src/courier/backoff.py:"), "{text}");
}

#[test]
fn the_example_says_that_there_is_nothing() {
    let question = "Which wine goes with grilled salmon?";
    let text = ask::ask("courier.zip", SAMPLE.to_vec(), question).unwrap();
    assert!(!text.contains("[1]"), "{text}");
    assert!(!text.trim().is_empty());
}
