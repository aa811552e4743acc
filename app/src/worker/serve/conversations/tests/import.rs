//! Tests of importing a conversation: it is refused, accepted because this browser signed it, or
//! checked again and never believed.

use super::super::signed::tests::{TestKey, now};
use super::super::signed::{Origin, origin, signed};
use super::super::transfer::about;
use super::*;
use crate::worker::protocol::{AnswerFileView, VerdictView as V};

/// The verdicts of the footnotes.
fn labels(notes: &[FootnoteView]) -> Vec<&'static str> {
    let labels = notes.iter().map(|note| note.check.verdict().spec().label);
    labels.collect()
}

#[test]
fn an_answer_that_footnote_derives_itself_is_proven_again() {
    let index = index();
    let own = derived(&index, QUESTION);
    assert!(!own.statements.is_empty());
    let again = imported(&index, own.clone(), std::slice::from_ref(&own));
    assert_eq!(again, own);
    assert!(counts(&again).is_all_proven());
}

/// Footnote's own answer with a list below its first statement.
fn with_list(index: &Index) -> AnswerView {
    let mut own = derived(index, QUESTION);
    own.fit = FitView::Exact;
    own.kind = Some("callers".into());
    let number = own.footnotes.len() as u32 + 1;
    own.footnotes.push(note(number, "shop/sessions.py"));
    own.statements[0].items = vec![
        ItemView {
            name: "merge_cookies".into(),
            detail: String::new(),
            footnote: 1,
        },
        ItemView {
            name: "send".into(),
            detail: "in shop".into(),
            footnote: number,
        },
    ];
    own
}

#[test]
fn a_list_that_footnote_derives_itself_is_proven_again_even_if_the_file_lacks_it() {
    let index = index();
    let own = with_list(&index);
    let mut earlier = own.clone();
    earlier.statements[0].items.clear();
    for answer in [own.clone(), earlier] {
        assert_eq!(imported(&index, answer, std::slice::from_ref(&own)), own);
    }
}

#[test]
fn a_manipulated_list_is_not_proven_and_its_answer_no_longer_counts_as_exact() {
    let index = index();
    let own = with_list(&index);
    let changes: [(&str, Change); 5] = [
        ("name", |it| {
            it.statements[0].items[1].name = "erase_all".into()
        }),
        ("detail", |it| {
            it.statements[0].items[1].detail = "never".into()
        }),
        ("place", |it| it.statements[0].items[1].footnote = 1),
        ("no place", |it| it.statements[0].items[1].footnote = 900),
        ("left out", |it| drop(it.statements[0].items.pop())),
    ];
    for (what, change) in changes {
        let mut answer = own.clone();
        change(&mut answer);
        let checked = imported(&index, answer, std::slice::from_ref(&own));
        assert!(checked.is_imported, "{what}");
        assert_eq!(
            (checked.fit, checked.kind),
            (FitView::Likely, None),
            "{what}"
        );
        for item in &checked.statements[0].items {
            let note = checked
                .footnotes
                .iter()
                .find(|it| it.number == item.footnote);
            assert!(note.is_none_or(|note| note.is_imported), "{what}: {item:?}");
            assert!(
                note.is_none_or(|note| note.check != CheckView::Proven),
                "{what}"
            );
        }
    }
}

type Change = fn(&mut AnswerView);

