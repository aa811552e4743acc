//! Words and meaning of one common list, each candidate with both scores; the share of meaning
//! follows from the wording.

use super::{ListSpec, by_meaning, most};
use crate::search::in_scope;
use crate::search::retrieve::{rescored, weighted_terms};

pub(super) static LIST: ListSpec = ListSpec {
    name: "fused",
    about: "Words and meaning; every candidate has both scores.",
    uses_words: true,
    uses_vectors: true,
    params: &[],
    make: |context| {
        let n = most(context);
        let terms = weighted_terms(context);
        let params = context.bm25_params();
        let list = |n| context.index.bm25.search_weighted(&params, &terms, n);
        let words = in_scope(context.index, context.question, n, list);
        rescored(context, &words, &by_meaning(context, n))
    },
};
