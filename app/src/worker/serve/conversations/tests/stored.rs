//! What versions of Footnote wrote is read as what it said. The files of `stored/v1` were written by the version before
//! records had types and a number of their own; they are never written again.

use super::*;
use crate::worker::protocol::{
    AnswerFileView, EvidenceView, Notice, NoticeKind, PartView, StepView,
};
use crate::worker::serve::conversations::records::{About, Key, answer_record, rating_record};
use crate::worker::serve::conversations::stored::{VERSION, read, write};

const TURN: &str = include_str!("stored/v1/turn.json");
const WRITTEN: &str = include_str!("stored/v1/written.json");
const ABOUT: &str = include_str!("stored/v1/about.json");
const FILE: &str = include_str!("stored/v1/conversation.json");

const ID: ConversationId = ConversationId(1_700_000_000_000);
const FIRST: u64 = 1_700_000_000_000;

fn place_of(path: &str, start: u32, end: u32) -> PlaceView {
    PlaceView {
        path: path.into(),
        start,
        end,
    }
}

/// An answer without a language model, with everything that one can hold.
fn found() -> AnswerView {
    let mut view = answer("how does\n`send` work?", &["shop/cookies.py", "docs/ü.md"]);
    view.note = Some("“send” is read as a name.".into());
    view.nothing = Some("Nothing else.".into());
    view.statements[0].spans.push(SpanView::Code("send".into()));
    view.footnotes[1].check = CheckView::OutsideEvidence {
        original: "docs/ü.md:1-2".into(),
    };
    view.evidence = vec![EvidenceView {
        path: "shop/cookies.py".into(),
        start: 1,
        end: 3,
        title: "merge_cookies".into(),
        score: 1.25,
        parts: vec![PartView {
            name: "bm25".into(),
            raw: 7.1,
            weighted: 0.35,
        }],
        excerpt: "def merge_cookies(jar, cookies):\n".into(),
    }];
    view.files = vec![AnswerFileView {
        path: "shop/cookies.py".into(),
        confidence: 0.83,
    }];
    view.milliseconds = 23.5;
    view.compared_by_meaning = 2;
    view
}

/// What a language model wrote, with every kind of block, inline and verdict.
fn model() -> WrittenView {
    let text = |text: &str| InlineView::Text(text.into());
    let mut view = written();
    view.blocks.extend([
        BlockView::Heading {
            level: 2,
            inlines: vec![
                InlineView::Emphasis(vec![text("So")]),
                InlineView::LineBreak,
            ],
        },
        BlockView::Quote(vec![BlockView::Paragraph(vec![
            InlineView::Struck(vec![InlineView::Code("x".into())]),
            InlineView::Uncited,
            InlineView::Pending,
        ])]),
        BlockView::Table {
            head: vec![vec![text("a")]],
            rows: vec![vec![vec![text("1"), InlineView::Note(3)]]],
        },
        BlockView::List {
            start: None,
            items: Vec::new(),
        },
        BlockView::Rule,
    ]);
    let check = |number, check| FootnoteView {
        check,
        ..note(number, "shop/sessions.py")
    };
    view.footnotes.extend([
        check(
            3,
            CheckView::Repaired {
                original: "sessions.py:1".into(),
                why: "one file has that name".into(),
            },
        ),
        check(
            4,
            CheckView::OutsideEvidence {
                original: "shop/sessions.py:1-2".into(),
            },
        ),
        check(5, CheckView::AutoCited),
    ]);
    view.counts = CountsView {
        statements: 21,
        verified: 1,
        repaired: 2,
        outside: 3,
        rejected: 4,
        auto_cited: 5,
        uncited: 6,
    };
    view.standalone = Some("How does `send` work in shop?".into());
    view.steps = vec![StepView {
        summary: "The model asked for shop/sessions.py:1-5.".into(),
        places: vec![place_of("shop/sessions.py", 1, 5)],
    }];
    view.sent_tokens = 812;
    view.sent_bytes = 3_250;
    view.milliseconds = 1_234.5;
    view
}

