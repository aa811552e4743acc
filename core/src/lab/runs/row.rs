//! The result of a run for one question.

use std::collections::{BTreeMap, BTreeSet};

use crate::eval::{
    ContextPrediction, ContextScores, Item, Prediction, Scores, score, score_context,
};
use crate::lines::LineRange;

/// Files of a prediction that are stored; no metric looks further.
const FILES: usize = 10;
/// Distinct lines of a prediction that are stored; the largest budget of line recall.
const LINES: u64 = 800;

/// The result of a run for one question, with its scores. The prediction is stored too, so that old
/// runs can be scored again when a metric changes.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// The best 10 files, the whole set, and the ranges with the best 800 lines.
    pub prediction: Prediction,
    /// The context that a model would see; `None` for a strategy that only ranks.
    pub shown: Option<ContextPrediction>,
    /// The scores of the prediction. `None` in a row from a file of another version, until it is
    /// scored again.
    pub scores: Option<Scores>,
    /// The scores of the context; `None` in the same case, and if nothing is shown.
    pub context: Option<ContextScores>,
    /// Further figures that only the caller can measure, by key: `citation_accuracy` and
    /// `auto_citation`, between 0 and 1.
    pub more: BTreeMap<String, f64>,
}

impl Row {
    /// The row of a question, scored.
    pub fn new(item: &Item, prediction: Prediction, shown: Option<ContextPrediction>) -> Self {
        let scores = score(item, &prediction);
        let mut row = Self {
            prediction: trimmed(prediction),
            shown,
            ..Self::default()
        };
        row.context = row.shown.as_ref().map(|shown| score_context(item, shown));
        row.scores = Some(scores);
        row
    }

    /// Scores the stored prediction again; the question may have other gold files than before.
    pub fn rescore(&mut self, item: &Item) {
        self.scores = Some(score(item, &self.prediction));
        self.context = self.shown.as_ref().map(|shown| score_context(item, shown));
    }

    /// The row of a question that a run has no row for: nothing found and nothing shown.
    pub(super) fn absent(item: &Item) -> Self {
        let shown = Some(ContextPrediction::default());
        let mut row = Self::new(item, Prediction::default(), shown);
        row.more.insert("citation_accuracy".to_owned(), 0.0);
        row
    }

    /// The rank, from 1, of the first gold file among the stored files.
    pub fn rank(&self, item: &Item) -> Option<usize> {
        let files = &self.prediction.files;
        let first = files.iter().position(|path| item.gold_files.contains(path));
        first.map(|at| at + 1)
    }
}

/// Removes what no metric looks at.
fn trimmed(mut prediction: Prediction) -> Prediction {
    prediction.files.truncate(FILES);
    let mut seen: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    let mut n_lines = 0;
    let mut n_ranges = 0;
    for (path, lines) in &prediction.lines {
        if n_lines >= LINES {
            break;
        }
        n_lines += added(seen.entry(path).or_default(), *lines);
        n_ranges += 1;
    }
    prediction.lines.truncate(n_ranges);
    prediction
}

/// Number of lines that are new. A range may have billions of lines, so only as many as matter are
/// visited.
fn added(seen: &mut BTreeSet<u32>, lines: LineRange) -> u64 {
    let all = lines.start().0..=lines.end().0;
    let new = all.filter(|&line| seen.insert(line));
    new.take(LINES as usize).count() as u64
}
