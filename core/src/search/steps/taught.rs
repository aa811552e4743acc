//! What the repository was taught: files that similar questions led to (after PathFinder, section
//! 3).

use std::collections::BTreeMap;

use super::{Group, StepSpec, nearest_chunks, range};
use crate::search::params::Param;
use crate::search::taught::{Found, candidates, judged};
use crate::search::{Context, Hit, fusion};
use crate::source::FileId;

/// Gain of a file that surely belongs to the answer, in units of the best score.
static GAIN: Param = Param::new("taught", 2.0);

/// Name of the step, and of the score part that holds the probability of a hit's file.
pub const NAME: &str = "taught";

pub(super) static TAUGHT: StepSpec = StepSpec {
    name: NAME,
    about: "Files that taught questions lead to, weighed against what was found.",
    why: |_, hit| {
        let percent = 100.0 * hit.raw(NAME).unwrap_or_default();
        format!("taught: with {percent:.0} % probability, its file belongs to the answer")
    },
    group: Group::Other,
    compares: None,
    params: &[&GAIN],
    apply: taught,
};

/// Does nothing if the repository was not taught, or was taught nothing like this question.
fn taught(context: &Context<'_>, hits: Vec<Hit>) -> Vec<Hit> {
    let index = context.index;
    let (Some(taught), Some(table)) = (index.taught(), context.table.as_ref()) else {
        return hits;
    };
    let found = Found::new(index, context.question, &hits, &context.params);
    let opinions = taught.opinions(table.embedding());
    let candidates = candidates(&found, &opinions);
    let gate = &taught.teaching().gate;
    let trust = gate.trust(candidates.nearest);
    if trust <= 0.0 {
        return hits;
    }
    let judged = judged(gate, &candidates.files);
    let probabilities: BTreeMap<FileId, f32> = judged.into_iter().collect();
    let missing = nearest_chunks(context, &hits, probabilities.keys().copied());
    let gain = trust * context.params.get(&GAIN) * range(&hits).max(f32::MIN_POSITIVE);
    let mut hits = hits;
    hits.extend(missing);
    for hit in &mut hits {
        let file = index.chunk(hit.chunk).map(|chunk| chunk.file);
        if let Some(&probability) = file.and_then(|file| probabilities.get(&file)) {
            hit.add(NAME, probability, probability * gain);
        }
    }
    fusion::sorted(hits)
}
