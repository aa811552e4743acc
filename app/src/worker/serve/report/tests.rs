//! Tests of which saved answers count for which model.

use super::count::{Answers, report};
use crate::worker::protocol::{
    AnswerView, ConversationId, CountsView, LeftOut, Notice, NoticeKind, ReportRow, ReportScope,
    VerdictView, WritingState, WrittenView,
};
use crate::worker::serve::conversations::records::{Book, Key};
use crate::worker::serve::conversations::tests::answer;
use VerdictView as V;

const TALK: ConversationId = ConversationId(1_700_000_000_000);
const OTHER: ConversationId = ConversationId(1_700_000_000_500);

fn written(model: &str, verdicts: &[V]) -> WrittenView {
    WrittenView {
        state: WritingState::Finished,
        text: "It waits.".into(),
        counts: verdicts.iter().copied().collect(),
        model: model.into(),
        origin: "http://localhost:9".into(),
        sent_requests: 1,
        sent_tokens: 1_000,
        written_tokens: Some(40),
        milliseconds: 1_500.0,
        ..WrittenView::default()
    }
}

fn book(turns: Vec<(ConversationId, u64, WrittenView)>) -> Book {
    let turns = turns.into_iter().map(|(id, at, written)| {
        let answer = AnswerView {
            written: Some(written),
            ..answer("how long?", &["a.py"])
        };
        ((id, at), answer)
    });
    Book {
        turns: turns.collect(),
        ..Book::default()
    }
}

fn rows(all: Vec<(&str, Book)>) -> (Vec<ReportRow>, LeftOut) {
    let all = all.into_iter().map(|(repository, book)| Answers {
        repository: repository.into(),
        book,
    });
    let view = report(ReportScope::All, &all.collect::<Vec<_>>());
    (view.rows, view.left_out)
}

/// Model, repository, answers and statements of each row.
fn told(rows: &[ReportRow]) -> Vec<(&str, &str, u32, u32)> {
    let mut told = Vec::new();
    for row in rows {
        let (model, repository) = (row.model.as_str(), row.repository.as_str());
        told.push((model, repository, row.answers, row.counts.statements()));
    }
    told
}

#[test]
fn the_numbers_of_a_model_are_the_sums_over_its_answers() {
    let mut uncounted = written("b", &[V::AutoCited, V::Uncited]);
    uncounted.written_tokens = None;
    let turns = vec![
        (TALK, 1, written("b", &[V::Proven, V::Repaired])),
        (TALK, 2, uncounted),
        (OTHER, 3, written("a", &[V::Rejected])),
    ];
    let (rows, left_out) = rows(vec![("courier", book(turns))]);
    assert_eq!(left_out, LeftOut::default());
    let counts = |verdicts: &[V]| verdicts.iter().copied().collect::<CountsView>();
    let row = |model: &str, verdicts: &[V]| ReportRow {
        model: model.into(),
        origin: "http://localhost:9".into(),
        repository: "courier".into(),
        counts: counts(verdicts),
        ..ReportRow::default()
    };
    let expected = [
        ReportRow {
            answers: 1,
            sent_tokens: 1_000,
            written_tokens: 40,
            written_answers: 1,
            milliseconds: 1_500.0,
            ..row("a", &[V::Rejected])
        },
        ReportRow {
            answers: 2,
            sent_tokens: 2_000,
            // For one of the two, the number is unknown.
            written_tokens: 40,
            written_answers: 1,
            milliseconds: 3_000.0,
            ..row("b", &[V::Proven, V::Repaired, V::AutoCited, V::Uncited])
        },
    ];
    assert_eq!(rows, expected);
}

#[test]
fn rows_are_distinguished_by_model_address_and_repository() {
    let elsewhere = WrittenView {
        origin: "http://localhost:10".into(),
        ..written("a", &[V::Proven])
    };
    let here = vec![(TALK, 1, written("a", &[V::Proven])), (TALK, 2, elsewhere)];
    // The folder was read again: another key, the same name.
    let again = book(vec![(TALK, 3, written("a", &[V::Proven; 3]))]);
    let there = book(vec![(TALK, 1, written("a", &[V::Proven; 2]))]);
    let (rows, _) = rows(vec![
        ("courier", book(here)),
        ("courier", again),
        ("flask", there),
    ]);
    assert_eq!(
        told(&rows),
        [
            ("a", "courier", 1, 1),
            ("a", "courier", 2, 4),
            ("a", "flask", 1, 2),
        ]
    );
    assert_eq!(rows[0].origin, "http://localhost:10");
}

#[test]
fn an_answer_counts_once_and_as_it_ended() {
    let failed = WritingState::Failed(Notice {
        what: "It went.".into(),
        next: "Ask again.".into(),
        kind: NoticeKind::Service,
    });
    let ended = |state| WrittenView {
        state,
        ..written("a", &[V::Proven])
    };
    // The same conversation, imported unchanged; another answer at the same time is a different
    // one.
    let mut other = written("a", &[V::Uncited]);
    other.text = "It does not wait.".into();
    let turns = vec![
        (TALK, 1, written("a", &[V::Proven])),
        (OTHER, 1, written("a", &[V::Proven])),
        (ConversationId(9), 1, other),
        (TALK, 2, ended(WritingState::Stopped)),
        (TALK, 3, ended(WritingState::CutOff)),
        (TALK, 4, ended(failed)),
    ];
    let (rows, _) = rows(vec![("courier", book(turns))]);
    assert_eq!(told(&rows), [("a", "courier", 5, 5)]);
    assert_eq!(rows[0].unfinished, 3);
}

#[test]
fn answers_that_claim_more_than_is_known_are_left_out_and_counted() {
    let imported = WrittenView {
        is_imported: true,
        ..written("gpt-9", &[V::Supported])
    };
    let empty = WrittenView {
        text: " \n".into(),
        state: WritingState::Stopped,
        ..written("a", &[])
    };
    let turns = vec![
        (TALK, 1, imported),
        (TALK, 2, written("a", &[V::LinesExist])),
        (TALK, 3, empty),
        (TALK, 4, written("a", &[V::Proven])),
    ];
    let mut book = book(turns);
    book.earlier.insert((TALK, 2));
    book.later = vec![Key::Turn(TALK, 5), Key::About(TALK)];
    // An answer without a model counts for no model.
    book.turns.insert((TALK, 6), answer("how long?", &["a.py"]));
    let (rows, left_out) = rows(vec![("courier", book)]);
    assert_eq!(told(&rows), [("a", "courier", 1, 1)]);
    let expected = LeftOut {
        imported: 1,
        earlier: 1,
        later: 1,
        empty: 1,
    };
    assert_eq!(left_out, expected);
    assert_eq!(left_out.told().len(), 4);
}

/// Invalid times, made up by a file or a clock, do not spoil a sum.
#[test]
fn an_invalid_time_adds_nothing() {
    let times = [f64::NAN, f64::INFINITY, -5.0, 250.0];
    let turns = (1..).zip(times).map(|(at, milliseconds)| {
        let written = WrittenView {
            milliseconds,
            ..written("a", &[])
        };
        (TALK, at, written)
    });
    let (rows, _) = rows(vec![("courier", book(turns.collect()))]);
    assert_eq!(rows[0].milliseconds, 250.0);
}
