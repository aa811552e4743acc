//! Chunks in, an inverted index out.

use super::{Bm25, Bm25Params, FIELDS, factors};
use crate::chunk::ChunkId;
use crate::hash::FastMap;
use crate::index::tokens::{identifier_tokens, identifiers};

/// Takes chunks in order; [`Bm25Builder::finish`] sorts what it gathered.
#[derive(Default)]
pub struct Bm25Builder {
    term_ids: FastMap<Box<str>, u32>,
    /// Each identifier's terms, as a range of `identifier_terms`: identifiers repeat much, and
    /// splitting and lower-casing one costs more than finding it.
    identifiers: FastMap<Box<str>, (u32, u32)>,
    identifier_terms: Vec<u32>,
    /// In order of chunks.
    postings: Vec<Posting>,
    /// Each term's frequencies in the chunk that is being added; zero between chunks. Kept apart from
    /// `postings` so that counting touches little memory.
    counts: Vec<[u8; 3]>,
    /// The terms of the chunk that is being added.
    touched: Vec<u32>,
    lengths: Vec<[u32; 3]>,
}

struct Posting {
    term: u32,
    chunk: u32,
    counts: [u8; 3],
}

impl Bm25Builder {
    /// Adds the next chunk: its text, its file's path, and the names of the symbols that it defines.
    /// The first call adds chunk 0.
    pub fn add<'n>(
        &mut self,
        body: &str,
        path: &str,
        names: impl IntoIterator<Item = &'n str>,
    ) -> ChunkId {
        let chunk = self.lengths.len() as u32;
        self.lengths.push([0; FIELDS.len()]);
        self.add_field(0, body);
        self.add_field(1, path);
        for name in names {
            self.add_field(2, name);
        }
        for term in self.touched.drain(..) {
            let counts = self.counts.get_mut(term as usize).map(std::mem::take);
            self.postings.push(Posting {
                term,
                chunk,
                counts: counts.unwrap_or_default(),
            });
        }
        ChunkId(chunk)
    }

    /// Number of chunks so far.
    pub fn chunk_count(&self) -> usize {
        self.lengths.len()
    }

    fn add_field(&mut self, field: usize, text: &str) {
        for identifier in identifiers(text) {
            let (start, end) = match self.identifiers.get(identifier) {
                Some(&range) => range,
                None => self.add_identifier(identifier),
            };
            for at in start..end {
                if let Some(&term) = self.identifier_terms.get(at as usize) {
                    self.count(term, field);
                }
            }
            let length = self
                .lengths
                .last_mut()
                .and_then(|lengths| lengths.get_mut(field));
            if let Some(length) = length {
                *length += end - start;
            }
        }
    }

    fn add_identifier(&mut self, identifier: &str) -> (u32, u32) {
        let start = self.identifier_terms.len() as u32;
        identifier_tokens(identifier, |token| {
            let next = self.term_ids.len() as u32;
            let id = match self.term_ids.get(token) {
                Some(&id) => id,
                None => {
                    self.term_ids.insert(token.into(), next);
                    self.counts.push([0; 3]);
                    next
                }
            };
            self.identifier_terms.push(id);
        });
        let range = (start, self.identifier_terms.len() as u32);
        self.identifiers.insert(identifier.into(), range);
        range
    }

    fn count(&mut self, term: u32, field: usize) {
        let Some(counts) = self.counts.get_mut(term as usize) else {
            return;
        };
        if *counts == [0; 3] {
            self.touched.push(term);
        }
        if let Some(count) = counts.get_mut(field) {
            *count = count.saturating_add(1);
        }
    }

    /// Sorts terms and postings. Takes some 100 ms for 40,000 chunks.
    pub fn finish(self) -> Bm25 {
        let mut vocabulary: Vec<(Box<str>, u32)> = self.term_ids.into_iter().collect();
        vocabulary.sort_unstable();
        let mut terms = String::new();
        let mut term_starts = vec![0];
        let mut ranks = vec![0u32; vocabulary.len()];
        for (rank, (term, id)) in vocabulary.iter().enumerate() {
            terms.push_str(term);
            term_starts.push(terms.len() as u32);
            if let Some(at) = ranks.get_mut(*id as usize) {
                *at = rank as u32;
            }
        }
        let sorted = sort_postings(&self.postings, &ranks);
        let params = Bm25Params::default();
        Bm25 {
            params,
            chunk_count: self.lengths.len() as u32,
            terms,
            term_starts,
            posting_starts: sorted.starts,
            posting_chunks: sorted.chunks,
            posting_counts: sorted.counts,
            factors: factors(&params, &self.lengths),
            lengths: self.lengths,
        }
    }
}

struct Sorted {
    starts: Vec<u32>,
    chunks: Vec<u32>,
    counts: Vec<[u8; 3]>,
}

/// A counting sort by the rank of the term, which keeps chunks in order.
fn sort_postings(postings: &[Posting], ranks: &[u32]) -> Sorted {
    let rank = |posting: &Posting| ranks.get(posting.term as usize).copied().unwrap_or(0) as usize;
    let mut starts = vec![0u32; ranks.len() + 1];
    for posting in postings {
        if let Some(count) = starts.get_mut(rank(posting) + 1) {
            *count += 1;
        }
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    let mut next = starts.clone();
    let mut chunks = vec![0; postings.len()];
    let mut counts = vec![[0; 3]; postings.len()];
    for posting in postings {
        let Some(place) = next.get_mut(rank(posting)) else {
            continue;
        };
        let at = *place as usize;
        *place += 1;
        if let (Some(chunk), Some(count)) = (chunks.get_mut(at), counts.get_mut(at)) {
            *chunk = posting.chunk;
            *count = posting.counts;
        }
    }
    Sorted {
        starts,
        chunks,
        counts,
    }
}
