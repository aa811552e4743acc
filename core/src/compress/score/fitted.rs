//! A fitted combination of all scores of a block: the probability that one of its lines belongs to
//! the answer.
//!
//! Logistic regression on the [`Features`]. They are relative to the best in the same context, so
//! that they mean the same in every repository. The weights were fitted on the development sets:
//! `benches/runs/2026-11-compress` says how, and how they perform on a repository that was not used
//! for fitting.

use super::{Block, most};
use crate::compress::Scored;
use crate::compress::piece::Source;

/// The features of a block, in the order of [`NAMES`].
pub type Features = [f32; NAMES.len()];

/// The names of the features.
pub const NAMES: [&str; 14] = [
    // Always 1.
    "constant",
    // BM25, relative to the best block.
    "words",
    // Cosine, relative to the best block; 0 if unknown.
    "meaning",
    // The share of the question's words that it contains, weighted by rarity.
    "coverage",
    // Words and meaning of the blocks before and after it.
    "neighbours",
    // BM25 of the best block of its piece, relative to the best of all.
    "piece words",
    // The same for the cosine.
    "piece meaning",
    // The retrieval score of its piece, relative to the best piece.
    "retrieval",
    // 1 for the first piece, smaller for each further rank.
    "rank",
    // The share of the question's words in the name of the piece's symbol, weighted by rarity.
    "name",
    // ln of its tokens per row.
    "density",
    // 0 at the start of its piece, 1 at its end.
    "position",
    // Whether it contains the symbol's name.
    "signature",
    // The share of its rows that look like prose: comments and documentation.
    "prose",
];

/// Weights of the features, fitted on all questions. With weights fitted on the other repositories,
/// this compressor keeps no more gold lines than `ranked`, which has nothing to fit; so `ranked` is
/// the default.
pub(crate) const WEIGHTS: Features = [
    -7.602, 1.486, 3.434, -8.925, 0.129, 0.430, 0.902, 1.480, 0.333, 11.196, -0.083, 0.369, -0.067,
    -0.728,
];

/// The probability that a line of each block belongs to the answer, relative to its cost: rows per
/// token.
pub(in crate::compress) fn values(scored: &Scored, weights: &Features) -> Vec<Vec<f32>> {
    let pieces = scored.blocks.iter().zip(features(scored));
    let value = |(block, features): (&Block, Features)| {
        let rows = block.rows.len() as f32;
        probability(weights, &features) * rows / (block.tenths as f32 / 10.0).max(1.0)
    };
    pieces
        .map(|(blocks, features)| blocks.iter().zip(features).map(value).collect())
        .collect()
}

/// The model's probability for a block, 0–1.
pub fn probability(weights: &Features, features: &Features) -> f32 {
    let sum: f32 = weights.iter().zip(features).map(|(w, x)| w * x).sum();
    1.0 / (1.0 + (-sum).exp())
}

/// The features of each block of each piece.
pub(in crate::compress) fn features(scored: &Scored) -> Vec<Vec<Features>> {
    let all = || scored.blocks.iter().flatten();
    let best = Best {
        words: most(all().map(|block| block.bm25)),
        meaning: most(all().filter_map(|block| block.cosine)),
        retrieval: most(scored.sources.iter().map(|source| source.piece.score)),
    };
    let pieces = scored.sources.iter().zip(&scored.blocks).enumerate();
    pieces
        .map(|(rank, (source, blocks))| {
            let known: Vec<(f32, f32)> = blocks.iter().map(|block| best.of(block)).collect();
            let name = scored.name_scores.get(rank).copied().unwrap_or(0.0);
            let piece = [
                known.iter().map(|known| known.0).fold(0.0, f32::max),
                known.iter().map(|known| known.1).fold(0.0, f32::max),
                (source.piece.score / best.retrieval).max(0.0),
                1.0 / (1.0 + rank as f32).sqrt(),
                name,
            ];
            let blocks = blocks.iter().enumerate();
            blocks
                .map(|(at, block)| of_block(at, block, source, &known, piece))
                .collect()
        })
        .collect()
}

/// The largest values in a context.
struct Best {
    words: f32,
    meaning: f32,
    retrieval: f32,
}

impl Best {
    /// Words and meaning of a block, relative to the best.
    fn of(&self, block: &Block) -> (f32, f32) {
        let meaning = block.cosine.unwrap_or(0.0).max(0.0);
        (block.bm25 / self.words, meaning / self.meaning)
    }
}

fn of_block(
    at: usize,
    block: &Block,
    source: &Source,
    known: &[(f32, f32)],
    [piece_words, piece_meaning, retrieval, rank, name]: [f32; 5],
) -> Features {
    let sum_at = |at: Option<usize>| {
        let (words, meaning) = at.and_then(|at| known.get(at)).copied().unwrap_or_default();
        words + meaning
    };
    let (words, meaning) = known.get(at).copied().unwrap_or_default();
    let rows = source.rows.get(block.rows.clone()).unwrap_or_default();
    let n_rows = rows.len().max(1) as f32;
    let tokens = (block.tenths as f32 / 10.0).max(1.0);
    let is_signature = source.name_row.is_some_and(|row| block.rows.contains(&row));
    [
        1.0,
        words,
        meaning,
        block.coverage,
        (sum_at(at.checked_sub(1)) + sum_at(Some(at + 1))) / 4.0,
        piece_words,
        piece_meaning,
        retrieval,
        rank,
        name,
        (tokens / n_rows).ln(),
        block.rows.start as f32 / source.rows.len().max(1) as f32,
        f32::from(u8::from(is_signature)),
        rows.iter().filter(|row| is_prose(row)).count() as f32 / n_rows,
    ]
}

/// Whether a row has three lower-case words in a row, or begins with a comment marker.
fn is_prose(row: &str) -> bool {
    let text = row.trim_start();
    let is_comment = ["#", "//", "/*", "*", "\"\"\"", "'''"]
        .iter()
        .any(|sign| text.starts_with(sign));
    let is_word = |word: &str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let mut run = 0;
    is_comment
        || text.split(' ').any(|word| {
            run = if is_word(word) { run + 1 } else { 0 };
            run >= 3
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_distinguished_from_code() {
        for (row, expected) in [
            ("    # a", true),
            ("    Sends a request to the server.", true),
            ("    for adapter in self.adapters:", true),
            ("    if redirects:", false),
            ("    return self.get(adapter, url)", false),
            ("", false),
        ] {
            assert_eq!(is_prose(row), expected, "{row}");
        }
    }

    #[test]
    fn more_evidence_is_never_less_likely() {
        let mut features: Features = [0.0; NAMES.len()];
        let mut last = 0.0;
        for (at, weight) in WEIGHTS.iter().enumerate() {
            features[at] = if *weight > 0.0 { 1.0 } else { 0.0 };
            let own = probability(&WEIGHTS, &features);
            assert!(own >= last && own <= 1.0);
            last = own;
        }
    }
}
