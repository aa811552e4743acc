//! Meaning only, by the static encoder.

use super::{ListSpec, by_table, most};
use crate::search::fusion;

pub(super) static LIST: ListSpec = ListSpec {
    name: "table",
    about: "Chunks whose words mean what the question's do, according to a table of words; word \
            order does not count.",
    uses_words: false,
    uses_vectors: false,
    uses_texts: false,
    params: &[],
    make: |context| fusion::single("table", &by_table(context, most(context))),
};
