//! Files that a language model chose from what was found: they come first, and are the answer's.

use std::collections::BTreeSet;

use super::steps::{nearest_chunks, range};
use super::{Context, Hit, fusion};
use crate::index::Index;
use crate::source::FileId;

/// Name of the score part that the hits of a chosen file have.
const NAME: &str = "chosen";

/// Puts the hits of these files before all others; within both, the order stays. A file without a
/// hit gets one: its chunk that is nearest to the question.
pub(crate) fn bring_forward(context: &Context<'_>, hits: Vec<Hit>, files: &[FileId]) -> Vec<Hit> {
    let gain = 2.0 * range(&hits).max(f32::MIN_POSITIVE);
    let missing = nearest_chunks(context, &hits, files.iter().copied());
    let mut hits = hits;
    hits.extend(missing);
    for hit in &mut hits {
        let file = context.index.chunk(hit.chunk).map(|chunk| chunk.file);
        if file.is_some_and(|file| files.contains(&file)) {
            hit.add(NAME, 1.0, gain);
        }
    }
    fusion::sorted(hits)
}

/// The files that were chosen; empty if nothing was.
pub(super) fn files(index: &Index, hits: &[Hit]) -> BTreeSet<FileId> {
    let chosen = hits.iter().filter(|hit| hit.raw(NAME).is_some());
    let files = chosen.filter_map(|hit| index.chunk(hit.chunk).map(|chunk| chunk.file));
    files.collect()
}
