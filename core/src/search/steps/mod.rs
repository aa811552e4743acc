//! Candidates → candidates. A [`Step`] reads what is known about the question ([`Context`]) and changes
//! scores, adds candidates or takes some away; what it did to a hit is a [`ScorePart`] of the step's
//! name, and [`super::trace`] tells what moved and why.
//!
//! A new step is a file with one function, a variant of [`Step`], its name, and a line in
//! [`Step::apply`].

mod coherence;
mod definition;
mod delegate;
mod expansion;
mod fold;
mod graph_rag;
mod history;
mod kinds;
mod late;
mod links;
mod names;
mod pasted;
mod path;
mod reexport;
mod similarity;
#[cfg(test)]
mod tests;
mod uses;
mod walk;
mod whole_file;

pub(super) use kinds::kinds;
pub use kinds::{is_changelog, role_of};

use std::collections::BTreeMap;

use super::{Context, Hit, ScorePart, fusion};
use crate::chunk::ChunkId;

/// One change of the candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// The whole file's score by words.
    WholeFile,
    /// Chunks that define a name of the question.
    Definition,
    /// Chunks whose names share rare parts with the question.
    Names,
    /// Files whose own name shares rare parts with the question.
    Stem,
    /// Folders, a "subsystem:" prefix, paths and the language in the question.
    Path,
    /// Places of a pasted stack trace.
    Frames,
    /// Quotations that stand in a chunk.
    Quotes,
    /// Files whose commits were described in words of the question.
    History,
    /// What a file is for.
    Kinds,
    /// Files with several good chunks.
    Coherence,
    /// Near copies of better hits.
    Fold,
    /// Question and chunk compared token by token, where the caller brings the scores.
    Late,
    /// What the best hits leave their work to.
    Delegate,
    /// Where a name is handed on that another package defines.
    Reexport,
    /// Files that many of the best ones lead to.
    Walk,
    /// What the best hits call.
    Callees,
    /// What calls the best hits.
    Callers,
    /// Files that the best ones import, or that import them (Grounded).
    Expansion,
    /// Definitions around the best ones in the graph, instead of the candidates (RepoDistill).
    GraphRag,
}

impl Step {
    /// In the order in which they run: gains first, then factors, then what compares hits, then the
    /// graph; last the published steps over the graph, which stand for themselves.
    pub const ALL: [Step; 19] = [
        Step::WholeFile,
        Step::Definition,
        Step::Names,
        Step::Stem,
        Step::Path,
        Step::Frames,
        Step::Quotes,
        Step::History,
        Step::Kinds,
        Step::Coherence,
        Step::Reexport,
        Step::Delegate,
        Step::Callees,
        Step::Callers,
        Step::Walk,
        Step::Fold,
        Step::Late,
        Step::Expansion,
        Step::GraphRag,
    ];

    /// The ranking rules that read text, names and paths.
    pub const RULES: &[Step] = Self::ALL.split_at(10).0;

    /// The steps over the graph that the app uses, after the rules: their gains keep to what
    /// [`Step::Kinds`] leaves of a file.
    pub const GRAPH: &[Step] = Self::ALL.split_at(15).0.split_at(10).1;

