//! Compares what a statement says with what its citations show: proven, supported, contradicted, or
//! not checkable.
//!
//! Where a citation points was checked before. Here the sentence is weighed as a whole, against all
//! of its citations together, as far as their lines were sent:
//! 1. If all its facts and quotations hold, and the cited lines show every proof, it is *proven*
//!    (see [`facts`]). A fact that the code contradicts makes it *contradicted*.
//! 2. Otherwise it is *supported* if all its names, numbers and quotations and nearly all its words
//!    occur in the lines (see [`support`]).
//! 3. Otherwise its lines exist, no more.

use std::ops::Range;

use super::check::{Checked, Verdict};
use super::claim::Claim;
use super::facts::{self, Case, Proof, Truth};
use super::scan::Atom;
use super::support;
use super::{Evidence, Verified};
use crate::index::Index;
use crate::lines::LineRange;
use crate::source::FileId;

/// Longest citation that can prove a sentence, in lines. Each proof names its own lines, so a long
/// range hides nothing; a longer one is a file, not a source.
const MOST_PROVING: u32 = 2_000;

/// Weighs the statement at `at` of `text`; `checked` are its citations, checked for where they
/// lead.
pub(super) fn weigh(
    index: &Index,
    evidence: &Evidence,
    text: &str,
    at: Range<usize>,
    atoms: &[Atom],
    checked: &mut [(Claim, Checked)],
) {
    let cited: Vec<(FileId, LineRange)> = checked.iter().filter_map(place).collect();
    if cited.is_empty() {
        return;
    }
    let provable: Vec<(FileId, LineRange)> = cited
        .iter()
        .copied()
        .filter(|(_, lines)| lines.count() <= MOST_PROVING)
        .collect();
    let case = Case {
        index,
        cited: &provable,
    };
    let reading = facts::read(case, text, at.clone(), atoms);
    match reading.truth {
        Truth::Yes(proofs) if are_seen(evidence, &provable, &proofs) => prove(checked, &proofs),
        Truth::No(instead) => contradict(checked, &instead),
        // Undecidable facts are not supported by their words: a lie has the right words too.
        Truth::Unknown if reading.is_read => {}
        Truth::Yes(_) | Truth::Unknown => {
            let held = support::support(index, evidence, &cited, text, at, atoms);
            uphold(checked, &held.unwrap_or_default());
        }
    }
}

/// Returns the lines of a citation that leads where it says.
fn place((_, checked): &(Claim, Checked)) -> Option<(FileId, LineRange)> {
    match &checked.verdict {
        Verdict::LinesExist(source) => Some((source.file(), source.lines())),
        _ => None,
    }
}

/// Whether the cited lines show the reader every proof, and the model saw it too.
fn are_seen(evidence: &Evidence, cited: &[(FileId, LineRange)], proofs: &[Proof]) -> bool {
    let is_seen = |proof: &Proof| {
        let mut cited = cited.iter();
        cited.any(|(file, lines)| *file == proof.file && lines.encloses(proof.lines))
            && evidence.encloses(proof.file, proof.lines)
    };
    !proofs.is_empty() && proofs.iter().all(is_seen)
}

fn prove(checked: &mut [(Claim, Checked)], proofs: &[Proof]) {
    for (_, checked) in checked {
        let Verdict::LinesExist(source) = &checked.verdict else {
            continue;
        };
        let own: Vec<&Proof> = proofs.iter().filter(|proof| shows(source, proof)).collect();
        if own.is_empty() {
            checked.why =
                "The lines exist and were sent. Other lines prove the sentence.".to_owned();
            continue;
        }
        checked.why = why(&own);
        checked.verdict = Verdict::Proven(source.clone());
    }
}

fn shows(source: &Verified, proof: &Proof) -> bool {
    source.file() == proof.file && source.lines().encloses(proof.lines)
}

/// Returns the explanation: `Proven: call (line 12), parameter (line 3).`
fn why(proofs: &[&Proof]) -> String {
    let mut parts: Vec<String> = Vec::new();
    for proof in proofs {
        let word = match proof.lines.count() {
            1 => "line",
            _ => "lines",
        };
        let part = format!("{} ({word} {})", proof.what, proof.lines);
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    parts.truncate(6);
    format!("Proven: {}.", parts.join(", "))
}

fn contradict(checked: &mut [(Claim, Checked)], instead: &str) {
    for (_, checked) in checked {
        if let Verdict::LinesExist(source) = &checked.verdict {
            checked.why = format!("The code says otherwise. {instead}");
            checked.verdict = Verdict::Contradicted {
                source: source.clone(),
                instead: instead.to_owned(),
            };
        }
    }
}

/// Marks the citations in `held` as upheld; positions count only those that lead where they say.
fn uphold(checked: &mut [(Claim, Checked)], held: &[bool]) {
    let places = checked
        .iter_mut()
        .filter(|(_, checked)| matches!(checked.verdict, Verdict::LinesExist(_)));
    for ((_, checked), held) in places.zip(held) {
        if let (true, Verdict::LinesExist(source)) = (held, &checked.verdict) {
            checked.why =
                "The lines contain the names, numbers and words of the sentence. Its meaning was \
                 not checked."
                    .to_owned();
            checked.verdict = Verdict::Supported(source.clone());
        }
    }
}
