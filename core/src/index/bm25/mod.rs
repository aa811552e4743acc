//! BM25 over three fields of a chunk, hand-written so that postings can be saved and every part of
//! a score can be shown.
//!
//! score(d, q) = Σ_t IDF(t) · f(k1 + 1) / (f + k1), where f = Σ_field w · tf / (1 − b + b · len /
//! avg): BM25F, which with a single field of weight 1 is the formula of Grounded (section 1 of
//! methods). IDF(t) = ln(1 + (N − n + ½) / (n + ½)), never negative; n counts the chunks with the
//! term in any field.

mod build;
mod bytes;
mod corpus;
mod counts;
mod groups;

#[cfg(test)]
mod tests;

pub use build::Bm25Builder;
pub(crate) use build::KnownWords;
pub(super) use bytes::BytesError;
pub use corpus::Corpus;
pub(crate) use counts::{Counting, TermCounts};

use crate::chunk::ChunkId;

/// The searched fields, in the order of all arrays.
pub(crate) const FIELDS: [&str; 3] = ["body", "path", "names"];

/// Weight and length normalisation of one field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldParams {
    /// Factor of the field's frequencies; 0 leaves the field out.
    pub weight: f32,
    /// How much the length of the field counts: 0 not at all, 1 fully.
    pub b: f32,
}

/// The free parameters of the formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bm25Params {
    /// How soon further occurrences of a term stop counting.
    pub k1: f32,
    /// In the order of [`FIELDS`].
    pub fields: [FieldParams; 3],
}

impl Bm25Params {
    /// The published formula: the body alone, k1 = 1.2, b = 0.75.
    pub const PLAIN: Self = Self {
        k1: 1.2,
        fields: [
            FieldParams {
                weight: 1.0,
                b: 0.75,
            },
            FieldParams {
                weight: 0.0,
                b: 0.0,
            },
            FieldParams {
                weight: 0.0,
                b: 0.0,
            },
        ],
    };
}

impl Default for Bm25Params {
    fn default() -> Self {
        Self {
            k1: 1.2,
            fields: [
                FieldParams {
                    weight: 1.0,
                    b: 0.75,
                },
                FieldParams {
                    weight: 1.0,
                    b: 0.5,
                },
                FieldParams {
                    weight: 2.0,
                    b: 0.5,
                },
            ],
        }
    }
}

/// The contribution of one term to one chunk's score.
#[derive(Clone, Debug, PartialEq)]
pub struct TermScore {
    /// The term as indexed.
    pub term: String,
    /// Its rarity among the chunks, above 0.
    pub idf: f32,
    /// Its contribution to the chunk's score.
    pub score: f32,
    /// The score divided among [`FIELDS`] by their weighted frequencies.
    pub fields: [f32; 3],
}

/// An inverted index over chunks. Immutable except for its parameters.
#[derive(Clone, Debug)]
pub struct Bm25 {
    params: Bm25Params,
    chunk_count: u32,
    /// All terms, sorted and concatenated.
    terms: String,
    /// Where each term starts in `terms`; one more entry than terms.
    term_starts: Vec<u32>,
    /// Where each term's postings start; one more entry than terms.
    posting_starts: Vec<u32>,
    /// Chunks with the term, ascending within a term.
    posting_chunks: Vec<u32>,
    /// Frequency in each field, at most 255.
    posting_counts: Vec<[u8; 3]>,
    /// Number of tokens in each field of each chunk.
    lengths: Vec<[u32; 3]>,
    /// Weight divided by length normalisation, for each chunk and field; derived from the rest.
    factors: Vec<[f32; 3]>,
}

impl Bm25 {
    /// Returns a builder for an index without chunks.
    pub fn builder() -> Bm25Builder {
        Bm25Builder::default()
    }

    /// Sets the parameters that it scores with from now on.
    pub fn set_params(&mut self, params: Bm25Params) {
        self.params = params;
        self.factors = factors(&params, &self.lengths);
    }

    /// Returns the parameters that it scores with.
    pub fn params(&self) -> Bm25Params {
        self.params
    }

    /// Returns the number of chunks.
    pub fn chunk_count(&self) -> usize {
        self.chunk_count as usize
    }

    /// Returns the number of distinct terms.
    pub(crate) fn term_count(&self) -> usize {
        self.term_starts.len().saturating_sub(1)
    }

    /// Returns the number of chunks with the term in any field.
    pub(crate) fn document_frequency(&self, term: &str) -> usize {
        self.postings(term).map_or(0, |(chunks, _)| chunks.len())
    }

