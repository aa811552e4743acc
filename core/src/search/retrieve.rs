//! The first list of candidates: by words, by meaning, or by both.

use std::collections::{BTreeMap, BTreeSet};

use super::analysis::Wording;
use super::fusion::{self, Ranked};
use super::params::Param;
use super::question::MAX_TERMS;
use super::stem::stem;
use super::{Context, Hit, Question, ScorePart, Strategy, in_scope, steps};
use crate::chunk::ChunkId;
use crate::embed::Embedding;
use crate::index::tokens::question_tokens;
use crate::index::{Index, Vectors};

/// The numbers that the first candidates are made with, which `evaluate` can change.
pub(super) static PARAMS: &[&Param] = &[&DENSE_PROSE, &DENSE_NAMED, &DENSE_SYMBOL, &FORMS, &TITLE];

/// Share of meaning when the question is a sentence.
static DENSE_PROSE: Param = Param::new("dense_prose", 0.6);
/// Share of meaning when a sentence holds a name written as code.
static DENSE_NAMED: Param = Param::new("dense_named", 0.4);
/// Share of meaning when the question is a name.
static DENSE_SYMBOL: Param = Param::new("dense_symbol", 0.3);
/// Weight of other forms of a word of the question.
static FORMS: Param = Param::new("forms", 0.25);
/// Further weight of the words of a long question's first line.
static TITLE: Param = Param::new("title", 1.0);

/// Letters that a word and its other forms begin with.
const COMMON_START: usize = 3;

/// Ranks the chunks of `index` for `question`; at most `limit` hits, best first. Without
/// `embedding`, or as long as no chunk has a vector, every strategy but `dense` ranks by words alone.
pub fn search(
    index: &Index,
    vectors: &Vectors,
    question: &Question,
    embedding: Option<&Embedding>,
    strategy: &Strategy,
    limit: usize,
) -> Vec<Hit> {
    Context::new(index, vectors, question, embedding).run(strategy, limit)
}

/// The chunks whose vectors are wanted first: the best `n` by words, after the prior of file roles,
/// so that a repository's tests do not use up what can be compared at once.
pub fn candidates_to_compare(index: &Index, question: &Question, n: usize) -> Vec<ChunkId> {
    let terms = terms(index, question);
    let words = |n| index.bm25.search(&terms, n);
    let list = in_scope(index, question, n.saturating_mul(3), words);
    let vectors = Vectors::new(1, 0);
    let context = Context::new(index, &vectors, question, None);
    steps::kinds(&context, fusion::single("bm25", &list))
        .into_iter()
        .take(n)
        .map(|hit| hit.chunk)
        .collect()
}

/// The words of the question that are looked up; each once. Of a long question only the
/// [`MAX_TERMS`] that are rarest in the repository.
pub fn terms(index: &Index, question: &Question) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut terms: Vec<String> = question_tokens(question.text())
        .into_iter()
        .filter(|term| seen.insert(term.clone()))
        .collect();
    if terms.len() > MAX_TERMS {
        terms.retain(|term| index.bm25.document_frequency(term) > 0);
        terms.sort_by_key(|term| index.bm25.document_frequency(term));
        terms.truncate(MAX_TERMS);
    }
    terms
}

/// The terms of [`terms`] with weight 1, more for those of a long question's first line, and less for
/// every other form of them that the repository uses: `redirects` finds `redirected` too.
pub(crate) fn weighted_terms(context: &Context<'_>) -> Vec<(String, f32)> {
    let (index, question) = (context.index, context.question);
    let title = question.text().lines().next().unwrap_or_default();
    let is_long = title.len() < question.text().len();
    let title: BTreeSet<String> = question_tokens(title).into_iter().collect();
    let mut weighted: BTreeMap<String, f32> = BTreeMap::new();
    for term in terms(index, question) {
        let in_title = is_long && title.contains(&term);
        let further = if in_title {
            context.params.get(&TITLE)
        } else {
            0.0
        };
        let weight = 1.0 + further;
        let key = stem(&term);
        for form in forms(index, &term, &key) {
            let known = weighted.entry(form.to_owned()).or_default();
            *known = known.max(weight * context.params.get(&FORMS));
        }
        let known = weighted.entry(term).or_default();
        *known = known.max(weight);
    }
    weighted
        .into_iter()
        .filter(|&(_, weight)| weight > 0.0)
        .collect()
}

/// The other words of the repository with the stem of `word`. Looks only at words that begin alike.
pub(super) fn forms<'i>(index: &'i Index, word: &str, key: &str) -> impl Iterator<Item = &'i str> {
    let start = key.get(..COMMON_START).filter(|_| key.is_ascii());
    let all = start
        .into_iter()
        .flat_map(|start| index.bm25.terms_from(start));
    all.filter(move |form| *form != word && stem(form) == key)
}

/// Joins two lists into one list of candidates and gives every candidate both of its scores, so that
/// a chunk which only one list put forward is not judged by that list alone. BM25 is scaled by its
/// best score, the cosine from the worst to the best candidate. A candidate without a vector gets
/// the mean dense part of those that have one.
pub(super) fn rescored(context: &Context<'_>, bm25: &Ranked, dense: &Ranked) -> Vec<Hit> {
    let words: BTreeMap<ChunkId, f32> = bm25.iter().copied().collect();
    let candidates: BTreeSet<ChunkId> = bm25.iter().chain(dense).map(|&(chunk, _)| chunk).collect();
    let cosines: BTreeMap<ChunkId, f32> = candidates
        .iter()
        .filter_map(|&chunk| Some((chunk, context.vectors.cosine(context.embedding?, chunk)?)))
        .collect();
    let best = words.values().copied().fold(f32::MIN_POSITIVE, f32::max);
    let scale = fusion::scale_of(cosines.values().copied());
    let mean =
        cosines.values().map(|&cosine| scale(cosine)).sum::<f32>() / cosines.len().max(1) as f32;
    let dense_share = match context.analysis.wording {
        _ if cosines.is_empty() => 0.0,
        Wording::Symbol => context.params.get(&DENSE_SYMBOL),
        Wording::Named => context.params.get(&DENSE_NAMED),
        Wording::Prose => context.params.get(&DENSE_PROSE),
    };
    let hits = candidates
        .into_iter()
        .map(|chunk| {
            let mut parts = Vec::new();
            if let Some(&raw) = words.get(&chunk) {
                parts.push(ScorePart {
                    name: "bm25",
                    raw,
                    weighted: (1.0 - dense_share) * raw / best,
                });
            }
            match cosines.get(&chunk) {
                Some(&raw) => parts.push(ScorePart {
                    name: "dense",
                    raw,
                    weighted: dense_share * scale(raw),
                }),
                None if dense_share > 0.0 => parts.push(ScorePart {
                    name: "dense, not compared yet",
                    raw: 0.0,
                    weighted: dense_share * mean,
                }),
                None => {}
            }
            let score = parts.iter().map(|part| part.weighted).sum();
            Hit {
                chunk,
                score,
                parts,
            }
        })
        .collect();
    fusion::sorted(hits)
}
