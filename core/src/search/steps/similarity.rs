//! How near any chunk is to the question, candidate or not: graph steps reach chunks that no list
//! contains.

use std::collections::BTreeMap;

use crate::chunk::ChunkId;
use crate::search::Context;
use crate::search::retrieve::terms;

/// Number of chunks with a score by words; a lower rank counts as no score.
const BY_WORDS: usize = 2_000;

/// The cosine of chunk and question; without a vector, the share of the best score by words, on the
/// scale of the cosines.
pub(super) struct Similarity<'a> {
    context: &'a Context<'a>,
    by_words: Vec<ChunkId>,
    words: BTreeMap<ChunkId, f32>,
    /// The value of the best chunk by words.
    scale: f32,
}

impl<'a> Similarity<'a> {
    pub fn new(context: &'a Context<'a>) -> Self {
        let bm25 = &context.index.bm25;
        let list = bm25.search(&terms(context.index, context.question), BY_WORDS);
        let best = list.first().map_or(1.0, |&(_, score)| score);
        let cosines = list.iter().filter_map(|&(chunk, _)| {
            let embedding = context.embedding?;
            context.vectors.cosine(embedding, chunk)
        });
        let nearest = cosines.fold(0.0, f32::max);
        let top = if nearest > 0.0 { nearest } else { 1.0 };
        Self {
            context,
            by_words: list.iter().map(|&(chunk, _)| chunk).collect(),
            words: list.into_iter().collect(),
            scale: top / best.max(f32::MIN_POSITIVE),
        }
    }

    /// Returns the best chunks by words, best first.
    pub fn best_by_words(&self) -> Vec<ChunkId> {
        self.by_words.clone()
    }

    pub fn of(&self, chunk: ChunkId) -> f32 {
        let embedding = self.context.embedding;
        let cosine = embedding.and_then(|query| self.context.vectors.cosine(query, chunk));
        cosine.unwrap_or_else(|| self.words.get(&chunk).copied().unwrap_or(0.0) * self.scale)
    }
}
