//! Reciprocal rank fusion of both lists (Cormack, Clarke & Büttcher 2009).

use super::{ListSpec, by_meaning, by_words, most};
use crate::search::fusion;
use crate::search::params::Param;

/// Rank offset.
static K: Param = Param::new("rrf_k", 60.0).shown(
    "k (ranks)",
    (0.0, 200.0),
    5.0,
    "How slowly a rank loses its worth: the larger this is, the closer first and tenth place are.",
);

pub(super) static LIST: ListSpec = ListSpec {
    name: "rrf",
    about: "Both lists, joined by rank.",
    uses_words: true,
    uses_vectors: true,
    uses_texts: false,
    params: &[&K],
    make: |context| {
        let (n, k) = (most(context), context.params.get(&K).max(0.0));
        fusion::rrf(&by_words(context, n), &by_meaning(context, n), k)
    },
};
