use super::*;
use crate::state::conversation::tests::{answer, saved};
use crate::state::tests::Page;
use crate::worker::protocol::{
    AnswerView, AskRequest, OpenEvent, RepoView, Request, WriteEvent, WritingState, WrittenView,
};

const TODAY: f64 = 1_700_000_000_000.0;

fn is_open(request: &Request) -> bool {
    matches!(
        request,
        Request::Conversation(ConversationRequest::Open { .. })
    )
}

fn answered(question: &str, asked_at: f64, refined: bool) -> AnswerView {
    AnswerView {
        asked_at,
        ..answer(question, refined, &["a.py"])
    }
}

fn opened(id: u64, questions: &[(&str, f64)]) -> ConversationEvent {
    ConversationEvent::Opened(ConversationView {
        id: ConversationId(id),
        ..saved(questions)
    })
}

/// A page on which one question was asked and answered.
fn page() -> Page {
    let mut page = Page::new();
    page.ready("a");
    let job = page.ask("first?");
    page.event(job, answered("first?", TODAY, true));
    page
}

fn questions(page: &Page) -> Vec<&str> {
    let turns = page.state.conversation.turns.iter();
    turns.map(|turn| turn.question.as_str()).collect()
}

#[test]
fn a_question_is_asked_in_the_conversation_that_is_shown() {
    let mut page = page();
    let effects = page.state.new_conversation(TODAY);
    page.run(effects);
    page.ask("second?");
    let (_, request) = page.sent.last().unwrap();
    let expected = AskRequest {
        question: "second?".into(),
        conversation: ConversationId(TODAY as u64),
        earlier: Vec::new(),
        pipeline: None,
        leave: Default::default(),
    };
    assert_eq!(request, &expected.into());
    assert_eq!(questions(&page), ["second?"]);
}

#[test]
fn an_empty_conversation_is_new_already() {
    let mut page = Page::new();
    page.ready("a");
    assert_eq!(page.state.new_conversation(TODAY), []);
}

#[test]
fn two_conversations_of_one_millisecond_are_two() {
    let mut page = page();
    let mut ids = Vec::new();
    for question in ["a?", "b?"] {
        let effects = page.state.new_conversation(TODAY);
        page.run(effects);
        ids.push(page.state.conversation.id);
        page.ask(question);
    }
    assert_ne!(ids[0], ids[1]);
}

#[test]
fn a_question_asked_before_its_conversation_has_come_stays_after_it() {
    let mut page = page();
    let effects = page.state.open_conversation(ConversationId(5), None);
    page.run(effects);
    assert_eq!(questions(&page), [""; 0]);
    page.ask("now?");
    page.event(page.last(is_open), opened(5, &[("then?", 1.0)]));
    assert_eq!(questions(&page), ["then?", "now?"]);
}

#[test]
fn a_conversation_that_comes_late_does_not_replace_a_later_choice() {
    let mut page = page();
    let effects = page.state.open_conversation(ConversationId(5), None);
    page.run(effects);
    let early = page.last(is_open);
    let effects = page.state.open_conversation(ConversationId(6), None);
    page.run(effects);
    page.event(early, opened(5, &[("five?", 1.0)]));
    page.event(page.last(is_open), opened(6, &[("six?", 1.0)]));
    assert_eq!(questions(&page), ["six?"]);
}

#[test]
fn an_answer_that_comes_while_another_conversation_is_shown_is_fetched_on_return() {
    let mut page = page();
    let first = page.state.conversation.id;
    let asked = page.ask("slow?");
    page.more(asked, answered("slow?", TODAY + 5.0, false));
    let effects = page.state.open_conversation(ConversationId(5), None);
    page.run(effects);
    let effects = page.state.open_conversation(first, None);
    page.run(effects);
    let reopened = page.last(is_open);
    let both = [("first?", TODAY), ("slow?", TODAY + 5.0)];
    page.event(reopened, opened(first.0, &both));
    page.event(asked, answered("slow?", TODAY + 5.0, true));
    assert_ne!(page.last(is_open), reopened, "the saved answer is fetched");
    page.event(page.last(is_open), opened(first.0, &both));
    assert_eq!(questions(&page), ["first?", "slow?"]);
}

