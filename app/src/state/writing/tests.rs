use footnote_core::model::protocol::{Kind, Service};

use super::super::connection::{Connection, Consent, Remembered};
use super::super::conversation::tests::answer;
use super::super::tests::Page;
use super::*;
use crate::worker::protocol::{
    Event, FootnoteView, InlineView, JobId, OutgoingPartView, PlaceView, Request,
};

/// A page with an open repository and a connected model.
fn connected(has_consent: bool) -> Page {
    let mut page = Page::new();
    page.ready("repo");
    let service = Service::new(Kind::OLLAMA, "localhost:11434").unwrap();
    page.state.connection = Connection {
        remembered: Remembered {
            consent: has_consent.then(|| Consent {
                address: service.base.clone(),
                model: "m".into(),
                bytes: 200,
            }),
            service: Some(service),
            model: "m".into(),
            ..Remembered::default()
        },
        is_open: true,
        ..Connection::default()
    };
    page
}

/// Asks a question and delivers the final answer without a model. Returns the request to write that
/// follows.
fn asked(page: &mut Page, question: &str) -> (TurnId, JobId, WriteView) {
    let effects = page.state.ask(question);
    page.run(effects);
    let (job, _) = page.sent.last().cloned().unwrap();
    page.event(job, answer(question, true, &["a.py"]));
    let turn = page.state.conversation.turns.last().unwrap().id;
    let (job, write) = last_write(page);
    (turn, job, write)
}

fn last_write(page: &Page) -> (JobId, WriteView) {
    let write = page
        .sent
        .iter()
        .rev()
        .find_map(|(job, request)| match request {
            Request::Write(write) => Some((*job, write.clone())),
            _ => None,
        });
    write.unwrap()
}

fn outgoing(page: &mut Page, job: JobId) -> OutgoingView {
    let view = outgoing_view();
    page.event(job, WriteEvent::Outgoing(view.clone()));
    view
}

fn outgoing_view() -> OutgoingView {
    let place = PlaceView {
        path: "a.py".into(),
        start: 1,
        end: 9,
    };
    OutgoingView {
        url: "u".into(),
        origin: "o".into(),
        model: "m".into(),
        parts: vec![OutgoingPartView {
            place,
            left_out: vec![(3, 4)],
            tokens: 5,
            is_kept: true,
        }],
        files: 1,
        lines: 9,
        tokens: 50,
        window: 8_000,
        bytes: 200,
        headers: Vec::new(),
        body: "{}".into(),
        rewrites_first: false,
        standalone: None,
        spent: Tally::default(),
    }
}

fn view(texts: &[&str], state: WritingState) -> WrittenView {
    let block = |text: &&str| BlockView::Paragraph(vec![InlineView::Text((*text).into())]);
    WrittenView {
        text: texts.join("\n\n"),
        blocks: texts.iter().map(block).collect(),
        state,
        ..WrittenView::default()
    }
}

#[test]
fn nothing_is_sent_before_the_user_has_seen_what() {
    let mut page = connected(false);
    let (turn, job, write) = asked(&mut page, "how");
    assert_eq!(write.permission, Permission::Preview);
    let place = outgoing(&mut page, job).parts[0].place.clone();
    // Taking lines out only requests a new preview.
    let effects = page.state.toggle_evidence(turn, &place);
    page.run(effects);
    let (job, write) = last_write(&page);
    assert_eq!(
        (write.permission, write.without.len()),
        (Permission::Preview, 1)
    );
    let offered = OfferedView {
        place: place.clone(),
        left_out: vec![(3, 4)],
    };
    assert_eq!(write.offered, Some(vec![offered]));
    outgoing(&mut page, job);
    let effects = page.state.send_reviewed(turn);
    page.run(effects);
    let (_, write) = last_write(&page);
    assert_eq!(
        (write.permission, write.without),
        (Permission::Reviewed, vec![place])
    );
    // From now on questions to this service are sent at once, up to half as much again as the 200
    // bytes.
    let (_, _, write) = asked(&mut page, "and why");
    assert_eq!(write.permission, Permission::UpTo(300));
}

