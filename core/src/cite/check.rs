//! Turns a claim, the repository and what was sent into a verdict; the rule is in the [module
//! documentation](super).

use std::ops::Range;

use super::attributed::items;
use super::claim::Claim;
use super::groups::{Group, groups};
use super::judge::judge;
use super::meaning::weigh;
use super::place::{Place, place};
use super::repair::Repair;
use super::scan::{Atom, scan};
use super::{Evidence, Rejection, Verified};
use crate::index::Index;

/// The result of checking a citation. Two things are checked separately: *where*, whether the lines
/// exist and were sent to the model, and *what*, whether the sentence follows from them as far as
/// code can tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The lines support the whole sentence: it quotes them word for word, or states facts of the
    /// syntax tree, the graph or a manifest that these lines show. Only this is called verified.
    Proven(Verified),
    /// Every name, number and quotation of the sentence and nearly all of its words occur in the
    /// lines, and nothing there contradicts it. What the sentence means was not checked.
    Supported(Verified),
    /// The lines exist and were sent. What the sentence says about them could not be checked.
    LinesExist(Verified),
    /// The lines or the graph contradict what the sentence says.
    Contradicted {
        /// The lines that the citation names.
        source: Verified,
        /// What is there instead, as a sentence.
        instead: String,
    },
    /// The lines of `source` hold the names of the sentence, and must be what `original` means.
    /// Whether the sentence follows from them was not checked.
    Repaired {
        /// The lines that are shown instead.
        source: Verified,
        /// The citation as the model wrote it.
        original: String,
        /// What was changed.
        how: Repair,
    },
    /// The lines exist, but most of them were not sent.
    OutsideEvidence(Verified),
    /// The lines do not exist, or do not hold a name that the sentence attributes to them.
    Rejected(Rejection),
}

impl Verdict {
    /// Returns the lines that the citation stands for, if they exist.
    pub fn source(&self) -> Option<&Verified> {
        match self {
            Self::Proven(source)
            | Self::Supported(source)
            | Self::LinesExist(source)
            | Self::OutsideEvidence(source)
            | Self::Contradicted { source, .. }
            | Self::Repaired { source, .. } => Some(source),
            Self::Rejected(_) => None,
        }
    }

    /// Returns its name in lists, files and exports.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Proven(_) => "proven",
            Self::Supported(_) => "supported",
            Self::LinesExist(_) => "lines-exist",
            Self::Contradicted { .. } => "contradicted",
            Self::Repaired { .. } => "repaired",
            Self::OutsideEvidence(_) => "outside-evidence",
            Self::Rejected(_) => "rejected",
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
    // The statement is given without its citation, so all of it is said about the claim.
    let items = items(statement, 0..statement.len(), &atoms);
    let group = Group {
        claims: vec![claim.clone()],
        items,
        other: Vec::new(),
    };
    let places = vec![place(index, evidence, claim)];
    let verdicts = judge(index, evidence, statement, &group, &places, &[]);
    let mut checked: Vec<(Claim, Checked)> = group.claims.into_iter().zip(verdicts).collect();
    let whole = 0..statement.len();
    weigh(index, evidence, statement, whole, &atoms, &mut checked);
    checked.pop().map(|(_, checked)| checked).map_or_else(
        || {
            Verdict::Rejected(Rejection::NoSuchFile {
                path: claim.path.clone(),
            })
        },
        |checked| checked.verdict,
    )
}

/// A verdict, and a sentence that explains it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Checked {
    pub verdict: Verdict,
    pub why: String,
}

/// Checks all citations of the statement at `at` of `text`, in order; `atoms` are those of the
/// statement.
pub(crate) fn check_all(
    index: &Index,
    evidence: &Evidence,
    text: &str,
    at: Range<usize>,
    atoms: &[Atom],
) -> Vec<(Claim, Checked)> {
    let groups = groups(text, at.clone(), atoms);
    let statement = text.get(at.clone()).unwrap_or_default();
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
    for (position, (group, own)) in groups.into_iter().zip(&places).enumerate() {
        let elsewhere: Vec<&Place> = places
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != position)
            .flat_map(|(_, places)| places)
            .collect();
        let verdicts = judge(index, evidence, statement, &group, own, &elsewhere);
        checked.extend(group.claims.into_iter().zip(verdicts));
    }
    weigh(index, evidence, text, at, atoms, &mut checked);
    checked
}
