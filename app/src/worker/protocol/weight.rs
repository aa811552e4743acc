//! How much of an answer rests on each of its footnotes, as shown on the page.

use std::collections::BTreeMap;

use footnote_core::answer::review::Standing;
use footnote_core::answer::weight::{Weight, weights};

use super::{AnswerView, FootnoteView, WrittenView};

/// The weights of an answer's footnotes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WeightsView {
    /// Number of statements in the answer.
    pub statements: u32,
    each: BTreeMap<u32, Weight>,
}

impl WeightsView {
    fn new<'a>(
        statements: impl ExactSizeIterator<Item = &'a Vec<u32>>,
        standing: impl Fn(u32) -> Standing,
    ) -> Self {
        let count = statements.len() as u32;
        let standing = &standing;
        let cited = move |numbers: &'a Vec<u32>| {
            let numbers = numbers.iter();
            numbers.map(move |number| (*number, standing(*number)))
        };
        Self {
            statements: count,
            each: weights(statements.map(cited)),
        }
    }

    /// Returns the weight of the footnote with this number.
    pub fn of(&self, number: u32) -> Weight {
        self.each.get(&number).copied().unwrap_or_default()
    }

    /// The largest share of any footnote.
    pub fn most(&self) -> f32 {
        let shares = self.each.values().map(|weight| weight.share);
        shares.fold(0.0, f32::max)
    }

    /// Sorts footnotes by weight, heaviest first; those of equal weight by number.
    pub fn weightiest_first(&self, notes: &[FootnoteView]) -> Vec<FootnoteView> {
        let mut notes = notes.to_vec();
        notes.sort_by(|a, b| {
            let shares = (self.of(a.number).share, self.of(b.number).share);
            let by_share = shares.1.total_cmp(&shares.0);
            by_share.then(a.number.cmp(&b.number))
        });
        notes
    }

    /// `carries 3 of 7 statements`.
    pub fn told(&self, number: u32) -> String {
        match (self.of(number).statements, self.statements) {
            (0, _) => "carries no statement".to_owned(),
            (1, 1) => "carries the only statement".to_owned(),
            (some, all) => format!("carries {some} of {all} statements"),
        }
    }
}

impl AnswerView {
    /// The weights by sentences; the entries of a list below a sentence do not count as sentences.
    pub fn weights(&self) -> WeightsView {
        let statements = self.statements.iter().map(|statement| &statement.footnotes);
        WeightsView::new(statements, |number| standing(self.footnote(number)))
    }
}

impl WrittenView {
    /// Returns `None` for an answer of an earlier version, which did not store what each statement
    /// cites.
    pub fn weights(&self) -> Option<WeightsView> {
        if self.cited.len() != self.counts.statements() as usize {
            return None;
        }
        let note = |number| self.footnotes.iter().find(|note| note.number == number);
        Some(WeightsView::new(self.cited.iter(), |number| {
            standing(note(number))
        }))
    }
}

/// A number without a footnote proves nothing.
fn standing(note: Option<&FootnoteView>) -> Standing {
    note.map_or(Standing::Rejected, |note| note.check.verdict().standing())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::protocol::{CheckView, VerdictView};

    fn written(cited: &[&[u32]], checks: &[CheckView]) -> WrittenView {
        let note = |(number, check): (u32, &CheckView)| FootnoteView {
            number,
            check: check.clone(),
            ..FootnoteView::default()
        };
        WrittenView {
            footnotes: (1..).zip(checks).map(note).collect(),
            counts: cited.iter().map(|_| VerdictView::Proven).collect(),
            cited: cited.iter().map(|numbers| numbers.to_vec()).collect(),
            ..WrittenView::default()
        }
    }

    fn rejected() -> CheckView {
        CheckView::Rejected {
            original: String::new(),
            why: String::new(),
        }
    }

    #[test]
    fn footnotes_are_ordered_by_what_rests_on_them() {
        let checks = [
            rejected(),
            CheckView::LinesExist,
            CheckView::Proven,
            CheckView::LinesExist,
        ];
        let view = written(&[&[1, 2], &[3], &[3, 4], &[]], &checks);
        let weights = view.weights().unwrap();
        let order = weights.weightiest_first(&view.footnotes);
        let order: Vec<u32> = order.iter().map(|note| note.number).collect();
        assert_eq!(order, [3, 2, 4, 1]);
        let told = [1, 2, 3].map(|number| weights.told(number));
        assert_eq!(
            told,
            [
                "carries no statement",
                "carries 1 of 4 statements",
                "carries 2 of 4 statements"
            ]
        );
        assert_eq!(weights.most(), weights.of(3).share);
    }

    #[test]
    fn an_answer_that_does_not_say_what_its_statements_cite_has_no_weights() {
        let mut view = written(&[&[1]], &[CheckView::Proven]);
        assert!(view.weights().is_some());
        view.cited.clear();
        assert_eq!(view.weights(), None);
    }
}
