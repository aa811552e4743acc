//! Tests that files of all versions of Footnote keep their meaning. The files in `stored/v1` were
//! written by the version before records had types and version numbers; they are never written
//! again. Those in `stored/v2` are written by the current code: `UPDATE_EXPECT=1` writes them.

use std::path::PathBuf;

use super::*;
use crate::worker::protocol::{
    AnswerFileView, CountsView, EvidenceView, Notice, NoticeKind, PartView, StepView, VerdictView,
};
use crate::worker::serve::conversations::records::{
    About, IMPORTED_EARLIER, Key, answer_record, rating_record,
};
use crate::worker::serve::conversations::stored::{VERSION, write};
use crate::worker::serve::conversations::transfer::checked;

/// The files of one version.
struct Files {
    version: u32,
    turn: &'static str,
    /// One answer per line.
    written: &'static str,
    about: &'static str,
    conversation: &'static str,
}

const FIRST_VERSION: Files = Files {
    version: 1,
    turn: include_str!("stored/v1/turn.json"),
    written: include_str!("stored/v1/written.json"),
    about: include_str!("stored/v1/about.json"),
    conversation: include_str!("stored/v1/conversation.json"),
};
const THIS_VERSION: Files = Files {
    version: 2,
    turn: include_str!("stored/v2/turn.json"),
    written: include_str!("stored/v2/written.json"),
    about: include_str!("stored/v2/about.json"),
    conversation: include_str!("stored/v2/conversation.json"),
};

const ID: ConversationId = ConversationId(1_700_000_000_000);
const FIRST: u64 = 1_700_000_000_000;

fn place_of(path: &str, start: u32, end: u32) -> PlaceView {
    PlaceView {
        path: path.into(),
        start,
        end,
    }
}

