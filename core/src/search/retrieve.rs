//! Makes the first list of candidates: by words, by meaning, or by both.

use std::collections::{BTreeMap, BTreeSet};

use super::params::Param;
use super::question::MAX_TERMS;
use super::stem::stem;
use super::{Context, Hit, Lists, Question, Strategy, near, steps};
use crate::chunk::ChunkId;
use crate::embed::Embedding;
use crate::index::tokens::question_tokens;
use crate::index::{Index, Vectors};

/// Parameters for making the first candidates, which `evaluate` can change.
pub(super) static PARAMS: &[&Param] = &[&FORMS, &TITLE];

/// Weight of other forms of a word in the question.
static FORMS: Param = Param::new("forms", 0.25);
/// Additional weight of the words in a long question's first line.
static TITLE: Param = Param::new("title", 1.0);

/// Number of leading letters that a word shares with its other forms.
const COMMON_START: usize = 3;

/// Ranks the chunks of `index` for `question` and returns at most `limit` hits, best first. Without
/// `embedding`, or until the transformer has read a chunk, every strategy but `dense` ranks by
/// words, and the default also by the static encoder.
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

/// Returns the chunks whose vectors are needed first: the best `n` by words and by the static
/// encoder's table, after the prior of file roles, so that a repository's tests do not use up what
/// can be compared at once.
pub fn candidates_to_compare(index: &Index, question: &Question, n: usize) -> Vec<ChunkId> {
    let vectors = Vectors::new(1, 0);
    let context = Context::new(index, &vectors, question, None);
    steps::kinds(&context, Lists::fused().candidates(&context))
        .into_iter()
        .take(n)
        .map(|hit| hit.chunk)
        .collect()
}

/// Returns the words of the question to look up, each once. For a long question, only the
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

/// Returns the terms of [`terms`] with weight 1, or more if they are in a long question's first
/// line; and with less weight other words of the repository: their other forms (`redirects` also
/// finds `redirected`), and words close in meaning ([`near`]).
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
    let share = context.params.get(&near::SHARE);
    if share > 0.0 {
        for near in near::words(context) {
            let known = weighted.entry(near.word.clone()).or_default();
            *known = known.max(share * near.cosine);
        }
    }
    weighted
        .into_iter()
        .filter(|&(_, weight)| weight > 0.0)
        .collect()
}

/// Returns the other words of the repository with the stem of `word`. Examines only words that
/// begin alike.
pub(super) fn forms<'i>(index: &'i Index, word: &str, key: &str) -> impl Iterator<Item = &'i str> {
    let start = key.get(..COMMON_START).filter(|_| key.is_ascii());
    let all = start
        .into_iter()
        .flat_map(|start| index.bm25.terms_from(start));
    all.filter(move |form| *form != word && stem(form) == key)
}
