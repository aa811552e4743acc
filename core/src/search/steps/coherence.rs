//! Files with several good chunks are more likely than files with one (methods, section 6).

use std::collections::BTreeMap;

use super::with_gains;
use super::{Group, StepSpec};
use crate::search::params::Param;
use crate::search::{Context, Hit};
use crate::source::FileId;

/// Gain of files with several good chunks.
static GAIN: Param = Param::new("coherence", 0.1);

pub(super) static COHERENCE: StepSpec = StepSpec {
    name: "coherence",
    about: "Files with several good chunks score higher.",
    why: |_, _| "other chunks of its file are candidates too".to_owned(),
    group: Group::Rule,
    compares: None,
    params: &[&GAIN],
    apply: coherence,
};

fn coherence(context: &Context<'_>, hits: Vec<Hit>) -> Vec<Hit> {
    let weight = context.params.get(&GAIN);
    let mut sums: BTreeMap<FileId, f32> = BTreeMap::new();
    for hit in &hits {
        if let Some(chunk) = context.index.chunk(hit.chunk) {
            *sums.entry(chunk.file).or_default() += hit.score;
        }
    }
    let best = sums.values().copied().fold(f32::MIN_POSITIVE, f32::max);
    with_gains("coherence", hits, |hit| {
        let sum = sums.get(&context.index.chunk(hit.chunk)?.file)?;
        Some(weight * sum / best)
    })
}
