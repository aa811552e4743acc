//! A set → two parts that share no gold file, so that files learnt from are not asked about.

use std::collections::{BTreeMap, BTreeSet};

use crate::eval::Item;
use crate::random::Random;

/// The ids of a set, in two parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// Questions to learn from.
    pub train: BTreeSet<String>,
    /// Questions to measure on.
    pub valid: BTreeSet<String>,
}

impl Split {
    /// The actual share of questions to measure on; lower than requested if many questions share
    /// files.
    pub fn share(&self) -> f64 {
        let n = self.train.len() + self.valid.len();
        self.valid.len() as f64 / n.max(1) as f64
    }
}

/// Splits a set, with at most `share` of it (such as .2) to measure on. Questions with a common
/// gold file stay together, and so do those with the same words. If nearly all are connected, the
/// second part is small. PathFinder splits by question, which leaves the same files on both sides.
pub fn split(items: &[Item], share: f64, seed: u64) -> Split {
    let mut groups = Groups::new(items.len());
    let mut owners: BTreeMap<String, usize> = BTreeMap::new();
    for (at, item) in items.iter().enumerate() {
        let files = item.gold_files.iter().map(|file| format!("file {file}"));
        let words = crate::index::question_tokens(&item.query);
        let words = words.into_iter().collect::<BTreeSet<_>>();
        let words = words.into_iter().collect::<Vec<_>>().join(" ");
        for key in files.chain([format!("words {words}")]) {
            let owner = *owners.entry(key).or_insert(at);
            groups.join(at, owner);
        }
    }
    let mut parts: BTreeMap<usize, Vec<&Item>> = BTreeMap::new();
    for (at, item) in items.iter().enumerate() {
        parts.entry(groups.find(at)).or_default().push(item);
    }
    let mut parts: Vec<Vec<&Item>> = parts.into_values().collect();
    Random::new(seed).shuffle(&mut parts);
    let mut room = (items.len() as f64 * share).round() as usize;
    let mut split = Split::default();
    for part in parts {
        let into = match part.len() <= room {
            true => {
                room -= part.len();
                &mut split.valid
            }
            false => &mut split.train,
        };
        into.extend(part.into_iter().map(|item| item.id.clone()));
    }
    split
}

/// Union–find.
struct Groups(Vec<usize>);

impl Groups {
    fn new(n: usize) -> Self {
        Self((0..n).collect())
    }

    fn find(&mut self, mut at: usize) -> usize {
        while let Some(&up) = self.0.get(at).filter(|up| **up != at) {
            let top = self.0.get(up).copied().unwrap_or(up);
            if let Some(entry) = self.0.get_mut(at) {
                *entry = top;
            }
            at = top;
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        if let Some(entry) = self.0.get_mut(a) {
            *entry = b;
        }
    }
}