    /// Returns how rare a term is, at least 0; the largest value for a term that never occurs.
    pub(crate) fn idf(&self, term: &str) -> f32 {
        self.idf_of(self.document_frequency(term))
    }

    fn idf_of(&self, frequency: usize) -> f32 {
        rarity(self.chunk_count as f32, frequency as f32)
    }

    /// Returns the best `n` chunks, best first, equal scores in id order. Chunks without any of the
    /// tokens are never included. A token that is given twice counts twice.
    pub fn search(&self, tokens: &[impl AsRef<str>], n: usize) -> Vec<(ChunkId, f32)> {
        self.search_by(&self.params, tokens, n)
    }

    /// Like [`Bm25::search`], with other parameters.
    pub(crate) fn search_by(
        &self,
        params: &Bm25Params,
        tokens: &[impl AsRef<str>],
        n: usize,
    ) -> Vec<(ChunkId, f32)> {
        self.search_weighted(params, &counted(tokens), n)
    }

    /// Like [`Bm25::search_by`], with a weight for each token.
    pub(crate) fn search_weighted(
        &self,
        params: &Bm25Params,
        tokens: &[(impl AsRef<str>, f32)],
        n: usize,
    ) -> Vec<(ChunkId, f32)> {
        let own = (*params != self.params).then(|| factors(params, &self.lengths));
        let factors = own.as_ref().unwrap_or(&self.factors);
        let mut scores = vec![0f32; self.chunk_count()];
        let mut touched = Vec::new();
        for (term, weight) in tokens {
            let Some((chunks, counts)) = self.postings(term.as_ref()) else {
                continue;
            };
            let gain = weight * self.idf_of(chunks.len()) * (params.k1 + 1.0);
            for (&chunk, counts) in chunks.iter().zip(counts) {
                let frequency = frequency(factors, chunk, counts);
                let Some(score) = scores.get_mut(chunk as usize) else {
                    continue;
                };
                if frequency <= 0.0 {
                    continue;
                }
                if *score == 0.0 {
                    touched.push(chunk);
                }
                *score += gain * frequency / (frequency + params.k1);
            }
        }
        let score = |chunk: u32| scores.get(chunk as usize).copied().unwrap_or(0.0);
        best(
            touched
                .into_iter()
                .map(|at| (ChunkId(at), score(at)))
                .collect(),
            n,
        )
    }

    /// Returns the parts of a chunk's score, one per distinct token that occurs in it, in the
    /// question's order.
    pub fn explain(&self, tokens: &[impl AsRef<str>], chunk: ChunkId) -> Vec<TermScore> {
        let parts = counted(tokens).into_iter().filter_map(|(term, times)| {
            let (chunks, counts) = self.postings(term)?;
            let counts = counts.get(chunks.binary_search(&chunk.0).ok()?)?;
            let frequency = frequency(&self.factors, chunk.0, counts);
            let idf = self.idf_of(chunks.len());
            let k1 = self.params.k1;
            let score = times * idf * (k1 + 1.0) * frequency / (frequency + k1);
            let factors = self.factors.get(chunk.0 as usize)?;
            let share = |field: usize| match (counts.get(field), factors.get(field)) {
                (Some(&count), Some(factor)) if frequency > 0.0 => {
                    score * f32::from(count) * factor / frequency
                }
                _ => 0.0,
            };
            Some(TermScore {
                term: term.to_owned(),
                idf,
                score,
                fields: [share(0), share(1), share(2)],
            })
        });
        parts.filter(|part| part.score > 0.0).collect()
    }

    /// Returns the chunks with the term, ascending, with the term's frequency in each of [`FIELDS`]
    /// (at most 255).
    pub(crate) fn postings(&self, term: &str) -> Option<(&[u32], &[[u8; 3]])> {
        let at = self.term_at(term)?;
        let start = *self.posting_starts.get(at)? as usize;
        let end = *self.posting_starts.get(at + 1)? as usize;
        Some((
            self.posting_chunks.get(start..end)?,
            self.posting_counts.get(start..end)?,
        ))
    }

    /// Returns all terms in order.
    pub fn terms(&self) -> impl Iterator<Item = &str> {
        (0..self.term_count()).filter_map(|at| self.term(at))
    }

