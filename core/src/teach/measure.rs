//! Fits the gate on answered questions, and measures the sets of files it returns. Every measure
//! uses a gate that was fitted on other folds' questions.

use std::collections::BTreeSet;

use super::fit;
use super::folds::{FOLDS, Folds};
use crate::index::taught::{Gate, Marks};
use crate::search::files::{self, confidence};
use crate::search::taught::{Candidate, Candidates, FEATURES, Found, judged};
use crate::source::FileId;

/// The thresholds to try.
const THRESHOLDS: [f32; 8] = [0.3, 0.35, 0.4, 0.45, 0.55, 0.6, 0.65, 0.7];

/// The least gain in EM over the threshold ½; a smaller one is chance.
const LEAST_GAIN: f32 = 0.005;

/// Share of left-out questions that are too far from all others to be trusted at all.
const FAR: f32 = 0.05;

/// Share of left-out questions that are too far from all others for full trust.
const NEAR: f32 = 0.25;

/// In a head's own set: the least probability of a file, relative to the most likely one.
const LIKELY: f32 = 0.5;

/// A question, answered by a head that had not learnt from it.
pub(super) struct Case<'a> {
    /// The question's index.
    pub at: usize,
    /// The result of the search alone.
    pub found: &'a Found,
    /// The files that answer it.
    pub right: &'a [FileId],
    /// The files that the gate is given as the answer: the same, or the control's.
    pub taught: &'a [FileId],
    /// The files that were found, and those that the teaching adds.
    pub candidates: &'a Candidates,
}

/// Sums of marks over questions.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    n: usize,
    sums: Marks,
}

impl Tally {
    /// Adds a question; `set` begins with its best file.
    pub(super) fn add(&mut self, right: &[FileId], set: &[FileId]) {
        let right: BTreeSet<FileId> = right.iter().copied().collect();
        let named: BTreeSet<FileId> = set.iter().copied().collect();
        let flag = |is: bool| f32::from(u8::from(is));
        self.n += 1;
        self.sums.exact += flag(named == right);
        self.sums.recall += named.intersection(&right).count() as f32 / right.len().max(1) as f32;
        self.sums.first += flag(set.first().is_some_and(|file| right.contains(file)));
    }

    pub(super) fn marks(&self) -> Marks {
        let n = self.n.max(1) as f32;
        Marks {
            exact: self.sums.exact / n,
            recall: self.sums.recall / n,
            first: self.sums.first / n,
        }
    }
}

/// The set of a head alone: the most likely file, and those that are nearly as likely.
pub(super) fn likeliest(probabilities: &[f32]) -> Vec<FileId> {
    let most = probabilities.iter().copied().fold(0.0, f32::max);
    let all = (0..).map(FileId).zip(probabilities);
    let mut wanted: Vec<(FileId, f32)> = all
        .filter(|(_, it)| **it > 0.0 && **it >= most * LIKELY)
        .map(|(file, it)| (file, *it))
        .collect();
    wanted.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    wanted.into_iter().map(|(file, _)| file).collect()
}

