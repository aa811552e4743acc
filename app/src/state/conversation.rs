//! Questions and what became of them.

mod reading;
mod text;

use super::Shared;
use super::writing::{Written, WrittenAnswer};
use crate::worker::protocol::{
    AnswerView, ConversationId, ConversationView, FootnoteView, Notice, Rating, TurnView,
    VerdictView,
};

pub use reading::{Coming, PAGE, Reading};
pub use text::{plain, to_json, to_markdown};

/// Identifies a turn; counts up within a visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TurnId(pub u32);

#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    pub id: TurnId,
    pub question: String,
    pub state: TurnState,
    /// How the turn's answer is shown.
    pub reading: Reading,
    /// What a language model wrote, if one was asked.
    pub written: Option<Written>,
    pub rating: Option<Rating>,
}

/// Who wrote the text that a footnote belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum By {
    /// Footnote itself, without a language model.
    Extract,
    Model,
}

impl By {
    /// Its name in HTML attributes.
    pub fn name(self) -> &'static str {
        match self {
            By::Extract => "extract",
            By::Model => "model",
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum TurnState {
    /// Asked before a repository was ready.
    Waiting,
    Asked,
    Answered(Shared<AnswerView>),
    Failed(Notice),
}

impl Turn {
    pub fn answer(&self) -> Option<&Shared<AnswerView>> {
        match &self.state {
            TurnState::Answered(answer) => Some(answer),
            _ => None,
        }
    }

    /// The question as it is searched for.
    pub fn searched(&self) -> &str {
        let answer = self.answer();
        answer.map_or(&self.question, |answer| answer.searched())
    }

    /// All footnotes of one part of the turn, in reading order.
    pub fn footnotes(&self, by: By) -> &[FootnoteView] {
        match by {
            By::Extract => self.answer().map_or(&[], |answer| &answer.footnotes),
            By::Model => self
                .written_answer()
                .map_or(&[], |written| &written.head.footnotes),
        }
    }

    /// Those of them that the reader sees: footnotes cited only by a closed list are left out.
    pub fn shown_footnotes(&self, by: By) -> Vec<&FootnoteView> {
        let all = self.footnotes(by).iter();
        match (by, self.answer()) {
            (By::Extract, Some(answer)) => {
                let seen = self.reading.seen(answer);
                all.filter(|note| seen.contains(&note.number)).collect()
            }
            _ => all.collect(),
        }
    }

    /// The part to read first.
    pub fn voice(&self) -> By {
        match self.footnotes(By::Model).is_empty() {
            true => By::Extract,
            false => By::Model,
        }
    }

    /// When it was asked, once it is answered: identifies the turn within its conversation.
    pub fn asked_at(&self) -> Option<f64> {
        self.answer().map(|answer| answer.asked_at)
    }
}

/// The footnote that the source pane shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Focus {
    pub turn: TurnId,
    pub by: By,
    pub number: u32,
    /// Whether the page chose it, not the user.
    pub automatic: bool,
}

/// The reader's position among the footnotes of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The number of the footnote in focus.
    pub number: Option<u32>,
    pub verdict: Option<VerdictView>,
    /// How many footnotes that part of the answer shows.
    pub count: usize,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conversation {
    pub id: ConversationId,
    /// The user's title; may be empty.
    pub title: String,
    /// A remark about the whole conversation for the reader.
    pub about: Option<String>,
    pub turns: Vec<Turn>,
    pub focus: Option<Focus>,
    next: u32,
}

impl Conversation {
    /// Adds a waiting question.
    pub fn push(&mut self, question: &str) -> TurnId {
        self.next += 1;
        let id = TurnId(self.next);
        self.turns.push(Turn {
            id,
            question: question.to_owned(),
            state: TurnState::Waiting,
            reading: Reading::default(),
            written: None,
            rating: None,
        });
        id
    }

    /// The questions before a turn that did not fail, oldest first: a follow-up can refer to them.
    pub fn before(&self, id: TurnId) -> Vec<String> {
        let before = self.turns.iter().take_while(|turn| turn.id != id);
        let asked = before.filter(|turn| !matches!(turn.state, TurnState::Failed(_)));
        asked.map(|turn| turn.question.clone()).collect()
    }

    pub fn get(&self, id: TurnId) -> Option<&Turn> {
        self.turns.iter().find(|turn| turn.id == id)
    }

    pub fn get_mut(&mut self, id: TurnId) -> Option<&mut Turn> {
        self.turns.iter_mut().find(|turn| turn.id == id)
    }

    pub fn remove(&mut self, id: TurnId) {
        self.turns.retain(|turn| turn.id != id);
    }

    /// An empty conversation to replace this one. The turn ids go on counting.
    pub fn replaced_by(&self, id: ConversationId) -> Self {
        Self {
            id,
            next: self.next,
            ..Self::default()
        }
    }

