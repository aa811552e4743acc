//! Files whose commit messages use the words of the question (methods, section 7).

use std::collections::BTreeMap;

use super::with_gains;
use super::{Group, StepSpec};
use crate::search::params::Param;
use crate::search::retrieve::weighted_terms;
use crate::search::{Context, Hit};
use crate::source::FileId;

/// Gain by what commits say about the file, if the archive is a clone with its commits.
static GAIN: Param = Param::new("history", 0.2);

pub(super) static HISTORY: StepSpec = StepSpec {
    name: "history",
    about: "Commit messages of the file contain words of the question.",
    why: |_, _| "commit messages of its file contain words of the question".to_owned(),
    group: Group::Rule,
    compares: None,
    params: &[&GAIN],
    apply: history,
};

/// Does nothing if the archive holds no commits.
fn history(context: &Context<'_>, hits: Vec<Hit>) -> Vec<Hit> {
    let weight = context.params.get(&GAIN);
    if weight <= 0.0 || context.index.repo.history.is_empty() {
        return hits;
    }
    let found = context.index.history.search(&weighted_terms(context));
    let best = found.first().map_or(f32::MIN_POSITIVE, |&(_, score)| score);
    let scores: BTreeMap<FileId, f32> = found.into_iter().collect();
    with_gains("history", hits, |hit| {
        let score = scores.get(&context.index.chunk(hit.chunk)?.file)?;
        Some(weight * score / best)
    })
}
