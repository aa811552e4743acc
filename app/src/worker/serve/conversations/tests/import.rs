//! What becomes of an imported conversation: refused, or checked again and never believed.

use super::*;

#[test]
fn an_answer_that_footnote_comes_to_itself_is_verified_again() {
    let index = index();
    let own = derived(&index, QUESTION);
    assert!(!own.statements.is_empty());
    let (again, tally) = recheck(&index, own.clone(), std::slice::from_ref(&own));
    assert_eq!(again, own);
    let statements = own.statements.len() as u32;
    assert_eq!(
        tally,
        Tally {
            statements,
            verified: statements
        }
    );
}

/// Every way to change an answer so that it says something else, and what its footnotes then are.
#[test]
fn a_manipulated_answer_is_not_verified() {
    let index = index();
    let own = derived(&index, QUESTION);
    type Change = fn(&mut AnswerView);
    let changes: [(&str, Change, &str); 7] = [
        (
            "prose",
            |it| {
                it.statements[0]
                    .spans
                    .push(SpanView::Text(" It deletes all.".into()))
            },
            "outside evidence",
        ),
        (
            "name",
            |it| it.statements[0].spans = vec![SpanView::Code("erase_all".into())],
            "rejected",
        ),
        (
            "file",
            |it| {
                it.footnotes
                    .iter_mut()
                    .for_each(|note| note.path = "shop/gone.py".into())
            },
            "rejected",
        ),
        (
            "lines",
            |it| {
                it.footnotes
                    .iter_mut()
                    .for_each(|note| (note.start, note.end) = (900, 901))
            },
            "rejected",
        ),
        (
            "no lines",
            |it| {
                it.footnotes
                    .iter_mut()
                    .for_each(|note| (note.start, note.end) = (0, 0))
            },
            "rejected",
        ),
        (
            "other lines",
            |it| {
                it.footnotes
                    .iter_mut()
                    .for_each(|note| (note.start, note.end) = (1, 1))
            },
            "outside evidence",
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
            "rejected",
        ),
    ];
    for (what, change, expected) in changes {
        let mut answer = own.clone();
        answer.statements.truncate(1);
        change(&mut answer);
        let (checked, tally) = recheck(&index, answer, std::slice::from_ref(&own));
        assert_eq!(tally.verified, 0, "{what}");
        let words: Vec<_> = checked
            .footnotes
            .iter()
            .map(|note| note.check.word())
            .collect();
        assert!(
            !words.is_empty() && words.iter().all(|word| *word == expected),
            "{what}: {words:?}"
        );
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
    }];
    let (checked, tally) = recheck(&index, answer, &[own]);
    assert_eq!(checked.footnotes, []);
    assert_eq!(
        tally,
        Tally {
            statements: 1,
            verified: 0
        }
    );
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
    let (checked, tally) = recheck(&index, answer, &[own]);
    assert_eq!(
        tally,
        Tally {
            statements: 2,
            verified: 1
        }
    );
    let first = &checked.statements[0].footnotes;
    assert!(
        checked.statements[1]
            .footnotes
            .iter()
            .all(|number| !first.contains(number))
    );
}

#[test]
fn excerpts_come_from_the_repository_and_not_from_the_file() {
    let index = index();
    let own = derived(&index, QUESTION);
    let mut answer = own.clone();
    answer.evidence[0].excerpt = "verified: anything".into();
    answer.evidence[1].path = "gone.py".into();
    answer.files.push(crate::worker::protocol::AnswerFileView {
        path: "gone.py".into(),
        confidence: 1.0,
    });
    let (checked, _) = recheck(&index, answer, std::slice::from_ref(&own));
    assert_eq!(checked.evidence[0].excerpt, own.evidence[0].excerpt);
    assert_eq!(checked.evidence.len(), own.evidence.len() - 1);
    assert_eq!(checked.files, own.files);
}

#[test]
fn what_a_model_is_said_to_have_written_is_reviewed_and_not_believed() {
    let index = index();
    let checked = |claimed| {
        let asked = AnswerView {
            written: Some(claimed),
            ..answer("a?", &[])
        };
        let (checked, tally) = recheck(&index, asked, &[]);
        (checked.written.unwrap(), tally.verified)
    };
    let (again, verified) = checked(lying());
    assert_eq!((again.counts.verified, verified), (0, 0));
    assert!(again.state.is_over());
    assert!(!again.footnotes.is_empty());
    for note in &again.footnotes {
        assert_eq!(note.check.word(), "rejected", "{note:?}");
    }
    let mut honest = written();
    honest.text = "`merge_cookies` adds cookies to a jar [shop/cookies.py:1-2].".into();
    honest.blocks = vec![BlockView::Paragraph(vec![InlineView::Text(
        "All is verified.".into(),
    )])];
    let (again, verified) = checked(honest.clone());
    assert_eq!((again.counts.statements, verified), (1, 1));
    assert_ne!(
        again.blocks, honest.blocks,
        "the blocks are made from the text"
    );
    honest.sent.clear();
    let (again, verified) = checked(honest);
    assert_eq!(verified, 0, "the model had not seen the lines");
    assert_eq!(again.footnotes[0].check.word(), "outside evidence");
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
fn turns_that_claim_one_time_or_none_get_times_of_their_own() {
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
fn what_a_stopped_answer_was_about_to_cite_is_no_citation() {
    let index = index();
    let over = |state: WritingState, text: &str| {
        let mut answer = answer("what?", &[]);
        answer.written = Some(WrittenView {
            state,
            text: text.into(),
            ..written()
        });
        let written = recheck(&index, answer, &[]).0.written.unwrap();
        let cited = |note: &&FootnoteView| note.check != CheckView::AutoCited;
        (
            written.footnotes.iter().filter(cited).count(),
            written.counts.verified,
        )
    };
    let half = "`merge_cookies` adds cookies to a jar [shop/cookies.py:1";
    for state in [
        WritingState::Stopped,
        WritingState::CutOff,
        WritingState::Writing,
    ] {
        assert_eq!(over(state, half), (0, 0));
    }
    let whole = format!("{half}-2].");
    assert_eq!(over(WritingState::Stopped, &whole), (1, 1));
    assert_eq!(over(WritingState::Finished, &whole), (1, 1));
}
