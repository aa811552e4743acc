use super::super::conversation::tests::answer;
use super::super::tests::Page;
use crate::state::Purpose;
use crate::worker::protocol::{
    CheckView, FootnoteView, VerdictView, WriteEvent, WritingState, WrittenView,
};

#[test]
fn the_pane_shows_nothing_of_the_last_answer_beside_a_refusal() {
    let mut page = Page::new();
    page.ready("a");
    let job = page.ask("where?");
    page.event(job, answer("where?", true, &["a.py"]));
    assert_eq!(page.state.reader.path, "a.py");
    let job = page.ask("what about tea?");
    let mut refusal = answer("what about tea?", true, &[]);
    refusal.nothing = Some("Nothing on tea.".into());
    page.event(job, refusal);
    assert_eq!(page.state.reader.path, "");
    assert_eq!(page.state.reader.mark, None);
    let effects = page.state.open_file("b.py", None);
    page.run(effects);
    let job = page.ask("and coffee?");
    page.event(job, answer("and coffee?", true, &[]));
    assert_eq!(page.state.reader.path, "b.py", "the reader opened it");
}

#[test]
fn the_position_counts_the_footnotes_of_the_part_that_is_read() {
    let mut page = Page::new();
    page.ready("a");
    let job = page.ask("where?");
    page.event(job, answer("where?", true, &["a.py", "b.py"]));
    let turn = page.state.conversation.turns[0].id;
    let position = page.state.conversation.position().unwrap();
    assert_eq!((position.number, position.count), (Some(1), 2));
    assert_eq!(position.verdict, Some(VerdictView::Proven));
    let note = |number, check| FootnoteView {
        number,
        path: "a.py".into(),
        start: number,
        end: number,
        check,
        ..FootnoteView::default()
    };
    let instead = "Line 2 does.".to_owned();
    let view = WrittenView {
        state: WritingState::Finished,
        footnotes: vec![
            note(1, CheckView::Supported),
            note(2, CheckView::Contradicted { instead }),
            note(3, CheckView::LinesExist),
        ],
        ..WrittenView::default()
    };
    let job = page.begin(Purpose::Write(turn));
    let patch = view.since(&WrittenView::default());
    page.event(job, WriteEvent::Written(patch));
    let effects = page.state.step_footnote(1);
    page.run(effects);
    let position = page.state.conversation.position().unwrap();
    assert_eq!((position.number, position.count), (Some(2), 3));
    assert_eq!(position.verdict, Some(VerdictView::Contradicted));
}
