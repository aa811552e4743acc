//! Token by token (Code2Text, section 3): see [`crate::search::late`].

use crate::search::late::late_interaction;
use crate::search::{Context, Hit};

/// Does nothing as long as the caller has brought no scores.
pub fn late(context: &Context<'_>, hits: Vec<Hit>) -> Vec<Hit> {
    late_interaction(hits, &context.late, context.params.late)
}
