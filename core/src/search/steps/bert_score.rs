//! Ranks by BERTScore F1 alone (Code2Text, section 3.1): of the code, or of the description of the
//! chunk. [`super::late`] blends it instead.

use super::{Group, StepSpec};
use crate::search::late::{Side, late_interaction};
use crate::search::{Context, Hit};

pub(super) static OF_CODE: StepSpec = StepSpec {
    name: "bertscore",
    about: "Ranked by BERTScore: question and chunk compared token by token.",
    why: |_, hit| why(hit),
    group: Group::Other,
    compares: Some(Side::Code),
    params: &[],
    apply: ranked,
};

pub(super) static OF_TEXT: StepSpec = StepSpec {
    name: "bertscore-text",
    about: "Ranked by BERTScore: question and description of the chunk compared token by token.",
    why: |_, hit| why(hit),
    group: Group::Other,
    compares: Some(Side::Text),
    params: &[],
    apply: ranked,
};

fn why(hit: &Hit) -> String {
    let f1 = hit.raw("late").unwrap_or_default();
    format!("compared token by token: F1 {f1:.2}")
}

/// Does nothing until the caller provides scores.
fn ranked(context: &Context<'_>, hits: Vec<Hit>) -> Vec<Hit> {
    late_interaction(hits, &context.late, 1.0)
}
