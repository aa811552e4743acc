//! GraphRAG as in RepoDistill (section 3.1): definitions near the question, what they call and what
//! calls them, and the definitions on the shortest paths between them, ranked by their own
//! similarity and that of their best neighbour.

use std::collections::{BTreeMap, BTreeSet};

use super::links::defined;
use super::similarity::Similarity;
use super::{Group, StepSpec};
use crate::chunk::ChunkId;
use crate::index::graph::SymbolId;
use crate::search::params::Param;
use crate::search::{Context, Hit, ScorePart, fusion};

/// Number of anchors; the paper leaves K open.
static ANCHORS: Param = Param::new("anchors", 10.0).shown(
    "anchors",
    (1.0, 50.0),
    1.0,
    "How many definitions near the question are entry points into the graph.",
);
/// λ: the weight of a candidate's own similarity.
static OWN: Param = Param::new("lambda", 0.5).shown(
    "λ",
    (0.0, 1.0),
    0.05,
    "The share of a definition's own similarity; the rest is that of its best neighbour.",
);
/// Maximum number of an anchor's calls that are followed in each direction: a helper that is called
/// everywhere leads everywhere.
const MAX_CALLS: usize = 64;
/// Maximum number of nodes visited from one anchor in search of the others.
const MAX_VISITS: usize = 1_000;

pub(super) static GRAPH_RAG: StepSpec = StepSpec {
    name: "graph-rag",
    about: "Definitions along calls and shortest paths, ranked by their own and their neighbours' similarity.",
    why: |_, _| "near the question by itself or by a definition beside it in the graph".to_owned(),
    group: Group::Other,
    compares: None,
    params: &[&ANCHORS, &OWN],
    apply: graph_rag,
};

/// Replaces the candidates with those of the graph. The anchors are the definitions among the best
/// hits; if a list by meaning is empty, those among the best chunks by words.
fn graph_rag(context: &Context<'_>, hits: Vec<Hit>) -> Vec<Hit> {
    let similarity = Similarity::new(context);
    let chunks: Vec<ChunkId> = match hits.is_empty() {
        true => similarity.best_by_words(),
        false => hits.iter().map(|hit| hit.chunk).collect(),
    };
    let most = context.params.get(&ANCHORS).max(0.0) as usize;
    let mut anchors: Vec<SymbolId> = Vec::new();
    for symbol in chunks.into_iter().filter_map(|id| definition(context, id)) {
        if anchors.len() < most && !anchors.contains(&symbol) {
            anchors.push(symbol);
        }
    }
    let candidates = candidates(context, &anchors);
    let near: BTreeMap<SymbolId, f32> = candidates
        .iter()
        .filter_map(|&symbol| Some((symbol, similarity.of(context.index.chunk_of(symbol)?))))
        .collect();
    let share = context.params.get(&OWN);
    let mut best: BTreeMap<ChunkId, Hit> = BTreeMap::new();
    for (&symbol, &own) in &near {
        let around = context.index.graph.related(symbol);
        let support = around.iter().filter_map(|other| near.get(other));
        let support = support.copied().fold(0.0, f32::max);
        let Some(chunk) = context.index.chunk_of(symbol) else {
            continue;
        };
        let hit = hit(chunk, (own, share), (support, 1.0 - share));
        match best.get(&chunk) {
            Some(known) if known.score >= hit.score => {}
            _ => drop(best.insert(chunk, hit)),
        }
    }
    fusion::sorted(best.into_values().collect())
}

/// Returns the class, function or method that the chunk belongs to, or the first one in it.
fn definition(context: &Context<'_>, id: ChunkId) -> Option<SymbolId> {
    let chunk = context.index.chunk(id)?;
    let file = chunk.file;
    let own = chunk.symbol.map(|at| SymbolId { file, at });
    let mut symbols = own.into_iter().chain(defined(context.index, id));
    symbols.find(|&symbol| context.index.graph.symbol_node(symbol).is_some())
}

/// Returns the anchors, everything one call away, and the definitions on paths between anchors.
fn candidates(context: &Context<'_>, anchors: &[SymbolId]) -> BTreeSet<SymbolId> {
    let graph = &context.index.graph;
    let mut candidates: BTreeSet<SymbolId> = anchors.iter().copied().collect();
    for &anchor in anchors {
        let callers = graph.callers(anchor).into_iter();
        let callees = graph.callees(anchor).into_iter();
        candidates.extend(callers.filter_map(|call| call.caller).take(MAX_CALLS));
        candidates.extend(callees.map(|call| call.callee).take(MAX_CALLS));
    }
    candidates.extend(graph.between(anchors, MAX_VISITS));
    candidates
}

/// Makes a hit; `own` and `support` are similarities with their weights.
fn hit(chunk: ChunkId, own: (f32, f32), support: (f32, f32)) -> Hit {
    let part = |name, raw: f32, share: f32| ScorePart {
        name,
        raw,
        weighted: share * raw,
    };
    let parts = vec![
        part("graph-rag", own.0, own.1),
        part("graph-rag, best neighbour", support.0, support.1),
    ];
    Hit {
        chunk,
        score: parts.iter().map(|part| part.weighted).sum(),
        parts,
    }
}
