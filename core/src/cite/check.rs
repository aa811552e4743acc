//! Claim + repository + what was sent → verdict; the rule is in the [module documentation](super).

use std::ops::Range;

use super::attributed::items;
use super::claim::Claim;
use super::groups::{Group, groups};
use super::judge::judge;
use super::place::{Place, place};
use super::repair::Repair;
use super::scan::{Atom, scan};
use super::{Evidence, Rejection, Verified};
use crate::index::Index;

/// What a citation came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The lines exist, were sent, and hold what is attributed to them.
    Verified(Verified),
    /// So do those of `source`, which must be what `original` means.
    Repaired {
        /// The lines that are shown.
        source: Verified,
        /// The citation as the model wrote it.
        original: String,
        /// What was changed.
        how: Repair,
    },
    /// The lines exist and hold what is attributed to them, but were not sent.
    OutsideEvidence(Verified),
    /// The lines do not exist, or do not hold what is attributed to them.
    Rejected(Rejection),
}

impl Verdict {
    /// The lines that the citation stands for, if they exist.
    pub fn source(&self) -> Option<&Verified> {
        match self {
            Self::Verified(source)
            | Self::OutsideEvidence(source)
            | Self::Repaired { source, .. } => Some(source),
            Self::Rejected(_) => None,
        }
    }
}

/// Checks one citation of `statement`, which is the sentence with all its citations.
pub fn check(index: &Index, evidence: &Evidence, claim: &Claim, statement: &str) -> Verdict {
    let (atoms, _) = scan(statement, 0..statement.len(), true);
    let checked = check_all(index, evidence, statement, 0..statement.len(), &atoms);
    let mut same = checked.into_iter().filter(|(other, _)| {
        other.path == claim.path && other.lines == claim.lines && other.flaw == claim.flaw
    });
    if let Some((_, checked)) = same.next() {
        return checked.verdict;
    }
    // The statement is given without its citation: all of it is said of the claim.
    let items = items(statement, 0..statement.len(), &atoms);
    let group = Group {
        claims: vec![claim.clone()],
        items,
        other: Vec::new(),
    };
    let places = vec![place(index, evidence, claim)];
    let mut verdicts = judge(index, evidence, statement, &group, &places, &[]);
    verdicts.pop().map_or_else(
        || {
            Verdict::Rejected(Rejection::NoSuchFile {
                path: claim.path.clone(),
            })
        },
        |checked| checked.verdict,
    )
}

/// A verdict, and a sentence that says why.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Checked {
    pub verdict: Verdict,
    pub why: String,
}

/// Checks all citations of the statement at `at` of `text`, in order; `atoms` are those of the statement.
pub(crate) fn check_all(
    index: &Index,
    evidence: &Evidence,
    text: &str,
    at: Range<usize>,
    atoms: &[Atom],
) -> Vec<(Claim, Checked)> {
    let groups = groups(text, at.clone(), atoms);
    let statement = text.get(at).unwrap_or_default();
    let places: Vec<Vec<Place>> = groups
        .iter()
        .map(|group| {
            group
                .claims
                .iter()
                .map(|claim| place(index, evidence, claim))
                .collect()
        })
        .collect();
    let mut checked = Vec::new();
    for (at, (group, own)) in groups.into_iter().zip(&places).enumerate() {
        let elsewhere: Vec<&Place> = places
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at)
            .flat_map(|(_, places)| places)
            .collect();
        let verdicts = judge(index, evidence, statement, &group, own, &elsewhere);
        checked.extend(group.claims.into_iter().zip(verdicts));
    }
    checked
}