/// The marks of the search alone.
pub(super) fn untaught(cases: &[Case<'_>]) -> Marks {
    let mut tally = Tally::default();
    for case in cases {
        tally.add(case.right, &untaught_set(case.found));
    }
    tally.marks()
}

fn untaught_set(found: &Found) -> Vec<FileId> {
    let files = found.files.iter();
    let judged = files.map(|(file, features)| (*file, confidence::confidence(features)));
    answer(judged, confidence::THRESHOLD)
}

/// The marks of a gate that knows only what the search found, and nothing of head and memory: the
/// gain from knowing how many files such questions have.
pub(super) fn calibrated(cases: &[Case<'_>], folds: &Folds) -> Marks {
    let known = confidence::NAMES.len() + 2;
    let blind = |candidate: &Candidate| {
        let mut features = candidate.features;
        features.iter_mut().skip(known).for_each(|it| *it = 0.0);
        Candidate {
            file: candidate.file,
            features,
        }
    };
    let blind = |case: &Case<'_>| Candidates {
        files: case.candidates.files.iter().map(blind).collect(),
        nearest: case.candidates.nearest,
    };
    let blind: Vec<Candidates> = cases.iter().map(blind).collect();
    let cases: Vec<Case<'_>> = cases
        .iter()
        .zip(&blind)
        .map(|(case, candidates)| Case {
            candidates,
            ..*case
        })
        .collect();
    taught(&cases, folds)
}

/// The marks of the teaching: for each fold's questions, by a gate that was fitted on the other
/// folds.
pub(super) fn taught(cases: &[Case<'_>], folds: &Folds) -> Marks {
    let part = |case: &Case<'_>| folds.of(case.at);
    crossed(cases, FOLDS, part)
}

/// The marks of the control, whose gate was also fitted on shuffled files.
pub(super) fn control(cases: &[Case<'_>]) -> Marks {
    crossed(cases, 2, |case| case.at % 2)
}

fn crossed(cases: &[Case<'_>], parts: usize, part: impl Fn(&Case<'_>) -> usize) -> Marks {
    let mut tally = Tally::default();
    for fold in 0..parts {
        let others = cases.iter().filter(|case| part(case) != fold);
        let gate = fitted_on(others);
        for case in cases.iter().filter(|case| part(case) == fold) {
            tally.add(case.right, &set(&gate, case));
        }
    }
    tally.marks()
}

/// The gate, fitted on all cases.
pub(super) fn fitted(cases: &[Case<'_>]) -> Gate {
    fitted_on(cases.iter())
}

fn fitted_on<'c>(cases: impl Iterator<Item = &'c Case<'c>> + Clone) -> Gate {
    let rows = cases.clone().flat_map(|case| {
        let candidates = case.candidates.files.iter();
        candidates.map(|it| (it.features, case.taught.contains(&it.file)))
    });
    let rows: Vec<([f32; FEATURES], bool)> = rows.collect();
    let mut gate = Gate {
        coefficients: fit::logistic(&rows),
        threshold: confidence::THRESHOLD,
        near: near(cases.clone().map(|case| case.candidates.nearest)),
    };
    gate.threshold = threshold(&gate, cases);
    gate
}

/// The threshold that makes the most sets exactly right.
fn threshold<'c>(gate: &Gate, cases: impl Iterator<Item = &'c Case<'c>> + Clone) -> f32 {
    let exact = |threshold: f32| {
        let gate = Gate {
            threshold,
            ..gate.clone()
        };
        let mut tally = Tally::default();
        for case in cases.clone() {
            tally.add(case.taught, &set(&gate, case));
        }
        tally.marks().exact
    };
    let mut best = (gate.threshold, exact(gate.threshold) + LEAST_GAIN);
    for threshold in THRESHOLDS {
        let exact = exact(threshold);
        if exact > best.1 {
            best = (threshold, exact);
        }
    }
    best.0
}

/// How near left-out questions are to the nearest taught one: the cosines below which [`FAR`] and
/// [`NEAR`] of them are.
fn near(cosines: impl Iterator<Item = f32>) -> [f32; 2] {
    let mut cosines: Vec<f32> = cosines.collect();
    cosines.sort_by(f32::total_cmp);
    let below = |share: f32| {
        let at = (cosines.len() as f32 * share) as usize;
        cosines.get(at).copied().unwrap_or_default()
    };
    [below(FAR), below(NEAR)]
}

/// The set that a gate selects from candidates: the most likely file, and all that are likely
/// enough. For a question unlike all taught ones, the result of the search.
fn set(gate: &Gate, case: &Case<'_>) -> Vec<FileId> {
    if gate.trust(case.candidates.nearest) <= 0.0 {
        return untaught_set(case.found);
    }
    let judged = judged(gate, &case.candidates.files);
    answer(judged.into_iter(), gate.threshold)
}

/// The files that answer, selected from files with their probabilities; best first.
fn answer(judged: impl Iterator<Item = (FileId, f32)>, threshold: f32) -> Vec<FileId> {
    let judged = judged.enumerate();
    let wanted = judged.filter(|(at, (_, it))| files::answers(*at, *it, threshold));
    wanted.map(|(_, (file, _))| file).collect()
}
