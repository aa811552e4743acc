//! Words only.

use super::{ListSpec, by_words, most};
use crate::search::fusion;

pub(super) static LIST: ListSpec = ListSpec {
    name: "bm25",
    about: "Chunks that contain the words of the question, rare words first.",
    uses_words: true,
    uses_vectors: false,
    uses_texts: false,
    params: &[],
    make: |context| fusion::single("bm25", &by_words(context, most(context))),
};
