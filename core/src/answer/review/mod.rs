//! Checks a whole answer of a language model, statement by statement while it streams.
//!
//! A *statement* is a sentence of a paragraph or of a list item, or a row of a table. Headings,
//! table headers, code, questions, lines that introduce what follows ("Here is how it works:"),
//! what the model says of itself ("I could not find …") and exclamations of a word or two are not
//! statements. Citations after a full stop belong to the sentence before it. A citation that
//! belongs to no statement (in a heading, in a list of sources) is still checked and gets its note.
//!
//! A statement without any citation gets an *auto-citation* if some of the evidence matches it well
//! (Grounded, sections 3.1.3 and 3.2, attaches the best chunk to an answer that cites nothing; here
//! each statement gets the best few lines). It is marked as such and never counts as proven.

mod auto;
#[cfg(test)]
mod corpus;
#[cfg(test)]
mod lies;
mod pieces;
mod summary;
#[cfg(test)]
mod tests;

pub use summary::Summary;

use std::collections::HashMap;
use std::ops::Range;

use crate::cite::attributed::items;
use crate::cite::check_all;
use crate::cite::scan::{Atom, AtomKind, may_go_on, scan};
use crate::cite::{Claim, Evidence, Verdict};
use crate::index::Index;
use crate::lines::LineRange;
use crate::markdown::growing::{Block, Blocks, Kind};
use crate::source::FileId;
use auto::{ENOUGH_SHARE, Matcher};
use pieces::{Piece, pieces};

/// The result of checking an answer so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Review {
    /// In text order.
    pub statements: Vec<Reviewed>,
    /// In text order; each citation and each auto-citation has one.
    pub notes: Vec<Note>,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Reviewed {
    /// Its bytes in the answer, citations included.
    pub at: Range<usize>,
    /// Its notes: positions in [`Review::notes`].
    pub notes: Vec<usize>,
    /// How its citations support it.
    pub standing: Standing,
}

/// The verdict of a statement: that of its weakest citation, in the order of the variants. One
/// false source makes a statement doubtful, whatever else it cites. A citation that adds nothing
/// takes nothing away: a sentence that other citations support stays proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// Its citations prove all of it: see [`Verdict::Proven`].
    Proven,
    /// Its names, numbers and words occur in the cited lines: see [`Verdict::Supported`].
    Supported,
    /// The cited lines exist; nothing else could be checked.
    LinesExist,
    /// A citation was repaired.
    Repaired,
    /// A citation names lines that were not sent to the model.
    OutsideEvidence,
    /// A citation is false.
    Rejected,
    /// The cited lines or the graph contradict it.
    Contradicted,
    /// It has no citation, but some lines match it well.
    AutoCited,
    /// It has no citation, and nothing matches it.
    Uncited,
}

impl Standing {
    /// All variants, in order.
    pub const ALL: [Self; 9] = [
        Self::Proven,
        Self::Supported,
        Self::LinesExist,
        Self::Repaired,
        Self::OutsideEvidence,
        Self::Rejected,
        Self::Contradicted,
        Self::AutoCited,
        Self::Uncited,
    ];

    fn of(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Proven(_) => Self::Proven,
            Verdict::Supported(_) => Self::Supported,
            Verdict::LinesExist(_) => Self::LinesExist,
            Verdict::Repaired { .. } => Self::Repaired,
            Verdict::OutsideEvidence(_) => Self::OutsideEvidence,
            Verdict::Rejected(_) => Self::Rejected,
            Verdict::Contradicted { .. } => Self::Contradicted,
        }
    }

    /// Returns its name in lists, files and exports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Proven => "proven",
            Self::Supported => "supported",
            Self::LinesExist => "lines-exist",
            Self::Repaired => "repaired",
            Self::OutsideEvidence => "outside-evidence",
            Self::Rejected => "rejected",
            Self::Contradicted => "contradicted",
            Self::AutoCited => "auto-cited",
            Self::Uncited => "uncited",
        }
    }
}

/// A footnote.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// Counts from 1 in reading order. Equal sources share a number.
    pub number: u32,
    /// What the model wrote; `None` for an auto-citation.
    pub claim: Option<Claim>,
    /// The result of checking it; [`Verdict::LinesExist`] for an auto-citation.
    pub verdict: Verdict,
    /// An explanation for the reader, as a sentence.
    pub why: String,
}

impl Review {
    /// Counts the statements by verdict.
    pub fn summary(&self) -> Summary {
        Summary::of(self)
    }
}

/// How complete an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// More text may follow.
    Growing,
    /// The author wrote nothing more.
    Finished,
    /// It was broken off: a citation that reaches the end may be half of one and counts for
    /// nothing.
    Cut,
}

/// What footnotes with the same number share.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Source {
    Lines(FileId, LineRange),
    /// A false citation, as written.
    Written(String),
}

/// Checks an answer while it grows. Owns its results and borrows nothing between calls.
#[derive(Clone, Default)]
pub struct Reviewer {
    blocks: Blocks,
    /// The atoms of the open paragraph, from the reading position on. They are scanned once and
    /// kept: a scan that begins inside the paragraph may find other atoms.
    atoms: Vec<Atom>,
    /// The byte up to which the text has been scanned.
    scanned: usize,
    /// The length of the text when it was last read, and how much of it was not final then.
    read: usize,
    pending: usize,
    numbers: HashMap<Source, u32>,
    matcher: Matcher,
    review: Review,
}

