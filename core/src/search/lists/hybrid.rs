//! Min–max fusion of the best 28 of both lists (Grounded, section 3.3).

use super::{ListSpec, by_meaning, by_words};
use crate::search::fusion::{self, TOP_K};

pub(super) static LIST: ListSpec = ListSpec {
    name: "hybrid",
    about: "The best 28 of both lists, scaled from 0 to 1 and added.",
    uses_vectors: true,
    make: |context| {
        let (words, meaning) = (by_words(context, TOP_K), by_meaning(context, TOP_K));
        fusion::min_max(&words, &meaning, |chunk| context.vectors.has(chunk))
    },
};
