//! Near copies: mirrored trees, versions of one interface side by side. The best hit represents
//! them all, so that copies do not crowd out answers.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use super::{Group, StepSpec};
use crate::search::params::Param;
use crate::search::{Context, Hit, fusion};

/// Number of best hits that are compared with each other.
const COMPARED: usize = 40;
/// Chunks with fewer distinct lines are similar by chance.
const MIN_LINES: usize = 4;
/// Minimum share of common lines (Jaccard) at which two chunks are copies.
const SAME: f32 = 0.7;

/// Factor for a near copy of a better hit.
static COPY: Param = Param::new("copy", 0.5);

pub(super) static FOLD: StepSpec = StepSpec {
    name: "fold",
    about: "Near copies of a better hit go behind it.",
    why: |_, _| "near copy of a better hit".to_owned(),
    group: Group::Other,
    compares: None,
    params: &[&COPY],
    apply: fold,
};

fn fold(context: &Context<'_>, mut hits: Vec<Hit>) -> Vec<Hit> {
    let mut kept: Vec<BTreeSet<u64>> = Vec::new();
    for hit in hits.iter_mut().take(COMPARED) {
        let lines = lines(context.index.text_of(hit.chunk).unwrap_or_default());
        if kept.iter().any(|other| are_copies(&lines, other)) {
            let change = hit.score * (context.params.get(&COPY) - 1.0);
            hit.add("fold", context.params.get(&COPY), change);
        } else {
            kept.push(lines);
        }
    }
    fusion::sorted(hits)
}

fn lines(text: &str) -> BTreeSet<u64> {
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    text.lines()
        .map(str::trim)
        .filter(|line| line.len() > 1)
        .map(|line| hasher.hash_one(line))
        .collect()
}

fn are_copies(a: &BTreeSet<u64>, b: &BTreeSet<u64>) -> bool {
    let (small, large) = if a.len() < b.len() { (a, b) } else { (b, a) };
    if small.len() < MIN_LINES || (small.len() as f32) < SAME * large.len() as f32 {
        return false;
    }
    let common = small.iter().filter(|line| large.contains(line)).count() as f32;
    common / (a.len() + b.len()) as f32 >= SAME / (1.0 + SAME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_with_most_lines_in_common_are_copies() {
        let text = "def send(self):\n    a = 1\n    b = 2\n    c = 3\n    d = 4\n    return a";
        let changed = text.replace("c = 3", "c = 30");
        let other = text.replace("= ", "= other + ");
        assert!(are_copies(&lines(text), &lines(text)));
        assert!(are_copies(&lines(text), &lines(&changed)));
        assert!(!are_copies(&lines(text), &lines(&other)));
        assert!(!are_copies(&lines("a = 1\nb = 2"), &lines("a = 1\nb = 2")));
    }
}