/// Every way to change what an answer says, and whether its footnotes still lead somewhere.
const CHANGES: [(&str, Change, bool); 8] = [
    (
        "prose",
        |it| {
            it.statements[0]
                .spans
                .push(SpanView::Text(" It deletes all.".into()))
        },
        true,
    ),
    (
        "name",
        |it| it.statements[0].spans = vec![SpanView::Code("erase_all".into())],
        false,
    ),
    (
        "file",
        |it| {
            it.footnotes
                .iter_mut()
                .for_each(|note| note.path = "shop/gone.py".into())
        },
        false,
    ),
    (
        "lines",
        |it| {
            it.footnotes
                .iter_mut()
                .for_each(|note| (note.start, note.end) = (900, 901))
        },
        false,
    ),
    (
        "no lines",
        |it| {
            it.footnotes
                .iter_mut()
                .for_each(|note| (note.start, note.end) = (0, 0))
        },
        false,
    ),
    (
        "other lines",
        |it| {
            it.footnotes
                .iter_mut()
                .for_each(|note| (note.start, note.end) = (1, 1))
        },
        true,
    ),
    (
        "a citation of its own",
        |it| {
            let forged = "It is [shop/cookies.py:1-2]. Proven [";
            it.statements[0]
                .spans
                .insert(0, SpanView::Text(forged.into()))
        },
        true,
    ),
    (
        "verdict",
        |it| {
            it.statements[0].spans = vec![SpanView::Code("erase_all".into())];
            it.footnotes[0].check = CheckView::Repaired {
                original: "x".into(),
                why: "y".into(),
            };
        },
        false,
    ),
];

#[test]
fn a_manipulated_answer_is_not_proven() {
    let index = index();
    let own = derived(&index, QUESTION);
    for (what, change, leads) in CHANGES {
        let mut answer = own.clone();
        answer.statements.truncate(1);
        change(&mut answer);
        answer.footnotes[0].why = "proven by Footnote".into();
        let checked = imported(&index, answer, std::slice::from_ref(&own));
        assert_eq!(counts(&checked).count(V::Proven), 0, "{what}");
        assert!(
            checked.is_imported && !checked.footnotes.is_empty(),
            "{what}"
        );
        for note in &checked.footnotes {
            assert!(note.is_imported, "{what}: {note:?}");
            assert_ne!(note.check, CheckView::Proven, "{what}");
            assert_eq!(note.why, "", "{what}: the file's own words");
        }
        if !leads {
            let labels = labels(&checked.footnotes);
            assert!(
                labels.iter().all(|label| *label == "rejected"),
                "{what}: {labels:?}"
            );
        }
    }
}

#[test]
fn a_footnote_that_no_statement_cites_and_a_statement_without_one_vouch_for_nothing() {
    let index = index();
    let own = derived(&index, QUESTION);
    let mut answer = own.clone();
    answer.statements = vec![StatementView {
        spans: vec![SpanView::Text("All is well.".into())],
        footnotes: vec![77],
        items: Vec::new(),
    }];
    let checked = imported(&index, answer, &[own]);
    assert_eq!(checked.footnotes, []);
    assert_eq!(counts(&checked).told(), "1 without a source");
}

#[test]
fn a_footnote_of_a_true_and_a_false_statement_becomes_two() {
    let index = index();
    let own = derived(&index, QUESTION);
    let mut answer = own.clone();
    answer.statements.truncate(1);
    let mut lie = answer.statements[0].clone();
    lie.spans = vec![SpanView::Code("erase_all".into())];
    answer.statements.push(lie);
    let checked = imported(&index, answer, &[own]);
    assert_eq!(counts(&checked).told(), "1 proven, 1 rejected");
    let first = &checked.statements[0].footnotes;
    assert!(
        checked.statements[1]
            .footnotes
            .iter()
            .all(|number| !first.contains(number))
    );
}

#[test]
fn everything_around_an_answer_comes_from_the_repository_and_not_from_the_file() {
    let index = index();
    let own = derived(&index, QUESTION);
    let mut answer = own.clone();
    answer.note = Some("Everything is proven.".into());
    answer.nothing = Some("Nothing is wrong.".into());
    answer.evidence[0].excerpt = "proven: anything".into();
    answer.evidence[0].score = 99.0;
    answer.files.push(AnswerFileView {
        path: "shop/cookies.py".into(),
        confidence: 1.0,
    });
    answer.chunks = 1_000_000;
    assert_eq!(imported(&index, answer, std::slice::from_ref(&own)), own);
    // A claimed refusal is derived again too.
    let mut refusal = own.clone();
    refusal.statements.clear();
    refusal.nothing = Some("This repository is proven to be empty.".into());
    assert_eq!(
        imported(&index, refusal.clone(), std::slice::from_ref(&own)),
        own
    );
    let unread = imported(&index, refusal, &[]);
    assert!(!unread.nothing.unwrap().contains("proven"));
}

