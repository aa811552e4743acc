//! Self-alignment: a question about one chunk, with its answer and its lines (RepoQA-SA, section
//! 4.2).

use super::{Gives, Strategy};
use crate::lab::questions::written::alignment;

pub(super) const STRATEGY: Strategy = Strategy {
    name: "alignment",
    title: "A chunk explained, asked about, and graded by the model itself",
    plan: alignment::plan,
    begin: alignment::begin,
    gives: Gives {
        questions: 0.5,
        requests: 3,
        answer_tokens: 900,
    },
};
