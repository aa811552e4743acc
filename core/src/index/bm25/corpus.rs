//! One measure for the chunks of several repositories: how rare a term is and how long a chunk is
//! are counted over all of them, so that scores of chunks in different repositories can be
//! compared. The statistics are made anew for each question, from the repositories that may be
//! read; so they are right whatever comes, goes or is forbidden.

use super::{Bm25, FieldParams, best, rarity};
use crate::chunk::ChunkId;

/// The statistics of the terms of one question.
#[derive(Clone, Debug, PartialEq)]
pub struct Corpus {
    terms: Vec<Term>,
    chunks: u64,
    /// Number of tokens in each field of all chunks.
    lengths: [u64; 3],
}

#[derive(Clone, Debug, PartialEq)]
struct Term {
    term: String,
    /// Number of chunks with the term in any field.
    with: u64,
}

impl Corpus {
    /// Returns statistics over no repository, for these terms, which should be distinct.
    pub fn new(terms: impl IntoIterator<Item = String>) -> Self {
        let terms = terms.into_iter().map(|term| Term { term, with: 0 });
        Self {
            terms: terms.collect(),
            chunks: 0,
            lengths: [0; 3],
        }
    }

    /// Adds the chunks of one repository; `lengths` is what [`Bm25::total_lengths`] says of it.
    pub fn add(&mut self, bm25: &Bm25, lengths: [u64; 3]) {
        self.chunks += u64::from(bm25.chunk_count);
        for (sum, length) in self.lengths.iter_mut().zip(lengths) {
            *sum += length;
        }
        for term in &mut self.terms {
            term.with += bm25.document_frequency(&term.term) as u64;
        }
    }

    /// Keeps the `n` rarest of the terms that occur at all; all terms if there are no more than
    /// `n`.
    pub fn keep_rarest(&mut self, n: usize) {
        if self.terms.len() > n {
            self.terms.retain(|term| term.with > 0);
            self.terms.sort_by_key(|term| term.with);
            self.terms.truncate(n);
        }
    }

    fn averages(&self) -> [f32; 3] {
        let count = self.chunks.max(1) as f32;
        self.lengths
            .map(|sum| (sum as f32 / count).max(f32::MIN_POSITIVE))
    }
}

impl Bm25 {
    /// Returns the number of tokens in each field of all chunks together.
    pub fn total_lengths(&self) -> [u64; 3] {
        let mut sums = [0; 3];
        for chunk in &self.lengths {
            for (sum, &length) in sums.iter_mut().zip(chunk) {
                *sum += u64::from(length);
            }
        }
        sums
    }

    /// Returns the best `n` chunks by the statistics of `corpus`, to which this repository was
    /// added; best first, equal scores in id order.
    pub fn search_in(&self, corpus: &Corpus, n: usize) -> Vec<(ChunkId, f32)> {
        let averages = corpus.averages();
        let factor = |(field, (&length, average)): (&FieldParams, (&u32, f32))| {
            super::factor(field, length, average)
        };
        let mut scores = vec![0f32; self.chunk_count()];
        let mut touched = Vec::new();
        for term in &corpus.terms {
            let Some((chunks, counts)) = self.postings(&term.term) else {
                continue;
            };
            let gain = rarity(corpus.chunks as f32, term.with as f32) * (self.params.k1 + 1.0);
            for (&chunk, counts) in chunks.iter().zip(counts) {
                let at = chunk as usize;
                let (Some(score), Some(lengths)) = (scores.get_mut(at), self.lengths.get(at))
                else {
                    continue;
                };
                let factors = self.params.fields.iter().zip(lengths.iter().zip(averages));
                let weighted = factors.map(factor).zip(counts);
                let frequency: f32 = weighted.map(|(by, &count)| by * f32::from(count)).sum();
                if frequency <= 0.0 {
                    continue;
                }
                if *score == 0.0 {
                    touched.push(ChunkId(chunk));
                }
                *score += gain * frequency / (frequency + self.params.k1);
            }
        }
        let score = |id: ChunkId| scores.get(id.0 as usize).copied().unwrap_or(0.0);
        best(touched.into_iter().map(|id| (id, score(id))).collect(), n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(chunks: &[&str]) -> Bm25 {
        let mut builder = Bm25::builder();
        for body in chunks {
            builder.add(body, "a.py", []);
        }
        builder.finish()
    }

    fn corpus(terms: &[&str], members: &[&Bm25]) -> Corpus {
        let mut corpus = Corpus::new(terms.iter().map(|&term| term.to_owned()));
        for bm25 in members {
            corpus.add(bm25, bm25.total_lengths());
        }
        corpus
    }

    #[test]
    fn a_corpus_of_one_repository_scores_as_that_repository_does() {
        let bm25 = built(&["apple pear apple", "pear and fig", "fig", "apple"]);
        let terms = ["apple", "fig", "missing"];
        let alone = bm25.search(&terms, 10);
        let together = bm25.search_in(&corpus(&terms, &[&bm25]), 10);
        assert_eq!(alone.len(), 4);
        for (a, b) in alone.iter().zip(&together) {
            assert_eq!(a.0, b.0);
            assert!((a.1 - b.1).abs() < 1e-6, "{a:?} {b:?}");
        }
    }

    #[test]
    fn repositories_in_a_corpus_score_as_one_that_holds_all_their_chunks() {
        let (a, b) = (
            built(&["apple pear", "apple pear fig"]),
            built(&["fig tree", "apple tree", "bark"]),
        );
        let whole = built(&[
            "apple pear",
            "apple pear fig",
            "fig tree",
            "apple tree",
            "bark",
        ]);
        let terms = ["fig", "apple"];
        let corpus = corpus(&terms, &[&a, &b]);
        let scores_of = |found: Vec<(ChunkId, f32)>, from: u32| {
            let moved = found
                .into_iter()
                .map(move |(id, score)| (id.0 + from, score));
            moved.collect::<Vec<_>>()
        };
        let mut parts = scores_of(a.search_in(&corpus, 10), 0);
        parts.extend(scores_of(b.search_in(&corpus, 10), 2));
        parts.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let expected = scores_of(whole.search(&terms, 10), 0);
        assert_eq!(parts.len(), expected.len());
        for (part, expected) in parts.iter().zip(&expected) {
            assert_eq!(part.0, expected.0);
            assert!((part.1 - expected.1).abs() < 1e-6);
        }
    }

    #[test]
    fn the_rarest_terms_that_occur_are_kept_when_there_are_too_many() {
        let bm25 = built(&["a b", "a c", "a b"]);
        let mut corpus = corpus(&["a", "b", "c", "d"], &[&bm25]);
        corpus.keep_rarest(2);
        let kept: Vec<&str> = corpus.terms.iter().map(|it| it.term.as_str()).collect();
        assert_eq!(kept, ["c", "b"]);
    }
}
