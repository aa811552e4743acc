//! Reciprocal rank fusion of both lists.

use super::{ListSpec, by_meaning, by_words, most};
use crate::search::fusion;

pub(super) static LIST: ListSpec = ListSpec {
    name: "rrf",
    about: "Both lists, joined by rank.",
    uses_vectors: true,
    make: |context| {
        let n = most(context);
        fusion::rrf(&by_words(context, n), &by_meaning(context, n))
    },
};