impl Reviewer {
    /// Creates a reviewer that has read nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads on. `text` is the whole answer so far and only grows between calls. A statement is
    /// checked once, when nothing that follows can change it, and is then kept: the review does not
    /// depend on how the answer was split.
    ///
    /// Text that is not final is read again only when the text has grown by an eighth of it, so
    /// that all calls together take time linear in the length of the answer.
    pub fn advance(
        &mut self,
        index: &Index,
        evidence: &Evidence,
        text: &str,
        progress: Progress,
    ) -> &Review {
        let is_over = progress != Progress::Growing;
        let grown = text.len().saturating_sub(self.read);
        if !is_over && grown < (self.pending / 8).max(1) {
            return &self.review;
        }
        while let Some(block) = self.blocks.next(text, is_over) {
            if block.kind != Kind::Code {
                let horizon = self.scan(text, &block, progress);
                let pieces = match block.kind {
                    Kind::Prose => {
                        pieces(text, block.at.start..horizon, &self.atoms, block.is_closed)
                    }
                    _ => vec![Piece::whole(text, block.at.clone())],
                };
                for piece in &pieces {
                    self.take(index, evidence, text, piece, block.kind);
                }
                if !block.is_closed {
                    if let Some(last) = pieces.last() {
                        self.blocks.pass_part(last.at.end);
                        self.atoms.retain(|atom| atom.at.end > last.at.end);
                    }
                    break;
                }
            }
            self.blocks.pass(block.at.end);
            self.atoms.clear();
        }
        self.read = text.len();
        self.pending = text.len().saturating_sub(self.blocks.position());
        &self.review
    }

    /// Adds the new atoms of a block; returns the byte up to which all atoms are known.
    fn scan(&mut self, text: &str, block: &Block, progress: Progress) -> usize {
        let from = self.scanned.max(block.at.start);
        let (atoms, horizon) = scan(text, from..block.at.end, block.is_closed);
        self.atoms.extend(atoms);
        self.scanned = horizon;
        if progress == Progress::Cut && block.at.end == text.len() {
            self.atoms
                .retain(|atom| !(is_claim(atom) && may_go_on(text, atom)));
        }
        horizon
    }

    /// Reviews one final piece of text.
    fn take(&mut self, index: &Index, evidence: &Evidence, text: &str, piece: &Piece, kind: Kind) {
        let inside = |atom: &&Atom| atom.at.start >= piece.at.start && atom.at.end <= piece.at.end;
        let atoms: Vec<Atom> = self.atoms.iter().filter(inside).cloned().collect();
        let checked = check_all(index, evidence, text, piece.at.clone(), &atoms);
        let is_statement = piece.is_statement(text, &atoms, kind);
        let first = self.review.notes.len();
        for (claim, checked) in checked {
            self.note(Some(claim), checked.verdict, checked.why);
        }
        if !is_statement {
            return;
        }
        if first == self.review.notes.len() {
            let items = items(text, piece.at.clone(), &atoms);
            let statement = text.get(piece.at.clone()).unwrap_or_default();
            if let Some((verdict, why)) =
                self.matcher
                    .attach(index, evidence, statement, &items, ENOUGH_SHARE)
            {
                self.note(None, verdict, why);
            }
        }
        let notes: Vec<usize> = (first..self.review.notes.len()).collect();
        let standing = self.standing(&notes);
        self.review.statements.push(Reviewed {
            at: piece.at.clone(),
            notes,
            standing,
        });
    }

    fn note(&mut self, claim: Option<Claim>, verdict: Verdict, why: String) {
        let source = match (verdict.source(), &claim) {
            (Some(source), _) => Source::Lines(source.file(), source.lines()),
            (None, Some(claim)) => Source::Written(match claim.lines {
                Some(lines) => format!("{}:{lines}", claim.path),
                None => claim.raw.clone(),
            }),
            (None, None) => return,
        };
        let next = self.numbers.len() as u32 + 1;
        let number = *self.numbers.entry(source).or_insert(next);
        self.review.notes.push(Note {
            number,
            claim,
            verdict,
            why,
        });
    }

    fn standing(&self, notes: &[usize]) -> Standing {
        let notes = notes.iter().filter_map(|&at| self.review.notes.get(at));
        let each: Vec<Standing> = notes
            .map(|note| match &note.claim {
                None => Standing::AutoCited,
                Some(_) => Standing::of(&note.verdict),
            })
            .collect();
        match each.iter().max() {
            // What other citations add or do not add takes nothing from a supported sentence.
            Some(Standing::LinesExist) => each.into_iter().min().unwrap_or(Standing::LinesExist),
            Some(Standing::Supported) => each.into_iter().min().unwrap_or(Standing::Supported),
            Some(weakest) => *weakest,
            None => Standing::Uncited,
        }
    }
}

/// Whether an atom is a citation.
fn is_claim(atom: &Atom) -> bool {
    matches!(atom.kind, AtomKind::Claims(_))
}
