//! Whole answers, reviewed while they stream.

use proptest::prelude::*;

use super::*;
use crate::index::tests::whole_index;

const QUEUE: &str = "DEFAULT_LEASE_SECONDS = 60.0\n\n\nclass Queue:\n    def lease(self, seconds=DEFAULT_LEASE_SECONDS):\n        \"\"\"Takes the most urgent job that is due.\"\"\"\n        return self.store.take(seconds)\n\n    def revive(self, job_id):\n        \"\"\"Puts a dead letter back.\"\"\"\n        self.store.reset(job_id)\n";

const ANSWER: &str = "# Leases\n\n`Queue.lease` takes the most urgent job. [src/queue.py:5-7] It holds it for `DEFAULT_LEASE_SECONDS`, e.g. 60 seconds [src/queue.py:1].\n\n- `revive` puts a dead letter back (src/queue.py, lines 9-11).\n- It also calls `explode_now` [src/queue.py:9-11]\n\n```py\nx = 1  # [src/queue.py:1]\n```\n| what | where |\n|---|---|\n| `lease` | 【queue.py:5–7】 |\n\nA dead letter is put back by its job. \"Unclosed quote and `tick [src/queue.py:9].\nSources: [src/queue.py:1-11], [nowhere.py:3]";

fn index() -> Index {
    whole_index("courier", &[("src/queue.py", QUEUE)])
}

fn whole(index: &Index, text: &str) -> Review {
    let mut reviewer = Reviewer::new();
    reviewer
        .advance(index, &Evidence::everything(), text, Progress::Finished)
        .clone()
}

#[test]
fn statements_stand_as_their_citations_do() {
    let index = index();
    let review = whole(&index, ANSWER);
    let statements = review.statements.iter();
    let standings: Vec<(Standing, &str)> = statements
        .map(|statement| (statement.standing, &ANSWER[statement.at.clone()]))
        .collect();
    let expected = [
        (
            Standing::Supported,
            "`Queue.lease` takes the most urgent job. [src/queue.py:5-7]",
        ),
        (
            Standing::LinesExist,
            "It holds it for `DEFAULT_LEASE_SECONDS`, e.g. 60 seconds [src/queue.py:1].",
        ),
        (
            Standing::Supported,
            "`revive` puts a dead letter back (src/queue.py, lines 9-11).",
        ),
        (
            Standing::Rejected,
            "It also calls `explode_now` [src/queue.py:9-11]",
        ),
        (Standing::Repaired, "| `lease` | 【queue.py:5–7】 |"),
        (Standing::AutoCited, "A dead letter is put back by its job."),
        (
            Standing::Rejected,
            "\"Unclosed quote and `tick [src/queue.py:9].\nSources: [src/queue.py:1-11], [nowhere.py:3]",
        ),
    ];
    assert_eq!(standings, expected);
    assert_eq!(review.summary().to_string(), "0 of 7 statements proven");
}

#[test]
fn the_same_source_has_the_same_number() {
    let index = index();
    let review = whole(&index, ANSWER);
    let numbers: Vec<u32> = review.notes.iter().map(|note| note.number).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 1, 5, 6, 7, 8]);
}

#[test]
fn a_quotation_behind_a_question_mark_is_read_the_same_however_it_arrives() {
    let index = index();
    let text = "Is it?\")\t[src/queueApy:1-3]\"( (a,,";
    for cut in 0..text.len() {
        let mut reviewer = Reviewer::new();
        reviewer.advance(
            &index,
            &Evidence::everything(),
            &text[..cut],
            Progress::Growing,
        );
        let review = reviewer.advance(&index, &Evidence::everything(), text, Progress::Finished);
        assert_eq!(review, &whole(&index, text), "cut at {cut}");
    }
}