/// Every way in which writing can stand or end.
fn states() -> Vec<WritingState> {
    let kinds = [
        NoticeKind::BadInput,
        NoticeKind::BadQuestion,
        NoticeKind::StorageFull,
        NoticeKind::StorageUnavailable,
        NoticeKind::OtherVersion,
        NoticeKind::WorkerDied,
        NoticeKind::Service,
        NoticeKind::Internal,
    ];
    let failed = kinds.map(|kind| {
        WritingState::Failed(Notice {
            what: "The service did not answer.".into(),
            next: "Start it.".into(),
            kind,
        })
    });
    let waiting = WritingState::Waiting {
        seconds: 7,
        why: "too many requests".into(),
    };
    let mut states = vec![
        WritingState::Rewriting,
        WritingState::Sent,
        waiting,
        WritingState::Writing,
        WritingState::Finished,
        WritingState::CutOff,
        WritingState::Stopped,
    ];
    states.extend(failed);
    states
}

fn with_model(at: u64, state: WritingState) -> AnswerView {
    AnswerView {
        asked_at: at as f64,
        written: Some(WrittenView { state, ..model() }),
        ..answer("and then?", &[])
    }
}

/// The conversation that all records of a version make.
fn whole() -> ConversationView {
    let written = (FIRST + 1..).zip(states());
    let mut view = conversation(vec![found()]);
    view.id = ID;
    view.title = "Cookies & jars".into();
    view.about = Some("Imported and checked again: 1 of 2 statements verified.".into());
    view.turns.extend(written.map(|(at, state)| TurnView {
        answer: with_model(at, state),
        rating: None,
    }));
    view.turns[0].rating = Some(Rating::Good);
    view.turns[1].rating = Some(Rating::Bad);
    view
}

/// The records as they lay in storage: one answer a line in `written.json`.
fn records() -> Vec<(String, String)> {
    let mut records = vec![
        (Key::Open.of("ab"), ID.0.to_string()),
        (Key::About(ID).of("ab"), ABOUT.trim_end().to_owned()),
        (Key::Turn(ID, FIRST).of("ab"), TURN.trim_end().to_owned()),
        (Key::Rating(ID, FIRST).of("ab"), "\"good\"".to_owned()),
        (Key::Rating(ID, FIRST + 1).of("ab"), "\"bad\"".to_owned()),
    ];
    for (at, line) in (FIRST + 1..).zip(WRITTEN.lines()) {
        records.push((Key::Turn(ID, at).of("ab"), line.to_owned()));
    }
    records
}

#[test]
fn records_of_the_first_version_are_read() {
    let book = Book::read("ab", records());
    assert_eq!(book.open, Some(ID));
    assert_eq!(book.title(ID), "Cookies & jars");
    assert_eq!(book.abouts[&ID].first, "how does");
    let (read, expected) = (book.conversation(ID), whole());
    for (read, expected) in read.turns.iter().zip(&expected.turns) {
        assert_eq!(read, expected);
    }
    assert_eq!(read, expected);
}

#[test]
fn a_file_of_the_first_version_is_read() {
    let file = ConversationFile::read(FILE.as_bytes()).unwrap();
    assert_eq!(file.repository, repository("00ff"));
    let expected = ConversationView {
        about: None,
        ..whole()
    };
    assert_eq!(file.into_view(ID, 0.0), expected);
}

#[test]
fn what_is_written_now_is_the_same_with_its_version() {
    let with_version = |text: &str| {
        let mut value: serde_json::Value = serde_json::from_str(text).unwrap();
        let fields = value.as_object_mut().unwrap();
        fields.insert("version".to_owned(), VERSION.into());
        value
    };
    let whole = whole();
    let records = std::iter::once(TURN).chain(WRITTEN.lines());
    for (turn, record) in whole.turns.iter().zip(records) {
        let written: serde_json::Value =
            serde_json::from_str(&answer_record(&turn.answer).unwrap()).unwrap();
        assert_eq!(written, with_version(record));
    }
    let about: About = read(ABOUT).unwrap();
    let written: serde_json::Value = serde_json::from_str(&write(&about).unwrap()).unwrap();
    assert_eq!(written, with_version(ABOUT));
    for (rating, word) in [(Rating::Good, "\"good\""), (Rating::Bad, "\"bad\"")] {
        assert_eq!(rating_record(rating).unwrap(), word);
    }
    let file = ConversationFile::new(&handout(&whole), repository("00ff"));
    assert_eq!(file.write().unwrap(), FILE);
}
