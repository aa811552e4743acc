//! Min–max fusion of the best 28 of each list (Grounded, section 3.3).

use super::{ListSpec, by_meaning, by_words};
use crate::search::fusion::{self, Shares};
use crate::search::params::Param;

/// Length of each list (Grounded, section 5.2.2).
static K: Param = Param::new("k", 28.0).shown(
    "k",
    (1.0, 200.0),
    1.0,
    "How many chunks each list contributes: the best by words and the best by meaning.",
);
/// Weight of BM25 (Grounded, section 5.2.2).
static ALPHA: Param = Param::new("alpha", 0.45).shown(
    "α",
    (0.0, 1.0),
    0.05,
    "The share of words in a chunk's score.",
);
/// Weight of the cosine (Grounded, section 5.2.2).
static BETA: Param = Param::new("beta", 0.55).shown(
    "β",
    (0.0, 1.0),
    0.05,
    "The share of meaning in a chunk's score.",
);

pub(super) static LIST: ListSpec = ListSpec {
    name: "hybrid",
    about: "The best 28 of both lists, scaled from 0 to 1 and added.",
    uses_words: true,
    uses_vectors: true,
    uses_texts: false,
    params: &[&K, &ALPHA, &BETA],
    make: |context| {
        let k = context.params.get(&K).max(0.0) as usize;
        let shares = Shares {
            words: context.params.get(&ALPHA),
            meaning: context.params.get(&BETA),
        };
        let (words, meaning) = (by_words(context, k), by_meaning(context, k));
        fusion::min_max(&words, &meaning, shares, |chunk| context.vectors.has(chunk))
    },
};
