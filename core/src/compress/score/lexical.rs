//! Scores blocks and rows by the words of the question: BM25 with the repository's own rarities,
//! where the documents are the blocks (or rows) of the retrieved pieces.

use std::collections::BTreeMap;

use crate::compress::Scored;
use crate::index::tokens::code_tokens;
use crate::index::{Index, Vectors};
use crate::search::retrieve::weighted_terms;
use crate::search::{Context, Question};

const K1: f32 = 1.2;
const B: f32 = 0.75;

/// The question's words in all their forms, with weight times rarity.
struct Terms(BTreeMap<String, f32>);

impl Terms {
    fn new(index: &Index, question: &Question) -> Self {
        let vectors = Vectors::new(1, 0);
        let context = Context::new(index, &vectors, question, None);
        let terms = weighted_terms(&context).into_iter();
        Self(
            terms
                .map(|(term, weight)| {
                    let idf = index.bm25.idf(&term);
                    (term, weight * idf)
                })
                .collect(),
        )
    }
}

/// The words of a row: how many, and how often each term occurs.
#[derive(Clone, Default)]
struct Words<'t> {
    length: f32,
    counts: BTreeMap<&'t str, f32>,
}

impl<'t> Words<'t> {
    fn of(row: &str, terms: &'t Terms) -> Self {
        let mut words = Self::default();
        for token in code_tokens(row) {
            words.length += 1.0;
            if let Some((term, _)) = terms.0.get_key_value(&token) {
                *words.counts.entry(term).or_default() += 1.0;
            }
        }
        words
    }

    fn add(&mut self, other: &Self) {
        self.length += other.length;
        for (term, count) in &other.counts {
            *self.counts.entry(term).or_default() += count;
        }
    }

    /// The share of the terms that occur, by weight.
    fn coverage(&self, terms: &Terms) -> f32 {
        let known = self.counts.keys().filter_map(|term| terms.0.get(*term));
        let all: f32 = terms.0.values().sum();
        if all > 0.0 {
            known.sum::<f32>() / all
        } else {
            0.0
        }
    }

    fn bm25(&self, terms: &Terms, average: f32) -> f32 {
        let norm = K1 * (1.0 - B + B * self.length / average.max(1.0));
        let part = |(term, count): (&&str, &f32)| {
            let weight = terms.0.get(*term).copied().unwrap_or(0.0);
            weight * count * (K1 + 1.0) / (count + norm)
        };
        self.counts.iter().map(part).sum()
    }
}

/// Scores all blocks and rows.
pub(crate) fn score(scored: &mut Scored, index: &Index, question: &Question) {
    let terms = Terms::new(index, question);
    let rows: Vec<Vec<Words<'_>>> = scored
        .sources
        .iter()
        .map(|source| {
            source
                .rows
                .iter()
                .map(|row| Words::of(row, &terms))
                .collect()
        })
        .collect();
    let average = average(rows.iter().flatten());
    scored.row_scores = rows
        .iter()
        .map(|rows| rows.iter().map(|row| row.bm25(&terms, average)).collect())
        .collect();
    let names = scored.sources.iter();
    scored.name_scores = names
        .map(|source| Words::of(&source.title, &terms).coverage(&terms))
        .collect();
    let blocks: Vec<Vec<Words<'_>>> = scored
        .blocks
        .iter()
        .zip(&rows)
        .map(|(blocks, rows)| {
            let words = |block: &super::Block| {
                let mut words = Words::default();
                let rows = rows.get(block.rows.clone()).unwrap_or_default();
                rows.iter().for_each(|row| words.add(row));
                words
            };
            blocks.iter().map(words).collect()
        })
        .collect();
    let average = self::average(blocks.iter().flatten());
    for (blocks, words) in scored.blocks.iter_mut().zip(&blocks) {
        for (block, words) in blocks.iter_mut().zip(words) {
            block.bm25 = words.bm25(&terms, average);
            block.coverage = words.coverage(&terms);
        }
    }
}

/// The average number of words of the documents that have any.
fn average<'w, 't: 'w>(documents: impl Iterator<Item = &'w Words<'t>>) -> f32 {
    let lengths = documents
        .map(|words| words.length)
        .filter(|length| *length > 0.0);
    let (sum, n) = lengths.fold((0.0, 0.0), |(sum, n), length| (sum + length, n + 1.0));
    if n > 0.0 { sum / n } else { 1.0 }
}
