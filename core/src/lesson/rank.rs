//! Passages → ranks, by each way. A saved lesson's own script does the same
//! (`app/src/worker/serve/lesson/lesson.js`); a story compares the two.

use std::collections::{BTreeMap, BTreeSet};

use super::{Lesson, NEIGHBOURS, NEW_PASSAGES, Passage, Term};

/// A way to find passages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// BM25.
    Words,
    /// Cosine of vectors.
    Meaning,
    /// Both, scaled to 0–1 and added.
    Both,
    /// Both, plus what neighbours of the best files gain along imports.
    Imports,
}

/// A passage in a ranking.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ranked {
    /// Its position.
    pub passage: usize,
    /// The score it is ranked by: the sum of its parts.
    pub score: f64,
    /// The part from words.
    pub words: f64,
    /// The part from meaning.
    pub meaning: f64,
    /// The part from imports.
    pub imports: f64,
}

impl Way {
    /// In the order they are taught.
    pub const ALL: [Self; 4] = [Self::Words, Self::Meaning, Self::Both, Self::Imports];

    /// Its name in files and tests.
    pub fn name(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Meaning => "meaning",
            Self::Both => "both",
            Self::Imports => "imports",
        }
    }
}

impl Lesson {
    /// All passages that a way finds, best first.
    pub fn rank(&self, way: Way) -> Vec<Ranked> {
        match way {
            Way::Words => self.by_words(),
            Way::Meaning => self.by_meaning(),
            Way::Both => self.by_both(),
            Way::Imports => self.by_imports(),
        }
    }

    fn by_words(&self) -> Vec<Ranked> {
        let all = self.passages.iter().enumerate();
        let all = all.map(|(passage, it)| (passage, self.words_of(it)));
        let found = all.filter(|(_, words)| *words > 0.0);
        let ranked = found.map(|(passage, words)| Ranked {
            passage,
            score: words,
            words,
            ..Ranked::default()
        });
        sorted(ranked.collect())
    }

    fn words_of(&self, passage: &Passage) -> f64 {
        let gains = passage.terms.iter().map(|term| self.gain_of(passage, term));
        gains.sum()
    }

    /// weight · f(k₁ + 1) / (f + k₁) with f = count / (1 − b + b · length) + elsewhere.
    pub(super) fn gain_of(&self, passage: &Passage, term: &Term) -> f64 {
        let (k1, b) = (self.numbers.k1, self.numbers.b);
        let norm = 1.0 - b + b * passage.length;
        let text = if norm > 0.0 { term.count / norm } else { 0.0 };
        let frequency = text + term.elsewhere;
        match frequency > 0.0 {
            true => term.weight * (k1 + 1.0) * frequency / (frequency + k1),
            false => 0.0,
        }
    }

    fn by_meaning(&self) -> Vec<Ranked> {
        let all = self.passages.iter().enumerate();
        let found = all.filter_map(|(passage, it)| Some((passage, it.meaning?)));
        let ranked = found.map(|(passage, meaning)| Ranked {
            passage,
            score: meaning,
            meaning,
            ..Ranked::default()
        });
        sorted(ranked.collect())
    }

    /// Min–max fusion of the best k of both. A passage that could not be compared gets the mean of
    /// what meaning gives the other passages found by words.
    fn by_both(&self) -> Vec<Ranked> {
        let k = self.numbers.k;
        let (words, meaning) = (scaled(self.by_words(), k), scaled(self.by_meaning(), k));
        let share = match (words.is_empty(), meaning.is_empty()) {
            (_, true) => 0.0,
            (true, _) => 1.0,
            _ => self.numbers.share,
        };
        let is_compared = |passage: &usize| {
            let passage = self.passages.get(*passage);
            passage.is_some_and(|it| it.meaning.is_some())
        };
        let compared = words.keys().filter(|passage| is_compared(passage));
        let compared: Vec<f64> = compared
            .map(|passage| meaning.get(passage).copied().unwrap_or(0.0))
            .collect();
        let expected = compared.iter().sum::<f64>() / compared.len().max(1) as f64;
        let found: BTreeSet<usize> = words.keys().chain(meaning.keys()).copied().collect();
        let ranked = found.into_iter().map(|passage| {
            let words = words.get(&passage).copied().unwrap_or(0.0) * (1.0 - share);
            let near = meaning.get(&passage).copied();
            let unknown = if is_compared(&passage) { 0.0 } else { expected };
            let meaning = near.unwrap_or(unknown) * share;
            Ranked {
                passage,
                score: words + meaning,
                words,
                meaning,
                imports: 0.0,
            }
        });
        sorted(ranked.collect())
    }

    /// Neighbours of the best files gain γ of the best score.
    fn by_imports(&self) -> Vec<Ranked> {
        let mut ranked = self.by_both();
        let best = ranked.first().map_or(1.0, |it| it.score.max(0.0));
        let gain = self.numbers.gamma * best;
        let mut missing = self.neighbours(&ranked);
        for it in &mut ranked {
            let file = self.passages.get(it.passage).map(|passage| passage.file);
            if file.is_some_and(|file| missing.contains_key(&file)) {
                it.imports = gain;
                it.score += gain;
                file.and_then(|file| missing.insert(file, true));
            }
        }
        for (file, _) in missing.into_iter().filter(|(_, is_found)| !is_found) {
            let new = self.nearest_of(file).into_iter().map(|passage| Ranked {
                passage,
                score: gain,
                imports: gain,
                ..Ranked::default()
            });
            ranked.extend(new);
        }
        sorted(ranked)
    }

    /// The neighbours of the best files, each mapped to false.
    fn neighbours(&self, ranked: &[Ranked]) -> BTreeMap<usize, bool> {
        let mut seeds: Vec<usize> = Vec::new();
        for it in ranked {
            let file = self.passages.get(it.passage).map(|passage| passage.file);
            seeds.extend(file.filter(|file| !seeds.contains(file)));
        }
        let seeds = seeds.into_iter().take(self.numbers.seeds);
        let around = seeds.filter_map(|seed| self.neighbours.get(seed));
        let files = around.flat_map(|files| files.iter().take(NEIGHBOURS));
        files.map(|&file| (file, false)).collect()
    }

    /// The passages of a file that are nearest to the question.
    fn nearest_of(&self, file: usize) -> Vec<usize> {
        let all = self.passages.iter().enumerate();
        let own = all.filter(|(_, passage)| passage.file == file);
        let mut own: Vec<(usize, f64)> = own.map(|(at, it)| (at, it.nearness)).collect();
        own.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        own.into_iter()
            .take(NEW_PASSAGES)
            .map(|(at, _)| at)
            .collect()
    }
}

fn sorted(mut ranked: Vec<Ranked>) -> Vec<Ranked> {
    ranked.sort_by(|a, b| {
        let by_score = b.score.total_cmp(&a.score);
        by_score.then(a.passage.cmp(&b.passage))
    });
    ranked
}

/// The scores of the best k, scaled from 0 for the last to 1 for the first; 1 for all if they are
/// equal.
fn scaled(ranked: Vec<Ranked>, k: usize) -> BTreeMap<usize, f64> {
    let best = ranked.get(..k.min(ranked.len())).unwrap_or_default();
    let high = best.first().map_or(0.0, |it| it.score);
    let low = best.last().map_or(0.0, |it| it.score);
    let unit = |score: f64| match high > low {
        true => (score - low) / (high - low),
        false => 1.0,
    };
    best.iter().map(|it| (it.passage, unit(it.score))).collect()
}