#[test]
fn a_request_larger_than_agreed_is_shown_with_the_reason_instead_of_an_answer() {
    let mut page = connected(true);
    let (turn, job, _) = asked(&mut page, "how");
    let begun = view(&[], WritingState::Rewriting);
    page.more(
        job,
        WriteEvent::Written(begun.since(&WrittenView::default())),
    );
    let small = outgoing_view();
    assert_eq!(page.state.connection.why_again(&small), None);
    let large = OutgoingView {
        bytes: 301,
        standalone: Some("How does it send?".into()),
        spent: Tally {
            requests: 1,
            tokens: 40,
            bytes: 150,
        },
        ..small
    };
    let why = page.state.connection.why_again(&large).unwrap();
    assert!(why.contains("over 50 % more"), "{why}");
    page.event(job, WriteEvent::Outgoing(large.clone()));
    assert!(matches!(
        page.state.written(turn),
        Some(Written::Review { .. })
    ));
    let effects = page.state.send_reviewed(turn);
    page.run(effects);
    let (_, write) = last_write(&page);
    assert_eq!(write.permission, Permission::Reviewed);
    assert_eq!(
        write.standalone, large.standalone,
        "it is not reworded twice"
    );
    assert_eq!(
        write.spent, large.spent,
        "what was sent already still counts"
    );
    assert_eq!(page.state.connection.permission(), Permission::UpTo(451));
}

#[test]
fn another_model_is_another_recipient_and_the_page_says_so() {
    let mut page = connected(true);
    page.state.connection.remembered.model = "other".into();
    let (_, _, write) = asked(&mut page, "how");
    assert_eq!(write.permission, Permission::Preview);
    let why = page.state.connection.why_again(&outgoing_view()).unwrap();
    assert!(why.contains("You agreed to send to m at"), "{why}");
}

#[test]
fn silence_is_reported_until_data_arrives_or_the_answer_ends() {
    let mut page = connected(true);
    page.state.connection.remembered.patience_s = Some(5);
    let (turn, job, write) = asked(&mut page, "how");
    assert_eq!(write.patience_s, 5);
    let half = WrittenView {
        origin: "http://localhost:11434".into(),
        ..view(&["half"], WritingState::Writing)
    };
    page.more(
        job,
        WriteEvent::Written(half.since(&WrittenView::default())),
    );
    let said = |page: &Page| {
        let turn = page.state.conversation.get(turn).unwrap();
        turn.written_answer().unwrap().silence()
    };
    assert_eq!(said(&page), None);
    page.more(job, WriteEvent::Silence(Some(5)));
    assert_eq!(
        said(&page).unwrap(),
        "No data from localhost:11434 for 5 seconds"
    );
    page.more(job, WriteEvent::Silence(None));
    assert_eq!(said(&page), None);
    page.more(job, WriteEvent::Silence(Some(10)));
    page.event(job, Event::Cancelled);
    assert_eq!(said(&page), None, "it ended");
}

#[test]
fn a_declined_request_is_not_sent_and_can_be_made_later() {
    let mut page = connected(false);
    let (turn, job, _) = asked(&mut page, "how");
    outgoing(&mut page, job);
    let sent = page.sent.len();
    page.state.decline(turn);
    assert_eq!(page.sent.len(), sent);
    assert_eq!(page.state.written(turn), None);
    let effects = page.state.write_again(turn);
    page.run(effects);
    assert_eq!(last_write(&page).1.permission, Permission::Preview);
}

#[test]
fn blocks_that_did_not_change_stay_the_same_objects() {
    let mut page = connected(true);
    let (turn, job, _) = asked(&mut page, "how");
    let empty = WrittenView::default();
    let first = view(&["a", "b"], WritingState::Writing);
    page.more(job, WriteEvent::Written(first.since(&empty)));
    let kept = page.state.conversation.get(turn).unwrap().written_answer();
    let kept = kept.unwrap().blocks[0].clone();
    let second = view(&["a", "b c", "d"], WritingState::Finished);
    page.event(job, WriteEvent::Written(second.since(&first)));
    let now = page.state.conversation.get(turn).unwrap().written_answer();
    let now = now.unwrap();
    assert_eq!(now.blocks[0], kept, "the same object");
    assert_eq!(
        (now.blocks.len(), now.head.text.as_str()),
        (3, "a\n\nb c\n\nd")
    );
}