    /// As the command line and saved traces name it.
    pub fn name(self) -> &'static str {
        match self {
            Step::WholeFile => "whole-file",
            Step::Definition => "definition",
            Step::Names => "names",
            Step::Stem => "stem",
            Step::Path => "path",
            Step::Frames => "frames",
            Step::Quotes => "quotes",
            Step::History => "history",
            Step::Kinds => "kinds",
            Step::Coherence => "coherence",
            Step::Fold => "fold",
            Step::Late => "late",
            Step::Delegate => "delegate",
            Step::Reexport => "reexport",
            Step::Walk => "walk",
            Step::Callees => "callees",
            Step::Callers => "callers",
            Step::Expansion => "expansion",
            Step::GraphRag => "graph-rag",
        }
    }

    /// Reads a [`Step::name`].
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.name() == name)
    }

    /// What it does, in a sentence for people.
    pub fn about(self) -> &'static str {
        match self {
            Step::WholeFile => "The whole file, as one document, holds the words of the question.",
            Step::Definition => "The chunk defines a name that the question mentions.",
            Step::Names => "Names in the chunk share rare words with the question.",
            Step::Stem => "The file is called by rare words of the question.",
            Step::Path => "The question names the folder, the path or the language.",
            Step::Frames => "A pasted stack trace goes through the chunk.",
            Step::Quotes => "The chunk holds a quotation of the question, letter for letter.",
            Step::History => {
                "Commits that touched the file were described in words of the question."
            }
            Step::Late => "Question and chunk compared word by word.",
            Step::Delegate => "A short function leaves its work to the chunk.",
            Step::Reexport => {
                "The file hands on a name of the question that another package defines."
            }
            Step::Walk => "Calls and imports of the best files lead to the chunk's file.",
            Step::Callees => "One of the best hits calls what the chunk defines.",
            Step::Callers => "The chunk calls what one of the best hits defines.",
            Step::Expansion => "The file imports one of the best files, or is imported by one.",
            Step::GraphRag => {
                "Definitions along calls and shortest paths, ranked by their own and their neighbours' similarity."
            }
            Step::Kinds => "Tests, documents, examples and copies count less unless asked for.",
            Step::Coherence => "Files with several good chunks gain.",
            Step::Fold => "Near copies of a better hit go behind it.",
        }
    }

    /// The candidates after the step, best first.
    pub fn apply(self, context: &Context<'_>, hits: Vec<Hit>) -> Vec<Hit> {
        match self {
            Step::WholeFile => whole_file::whole_file(context, hits),
            Step::Definition => definition::definition(context, hits),
            Step::Names => names::names(context, hits),
            Step::Stem => path::stem(context, hits),
            Step::Path => path::path(context, hits),
            Step::Frames => pasted::frames(context, hits),
            Step::Quotes => pasted::quotes(context, hits),
            Step::History => history::history(context, hits),
            Step::Kinds => kinds::kinds(context, hits),
            Step::Coherence => coherence::coherence(context, hits),
            Step::Fold => fold::fold(context, hits),
            Step::Late => late::late(context, hits),
            Step::Delegate => delegate::delegate(context, hits),
            Step::Reexport => reexport::reexport(context, hits),
            Step::Walk => walk::walk(context, hits),
            Step::Callees => uses::callees(context, hits),
            Step::Callers => uses::callers(context, hits),
            Step::Expansion => expansion::expansion(context, hits),
            Step::GraphRag => graph_rag::graph_rag(context, hits),
        }
    }
}

/// The best score: the unit in which a step's gain is measured, since the lists differ in theirs.
fn range(hits: &[Hit]) -> f32 {
    hits.iter().map(|hit| hit.score).fold(0.0, f32::max)
}

/// Adds `gain · range` to each hit that has a gain, and sorts anew.
fn with_gains(
    name: &'static str,
    mut hits: Vec<Hit>,
    gain: impl Fn(&Hit) -> Option<f32>,
) -> Vec<Hit> {
    let range = range(&hits);
    for hit in &mut hits {
        if let Some(raw) = gain(hit).filter(|&gain| gain > 0.0) {
            hit.add(name, raw, raw * range);
        }
    }
    fusion::sorted(hits)
}

/// As [`with_gains`]; chunks with a gain that are no candidates yet become some.
fn with_new(name: &'static str, mut hits: Vec<Hit>, gains: &BTreeMap<ChunkId, f32>) -> Vec<Hit> {
    let range = if hits.is_empty() { 1.0 } else { range(&hits) };
    let mut missing = gains.clone();
    for hit in &mut hits {
        if let Some(gain) = missing.remove(&hit.chunk) {
            hit.add(name, gain, gain * range);
        }
    }
    hits.extend(missing.into_iter().map(|(chunk, gain)| Hit {
        chunk,
        score: gain * range,
        parts: vec![ScorePart {
            name,
            raw: gain,
            weighted: gain * range,
        }],
    }));
    fusion::sorted(hits)
}