/// An answer without a language model, with every field filled in.
fn found(version: u32) -> AnswerView {
    let mut view = answer("how does\n`send` work?", &["shop/cookies.py", "docs/ü.md"]);
    if version == 1 {
        // What it called verified only means that the lines exist.
        view.footnotes[0].check = CheckView::LinesExist;
    } else {
        view.is_imported = true;
        view.footnotes[1].is_imported = true;
    }
    if version > 1 {
        view.asked_as = Some("how does send work?".into());
        view.kind = Some("callers".into());
        view.fit = FitView::Closest;
        view.statements[1].items = [("send", ""), ("jar", "in shop")]
            .map(|(name, detail)| ItemView {
                name: name.into(),
                detail: detail.into(),
                footnote: 2,
            })
            .into();
    }
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

/// A model's text, with every kind of block, inline and verdict.
fn model(version: u32) -> WrittenView {
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
    view.counts = CountsView::default();
    for (verdict, number) in [
        (VerdictView::LinesExist, 1),
        (VerdictView::Repaired, 2),
        (VerdictView::OutsideEvidence, 3),
        (VerdictView::Rejected, 4),
        (VerdictView::AutoCited, 5),
        (VerdictView::Uncited, 6),
    ] {
        view.counts.add(verdict, number);
    }
    match version {
        1 => view.footnotes[0].check = CheckView::LinesExist,
        _ => {
            view.counts.add(VerdictView::Proven, 7);
            view.counts.add(VerdictView::Supported, 8);
            view.counts.add(VerdictView::Contradicted, 9);
            view.is_imported = true;
            view.blocks
                .push(BlockView::Paragraph(vec![InlineView::Wrong(vec![text(
                    "no",
                )])]));
            let instead = "Line 2 returns `jar`.".to_owned();
            view.footnotes.extend([
                check(6, CheckView::Supported),
                check(7, CheckView::LinesExist),
                check(8, CheckView::Contradicted { instead }),
            ]);
        }
    }
    view.standalone = Some("How does `send` work in shop?".into());
    view.steps = vec![StepView {
        summary: "The model asked for shop/sessions.py:1-5.".into(),
        places: vec![place_of("shop/sessions.py", 1, 5)],
    }];
    if version > 1 {
        view.cited = vec![vec![1, 2], Vec::new(), vec![5]];
        view.written_tokens = Some(96);
    }
    view.sent_tokens = 812;
    view.sent_bytes = 3_250;
    view.milliseconds = 1_234.5;
    view
}

/// Every state in which writing can be or end.
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

fn with_model(version: u32, at: u64, state: WritingState) -> AnswerView {
    let written = WrittenView {
        state,
        ..model(version)
    };
    AnswerView {
        asked_at: at as f64,
        written: Some(written),
        ..answer("and then?", &[])
    }
}

/// The conversation that all records of a version form.
fn whole(version: u32) -> ConversationView {
    let written = (FIRST + 1..).zip(states());
    let mut view = conversation(vec![found(version)]);
    view.id = ID;
    view.title = "Cookies & jars".into();
    view.about = Some(match version {
        1 => IMPORTED_EARLIER.into(),
        _ => "Imported and checked again: 1 proven.".into(),
    });
    view.turns.extend(written.map(|(at, state)| TurnView {
        answer: with_model(version, at, state),
        rating: None,
    }));
    view.turns[0].rating = Some(Rating::Good);
    view.turns[1].rating = Some(Rating::Bad);
    view
}

/// The records as they were in storage.
fn records(files: &Files) -> Vec<(String, String)> {
    let mut records = vec![
        (Key::Open.of("ab"), ID.0.to_string()),
        (Key::About(ID).of("ab"), files.about.trim_end().to_owned()),
        (
            Key::Turn(ID, FIRST).of("ab"),
            files.turn.trim_end().to_owned(),
        ),
        (Key::Rating(ID, FIRST).of("ab"), "\"good\"".to_owned()),
        (Key::Rating(ID, FIRST + 1).of("ab"), "\"bad\"".to_owned()),
    ];
    for (at, line) in (FIRST + 1..).zip(files.written.lines()) {
        records.push((Key::Turn(ID, at).of("ab"), line.to_owned()));
    }
    records
}

#[test]
fn records_of_each_version_are_read() {
    for files in [FIRST_VERSION, THIS_VERSION] {
        let book = Book::read("ab", records(&files));
        assert_eq!(book.open, Some(ID));
        assert_eq!(book.title(ID), "Cookies & jars");
        assert_eq!(book.abouts[&ID].first, "how does");
        let (read, expected) = (book.conversation(ID), whole(files.version));
        for (read, expected) in read.turns.iter().zip(&expected.turns) {
            assert_eq!(read, expected);
        }
        assert_eq!(read, expected);
        let is_earlier = files.version < VERSION;
        let earlier = if is_earlier { read.turns.len() } else { 0 };
        assert_eq!(book.earlier.len(), earlier, "version {}", files.version);
    }
}

#[test]
fn a_file_of_each_version_is_read() {
    for files in [FIRST_VERSION, THIS_VERSION] {
        let file = ConversationFile::read(files.conversation.as_bytes()).unwrap();
        assert_eq!(file.repository, repository("00ff"));
        let expected = ConversationView {
            about: None,
            ..whole(files.version)
        };
        assert_eq!(file.into_view(ID, 0.0), expected);
    }
}

/// The first version called all of this verified.
#[test]
fn records_of_an_earlier_version_are_checked_by_the_rules_of_this_one_when_opened() {
    let index = index();
    let lie = "It calls `erase_all` [shop/cookies.py:1-2].";
    let unseen = "It sends a request to a shop [shop/sessions.py:4-5].";
    for (text, is_imported, expected) in [
        (lie, false, Some("1 rejected")),
        (lie, true, Some("1 rejected")),
        (unseen, false, Some("1 outside evidence")),
        // It is unknown what was sent, so nothing is outside of it.
        (unseen, true, None),
    ] {
        let mut all = records(&FIRST_VERSION);
        if !is_imported {
            all.retain(|(key, _)| *key != Key::About(ID).of("ab"));
        }
        let mut book = Book::read("ab", all);
        let written = book.turns.values_mut().filter_map(|it| it.written.as_mut());
        for written in written.filter(|written| written.state.is_over()) {
            written.text = text.into();
        }
        let view = checked(&book, &index, ID);
        let last = view.turns.last().unwrap().answer.written.as_ref().unwrap();
        assert_eq!(last.is_imported, is_imported);
        let found = last.counts.told();
        match expected {
            Some(expected) => assert_eq!(found, expected),
            None => assert!(
                !found.contains("outside") && !found.contains("proven"),
                "{found}"
            ),
        }
        let first = &view.turns[0].answer;
        assert_eq!(first.footnotes[0].check, CheckView::LinesExist);
        assert_eq!(first.is_imported, is_imported);
    }
}

#[test]
fn records_are_written_in_the_agreed_format() {
    assert_eq!(VERSION, THIS_VERSION.version);
    let whole = whole(VERSION);
    let mut turns = whole.turns.iter();
    let line = |turn: &TurnView| answer_record(&turn.answer).unwrap() + "\n";
    let about = About {
        title: whole.title.clone(),
        first: "how does".into(),
        about: whole.about.clone(),
    };
    let file = ConversationFile::new(&handout(&whole), repository("00ff"));
    for (name, expected, found) in [
        (
            "turn.json",
            THIS_VERSION.turn,
            turns.next().map(line).unwrap(),
        ),
        (
            "written.json",
            THIS_VERSION.written,
            turns.map(line).collect(),
        ),
        (
            "about.json",
            THIS_VERSION.about,
            write(&about).unwrap() + "\n",
        ),
        (
            "conversation.json",
            THIS_VERSION.conversation,
            file.write().unwrap(),
        ),
    ] {
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            let folder = "src/worker/serve/conversations/tests/stored/v2";
            let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder);
            std::fs::write(folder.join(name), &found).unwrap();
        } else {
            assert_eq!(found, expected, "{name}");
        }
    }
    for (rating, word) in [(Rating::Good, "\"good\""), (Rating::Bad, "\"bad\"")] {
        assert_eq!(rating_record(rating).unwrap(), word);
    }
}