#[test]
fn a_stop_and_a_failure_keep_what_had_come() {
    for (event, state) in [
        (Event::Cancelled, WritingState::Stopped),
        (Event::Failed(notice()), WritingState::Failed(notice())),
    ] {
        let mut page = connected(true);
        let (turn, job, _) = asked(&mut page, "how");
        let some = view(&["half"], WritingState::Writing);
        let patch = some.since(&WrittenView::default());
        page.more(job, WriteEvent::Written(patch));
        page.event(job, event);
        let turn = page.state.conversation.get(turn).unwrap();
        let written = turn.written_answer().unwrap();
        assert_eq!(
            (&written.head.state, written.head.text.as_str()),
            (&state, "half")
        );
    }
}

fn notice() -> Notice {
    Notice {
        what: "Gone.".into(),
        next: "Again.".into(),
        kind: crate::worker::protocol::NoticeKind::Service,
    }
}

#[test]
fn a_follow_up_includes_the_conversation_before_it() {
    let mut page = connected(true);
    let (_, job, write) = asked(&mut page, "how");
    assert!(write.history.is_empty());
    let said = view(&["It is so."], WritingState::Finished);
    let patch = said.since(&WrittenView::default());
    page.event(job, WriteEvent::Written(patch));
    let (_, _, write) = asked(&mut page, "and why");
    assert_eq!(write.history.len(), 1);
    assert_eq!(write.history[0].answer, "It is so.");
}

#[test]
fn a_written_answer_is_copied_with_the_outcome_of_each_check() {
    use crate::worker::protocol::{CheckView, VerdictView};
    let written = WrittenView {
        text: "It sends [a.py:1-2]. It lies [b.py:9].".into(),
        footnotes: vec![
            FootnoteView {
                number: 1,
                path: "a.py".into(),
                start: 1,
                end: 2,
                why: "names: send".into(),
                check: CheckView::Supported,
                is_imported: false,
            },
            FootnoteView {
                number: 2,
                path: String::new(),
                start: 0,
                end: 0,
                why: String::new(),
                check: CheckView::Rejected {
                    original: "[b.py:9]".into(),
                    why: "there is no such file".into(),
                },
                is_imported: false,
            },
        ],
        counts: [VerdictView::Supported, VerdictView::Rejected]
            .into_iter()
            .collect(),
        ..WrittenView::default()
    };
    assert_eq!(
        to_markdown("How?", &written),
        "**How?**\n\nIt sends [a.py:1-2]. It lies [b.py:9].\n\nSources, checked by Footnote \
         (1 supported (names found, meaning not checked), 1 rejected):\n\
         1. `a.py:1-2` (supported: names: send)\n2. (rejected: was [b.py:9]: there is no such file)\n"
    );
}

#[test]
fn the_walk_through_footnotes_skips_rejected_ones() {
    use crate::worker::protocol::CheckView;
    let mut page = connected(true);
    let (turn, job, _) = asked(&mut page, "how");
    let note = |number, check| FootnoteView {
        number,
        path: "a.py".into(),
        start: number,
        end: number,
        why: String::new(),
        check,
        is_imported: false,
    };
    let rejected = CheckView::Rejected {
        original: "[x:1]".into(),
        why: "no".into(),
    };
    let mut said = view(&["It is so."], WritingState::Finished);
    said.footnotes = vec![
        note(1, CheckView::Proven),
        note(2, rejected),
        note(3, CheckView::Proven),
    ];
    let patch = said.since(&WrittenView::default());
    page.event(job, WriteEvent::Written(patch));
    let focus = page.state.conversation.focus.unwrap();
    assert_eq!((focus.turn, focus.by, focus.number), (turn, By::Model, 1));
    let effects = page.state.step_footnote(1);
    page.run(effects);
    assert_eq!(page.state.conversation.focus.unwrap().number, 3);
}
