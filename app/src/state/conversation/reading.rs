//! How an answer is shown: whether a better one may replace it while it is being read, and which of
//! its lists are open.

use std::collections::{BTreeMap, BTreeSet};

use super::{Turn, TurnState};
use crate::state::Shared;
use crate::worker::protocol::AnswerView;

/// An answer on the screen for longer than this, in milliseconds, counts as being read.
const READ_AFTER: f64 = 1_000.0;
/// How many entries of a list are shown at once.
pub const PAGE: usize = 200;

/// What happens to an answer that arrives for a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coming {
    /// It is shown, replacing an earlier answer if there was one.
    Replaces,
    /// It reads the same: only numbers around the text change.
    Updates,
    /// The reader is reading the present answer; the better one is offered.
    Waits,
}

/// Decides that; `shown_for` is how long the present answer has been on the screen, in
/// milliseconds.
fn coming(shown: Option<&AnswerView>, came: &AnswerView, shown_for: f64) -> Coming {
    match shown {
        Some(shown) if shown.reads_as(came) => Coming::Updates,
        Some(_) if shown_for > READ_AFTER => Coming::Waits,
        _ => Coming::Replaces,
    }
}

/// The lists that their sentences introduce.
fn open_from_the_start(answer: &AnswerView) -> BTreeMap<usize, usize> {
    let statements = answer.statements.iter().enumerate();
    let introduced = statements.filter(|(_, statement)| statement.introduces());
    introduced.map(|(at, _)| (at, PAGE)).collect()
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// Counts up each time the text is replaced.
    pub text: u32,
    /// When the text appeared, by the page's clock.
    since: f64,
    /// A better answer that the reader has not asked to see yet.
    pub better: Option<Shared<AnswerView>>,
    /// The statements whose lists are open, by position in the answer, and how many entries of each
    /// may be shown.
    open: BTreeMap<usize, usize>,
}

impl Reading {
    /// How many of the `count` entries below a statement are shown, if its list is open.
    pub fn shown(&self, statement: usize, count: usize) -> Option<usize> {
        self.open.get(&statement).map(|most| count.min(*most))
    }

    pub fn toggle(&mut self, statement: usize) {
        if self.open.remove(&statement).is_none() {
            self.open.insert(statement, PAGE);
        }
    }

    pub fn more(&mut self, statement: usize) {
        if let Some(most) = self.open.get_mut(&statement) {
            *most += PAGE;
        }
    }

    /// The numbers of the footnotes that all sentences and all shown entries cite.
    pub fn seen(&self, answer: &AnswerView) -> BTreeSet<u32> {
        let mut seen = BTreeSet::new();
        for (at, statement) in answer.statements.iter().enumerate() {
            let items = &statement.items;
            let shown = self.shown(at, items.len()).unwrap_or(0);
            seen.extend(statement.footnotes.iter().copied());
            seen.extend(items.iter().take(shown).map(|item| item.footnote));
        }
        seen
    }
}

impl Turn {
    /// Handles an answer that arrived at `now`.
    pub(super) fn answered(&mut self, answer: Shared<AnswerView>, now: f64) -> Coming {
        let shown = self.answer().map(|shown| &**shown);
        let coming = coming(shown, &answer, now - self.reading.since);
        match coming {
            Coming::Replaces => self.show(answer, now),
            Coming::Updates => self.state = TurnState::Answered(answer),
            Coming::Waits => {
                self.settle();
                self.reading.better = Some(answer);
            }
        }
        coming
    }

    /// Shows an answer whatever is there. If its text is already there, its lists and its age stay.
    pub(super) fn show(&mut self, answer: Shared<AnswerView>, now: f64) {
        let is_there = self.answer().is_some_and(|shown| shown.reads_as(&answer));
        self.reading.better = None;
        if !is_there {
            self.reading.open = open_from_the_start(&answer);
            self.reading.text += 1;
            self.reading.since = now;
        }
        self.state = TurnState::Answered(answer);
    }

    /// Shows the better answer; returns whether there was one.
    pub fn show_better(&mut self) -> bool {
        let Some(better) = self.reading.better.take() else {
            return false;
        };
        self.show(better, self.reading.since);
        true
    }

    /// Marks the shown answer as final.
    pub(super) fn settle(&mut self) {
        let Some(answer) = self.answer().filter(|answer| !answer.refined) else {
            return;
        };
        let settled = AnswerView {
            refined: true,
            ..(**answer).clone()
        };
        self.state = TurnState::Answered(Shared::new(settled));
    }
}

