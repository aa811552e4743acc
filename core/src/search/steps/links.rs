//! Which chunks use which: the edges of the graph between the chunks on whose lines they lie.

use std::collections::BTreeMap;

use crate::chunk::ChunkId;
use crate::index::Index;
use crate::index::graph::{CallLink, SymbolId};

/// With more calls than this leading to a definition, none of them says anything.
const HUB: u32 = 400;

/// Other chunks with the weight of the edge to each: certain calls of rarely called definitions
/// weigh most.
pub(super) type Links = BTreeMap<ChunkId, f32>;

/// Returns the chunks that define what the lines of `chunk` call.
pub(super) fn used(index: &Index, chunk: ChunkId) -> Links {
    let mut links = Links::new();
    let Some(lines) = index.chunk(chunk).map(|chunk| chunk.lines) else {
        return links;
    };
    for symbol in around(index, chunk) {
        let calls = index.graph.callees(symbol).into_iter();
        for call in calls.filter(|call| lines.contains(call.line)) {
            add(index, &mut links, chunk, index.chunk_of(call.callee), &call);
        }
    }
    links
}

/// Returns the chunks that call what `chunk` defines.
pub(super) fn users(index: &Index, chunk: ChunkId) -> Links {
    let mut links = Links::new();
    for symbol in defined(index, chunk) {
        if index.graph.n_callers(symbol) > HUB {
            continue;
        }
        for call in index.graph.callers(symbol) {
            let user = index.chunk_at(call.file, call.line);
            add(index, &mut links, chunk, user, &call);
        }
    }
    links
}

fn add(index: &Index, links: &mut Links, from: ChunkId, to: Option<ChunkId>, call: &CallLink) {
    if let Some(to) = to.filter(|&to| to != from) {
        let n_callers = index.graph.n_callers(call.callee).max(1) as f32;
        let weight = call.weight / (1.0 + n_callers.ln());
        let known = links.entry(to).or_insert(0.0);
        *known = known.max(weight);
    }
}

/// Returns the definitions whose names stand in the chunk.
pub(super) fn defined(index: &Index, id: ChunkId) -> Vec<SymbolId> {
    let file_and_lines = index.chunk(id).map(|chunk| (chunk.file, chunk.lines));
    let Some((file, lines)) = file_and_lines else {
        return Vec::new();
    };
    let parsed = index.parsed.get(file.0 as usize);
    let symbols = parsed.map_or(&[][..], |parsed| &parsed.symbols);
    (0..)
        .zip(symbols)
        .filter(|(_, symbol)| lines.contains(symbol.name_line))
        .map(|(at, _)| SymbolId { file, at })
        .collect()
}

/// Returns the definitions in the chunk and the one that it is part of.
fn around(index: &Index, id: ChunkId) -> Vec<SymbolId> {
    let mut symbols = defined(index, id);
    let own = index.chunk(id).and_then(|chunk| {
        let file = chunk.file;
        Some(SymbolId {
            file,
            at: chunk.symbol?,
        })
    });
    symbols.extend(own.filter(|own| !symbols.contains(own)));
    symbols
}
