//! Compares token by token (Code2Text, section 3): see [`crate::search::late`].

use super::{Group, StepSpec};
use crate::search::late::{Side, late_interaction};
use crate::search::params::Param;
use crate::search::{Context, Hit};

/// Weight of the token-by-token comparison in strategies that have it.
static SHARE: Param = Param::new("late", 0.2);

pub(super) static LATE: StepSpec = StepSpec {
    name: "late",
    about: "Question and chunk compared word by word.",
    why: |_, _| "compared with the question token by token".to_owned(),
    group: Group::Other,
    compares: Some(Side::Code),
    params: &[&SHARE],
    apply: late,
};

/// Does nothing until the caller provides scores.
fn late(context: &Context<'_>, hits: Vec<Hit>) -> Vec<Hit> {
    late_interaction(hits, &context.late, context.params.get(&SHARE))
}
