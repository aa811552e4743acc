//! Folds of the questions, left out in turn. Three are of questions, whose words are in nothing
//! that is learnt; one is of files, with all questions that lead only to them. People also ask
//! about files that no taught question leads to, and the gate has to have seen that.

use std::collections::{BTreeMap, BTreeSet};

use super::examples::Known;
use crate::index::question_tokens;
use crate::random::Random;
use crate::source::FileId;

/// Number of folds.
pub(super) const FOLDS: usize = 4;

/// The fold of files.
const OF_FILES: usize = FOLDS - 1;

/// A file that more than this share of all questions leads to is not left out: without it, the rest
/// would be a different repository.
const LARGEST: f64 = 0.1;

/// The fold of each question, by its index.
pub(super) struct Folds {
    parts: Vec<usize>,
    /// Questions of other folds that lead to files of the fold of files.
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

    /// The questions of a fold.
    pub(super) fn within(&self, fold: usize) -> Vec<usize> {
        self.places(|at| self.of(at) == fold)
    }

    /// All other questions that are unrelated to the fold.
    pub(super) fn without(&self, fold: usize) -> Vec<usize> {
        let is_near = |at: usize| fold == OF_FILES && self.touched.contains(&at);
        self.places(|at| self.of(at) != fold && !is_near(at))
    }

    /// All questions.
    pub(super) fn all(&self) -> Vec<usize> {
        self.places(|_| true)
    }

    /// The fold of a question.
    pub(super) fn of(&self, at: usize) -> usize {
        self.parts.get(at).copied().unwrap_or_default()
    }

    fn places(&self, is_wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        (0..self.parts.len()).filter(|at| is_wanted(*at)).collect()
    }
}

/// Random files that together at most one fold's share of all questions leads to.
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