#[cfg(test)]
mod tests {
    use super::super::Conversation;
    use super::super::tests::{answer, with_list};
    use super::*;
    use crate::worker::protocol::SpanView;

    /// A turn whose first answer, by words, arrived at 5,000 ms.
    fn turn(first: AnswerView) -> Turn {
        let mut talk = Conversation::default();
        talk.push("q");
        let mut turn = talk.turns.remove(0);
        assert_eq!(turn.answered(Shared::new(first), 5_000.0), Coming::Replaces);
        turn
    }

    fn paths(turn: &Turn) -> Vec<&str> {
        let notes = turn.answer().map_or(&[][..], |answer| &answer.footnotes);
        notes.iter().map(|note| note.path.as_str()).collect()
    }

    #[test]
    fn a_list_that_its_sentence_introduces_is_open_from_the_start() {
        let mut introduced = with_list(3);
        let words = |text: &str| vec![SpanView::Text(text.to_owned())];
        introduced.statements[0].spans = words("It does 3 things in the order of its lines:");
        let mut turn = turn(introduced.clone());
        assert_eq!(turn.reading.shown(0, 3), Some(3));
        turn.reading.toggle(0);
        assert_eq!(turn.reading.shown(0, 3), None);
        introduced.statements[0].spans = words("It does 3 things.");
        turn.show(Shared::new(introduced), 6_000.0);
        assert_eq!(turn.reading.shown(0, 3), None);
    }

    #[test]
    fn another_answer_replaces_the_first_only_before_it_is_read() {
        for (now, expected, shown) in [
            (5_900.0, Coming::Replaces, "b"),
            (6_000.0, Coming::Replaces, "b"),
            (6_001.0, Coming::Waits, "a"),
        ] {
            let mut turn = turn(answer("q", false, &["a"]));
            let better = Shared::new(answer("q", true, &["b"]));
            assert_eq!(turn.answered(better, now), expected, "at {now}");
            assert_eq!(paths(&turn), [shown]);
            assert!(
                turn.answer().is_some_and(|answer| answer.refined),
                "nothing more comes"
            );
            assert_eq!(turn.reading.better.is_some(), expected == Coming::Waits);
        }
    }

    #[test]
    fn the_better_answer_is_shown_when_it_is_wanted() {
        let mut turn = turn(answer("q", false, &["a"]));
        turn.answered(Shared::new(answer("q", true, &["b"])), 9_000.0);
        let text = turn.reading.text;
        assert!(turn.show_better());
        assert_eq!((paths(&turn), turn.reading.text), (vec!["b"], text + 1));
        assert!(!turn.show_better(), "there is no other");
    }

    #[test]
    fn the_text_and_its_open_lists_stay_when_only_numbers_differ() {
        let first = AnswerView {
            refined: false,
            ..with_list(3)
        };
        let mut turn = turn(first);
        turn.reading.toggle(0);
        let text = turn.reading.text;
        let later = AnswerView {
            milliseconds: 2_000.0,
            compared_by_meaning: 50,
            ..with_list(3)
        };
        assert_eq!(turn.answered(Shared::new(later), 9_000.0), Coming::Updates);
        assert_eq!(turn.answer().map(|it| it.compared_by_meaning), Some(50));
        assert_eq!(
            (turn.reading.text, turn.reading.shown(0, 3)),
            (text, Some(3))
        );
        turn.show(Shared::new(answer("q", true, &["b"])), 0.0);
        assert_eq!(
            turn.reading.shown(0, 3),
            None,
            "another text has other lists"
        );
    }

    #[test]
    fn a_long_list_is_shown_in_parts_and_closed_with_its_footnotes() {
        let mut turn = turn(with_list(450));
        let shown = |turn: &Turn| {
            let notes = turn.shown_footnotes(super::super::By::Extract).len();
            (turn.reading.shown(0, 450), notes)
        };
        assert_eq!(
            shown(&turn),
            (None, 1),
            "the sentence has a footnote of its own"
        );
        turn.reading.more(0);
        assert_eq!(shown(&turn), (None, 1), "it is closed");
        turn.reading.toggle(0);
        assert_eq!(shown(&turn), (Some(200), 200));
        turn.reading.more(0);
        turn.reading.more(0);
        assert_eq!(shown(&turn), (Some(450), 450));
        turn.reading.toggle(0);
        assert_eq!(shown(&turn), (None, 1));
    }
}
