//! Descriptions of what chunks do, as a third list beside words and meaning of the code (Code2Text,
//! section 3.1).

use std::collections::BTreeSet;

use super::{Group, StepSpec, range};
use crate::chunk::ChunkId;
use crate::search::params::Param;
use crate::search::{Context, Hit, fusion};

/// Gain of the chunk with the nearest description, in units of the best score.
static SHARE: Param = Param::new(NAME, 0.2);

/// Maximum number of chunks that the descriptions add.
const BROUGHT: usize = 50;

/// Name of the step, and of the score part that holds the cosine.
pub(crate) const NAME: &str = "text";

pub(super) static TEXT: StepSpec = StepSpec {
    name: NAME,
    about: "Descriptions of what each chunk does, compared with the question.",
    why: |_, hit| {
        let cosine = hit.raw(NAME).unwrap_or_default();
        format!("its description is close to the question ({cosine:.2})")
    },
    group: Group::Other,
    compares: None,
    params: &[&SHARE],
    apply: text,
};

/// Does nothing until a description exists and its meaning is known.
fn text(context: &Context<'_>, mut hits: Vec<Hit>) -> Vec<Hit> {
    let share = context.params.get(&SHARE);
    let (Some(texts), Some(table)) = (context.index.texts(), context.table.as_ref()) else {
        return hits;
    };
    let nearest = texts.by_meaning(table.embedding(), BROUGHT);
    if share <= 0.0 || nearest.is_empty() {
        return hits;
    }
    let gain = share * range(&hits).max(f32::MIN_POSITIVE);
    let known: BTreeSet<ChunkId> = hits.iter().map(|hit| hit.chunk).collect();
    let missing = nearest.iter().filter(|(chunk, _)| !known.contains(chunk));
    hits.extend(missing.map(|&(chunk, _)| Hit {
        chunk,
        score: 0.0,
        parts: Vec::new(),
    }));
    let cosine = |hit: &Hit| texts.cosine(table.embedding(), hit.chunk);
    let cosines: Vec<Option<f32>> = hits.iter().map(cosine).collect();
    let scale = fusion::scale_of(cosines.iter().flatten().copied());
    for (hit, cosine) in hits.iter_mut().zip(&cosines) {
        if let Some(cosine) = *cosine {
            hit.add(NAME, cosine, gain * scale(cosine));
        }
    }
    fusion::sorted(hits)
}