/// A growing text is read the same as the whole text, wherever it is cut.
#[test]
fn odd_texts_are_read_the_same_however_they_arrive() {
    let index = index();
    let stars = "*".repeat(60);
    let target = "a".repeat(400);
    for text in [
        // A quotation that a question mark seems to close, and fences inside lines.
        "```[src/queue\0py:1-3]```?\")\n–```[src/queue\"py:1-3]?\t_ ```(",
        "\"```[src/queue\0py:1-3]```?\")\n–```[src/queue\"py:1-3]?\t_ ```(\" ",
        // A sentence that ends inside a word, with a path after it.
        "这是队列。queue.py:3 takes all the jobs. It is one (see below).",
        // What looks like a file after the full stop of a citation.
        "It takes the job [src/queue.py:5-7].env:3 is read. Then it is done here.",
        // Emphasis marks between a path and its lines, more than the lookahead.
        &format!("It is in src/queue.py{stars} (lines 5-7) for all. Then more is done."),
        // A link target of the maximum length.
        &format!("See [src/queue.py:5-7]({target}) for all of it. Then more is done."),
        &format!("See [the queue]({target}) for all of it. Then more is done."),
        // A quoted paragraph after a list, indented like code.
        "- one\n\n>     This is a line of text [src/queue.py:1].\n> More of it.",
        // A character that escapes the next one.
        "All of it is \\[src/queue.py:1-3] here. Then \\",
        // Lines whose file is named later.
        "It is in lines 5-7 of the file src/queue.py, and lines\n1-2 of src/queue.py too.",
    ] {
        let expected = whole(&index, text);
        for first in (0..=text.len()).filter(|&at| text.is_char_boundary(at)) {
            for second in [
                first,
                text.floor_char_boundary(first + 1),
                text.len() * 3 / 4,
            ] {
                let mut reviewer = Reviewer::new();
                for cut in [first, text.floor_char_boundary(second.max(first))] {
                    let part = &text[..cut];
                    reviewer.advance(&index, &Evidence::everything(), part, Progress::Growing);
                }
                let end = Progress::Finished;
                let review = reviewer.advance(&index, &Evidence::everything(), text, end);
                assert_eq!(review, &expected, "{text:?} cut at {first} and {second}");
            }
        }
    }
}

#[test]
fn a_citation_that_was_cut_is_not_a_citation() {
    let index = index();
    let fact = "`Queue.lease` takes the most urgent job";
    for (tail, finished, cut) in [
        (" [src/queue.py:5-7]", 1, 1),
        (" [src/queue.py:5-7", 1, 0),
        (" [src/queue.py:5", 1, 0),
        (" [src/queue.py:", 0, 0),
        (" [src/queue.py", 0, 0),
        (" [src/queue.py:5-7, src/queue.py:1", 2, 1),
        (" 【src/queue.py:5", 1, 0),
        (" [the queue](src/queue.py#L5", 1, 0),
        (" (src/queue.py:5-7)", 1, 1),
        (" (src/queue.py:5", 1, 0),
        (" `src/queue.py:5", 1, 0),
        (" src/queue.py:5", 1, 0),
        (" src/queue.py:5-7.", 1, 0),
        (" src/queue.py:5-7. It", 1, 1),
        (" src/queue.py, lines 5", 1, 0),
        (" src/queue.py, lines 5 ", 1, 0),
        (" src/queue.py, lines 5 t", 1, 0),
        (" src/queue.py, lines 5-L", 1, 0),
        (" lines 5-7 of src/queue.p", 1, 0),
        (" [src/queue.py:5-7] and more of", 1, 1),
    ] {
        let text = format!("{fact}{tail}");
        let found = |progress: Progress| {
            let mut reviewer = Reviewer::new();
            let review = reviewer.advance(&index, &Evidence::everything(), &text, progress);
            let claims = review.notes.iter().filter(|note| note.claim.is_some());
            claims.count()
        };
        assert_eq!(found(Progress::Finished), finished, "{text}");
        assert_eq!(found(Progress::Cut), cut, "{text}, cut");
    }
}

