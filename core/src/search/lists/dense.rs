//! Meaning only: cosine of question and chunk.

use super::{ListSpec, by_meaning, most};
use crate::search::fusion;

pub(super) static LIST: ListSpec = ListSpec {
    name: "dense",
    about: "Chunks whose meaning is nearest to the question's.",
    uses_words: false,
    uses_vectors: true,
    uses_texts: false,
    params: &[],
    make: |context| fusion::single("dense", &by_meaning(context, most(context))),
};
