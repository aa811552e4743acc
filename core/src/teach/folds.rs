//! The questions in parts that are left out in turn: three of questions, whose words nothing that
//! is learnt has too, and one of files, with all questions that lead to them. People ask about
//! files that no taught question leads to as well, and the gate has to see that.

use std::collections::{BTreeMap, BTreeSet};

use super::examples::Known;
use crate::index::question_tokens;
use crate::random::Random;
use crate::source::FileId;

/// Parts of the questions.
pub(super) const FOLDS: usize = 4;

/// The part of files.
const OF_FILES: usize = FOLDS - 1;

/// A file that this share of all questions leads to is not left out: the rest would be another
/// repository.
const LARGEST: f64 = 0.1;

/// The part of each question, by its place.
pub(super) struct Folds {
    parts: Vec<usize>,
    /// Questions of other parts that lead to files of the part of files.
    touched: BTreeSet<usize>,
}

impl Folds {
    pub(super) fn new(known: &[Known], seed: u64) -> Self {
        let mut random = Random::new(seed);
        let left_out = left_out(known, &mut random);
        let mut parts = vec![OF_FILES; known.len()];
        let mut touched = BTreeSet::new();
        let mut groups: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
        for (at, known) in known.iter().enumerate() {
            let n = known.example.files.iter();
            let n = n.filter(|file| left_out.contains(file)).count();
            if n > 0 && n == known.example.files.len() {
                continue;
            }
            if n > 0 {
                touched.insert(at);
            }
            let mut words = question_tokens(&known.example.question);
            words.sort_unstable();
            words.dedup();
            groups.entry(words).or_default().push(at);
        }
        let mut groups: Vec<Vec<usize>> = groups.into_values().collect();
        random.shuffle(&mut groups);
        for (fold, group) in groups.into_iter().enumerate() {
            for at in group {
                if let Some(part) = parts.get_mut(at) {
                    *part = fold % OF_FILES;
                }
            }
        }
        Self { parts, touched }
    }

    /// The questions of a part.
    pub(super) fn within(&self, fold: usize) -> Vec<usize> {
        self.places(|at| self.of(at) == fold)
    }

    /// All others that have nothing to do with it.
    pub(super) fn without(&self, fold: usize) -> Vec<usize> {
        let is_near = |at: usize| fold == OF_FILES && self.touched.contains(&at);
        self.places(|at| self.of(at) != fold && !is_near(at))
    }

    /// All questions.
    pub(super) fn all(&self) -> Vec<usize> {
        self.places(|_| true)
    }

    /// The part of a question.
    pub(super) fn of(&self, at: usize) -> usize {
        self.parts.get(at).copied().unwrap_or_default()
    }

    fn places(&self, is_wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        (0..self.parts.len()).filter(|at| is_wanted(*at)).collect()
    }
}

/// Drawn files that a part of all questions leads to.
fn left_out(known: &[Known], random: &mut Random) -> BTreeSet<FileId> {
    let mut counts: BTreeMap<FileId, usize> = BTreeMap::new();
    for file in known.iter().flat_map(|known| &known.example.files) {
        *counts.entry(*file).or_default() += 1;
    }
    let most = (known.len() as f64 * LARGEST).max(2.0) as usize;
    let mut files: Vec<(FileId, usize)> = counts.into_iter().collect();
    files.retain(|(_, n)| *n <= most);
    random.shuffle(&mut files);
    let mut left = known.len() / FOLDS;
    let mut chosen = BTreeSet::new();
    for (file, n) in files {
        if n > left {
            break;
        }
        left -= n;
        chosen.insert(file);
    }
    chosen
}
