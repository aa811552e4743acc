//! How relevant each block is to the question, with one measure per file.

pub mod ami;
pub mod fitted;
pub(super) mod lexical;
pub(super) mod meaning;

use std::ops::Range;

use super::Scored;
use crate::embed::Embedding;
use ami::Ami;

/// Some rows of a piece, with their scores.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Block {
    pub rows: Range<usize>,
    /// Cost of all its rows, in tenths of a token.
    pub tenths: usize,
    /// BM25 of its words against the question's.
    pub bm25: f32,
    /// The share of the question's words that it contains, weighted by rarity.
    pub coverage: f32,
    /// Cosine of its tokens' mean vector and the question's vector.
    pub cosine: Option<f32>,
    /// The mean vector of its tokens.
    pub vector: Option<Embedding>,
    pub ami: Option<Ami>,
}

impl Block {
    pub(crate) fn new(rows: Range<usize>, costs: &[usize]) -> Self {
        let mut block = Self {
            rows,
            tenths: 0,
            bm25: 0.0,
            coverage: 0.0,
            cosine: None,
            vector: None,
            ami: None,
        };
        block.count(costs);
        block
    }

    /// Sums the cost of its rows.
    pub(crate) fn count(&mut self, costs: &[usize]) {
        let rows = costs.get(self.rows.clone()).unwrap_or_default();
        self.tenths = rows.iter().sum();
    }

    /// Square root of its length in tokens; at least 1.
    pub(crate) fn root_length(&self) -> f32 {
        (self.tenths as f32 / 10.0).max(1.0).sqrt()
    }

    /// All known scores, by name.
    pub(crate) fn scores(&self, value: Option<f32>) -> Vec<(&'static str, f32)> {
        let known = [
            ("bm25", Some(self.bm25)),
            ("cosine", self.cosine),
            ("ami", self.ami.map(|ami| ami.whole)),
            ("value", value),
        ];
        known
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)))
            .collect()
    }
}

/// Words and meaning of blocks, relative to the best block.
pub(super) struct Shares {
    words: f32,
    meaning: f32,
}

impl Shares {
    pub(crate) fn new(scored: &Scored) -> Self {
        let all = || scored.blocks.iter().flatten();
        Self {
            words: most(all().map(|block| block.bm25)),
            meaning: most(all().filter_map(|block| block.cosine)),
        }
    }

    pub(crate) fn words(&self, block: &Block) -> f32 {
        block.bm25 / self.words
    }

    pub(crate) fn meaning(&self, block: &Block) -> f32 {
        block.cosine.unwrap_or(0.0) / self.meaning
    }
}

/// A value for each block of each piece; `value` takes the piece's rank and the block.
pub(super) fn of_blocks(scored: &Scored, value: impl Fn(usize, &Block) -> f32) -> Vec<Vec<f32>> {
    let pieces = scored.blocks.iter().enumerate();
    let values = |(rank, blocks): (usize, &Vec<Block>)| {
        blocks.iter().map(|block| value(rank, block)).collect()
    };
    pieces.map(values).collect()
}

/// The code language model's score of each block; an unread block counts as unrelated.
pub(super) fn by_model(scored: &Scored) -> Vec<Vec<f32>> {
    of_blocks(scored, |_, block| block.ami.unwrap_or_default().whole)
}

/// For each piece, the sum of its retrieval score and of its best block's scores by words and by
/// meaning, each relative to the best piece.
pub(super) fn relevance(scored: &Scored) -> Vec<f32> {
    let of = |value: &dyn Fn(&Block) -> f32| -> Vec<f32> {
        let most_of = |blocks: &Vec<Block>| blocks.iter().map(value).fold(0.0, f32::max);
        scored.blocks.iter().map(most_of).collect()
    };
    let retrieval = scored
        .sources
        .iter()
        .map(|source| source.piece.score.max(0.0));
    let parts = [
        retrieval.collect(),
        of(&|block| block.bm25),
        of(&|block| block.cosine.unwrap_or(0.0)),
    ];
    let mut sums = vec![0.0; scored.sources.len()];
    for part in parts {
        let most = most(part.iter().copied());
        for (sum, value) in sums.iter_mut().zip(part) {
            *sum += value / most;
        }
    }
    sums
}

/// The largest of the values, for scaling; always above 0.
fn most(values: impl Iterator<Item = f32>) -> f32 {
    let most = values.fold(0.0, f32::max);
    if most > 0.0 { most } else { 1.0 }
}
