//! Steps that change the candidates. A [`Step`] reads what is known about the question
//! ([`Context`]) and changes scores, adds candidates or removes some. What it did to a hit is a
//! [`ScorePart`] with the step's name, and [`super::trace`] records what moved and why.
//!
//! To add a step, add a file with a [`StepSpec`] and its parameters, and a row of [`LIST`].

mod bert_score;
mod coherence;
mod definition;
mod delegate;
mod expansion;
mod file_meaning;
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
pub mod taught;
#[cfg(test)]
mod tests;
pub(crate) mod text;
mod uses;
mod walk;
mod whole_file;

pub(crate) use expansion::Around;
pub(super) use kinds::kinds;
pub(crate) use kinds::{Purpose, is_built};
pub use kinds::{is_changelog, role_of};

use std::collections::{BTreeMap, BTreeSet};

use super::analysis::Analysis;
use super::late::Side;
use super::params::Param;
use super::{Context, Hit, ScorePart, fusion};
use crate::chunk::ChunkId;
use crate::source::FileId;

/// Describes a step: one `static` in its own file, one row of [`LIST`].
pub(super) struct StepSpec {
    /// Its name on the command line and in saved traces.
    pub name: &'static str,
    /// What it does, as a sentence for people.
    pub about: &'static str,
    /// Returns why it moved a hit, without a full stop.
    pub why: fn(&Analysis, &Hit) -> String,
    pub group: Group,
    /// What it compares token by token, so that the caller must provide scores: see
    /// [`super::late`].
    pub compares: Option<Side>,
    /// Its parameters, which `evaluate` can change.
    pub params: &'static [&'static Param],
    /// Returns the candidates after the step, best first.
    pub apply: fn(&Context<'_>, Vec<Hit>) -> Vec<Hit>,
}

/// Groups of steps that are switched on together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// The ranking rules, which read text, names and paths.
    Rule,
    /// The steps over the graph that the app uses, after the rules: their gains are scaled by what
    /// `kinds` leaves of a file's score.
    Graph,
    /// Published steps that stand on their own, and steps that compare hits.
    Other,
}

/// All steps in the order in which they run: gains first, then factors, then steps that compare
/// hits, then the graph; last the published steps over the graph.
static LIST: &[&StepSpec] = &[
    &whole_file::WHOLE_FILE,
    &file_meaning::FILE_MEANING,
    &definition::DEFINITION,
    &names::NAMES,
    &path::STEM,
    &path::PATH,
    &pasted::FRAMES,
    &pasted::QUOTES,
    &history::HISTORY,
    &kinds::KINDS,
    &coherence::COHERENCE,
    &reexport::REEXPORT,
    &delegate::DELEGATE,
    &uses::CALLEES,
    &uses::CALLERS,
    &walk::WALK,
    &fold::FOLD,
    &late::LATE,
    &bert_score::OF_CODE,
    &bert_score::OF_TEXT,
    &expansion::EXPANSION,
    &graph_rag::GRAPH_RAG,
    &taught::TAUGHT,
    &text::TEXT,
];

/// Returns the parameters of all steps.
pub(super) fn params() -> impl Iterator<Item = &'static Param> {
    LIST.iter().flat_map(|spec| spec.params.iter().copied())
}

/// One change of the candidates: an index into the list of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step(usize);

impl Step {
    /// Returns all steps in the order in which they run.
    pub fn all() -> impl Iterator<Item = Step> {
        (0..LIST.len()).map(Step)
    }

    /// Returns the steps of a group, in order.
    pub fn of(group: Group) -> impl Iterator<Item = Step> {
        Self::all().filter(move |step| step.spec().group == group)
    }

    /// Returns the step with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|step| step.name() == name)
    }

    /// Returns its name on the command line and in saved traces.
    pub fn name(self) -> &'static str {
        self.spec().name
    }

    /// Returns what it does, as a sentence for people.
    pub fn about(self) -> &'static str {
        self.spec().about
    }

    pub(super) fn spec(self) -> &'static StepSpec {
        // The index always comes from the list.
        LIST.get(self.0).copied().unwrap_or(&whole_file::WHOLE_FILE)
    }

    /// Returns the candidates after the step, best first.
    pub(super) fn apply(self, context: &Context<'_>, hits: Vec<Hit>) -> Vec<Hit> {
        (self.spec().apply)(context, hits)
    }
}

/// Returns the best score: the unit of a step's gain, since the lists differ in their scales.
pub(super) fn range(hits: &[Hit]) -> f32 {
    hits.iter().map(|hit| hit.score).fold(0.0, f32::max)
}

/// Returns, for each file without a hit, its chunk nearest to the question.
pub(super) fn nearest_chunks(
    context: &Context<'_>,
    hits: &[Hit],
    files: impl Iterator<Item = FileId>,
) -> Vec<Hit> {
    let index = context.index;
    let chunks = hits.iter().filter_map(|hit| index.chunk(hit.chunk));
    let known: BTreeSet<FileId> = chunks.map(|chunk| chunk.file).collect();
    let nearness = |chunk: &ChunkId| {
        let table = context.table.as_ref();
        table.and_then(|it| it.cosine(*chunk)).unwrap_or_default()
    };
    let nearest = |file: FileId| {
        let chunks = index.chunks_of(file).map(|(id, _)| id);
        chunks.max_by(|a, b| nearness(a).total_cmp(&nearness(b)).then(b.cmp(a)))
    };
    let missing = files.filter(|file| !known.contains(file));
    let hit = |chunk| Hit {
        chunk,
        score: 0.0,
        parts: Vec::new(),
    };
    missing.filter_map(nearest).map(hit).collect()
}

/// Adds `gain · range` to each hit that has a gain, and re-sorts.
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

/// Like [`with_gains`]; chunks with a gain that are not candidates yet become candidates.
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