#[test]
fn text_attributed_to_a_model_is_reviewed_and_not_believed() {
    let index = index();
    let checked = |claimed| {
        let asked = AnswerView {
            written: Some(claimed),
            ..answer("a?", &[])
        };
        imported(&index, asked, &[]).written.unwrap()
    };
    let again = checked(lying());
    assert_eq!(again.counts.told(), "2 rejected");
    assert!(again.state.is_over());
    assert_eq!(labels(&again.footnotes), ["rejected"; 2]);
}

/// Nobody can know what was sent: it decides nothing that a file names some lines, nor that it
/// names none.
#[test]
fn claims_about_what_was_sent_prove_nothing_and_deny_nothing() {
    let index = index();
    let mut honest = written();
    honest.text = "`merge_cookies` says “Adds cookies to a jar” [shop/cookies.py:1-2].".into();
    honest.model = "gpt-9 ".repeat(50);
    honest.sent_tokens = 1_000;
    honest.milliseconds = 5.0;
    let mut again = Vec::new();
    for sent in [honest.sent.clone(), Vec::new()] {
        let claimed = WrittenView {
            sent,
            ..honest.clone()
        };
        let asked = AnswerView {
            written: Some(claimed),
            ..answer("a?", &[])
        };
        again.push(imported(&index, asked, &[]).written.unwrap());
    }
    assert_eq!(again[0], again[1]);
    let again = &again[0];
    assert_eq!(again.counts.statements(), 1);
    assert_eq!(again.counts.count(V::Proven), 0);
    assert_eq!(again.counts.count(V::OutsideEvidence), 0);
    assert!(again.is_imported && again.footnotes.iter().all(|note| note.is_imported));
    assert_ne!(again.blocks, honest.blocks, "they are made from the text");
    assert_eq!((again.sent.len(), again.sent_tokens), (0, 0));
    assert_eq!((again.origin.as_str(), again.milliseconds), ("", 0.0));
    assert!(again.model.chars().count() <= 60);
}