    /// Returns each term with the chunks that it occurs in and, for each of them, the part of the
    /// score that does not depend on the term's rarity: f (k1 + 1) / (f + k1), at most k1 + 1. An
    /// index of many repositories multiplies it by the rarity among them all.
    pub fn impacts(&self) -> impl Iterator<Item = (&str, Vec<(ChunkId, f32)>)> {
        self.terms().map(|term| {
            let (chunks, counts) = self.postings(term).unwrap_or_default();
            let k1 = self.params.k1;
            let impact = |(&chunk, counts): (&u32, &[u8; 3])| {
                let frequency = frequency(&self.factors, chunk, counts);
                (ChunkId(chunk), frequency * (k1 + 1.0) / (frequency + k1))
            };
            let impacts = chunks.iter().zip(counts).map(impact);
            (term, impacts.filter(|(_, impact)| *impact > 0.0).collect())
        })
    }

    /// Returns the terms that start with `prefix`, in order, without examining any other.
    pub(crate) fn terms_from<'t, 'p>(
        &'t self,
        prefix: &'p str,
    ) -> impl Iterator<Item = &'t str> + use<'t, 'p> {
        let (mut low, mut high) = (0, self.term_count());
        while low < high {
            let middle = (low + high) / 2;
            if self.term(middle).is_some_and(|term| term < prefix) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (low..self.term_count())
            .filter_map(|at| self.term(at))
            .take_while(move |term| term.starts_with(prefix))
    }

    fn term(&self, at: usize) -> Option<&str> {
        let start = *self.term_starts.get(at)? as usize;
        let end = *self.term_starts.get(at + 1)? as usize;
        self.terms.get(start..end)
    }

    fn term_at(&self, term: &str) -> Option<usize> {
        let (mut low, mut high) = (0, self.term_count());
        while low < high {
            let middle = (low + high) / 2;
            match self.term(middle)?.cmp(term) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }
}

/// Returns how rare a term is that `with` of `total` chunks contain.
fn rarity(total: f32, with: f32) -> f32 {
    ((total - with + 0.5) / (with + 0.5)).ln_1p()
}

/// Returns the frequency of a term in a chunk, fields weighted and normalised by length.
fn frequency(factors: &[[f32; 3]], chunk: u32, counts: &[u8; 3]) -> f32 {
    let Some(factors) = factors.get(chunk as usize) else {
        return 0.0;
    };
    let parts = counts.iter().zip(factors);
    parts
        .map(|(&count, factor)| f32::from(count) * factor)
        .sum()
}

/// Returns the distinct tokens in order of first occurrence, with their number of occurrences.
fn counted<T: AsRef<str>>(tokens: &[T]) -> Vec<(&str, f32)> {
    let mut counts: Vec<(&str, f32)> = Vec::new();
    let mut places = crate::hash::FastMap::default();
    for token in tokens.iter().map(AsRef::as_ref) {
        let at = *places.entry(token).or_insert(counts.len());
        match counts.get_mut(at) {
            Some((_, times)) => *times += 1.0,
            None => counts.push((token, 1.0)),
        }
    }
    counts
}

/// Returns the `n` highest scores, highest first, equal ones by id.
pub(crate) fn best(mut scored: Vec<(ChunkId, f32)>, n: usize) -> Vec<(ChunkId, f32)> {
    let order = |a: &(ChunkId, f32), b: &(ChunkId, f32)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
    if n == 0 {
        return Vec::new();
    }
    if scored.len() > n {
        scored.select_nth_unstable_by(n - 1, order);
        scored.truncate(n);
    }
    scored.sort_unstable_by(order);
    scored
}

/// Returns a field's weight divided by the normalisation of its length.
fn factor(field: &FieldParams, length: u32, average: f32) -> f32 {
    let norm = 1.0 - field.b + field.b * length as f32 / average;
    if norm > 0.0 { field.weight / norm } else { 0.0 }
}

fn factors(params: &Bm25Params, lengths: &[[u32; 3]]) -> Vec<[f32; 3]> {
    let mut sums = [0u64; 3];
    for chunk in lengths {
        for (sum, &length) in sums.iter_mut().zip(chunk) {
            *sum += u64::from(length);
        }
    }
    let count = lengths.len().max(1) as f32;
    let averages = sums.map(|sum| (sum as f32 / count).max(f32::MIN_POSITIVE));
    let of_chunk = |chunk: &[u32; 3]| {
        let mut values = [0.0; 3];
        let fields = params.fields.iter().zip(chunk).zip(averages);
        for (value, ((field, &length), average)) in values.iter_mut().zip(fields) {
            *value = factor(field, length, average);
        }
        values
    };
    lengths.iter().map(of_chunk).collect()
}
