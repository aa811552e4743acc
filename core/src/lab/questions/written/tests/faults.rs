//! Models that misbehave: each run ends with a sentence, and no question made so far is lost.

use super::*;

/// Runs all strategies with bad replies, except for the very first one, which is good.
fn after_a_good_start(bad: &str) -> (WrittenMade, usize) {
    let mut writing = writing(&FILES, order(&[]));
    let mut is_first = true;
    let asks = run(&mut writing, |ask| match std::mem::take(&mut is_first) {
        true => {
            assert_eq!(ask.strategy, "s1");
            let shown = said(ask);
            let about = shown.split(['[', ':']).nth(2).unwrap();
            questions(&[(&nth(0), &[about])])
        }
        false => bad.to_owned(),
    });
    (writing.made(), asks.len())
}

#[test]
fn a_bad_reply_ends_the_run_with_a_sentence_and_loses_nothing() {
    let ten_megabytes = "word ".repeat(2_000_000);
    let brackets = "{\"question\": [".repeat(100_000);
    for (bad, told) in [
        ("I would rather talk about the weather.", "holds no JSON"),
        ("", "holds no JSON"),
        ("   \n", "holds no JSON"),
        ("[]", "no longer gives anything new"),
        ("{}", "its JSON holds no \"question\""),
        (
            "[{\"question\": \"How does it",
            "ends before the first question does",
        ),
        ("<think>I should write questions", "holds no JSON"),
        (ten_megabytes.as_str(), "holds no JSON"),
        (brackets.as_str(), ""),
    ] {
        let (made, n_asked) = after_a_good_start(bad);
        check(&made);
        assert_eq!(made.items.len(), 1, "{:.60}", bad);
        let short = made.short.unwrap();
        assert!(short.starts_with("1 of 100 questions: "), "{short}");
        assert!(short.contains(told), "{:.60}: {short}", bad);
        assert!(n_asked <= 60, "{n_asked} requests");
    }
}

#[test]
fn the_same_pair_forever_is_kept_once() {
    let files = ["src/app/store.py", "src/net/client.py"];
    let mut writing = writing(&FILES, order(&["s2", "s3", "s4", "s5", "s6"]));
    let asks = run(&mut writing, |_| questions(&[(&nth(0), &files)]));
    let made = writing.made();
    check(&made);
    assert_eq!(made.items.len(), 1);
    assert!(asks.len() <= 20);
    let rests: Vec<_> = made.counts.iter().filter_map(|it| it.rests).collect();
    assert_eq!(rests.len(), 5, "{rests:?}");
    assert!(made.short.unwrap().contains("no longer gives anything new"));
}

#[test]
fn a_reply_in_prose_is_requested_once_more_with_the_error() {
    let mut writing = writing(&FILES, order(&["s2"]));
    let first = writing.request("m").unwrap();
    assert_eq!(
        writing.request("m").unwrap(),
        first,
        "the same until it is answered"
    );
    writing.answer(reply("Sure, here are some questions."));
    let second = writing.request("m").unwrap();
    assert_ne!(first.key, second.key);
    let said = said(&second);
    assert!(
        said.contains("Sure, here are some") && said.contains("cannot be used: it holds no JSON")
    );
    writing.answer(reply(&questions(&[(&nth(0), &["src/app/store.py"])])));
    assert_eq!(writing.made().items.len(), 1);
    assert_eq!(count(&writing.made(), "s2").asked, 2);
}

#[test]
fn whole_questions_in_a_broken_reply_are_kept() {
    for text in [
        "Here:\n```json\n[{\"question\": \"Q1\", \"files\": \
        [\"src/app/store.py\"],},]\n```\nEnjoy!",
        "[{\"question\": \"Q1\", \"relevant_file_paths\": [\"src/app/store.py\"]}, {\"question\": \
        \"Q2",
        "{\"questions\": [{\"question\": \"Q1\", \"file\": \"src/app/store.py\"}]}",
        "<think>[{\"question\": \"no\"}]</think>{\"question\": \"Q1\", \"answer\": \
        [\"src/app/store.py\"]}",
    ] {
        let mut writing = writing(&FILES, order(&["s2"]));
        writing.request("m").unwrap();
        writing.answer(reply(&text.replace("Q1", &nth(0))));
        let made = writing.made();
        assert_eq!(made.items.len(), 1, "{text}");
        assert_eq!(made.items[0].query, nth(0));
        assert_eq!(count(&made, "s2").made, 1);
    }
}

#[test]
fn one_failure_costs_one_request_and_three_in_a_row_end_the_run() {
    let mut writing = writing(&FILES, order(&[]));
    let mut n = 0;
    for _ in 0..4 {
        writing.request("m").unwrap();
        writing.fail("the service is busy.");
        let ask = writing.request("m").unwrap();
        n += 1;
        let shown = said(&ask);
        let path = FILES
            .iter()
            .map(|(path, _)| *path)
            .find(|path| shown.contains(path));
        writing.answer(reply(&questions(&[(&nth(n), &[path.unwrap()])])));
    }
    for _ in 0..3 {
        assert!(writing.request("m").is_some());
        writing.fail("the service is busy.");
    }
    assert_eq!(writing.request("m"), None);
    let made = writing.made();
    check(&made);
    let short = made.short.unwrap();
    assert!(
        short.contains("because: the service is busy. What was written is kept"),
        "{short}"
    );
    let failed: usize = made.counts.iter().flat_map(|it| it.failed.values()).sum();
    assert_eq!(failed, 7);
}

#[test]
fn a_reply_that_nobody_asked_for_is_passed_over() {
    let mut writing = writing(&FILES, order(&[]));
    writing.answer(reply("[]"));
    writing.fail("why");
    assert_eq!(writing.spent(), Spent::default());
    assert!(writing.request("m").is_some());
}

#[test]
fn missing_content_and_unknown_strategies_are_reported() {
    for (files, strategies, told) in [
        (&[][..], &[][..], "contains nothing"),
        (&[("README.txt", "x")], &["s1", "s5"], "contains nothing"),
        (&FILES[..], &["s9"], "no strategy called s9"),
    ] {
        let mut writing = writing(files, order(strategies));
        assert!(run(&mut writing, |_| String::new()).is_empty());
        let short = writing.made().short.unwrap();
        assert!(short.contains(told), "{short}");
        assert_eq!(writing.estimate(), Estimate::default());
    }
    assert_eq!(order(&["s1", "s9"]).unknown().collect::<Vec<_>>(), ["s9"]);
}
