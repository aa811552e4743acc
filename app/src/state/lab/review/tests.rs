//! Reviewing a set with the keyboard, and importing files of other annotators.

use super::*;
use crate::worker::protocol::{
    Event, LabBegunView, LabEvent, LabJudgedView, LabReviewEvent, Part, Request, Told,
};

fn item(id: &str, kind: &str) -> LabItemView {
    LabItemView {
        id: id.to_owned(),
        kind: kind.to_owned(),
        question: format!("where is {id}?"),
        answer: format!("in {id}.py"),
        gold: Vec::new(),
    }
}

fn tell(state: &mut State, purpose: Purpose, event: LabEvent) {
    let job = state.begin(purpose, &LabRequest::Offer.into());
    let told = Told {
        job,
        part: Part::Last,
        event: Event::Lab(event),
    };
    state.receive(told, 0.0);
}

fn set(begun: LabBegunView) -> LabSetView {
    LabSetView {
        items: vec![item("a", "calls"), item("b", "calls"), item("c", "tests")],
        begun,
        ..LabSetView::default()
    }
}

/// Three questions, the first of which is current.
fn page() -> State {
    let mut state = State::default();
    let set = set(LabBegunView::default());
    tell(&mut state, Purpose::Lab, LabEvent::Set(set));
    state
}

fn put(effects: &[Effect]) -> &[LabReviewView] {
    match effects {
        [
            Effect::Send(
                Purpose::Rate,
                Request::Lab(LabRequest::Review(LabReviewRequest::Put(reviews))),
            ),
        ] => reviews,
        [] => &[],
        other => panic!("{other:?}"),
    }
}

fn listed(state: &State) -> Vec<&str> {
    let set = state.lab.set.as_ref().unwrap();
    let rows = state.lab.review.rows.as_ref().unwrap().iter();
    rows.map(|at| set.items[*at].id.as_str()).collect()
}

fn current(state: &State) -> &str {
    state.lab.review.current.as_deref().unwrap_or_default()
}

#[test]
fn the_same_rating_once_more_takes_it_back() {
    let mut state = page();
    let effects = state.give_rating(7);
    assert_eq!(
        (put(&effects)[0].id.as_str(), put(&effects)[0].rating),
        ("a", Some(7))
    );
    assert_eq!(state.lab.review.tally().rated, 1);
    let effects = state.give_rating(7);
    assert_eq!(put(&effects)[0].rating, None);
    assert_eq!(state.lab.review.tally(), Tally::default());
}

#[test]
fn dropped_questions_are_not_counted_and_can_be_restored() {
    let mut state = page();
    state.choose_all_reviews();
    let effects = state.decide(false);
    assert_eq!(put(&effects).len(), 3);
    assert_eq!(state.lab.kept(), 0);
    // One of them is kept after all; dropping them again drops both.
    state.decide_on(&["b".to_owned()], true);
    assert_eq!(state.lab.kept(), 1);
    assert_eq!(put(&state.decide(false)).len(), 1);
    assert_eq!(put(&state.decide(false)).len(), 3);
    assert_eq!(state.lab.kept(), 3);
}

#[test]
fn keys_act_on_the_selection_or_else_on_the_current_question() {
    let mut state = page();
    state.step_review(1);
    assert_eq!(put(&state.decide(true))[0].id, "b");
    state.choose_review("c");
    assert_eq!(put(&state.decide(true))[0].id, "c");
    assert_eq!(
        put(&state.tag_chosen(" odd , ,too long "))[0].tags,
        ["odd", "too long"]
    );
    assert_eq!(put(&state.tag_chosen("odd")), []);
    assert_eq!(put(&state.remove_tag("c", "odd"))[0].tags, ["too long"]);
}

#[test]
fn steps_end_at_the_ends_of_the_list() {
    let mut state = page();
    for (by, expected) in [
        (-1, "a"),
        (1, "b"),
        (isize::MAX, "c"),
        (1, "c"),
        (isize::MIN, "a"),
    ] {
        state.step_review(by);
        assert_eq!(current(&state), expected, "{by}");
    }
    state.choose_reviews_to("b");
    let chosen: Vec<&str> = state.lab.review.chosen.iter().map(String::as_str).collect();
    assert_eq!((chosen.as_slice(), current(&state)), (&["a", "b"][..], "b"));
}

#[test]
fn a_step_alone_does_not_draw_the_list_again() {
    let mut state = page();
    let before = state.lab.review.rows.clone();
    state.step_review(1);
    assert_eq!(state.lab.review.rows, before);
}

