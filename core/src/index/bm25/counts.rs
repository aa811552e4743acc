//! What BM25 counts in one chunk, without the body's parameters.

use super::{Bm25, Bm25Params, counted, factors};
use crate::chunk::ChunkId;

/// A question's word in one chunk.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TermCounts {
    /// The word as indexed.
    pub term: String,
    /// Its inverse document frequency, times its number of occurrences in the question.
    pub weight: f32,
    /// Its number of occurrences in the chunk's text.
    pub body: f32,
    /// Its frequency in path and names, weighted and normalised by their lengths.
    pub elsewhere: f32,
}

/// Chunks as BM25 counts them, with the parameters of path and names.
pub(crate) struct Counting<'a> {
    bm25: &'a Bm25,
    factors: Vec<[f32; 3]>,
    /// Mean number of words in a text.
    average: f32,
}

impl<'a> Counting<'a> {
    pub fn new(bm25: &'a Bm25, params: &Bm25Params) -> Self {
        let words: u64 = bm25.lengths.iter().map(|it| u64::from(it[0])).sum();
        let average = words as f32 / bm25.lengths.len().max(1) as f32;
        Self {
            bm25,
            factors: factors(params, &bm25.lengths),
            average: average.max(f32::MIN_POSITIVE),
        }
    }

    /// Returns the length of the chunk's text, relative to the mean.
    pub fn length(&self, chunk: ChunkId) -> f32 {
        let lengths = self.bm25.lengths.get(chunk.0 as usize);
        lengths.map_or(0.0, |it| it[0] as f32 / self.average)
    }

    /// Returns the words of `tokens` that the chunk contains.
    pub fn terms(&self, tokens: &[impl AsRef<str>], chunk: ChunkId) -> Vec<TermCounts> {
        let of = |(term, times): (&str, f32)| {
            let (chunks, counts) = self.bm25.postings(term)?;
            let counts = counts.get(chunks.binary_search(&chunk.0).ok()?)?;
            let factors = self.factors.get(chunk.0 as usize)?;
            let [body, path, names] = *counts;
            Some(TermCounts {
                term: term.to_owned(),
                weight: times * self.bm25.idf_of(chunks.len()),
                body: f32::from(body),
                elsewhere: f32::from(path) * factors[1] + f32::from(names) * factors[2],
            })
        };
        counted(tokens).into_iter().filter_map(of).collect()
    }
}