    /// Merges a saved conversation. It replaces answers that are already here; the others go before
    /// questions asked later and before unanswered ones.
    pub fn take_in(&mut self, saved: &ConversationView) {
        self.id = saved.id;
        self.title.clone_from(&saved.title);
        self.about.clone_from(&saved.about);
        for TurnView { answer, rating } in &saved.turns {
            let id = match self.turn_at(answer.asked_at) {
                Some(known) => known.id,
                None => self.insert(&answer.question, answer.asked_at),
            };
            if let Some(turn) = self.get_mut(id) {
                let mut answer = answer.clone();
                if let Some(written) = answer.written.take() {
                    turn.written = Some(Written::Answer(WrittenAnswer::new(written)));
                }
                turn.show(Shared::new(answer), 0.0);
                turn.rating = *rating;
            }
        }
    }

    /// The turn asked at `asked_at`.
    pub fn turn_at(&self, asked_at: f64) -> Option<&Turn> {
        let is_it = |turn: &&Turn| turn.asked_at() == Some(asked_at);
        self.turns.iter().find(is_it)
    }

    /// Inserts a turn before all that were asked later.
    fn insert(&mut self, question: &str, asked_at: f64) -> TurnId {
        let id = self.push(question);
        let later = |turn: &Turn| turn.asked_at().is_none_or(|at| at > asked_at);
        let at = self.turns.iter().position(later);
        if let (Some(at), Some(turn)) = (at, self.turns.pop()) {
            self.turns.insert(at, turn);
        }
        id
    }

    /// Drops everything but the waiting questions, for the next repository.
    pub fn keep_waiting(&mut self) {
        let mut turns = std::mem::take(&mut self.turns);
        turns.retain(|turn| turn.state == TurnState::Waiting);
        *self = self.replaced_by(ConversationId::default());
        self.turns = turns;
    }

    /// Takes over a turn from another conversation of this visit.
    pub fn take_over(&mut self, turn: Turn) {
        self.next = self.next.max(turn.id.0);
        self.turns.push(turn);
    }

    pub fn waiting(&self) -> Vec<TurnId> {
        self.turns
            .iter()
            .filter(|turn| turn.state == TurnState::Waiting)
            .map(|turn| turn.id)
            .collect()
    }

    /// Handles an answer that arrived at `now`, by the page's clock.
    pub fn answered(&mut self, id: TurnId, answer: Shared<AnswerView>, now: f64) -> Coming {
        match self.get_mut(id) {
            Some(turn) => turn.answered(answer, now),
            None => Coming::Updates,
        }
    }

    pub fn failed(&mut self, id: TurnId, notice: Notice) {
        match self.get_mut(id) {
            // An answer by words is better than none; keep it.
            Some(turn) if turn.answer().is_some() => self.settle(id),
            Some(turn) => turn.state = TurnState::Failed(notice),
            None => {}
        }
    }

    /// No better answer will come: the present one is final. A question without an answer is
    /// removed.
    pub fn settle(&mut self, id: TurnId) {
        match self.get_mut(id) {
            Some(turn) if turn.answer().is_some() => turn.settle(),
            Some(turn) if turn.state == TurnState::Asked => self.remove(id),
            _ => {}
        }
    }

    /// The turn that the outline and the evidence refer to: the one in focus, else the last
    /// answered.
    pub fn current(&self) -> Option<&Turn> {
        let focused = self.focus.and_then(|focus| self.get(focus.turn));
        focused.or_else(|| self.turns.iter().rev().find(|turn| turn.answer().is_some()))
    }

    /// The reader's position among the footnotes of the current turn, if it has any.
    pub fn position(&self) -> Option<Position> {
        let turn = self.current()?;
        let focus = self.focus.filter(|focus| focus.turn == turn.id);
        let voice = focus.map_or(turn.voice(), |focus| focus.by);
        let count = turn.shown_footnotes(voice).len();
        (count > 0).then_some(Position {
            number: focus.map(|focus| focus.number),
            verdict: self.focused().map(|note| note.check.verdict()),
            count,
        })
    }

    /// The footnote in focus.
    pub fn focused(&self) -> Option<&FootnoteView> {
        let focus = self.focus?;
        let notes = self.get(focus.turn)?.footnotes(focus.by);
        notes.iter().find(|note| note.number == focus.number)
    }

    /// The focus moved by `by` footnotes within the current turn, wrapping around.
    pub fn step(&self, by: i32) -> Option<Focus> {
        let turn = self.current()?;
        let focus = self.focus.filter(|focus| focus.turn == turn.id);
        let voice = focus.map_or(turn.voice(), |focus| focus.by);
        // A rejected footnote leads nowhere, so it is skipped.
        let mut notes = turn.shown_footnotes(voice);
        notes.retain(|note| note.check.leads_somewhere());
        let count = notes.len() as i32;
        if count == 0 {
            return None;
        }
        let position =
            focus.and_then(|focus| notes.iter().position(|note| note.number == focus.number));
        let next = match position {
            Some(at) => (at as i32 + by).rem_euclid(count),
            None if by > 0 => 0,
            None => count - 1,
        };
        Some(Focus {
            turn: turn.id,
            by: voice,
            number: notes.get(next as usize)?.number,
            automatic: false,
        })
    }
}

#[cfg(test)]
pub(super) mod tests;
