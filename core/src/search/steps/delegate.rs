//! A public function that leaves its work to another file: someone who asks how it works wants the
//! other file too.

use std::collections::BTreeMap;

use super::kinds::prior;
use super::links::defined;
use super::with_new;
use super::{Group, StepSpec};
use crate::chunk::ChunkId;
use crate::index::Index;
use crate::index::graph::SymbolId;
use crate::search::params::Param;
use crate::search::{Context, Hit};

/// Number of best hits that are examined.
const SEEDS: usize = 12;
/// Maximum number of calls in a function that counts as leaving its work to one of them.
const MAX_CALLS: usize = 8;

/// Gain of what a thin function leaves its work to.
static GAIN: Param = Param::new("delegate", 0.1);

pub(super) static DELEGATE: StepSpec = StepSpec {
    name: "delegate",
    about: "A short function delegates its work to the chunk.",
    why: |_, _| "one of the best hits delegates its work to it".to_owned(),
    group: Group::Graph,
    compares: None,
    params: &[&GAIN],
    apply: delegate,
};

fn delegate(context: &Context<'_>, hits: Vec<Hit>) -> Vec<Hit> {
    let (weight, best) = (context.params.get(&GAIN), super::range(&hits));
    if weight <= 0.0 || best <= 0.0 {
        return hits;
    }
    let mut gains: BTreeMap<ChunkId, f32> = BTreeMap::new();
    for seed in hits.iter().take(SEEDS) {
        for symbol in defined(context.index, seed.chunk) {
            let found = delegate_of(context.index, symbol);
            if let Some(chunk) = found.and_then(|symbol| context.index.chunk_of(symbol)) {
                let gain = gains.entry(chunk).or_insert(0.0);
                *gain = gain.max(weight * prior(context, chunk) * seed.score / best);
            }
        }
    }
    with_new("delegate", hits, &gains)
}

/// Returns the definition in another file that the function calls last, if it calls little else.
fn delegate_of(index: &Index, symbol: SymbolId) -> Option<SymbolId> {
    let parsed = index.parsed.get(symbol.file.0 as usize)?;
    let calls = parsed
        .calls
        .iter()
        .filter(|call| call.caller == Some(symbol.at));
    let lines = calls.map(|call| call.line);
    let (n_calls, last) = lines.fold((0, None), |(n, last), line| (n + 1, last.max(Some(line))));
    if n_calls > MAX_CALLS {
        return None;
    }
    let callees = index.graph.callees(symbol).into_iter();
    let mut at_end = callees.filter(|call| Some(call.line) == last && call.is_certain());
    let elsewhere = at_end.find(|call| call.callee.file != symbol.file);
    elsewhere.map(|call| call.callee)
}
