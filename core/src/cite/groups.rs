//! Which words of a statement each citation answers for.

use std::ops::Range;

use super::attributed::{Item, items};
use super::claim::Claim;
use super::scan::{Atom, AtomKind};

/// Citations with no word between them, and what they answer for.
pub(super) struct Group {
    pub claims: Vec<Claim>,
    pub items: Vec<Item>,
    /// What the other groups of the statement answer for.
    pub other: Vec<Item>,
}

/// Returns the groups of citations in a statement, with what each answers for.
pub(super) fn groups(text: &str, at: Range<usize>, atoms: &[Atom]) -> Vec<Group> {
    let mut found: Vec<(Range<usize>, Vec<Claim>)> = Vec::new();
    for atom in atoms {
        let AtomKind::Claims(claims) = &atom.kind else {
            continue;
        };
        let is_next = |group: &(Range<usize>, Vec<Claim>)| {
            text.get(group.0.end..atom.at.start)
                .is_some_and(|between| !has_words(between))
        };
        match found.last_mut().filter(|group| is_next(group)) {
            Some(group) => {
                group.0.end = atom.at.end;
                group.1.extend(claims.iter().cloned());
            }
            None => found.push((atom.at.clone(), claims.clone())),
        }
    }
    // Leading citations: each answers for what follows it.
    let first = found.first().map_or(at.start, |group| group.0.start);
    let is_in_front = text.get(at.start..first).is_some_and(|before| {
        before
            .split_whitespace()
            .filter(|word| has_words(word))
            .count()
            < 2
    });
    let all = items(text, at, atoms);
    let group_of = |item: &Item| {
        let behind = found.iter().position(|group| item.at.start < group.0.start);
        let last = found.len().saturating_sub(1);
        match is_in_front {
            true => behind.map_or(last, |behind| behind.saturating_sub(1)),
            false => behind.unwrap_or(last),
        }
    };
    let owners: Vec<usize> = all.iter().map(group_of).collect();
    let of = |wanted: &dyn Fn(usize) -> bool| {
        let pairs = all.iter().zip(&owners);
        pairs
            .filter(|(_, owner)| wanted(**owner))
            .map(|(item, _)| item.clone())
            .collect()
    };
    let groups = found.iter().enumerate();
    groups
        .map(|(at, (_, claims))| Group {
            claims: claims.clone(),
            items: of(&|owner| owner == at),
            other: of(&|owner| owner != at),
        })
        .collect()
}

fn has_words(text: &str) -> bool {
    let joins = ["and", "also", "see", "cf", "or"];
    text.split(|c: char| !c.is_alphanumeric())
        .any(|word| !word.is_empty() && !joins.contains(&word.to_lowercase().as_str()))
}
