//! Which questions are listed, which one is current, and which are selected.

use std::collections::BTreeMap;

use super::Reviewing;
use crate::state::{Effect, Shared, State};
use crate::worker::protocol::LabItemView;

/// Which questions to list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Which {
    #[default]
    All,
    Unrated,
    Kept,
    Dropped,
    /// Those on which annotators disagree, the worst first.
    Disputed,
}

/// The choices with their names, in the order they are offered.
pub const WHICH: [(Which, &str); 5] = [
    (Which::All, "all"),
    (Which::Unrated, "not rated"),
    (Which::Kept, "kept"),
    (Which::Dropped, "dropped"),
    (Which::Disputed, "disputed, worst first"),
];

/// Filters the list; empty fields filter nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// A part of the question, its answer, its kind or a path.
    pub text: String,
    pub kind: String,
    pub tag: String,
    pub which: Which,
}

impl Reviewing {
    /// Lists the questions that pass the filter. The current question stays listed until another
    /// becomes current.
    pub(super) fn settle(&mut self, items: &[LabItemView]) {
        let wanted = self.filter.text.trim().to_lowercase();
        let is_listed = |item: &LabItemView| {
            self.current.as_ref() == Some(&item.id) || self.fits(item, &wanted)
        };
        let mut rows: Vec<usize> = match self.filter.which {
            Which::Disputed => self.disputed(items),
            _ => (0..items.len()).collect(),
        };
        rows.retain(|at| items.get(*at).is_some_and(&is_listed));
        // Avoids drawing the same rows again.
        if self.rows.as_ref().is_none_or(|known| **known != rows) {
            self.rows = Some(Shared::new(rows));
        }
    }

    /// The positions of the disputed questions, the worst first, with the current question in front
    /// if it is not one of them.
    fn disputed(&self, items: &[LabItemView]) -> Vec<usize> {
        let places = items.iter().enumerate();
        let places: BTreeMap<&str, usize> = places.map(|(at, it)| (it.id.as_str(), at)).collect();
        let judged = self.agreement.iter().flat_map(|it| &it.questions);
        let disputed = judged.filter(|it| it.is_disputed);
        let disputed: Vec<usize> = disputed
            .filter_map(|it| places.get(it.id.as_str()).copied())
            .collect();
        let current = self.current.as_deref().and_then(|id| places.get(id));
        let current = current.filter(|at| !disputed.contains(at)).copied();
        current.into_iter().chain(disputed).collect()
    }

    fn fits(&self, item: &LabItemView, wanted: &str) -> bool {
        let Filter {
            kind, tag, which, ..
        } = &self.filter;
        let review = self.of(&item.id);
        let keep = review.and_then(|it| it.keep);
        let is_which = match which {
            Which::All | Which::Disputed => true,
            Which::Unrated => review.is_none_or(|it| it.rating.is_none()),
            Which::Kept => keep == Some(true),
            Which::Dropped => keep == Some(false),
        };
        let has_tag = || tag.is_empty() || review.is_some_and(|it| it.tags.contains(tag));
        let is_kind = kind.is_empty() || item.kind == *kind;
        is_which && is_kind && has_tag() && (wanted.is_empty() || self.holds(item, wanted))
    }

    fn holds(&self, item: &LabItemView, wanted: &str) -> bool {
        let (question, answer) = self.worded(item);
        let mut paths = item.gold.iter().map(|gold| &gold.path);
        question.to_lowercase().contains(wanted)
            || answer.to_lowercase().contains(wanted)
            || item.kind.to_lowercase().contains(wanted)
            || paths.any(|path| path.to_lowercase().contains(wanted))
    }

    /// The row of the current question.
    pub fn row_of_current(&self, items: &[LabItemView]) -> Option<usize> {
        let current = self.current.as_ref()?;
        let mut rows = self.rows.as_ref()?.iter();
        rows.position(|at| items.get(*at).is_some_and(|item| item.id == *current))
    }
}

impl State {
    fn settle_reviews(&mut self) {
        if let Some(set) = self.lab.set.clone() {
            self.lab.review.settle(&set.items);
        }
    }

    /// Changes the filter, and makes the first listed question current.
    pub fn filter_reviews(&mut self, change: impl FnOnce(&mut Filter)) -> Vec<Effect> {
        let review = &mut self.lab.review;
        change(&mut review.filter);
        // A key must not change questions that are out of sight.
        review.chosen.clear();
        review.current = None;
        self.settle_reviews();
        self.look_at_row(0);
        let is_counted = self.lab.review.agreement.is_some() && !self.lab.review.is_stale;
        match self.lab.review.filter.which == Which::Disputed && !is_counted {
            true => self.count_agreement(),
            false => Vec::new(),
        }
    }

    pub(super) fn look_at_row(&mut self, row: usize) {
        let lab = &mut self.lab;
        let at = lab.review.rows.as_ref().and_then(|rows| rows.get(row));
        let set = lab.set.as_ref();
        let item = at.and_then(|at| set.and_then(|set| set.items.get(*at)));
        lab.review.current = item.map(|item| item.id.clone());
    }

    /// Makes a question the current one.
    pub fn look_at_question(&mut self, id: &str) {
        self.lab.review.current = Some(id.to_owned());
        self.settle_reviews();
    }

    /// Makes the question `by` rows further down the current one.
    pub fn step_review(&mut self, by: isize) {
        let lab = &mut self.lab;
        let Some(set) = lab.set.clone() else {
            return;
        };
        let last = lab.review.rows.as_ref().map_or(0, |rows| rows.len());
        let Some(last) = last.checked_sub(1) else {
            return;
        };
        let next = match lab.review.row_of_current(&set.items) {
            Some(row) => row.saturating_add_signed(by).min(last),
            None => 0,
        };
        self.look_at_row(next);
        // The question just left goes if it does not pass the filter.
        self.settle_reviews();
    }

    /// Selects a question, or deselects it.
    pub fn choose_review(&mut self, id: &str) {
        let chosen = &mut self.lab.review.chosen;
        if !chosen.remove(id) {
            chosen.insert(id.to_owned());
        }
    }

    /// Selects all rows from the current question to this one, which becomes current.
    pub fn choose_reviews_to(&mut self, id: &str) {
        let lab = &mut self.lab;
        let (Some(set), Some(rows)) = (&lab.set, lab.review.rows.clone()) else {
            return;
        };
        let id_at = |at: &usize| set.items.get(*at).map(|item| item.id.as_str());
        let to = rows.iter().position(|at| id_at(at) == Some(id));
        let from = lab.review.row_of_current(&set.items);
        if let (Some(from), Some(to)) = (from, to) {
            let range = rows.get(from.min(to)..=from.max(to)).unwrap_or_default();
            let ids = range.iter().filter_map(id_at).map(str::to_owned);
            lab.review.chosen.extend(ids);
        }
        self.look_at_question(id);
    }

    /// Selects all listed questions, or none if exactly these are selected.
    pub fn choose_all_reviews(&mut self) {
        let lab = &mut self.lab;
        let (Some(set), Some(rows)) = (&lab.set, &lab.review.rows) else {
            return;
        };
        let listed = rows.iter().filter_map(|at| set.items.get(*at));
        let listed: std::collections::BTreeSet<String> = listed.map(|it| it.id.clone()).collect();
        lab.review.chosen = match lab.review.chosen == listed {
            true => Default::default(),
            false => listed,
        };
    }
}
