//! Adds to a set the questions that it lacks.

use std::collections::{BTreeMap, BTreeSet};

use super::Preference;
use super::text::{fingerprint, normalised};
use crate::eval::Item;

/// A set after merging.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// The existing items, unchanged and first, then the new ones.
    pub items: Vec<Item>,
    /// Number of new items.
    pub added: usize,
    /// Number of items left out because the set has the id with the same question.
    pub same_id: usize,
    /// Number of items left out because the set has the question, of the same archive, under
    /// another id.
    pub same_question: usize,
    /// Items left out because the set has the id with another question or archive. A person should
    /// look at them.
    pub conflicts: Vec<Item>,
}

/// Adds to `existing` the items of `new` that it lacks. Two questions are the same if they are of
/// the same archive and differ at most in case, spaces or final punctuation.
pub fn merge(existing: &[Item], new: Vec<Item>) -> Merged {
    let mut merged = Merged {
        items: existing.to_vec(),
        ..Merged::default()
    };
    let key = |item: &Item| (item.archive.clone(), normalised(&item.query));
    let mut by_id: BTreeMap<String, (String, String)> = BTreeMap::new();
    let mut questions: BTreeSet<(String, String)> = BTreeSet::new();
    for item in existing {
        by_id.insert(item.id.clone(), key(item));
        questions.insert(key(item));
    }
    for item in new {
        let key = key(&item);
        match by_id.get(&item.id) {
            Some(same) if *same == key => merged.same_id += 1,
            Some(_) => merged.conflicts.push(item),
            None if questions.contains(&key) => merged.same_question += 1,
            None => {
                by_id.insert(item.id.clone(), key.clone());
                questions.insert(key);
                merged.added += 1;
                merged.items.push(item);
            }
        }
    }
    merged
}

/// Adds to `existing` those pairs of `new` that have another question or other texts. Returns how
/// many were added.
pub fn merge_preferences(
    existing: &[Preference],
    new: Vec<Preference>,
) -> (Vec<Preference>, usize) {
    let print = |pair: &Preference| {
        fingerprint(&[&normalised(&pair.question), &pair.chosen, &pair.rejected])
    };
    let mut seen: BTreeSet<String> = existing.iter().map(print).collect();
    let mut merged = existing.to_vec();
    merged.extend(new.into_iter().filter(|pair| seen.insert(print(pair))));
    let added = merged.len() - existing.len();
    (merged, added)
}
