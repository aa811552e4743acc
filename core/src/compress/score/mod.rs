//! What each block is worth to the question, by one measure a file.

pub mod ami;
pub mod fitted;
pub(super) mod lexical;
pub(super) mod meaning;

use std::ops::Range;

use super::Scored;
use crate::embed::Embedding;
use ami::Ami;

/// Some rows of a piece and what is known of them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Block {
    pub rows: Range<usize>,
    /// Tenths of a token of all its rows.
    pub tenths: usize,
    /// BM25 of its words against the question's.
    pub bm25: f32,
    /// The share of the question's words that it holds, each weighed by its rarity.
    pub coverage: f32,
    /// Of its tokens' mean vector and the question's.
    pub cosine: Option<f32>,
    /// The mean vector itself.
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

    /// Adds up what its rows cost.
    pub(crate) fn count(&mut self, costs: &[usize]) {
        let rows = costs.get(self.rows.clone()).unwrap_or_default();
        self.tenths = rows.iter().sum();
    }

    /// √ of its length in tokens; at least 1.
    pub(crate) fn root_length(&self) -> f32 {
        (self.tenths as f32 / 10.0).max(1.0).sqrt()
    }

    /// All that is known, by name.
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

/// Words and meaning of blocks, as shares of what the best block has.
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

/// A value for each block of each piece; `value` is of the piece's rank and the block.
pub(super) fn of_blocks(scored: &Scored, value: impl Fn(usize, &Block) -> f32) -> Vec<Vec<f32>> {
    let pieces = scored.blocks.iter().enumerate();
    let values = |(rank, blocks): (usize, &Vec<Block>)| {
        blocks.iter().map(|block| value(rank, block)).collect()
    };
    pieces.map(values).collect()
}

/// What a code language model says of each block; what it has not read counts as unrelated.
pub(super) fn by_model(scored: &Scored) -> Vec<Vec<f32>> {
    of_blocks(scored, |_, block| block.ami.unwrap_or_default().whole)
}

/// Of each piece: its retrieval's score, and the most that one of its blocks has of words and of
/// meaning, each by the best piece's.
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

/// The largest of some values, for scaling; never 0 or less.
fn most(values: impl Iterator<Item = f32>) -> f32 {
    let most = values.fold(0.0, f32::max);
    if most > 0.0 { most } else { 1.0 }
}
