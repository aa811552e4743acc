//! What a chunk is by its form alone: lines between symbols (imports, constants) seldom answer, and of
//! two equally good chunks the shorter one leaves more room for others.

use crate::chunk::ChunkKind;
use crate::search::{Context, Hit, fusion};

/// Lines at which a chunk loses half of what the longest can lose.
const HALF: f32 = 60.0;

pub fn shape(context: &Context<'_>, mut hits: Vec<Hit>) -> Vec<Hit> {
    let params = &context.params;
    for hit in &mut hits {
        let Some(chunk) = context.index.chunk(hit.chunk) else {
            continue;
        };
        let lines = chunk.lines.count() as f32;
        let between = match chunk.kind {
            ChunkKind::Between => params.between,
            _ => 1.0,
        };
        let factor = between * (1.0 - params.long * lines / (lines + HALF));
        hit.add("shape", factor, hit.score * (factor - 1.0));
    }
    fusion::sorted(hits)
}