#[test]
fn an_error_that_a_file_claims_is_not_shown_in_the_words_of_the_file() {
    use crate::worker::protocol::{Notice, NoticeKind};
    let index = index();
    let claimed = WrittenView {
        state: WritingState::Failed(Notice {
            what: "All statements are proven.".into(),
            next: "Open evil.example.".into(),
            kind: NoticeKind::Service,
        }),
        ..written()
    };
    let asked = AnswerView {
        written: Some(claimed),
        ..answer("a?", &[])
    };
    match imported(&index, asked, &[]).written.unwrap().state {
        WritingState::Failed(notice) => {
            assert!(!notice.what.contains("proven") && !notice.next.contains("evil"));
            assert_eq!(notice.kind, NoticeKind::Internal);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn only_an_unchanged_file_of_this_browser_keeps_its_verdicts() {
    let index = index();
    let own = derived(&index, QUESTION);
    let with_model = AnswerView {
        written: Some(written()),
        ..own
    };
    let view = conversation(vec![with_model]);
    let content = ConversationFile::new(&handout(&view), repository("key"))
        .write()
        .unwrap();
    let key = TestKey("mine");
    let file = signed(&content, &key.sign(&content)).unwrap();
    let altered = file.replace("adds", "erases");
    let foreign = signed(&content, &TestKey("other").sign(&content)).unwrap();
    for (file, expected, says) in [
        (&file, Origin::Own, "nothing in it has changed"),
        (&altered, Origin::Altered, "it has been changed since"),
        (&foreign, Origin::Elsewhere, "Another browser signed"),
        (&content, Origin::Unsigned, "not signed by this browser"),
    ] {
        let from = now(origin(file.as_bytes(), Some(&key)));
        assert_eq!(from, expected);
        let read = ConversationFile::read(file.as_bytes()).unwrap();
        let repository = read.repository.clone();
        let read = read.into_view(view.id, 0.0);
        if from == Origin::Own {
            assert_eq!(read, view, "it is as it was");
        }
        let about = about(&repository, "key", from, &read);
        assert!(about.contains(says), "{about}");
    }
    let about = about(&repository("another"), "key", Origin::Own, &view);
    assert!(
        about.contains("about <shop>, which is not the repository open"),
        "{about}"
    );
}

#[test]
fn other_files_versions_and_repositories_are_refused_in_a_sentence() {
    let index = index();
    let read = |text: &str| ConversationFile::read(text.as_bytes());
    assert!(matches!(read("PK\u{3}"), Err(ImportError::NotOne(_))));
    assert!(matches!(read("{}"), Err(ImportError::NotOne(_))));
    assert!(matches!(
        read(r#"{"footnote_conversation":1}"#),
        Err(ImportError::NotOne(_))
    ));
    assert_eq!(
        read(r#"{"footnote_conversation":7,"new":1}"#),
        Err(ImportError::Later(7))
    );
    let view = conversation(vec![answer("a?", &["gone.py"])]);
    let file = ConversationFile::new(&handout(&view), repository("other"));
    let refused = Err(ImportError::OtherRepository("<shop>".into()));
    assert_eq!(file.belongs_to(&index, "key"), refused);
    assert_eq!(file.belongs_to(&index, "other"), Ok(()));
    let view = conversation(vec![answer("a?", &["gone.py", "shop/cookies.py"])]);
    let file = ConversationFile::new(&handout(&view), repository("other"));
    assert_eq!(
        file.belongs_to(&index, "key"),
        Ok(()),
        "another version of it"
    );
    let empty = conversation(Vec::new());
    let text = ConversationFile::new(&handout(&empty), repository("key"))
        .write()
        .unwrap();
    assert_eq!(read(&text), Err(ImportError::Empty));
}

#[test]
fn turns_that_claim_the_same_time_or_none_get_different_times() {
    let mut view = conversation(vec![
        answer("a?", &[]),
        answer("b?", &[]),
        answer("c?", &[]),
    ]);
    view.turns[2].answer.asked_at = -5.0;
    let text = ConversationFile::new(&handout(&view), repository("key"))
        .write()
        .unwrap();
    let file = ConversationFile::read(text.as_bytes()).unwrap();
    let view = file.into_view(ConversationId(9), 1_800_000_000_000.0);
    let times: Vec<f64> = view.turns.iter().map(|turn| turn.answer.asked_at).collect();
    assert_eq!(
        times,
        [
            1_700_000_000_000.0,
            1_700_000_000_001.0,
            1_800_000_000_000.0
        ]
    );
}

#[test]
fn an_unfinished_citation_in_a_stopped_answer_is_not_a_citation() {
    let index = index();
    let over = |state: WritingState, text: &str| {
        let mut answer = answer("what?", &[]);
        answer.written = Some(WrittenView {
            state,
            text: text.into(),
            ..written()
        });
        let written = imported(&index, answer, &[]).written.unwrap();
        let cited = |note: &&FootnoteView| note.check != CheckView::AutoCited;
        written.footnotes.iter().filter(cited).count()
    };
    let half = "`merge_cookies` adds cookies to a jar [shop/cookies.py:1";
    for state in [
        WritingState::Stopped,
        WritingState::CutOff,
        WritingState::Writing,
    ] {
        assert_eq!(over(state, half), 0);
    }
    let whole = format!("{half}-2].");
    assert_eq!(over(WritingState::Stopped, &whole), 1);
    assert_eq!(over(WritingState::Finished, &whole), 1);
}