#[test]
fn a_long_text_is_read_the_same_in_small_pieces() {
    let index = index();
    let text = format!("{ANSWER}\n\n{ANSWER}\n- {ANSWER}");
    for size in 1..40 {
        let mut reviewer = Reviewer::new();
        for cut in (0..text.len()).step_by(size) {
            let part = &text[..text.floor_char_boundary(cut)];
            reviewer.advance(&index, &Evidence::everything(), part, Progress::Growing);
        }
        let review = reviewer.advance(&index, &Evidence::everything(), &text, Progress::Finished);
        assert_eq!(review, &whole(&index, &text), "pieces of {size}");
    }
}

proptest! {
    #[test]
    fn any_split_gives_the_review_of_the_whole(mut cuts in proptest::collection::vec(0..ANSWER.len(), 0..60)) {
        let index = index();
        cuts.sort_unstable();
        let mut reviewer = Reviewer::new();
        let mut seen = Review::default();
        for cut in cuts {
            let text = &ANSWER[..ANSWER.floor_char_boundary(cut)];
            let review = reviewer.advance(&index, &Evidence::everything(), text, Progress::Growing);
            // Statements that were final stay.
            prop_assert_eq!(&review.statements[..seen.statements.len()], &seen.statements[..]);
            prop_assert_eq!(&review.notes[..seen.notes.len()], &seen.notes[..]);
            seen = review.clone();
        }
        let review = reviewer.advance(&index, &Evidence::everything(), ANSWER, Progress::Finished);
        prop_assert_eq!(review, &whole(&index, ANSWER));
    }

    #[test]
    fn no_text_is_too_odd(pieces in proptest::collection::vec("[\\[\\]`\"“(){}<>|#*_~:;,.!?\\\\\\-–L0-9a-z/ \n\t]{1,12}|\\[src/queue.py:1-3\\]|queue.py|lines |```|\\PC{1,4}", 0..40), parts in 1..20usize) {
        let index = index();
        let text: String = pieces.concat();
        let mut reviewer = Reviewer::new();
        for part in 0..parts {
            let cut = text.floor_char_boundary(text.len() * part / parts);
            reviewer.advance(&index, &Evidence::everything(), &text[..cut], Progress::Growing);
        }
        let review = reviewer.advance(&index, &Evidence::everything(), &text, Progress::Finished).clone();
        prop_assert_eq!(&review, &whole(&index, &text));
        for note in &review.notes {
            let claim = note.claim.as_ref();
            prop_assert!(claim.is_none_or(|claim| text.get(claim.at.clone()) == Some(claim.raw.as_str())));
        }
    }
}

#[test]
fn a_quotation_in_parentheses_hides_nothing_behind_it() {
    let index = index();
    for text in [
        "It is leased here (“the most urgent job”) [src/queue.py:5-7].",
        "It is leased here *“the most urgent job”* [src/queue.py:5-7].",
    ] {
        let review = whole(&index, text);
        assert_eq!(review.notes.len(), 1, "{text}");
        assert_eq!(review.statements[0].at, 0..text.len(), "{text}");
    }
    let odd = "𞹴``` ```𐿠.\t```>```º(L(\"*“\t\t–(";
    let statements = whole(&index, odd).statements;
    assert_eq!(statements.last().map(|last| last.at.end), Some(odd.len()));
}

#[test]
fn a_long_answer_is_read_in_linear_time() {
    let index = index();
    let sentence = "`Queue.lease` takes the most urgent job that is due [src/queue.py:5-7]. ";
    let text = sentence.repeat(600);
    let mut reviewer = Reviewer::new();
    let start = std::time::Instant::now();
    for end in (0..text.len()).step_by(4) {
        reviewer.advance(
            &index,
            &Evidence::everything(),
            &text[..end],
            Progress::Growing,
        );
    }
    let review = reviewer.advance(&index, &Evidence::everything(), &text, Progress::Finished);
    assert_eq!(review.statements.len(), 600);
    // Quadratic time would take minutes.
    assert!(start.elapsed().as_secs() < 20);
}
