//! Sample answers for the tests of the state, and tests of conversations.

use super::*;
use crate::worker::protocol::{
    AnswerFileView, CheckView, FitView, ItemView, SpanView, StatementView,
};

/// An answer with one statement per footnote, citing lines 10·n to 10·n + 5 of `paths`.
pub fn answer(question: &str, refined: bool, paths: &[&str]) -> AnswerView {
    let numbers = 1..=paths.len() as u32;
    AnswerView {
        question: question.into(),
        asked_at: 0.0,
        refined,
        asked_as: None,
        kind: None,
        fit: FitView::Likely,
        note: None,
        nothing: None,
        statements: numbers
            .clone()
            .map(|number| StatementView {
                spans: vec![
                    SpanView::Code(format!("f{number}")),
                    SpanView::Text(" does it.".into()),
                ],
                footnotes: vec![number],
                items: Vec::new(),
            })
            .collect(),
        footnotes: numbers
            .zip(paths)
            .map(|(number, path)| FootnoteView {
                number,
                path: (*path).into(),
                start: number * 10,
                end: number * 10 + 5,
                why: "definition".into(),
                check: CheckView::Proven,
                is_imported: false,
            })
            .collect(),
        evidence: Vec::new(),
        files: paths.iter().map(|path| file(path)).collect(),
        milliseconds: 1.0,
        chunks: 10,
        compared_by_meaning: 0,
        written: None,
        is_imported: false,
        by: None,
        asks_first: None,
    }
}

/// An answer with one statement: a sentence with one footnote, and a list of `count` entries.
pub fn with_list(count: u32) -> AnswerView {
    let paths: Vec<String> = (1..=count).map(|at| format!("{at}.py")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let mut view = answer("who calls f1?", true, &paths);
    view.statements.truncate(1);
    let item = |footnote| ItemView {
        name: format!("f{footnote}"),
        detail: String::new(),
        footnote,
    };
    view.statements[0].items = (1..=count).map(item).collect();
    view
}

/// A conversation with one question per time given.
pub fn saved(questions: &[(&str, f64)]) -> ConversationView {
    let turn = |(question, asked_at): &(&str, f64)| TurnView {
        answer: AnswerView {
            asked_at: *asked_at,
            ..answer(question, true, &["a.py"])
        },
        rating: None,
    };
    ConversationView {
        id: ConversationId(7),
        turns: questions.iter().map(turn).collect(),
        ..ConversationView::default()
    }
}

pub(super) fn file(path: &str) -> AnswerFileView {
    AnswerFileView {
        path: path.into(),
        confidence: 0.5,
    }
}

fn focus(turn: TurnId, number: u32) -> Focus {
    Focus {
        turn,
        by: By::Extract,
        number,
        automatic: false,
    }
}

#[test]
fn footnotes_are_walked_in_both_directions_and_around_the_end() {
    let mut talk = Conversation::default();
    let turn = talk.push("q");
    talk.answered(turn, Shared::new(answer("q", true, &["a", "b", "c"])), 0.0);
    for (at, by, next) in [
        (None, 1, 1),
        (None, -1, 3),
        (Some(1), 1, 2),
        (Some(3), 1, 1),
        (Some(1), -1, 3),
    ] {
        talk.focus = at.map(|number| focus(turn, number));
        assert_eq!(
            talk.step(by).map(|focus| focus.number),
            Some(next),
            "from {at:?} by {by}"
        );
    }
}

#[test]
fn the_walk_passes_over_closed_lists() {
    let mut talk = Conversation::default();
    let turn = talk.push("q");
    talk.answered(turn, Shared::new(with_list(3)), 0.0);
    talk.focus = Some(focus(turn, 1));
    assert_eq!(talk.step(1).map(|focus| focus.number), Some(1));
    assert_eq!(talk.position().map(|at| at.count), Some(1));
    talk.turns[0].reading.toggle(0);
    assert_eq!(talk.step(1).map(|focus| focus.number), Some(2));
    assert_eq!(talk.position().map(|at| at.count), Some(3));
}

#[test]
fn an_answer_without_footnotes_has_nothing_to_walk() {
    let mut talk = Conversation::default();
    let turn = talk.push("q");
    talk.answered(turn, Shared::new(answer("q", true, &[])), 0.0);
    assert_eq!(talk.step(1), None);
}

#[test]
fn a_failure_after_an_answer_by_words_keeps_that_answer_as_final() {
    let mut talk = Conversation::default();
    let turn = talk.push("q");
    talk.answered(turn, Shared::new(answer("q", false, &["a"])), 0.0);
    talk.failed(
        turn,
        Notice {
            what: "x".into(),
            next: "y".into(),
            kind: crate::worker::protocol::NoticeKind::Internal,
        },
    );
    assert!(
        talk.get(turn)
            .and_then(Turn::answer)
            .is_some_and(|answer| answer.refined)
    );
}

#[test]
fn earlier_answers_come_before_questions_that_wait() {
    let mut talk = Conversation::default();
    talk.push("now");
    talk.take_in(&saved(&[("then", 5.0)]));
    let questions: Vec<_> = talk
        .turns
        .iter()
        .map(|turn| turn.question.as_str())
        .collect();
    assert_eq!(questions, ["then", "now"]);
    assert_eq!(talk.waiting().len(), 1);
}

#[test]
fn saved_turns_replace_answers_and_are_put_in_order() {
    let mut talk = Conversation::default();
    talk.take_in(&saved(&[("one", 1.0), ("three", 3.0)]));
    let first = talk.turns[0].id;
    talk.push("now");
    let mut again = saved(&[("one", 1.0), ("two", 2.0), ("three", 3.0)]);
    again.turns[0].rating = Some(Rating::Bad);
    talk.take_in(&again);
    let questions: Vec<_> = talk
        .turns
        .iter()
        .map(|turn| turn.question.as_str())
        .collect();
    assert_eq!(questions, ["one", "two", "three", "now"]);
    assert_eq!(talk.turns[0].id, first, "it stays where it is on the page");
    assert_eq!(talk.turns[0].rating, Some(Rating::Bad));
}