#[test]
fn a_models_answer_written_while_another_conversation_was_shown_is_fetched_on_return() {
    let mut page = page();
    let first = page.state.conversation.id;
    let turn = page.state.conversation.turns[0].id;
    let writing = page.begin(Purpose::Write(turn));
    for id in [ConversationId(5), first] {
        let effects = page.state.open_conversation(id, None);
        page.run(effects);
    }
    let opens = page.requests(is_open);
    let view = WrittenView {
        state: WritingState::Finished,
        ..WrittenView::default()
    };
    let patch = view.since(&WrittenView::default());
    page.event(writing, WriteEvent::Written(patch));
    assert_eq!(page.requests(is_open), opens + 1);
}

#[test]
fn an_answer_in_another_conversation_changes_nothing_in_the_shown_one() {
    let mut page = page();
    let asked = page.ask("slow?");
    let effects = page.state.open_conversation(ConversationId(5), None);
    page.run(effects);
    page.event(page.last(is_open), opened(5, &[("then?", 1.0)]));
    let opens = page.requests(is_open);
    page.event(asked, answered("slow?", TODAY, true));
    assert_eq!(questions(&page), ["then?"]);
    assert_eq!(page.requests(is_open), opens);
}

#[test]
fn a_found_turn_comes_into_view_when_its_conversation_has_come() {
    let mut page = page();
    let effects = page.state.open_conversation(ConversationId(5), Some(2.0));
    page.run(effects);
    assert_eq!(page.state.conversations.jump.0, None);
    page.event(page.last(is_open), opened(5, &[("a", 1.0), ("b", 2.0)]));
    let second = page.state.conversation.turns[1].id;
    assert_eq!(page.state.conversations.jump, (Some(second), 1));
    let effects = page.state.open_conversation(ConversationId(5), Some(2.0));
    assert_eq!(effects, [], "it is here already");
    assert_eq!(page.state.conversations.jump, (Some(second), 2));
}

#[test]
fn deleting_the_shown_conversation_leaves_an_empty_one_under_another_id() {
    let mut page = page();
    let id = page.state.conversation.id;
    let effects = page.state.delete_conversation(id, TODAY);
    page.run(effects);
    assert_ne!(page.state.conversation.id, id);
    assert!(page.state.conversation.turns.is_empty());
    let kept = ConversationId(99);
    let shown = page.state.conversation.id;
    let effects = page.state.delete_conversation(kept, TODAY);
    page.run(effects);
    assert_eq!(page.state.conversation.id, shown);
}

#[test]
fn a_conversation_is_named_by_the_user_or_else_after_its_first_question() {
    let mut page = Page::new();
    page.ready("a");
    let title = |page: &Page| page.state.conversation.shown_title().to_owned();
    assert_eq!(title(&page), "New conversation");
    page.ask("where?\nTraceback");
    assert_eq!(title(&page), "where?");
    let id = page.state.conversation.id;
    let effects = page.state.rename_conversation(id, " Release ");
    page.run(effects);
    assert_eq!(title(&page), "Release");
    let effects = page.state.rename_conversation(id, "");
    page.run(effects);
    assert_eq!(title(&page), "where?");
}

#[test]
fn a_rating_is_taken_back_by_giving_it_again() {
    let mut page = page();
    let turn = page.state.conversation.turns[0].id;
    for (given, kept) in [
        (Rating::Good, Some(Rating::Good)),
        (Rating::Bad, Some(Rating::Bad)),
        (Rating::Bad, None),
    ] {
        let effects = page.state.rate(turn, given);
        page.run(effects);
        assert_eq!(page.state.conversation.turns[0].rating, kept);
        let (_, request) = page.sent.last().unwrap();
        let expected = ConversationRequest::Rate {
            id: page.state.conversation.id,
            asked_at: TODAY,
            rating: kept,
        };
        assert_eq!(request, &Request::Conversation(expected));
    }
}

#[test]
fn another_repository_has_its_own_conversations() {
    let mut page = page();
    let (_, effects) = page.state.begin_open("b", 0.0);
    page.run(effects);
    assert_eq!(page.state.conversations, Conversations::default());
    let job = page.begin(Purpose::Open);
    let mut view: RepoView = crate::state::tests::repo("b");
    view.conversation = saved(&[("then?", 1.0)]);
    page.more(job, OpenEvent::Opened(view));
    assert_eq!(page.state.conversation.id, ConversationId(7));
    assert_eq!(questions(&page), ["then?"]);
}