#[test]
fn a_question_stays_listed_until_it_is_left() {
    let mut state = page();
    state.filter_reviews(|filter| filter.which = Which::Unrated);
    state.give_rating(3);
    assert_eq!(listed(&state), ["a", "b", "c"]);
    state.step_review(1);
    assert_eq!((listed(&state), current(&state)), (vec!["b", "c"], "b"));
    state.filter_reviews(|filter| {
        filter.which = Which::All;
        filter.kind = "tests".to_owned();
    });
    assert_eq!((listed(&state), current(&state)), (vec!["c"], "c"));
    state.filter_reviews(|filter| filter.text = "NOWHERE".to_owned());
    assert_eq!((listed(&state), current(&state)), (vec![], ""));
    state.filter_reviews(|filter| {
        *filter = Filter {
            text: " B.py".to_owned(),
            ..Filter::default()
        };
    });
    assert_eq!(listed(&state), ["b"]);
}

#[test]
fn the_first_wording_is_not_an_edit_and_a_question_cannot_be_empty() {
    let mut state = page();
    let effects = state.reword("a", Wording::Question, " which file? ");
    assert_eq!(put(&effects)[0].question.as_deref(), Some("which file?"));
    let (question, answer) = state.lab.review.worded(&item("a", "calls"));
    assert_eq!(
        (question.as_str(), answer.as_str()),
        ("which file?", "in a.py")
    );
    let effects = state.reword("a", Wording::Question, "where is a?");
    assert_eq!(put(&effects)[0].question, None);
    assert_eq!(put(&state.reword("a", Wording::Question, " ")), []);
    let effects = state.reword("a", Wording::Answer, "");
    assert_eq!(put(&effects)[0].answer.as_deref(), Some(""));
}

fn agreement() -> LabAgreementView {
    let judged = |id: &str, is_disputed, rating| LabJudgedView {
        id: id.to_owned(),
        is_disputed,
        is_contested: false,
        said: vec![
            None,
            Some(LabSaidView {
                rating: Some(rating),
                ..LabSaidView::default()
            }),
        ],
    };
    LabAgreementView {
        annotators: vec!["Ada".to_owned(), "Ben".to_owned()],
        has_own: true,
        questions: vec![
            judged("c", true, 9),
            judged("a", true, 4),
            judged("b", false, 5),
        ],
        ..LabAgreementView::default()
    }
}

#[test]
fn disputed_questions_are_listed_the_worst_first() {
    let mut state = page();
    let effects = state.filter_reviews(|filter| filter.which = Which::Disputed);
    let asked = Effect::send(
        Purpose::Agreement,
        LabRequest::Review(LabReviewRequest::Agree),
    );
    assert_eq!((effects, listed(&state)), (vec![asked], vec![]));
    let event = LabReviewEvent::Agreement(agreement());
    tell(&mut state, Purpose::Agreement, LabEvent::Review(event));
    assert_eq!((listed(&state), current(&state)), (vec!["c", "a"], "c"));
    state.look_at_question("b");
    assert_eq!(listed(&state), ["b", "c", "a"]);
}

#[test]
fn the_users_current_values_stand_beside_those_of_others() {
    let mut state = page();
    assert_eq!(state.lab.review.said("a"), []);
    let held = LabHeldView {
        taken: vec![LabReviewView {
            id: "b".to_owned(),
            rating: Some(1),
            ..LabReviewView::default()
        }],
        told: vec!["ben.jsonl: 3 reviews by Ben.".to_owned()],
        agreement: agreement(),
    };
    let event = LabReviewEvent::Held(held);
    state.give_rating(8);
    tell(&mut state, Purpose::Review, LabEvent::Review(event));
    let said = state.lab.review.said("a");
    let ratings: Vec<_> = said
        .iter()
        .map(|(name, said)| (name.as_str(), said.and_then(|it| it.rating)))
        .collect();
    assert_eq!(ratings, [("You", Some(8)), ("Ben", Some(4))]);
    assert_eq!(state.lab.review.of("b").and_then(|it| it.rating), Some(1));
    assert_eq!(state.lab.review.told.len(), 1);
}

#[test]
fn a_changed_set_keeps_the_reviews_and_the_name() {
    let mut state = page();
    state.name_annotator(" Ada ");
    state.step_review(1);
    let begun = LabBegunView {
        reviews: vec![LabReviewView {
            id: "b".to_owned(),
            keep: Some(false),
            ..LabReviewView::default()
        }],
        ..LabBegunView::default()
    };
    tell(&mut state, Purpose::Lab, LabEvent::Set(set(begun)));
    assert_eq!(state.lab.review.annotator, "Ada");
    assert_eq!((current(&state), state.lab.kept()), ("b", 2));
    state.lab.review.failed(State::bad_input("no".to_owned()));
    assert_eq!(state.lab.kept(), 2);
}

#[test]
fn lines_are_asked_for_once_and_only_while_they_are_looked_at() {
    let mut state = page();
    assert_eq!(state.look_at_gold("b"), []);
    assert_eq!(state.look_at_gold("a").len(), 1);
    let lines = LabLinesView {
        id: "a".to_owned(),
        ..LabLinesView::default()
    };
    let event = LabReviewEvent::Lines(lines);
    tell(&mut state, Purpose::GoldLines, LabEvent::Review(event));
    assert_eq!(state.look_at_gold("a"), []);
}
