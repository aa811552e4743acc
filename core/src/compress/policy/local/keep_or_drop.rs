//! Keeps a piece whole or drops it (as Context-Picker does): it is kept if its relevance is at
//! least half of the best piece's.

use super::LocalSpec;

/// The least share of the best relevance at which a piece is kept.
const KEPT_FROM: f32 = 0.5;

pub(super) static KEEP_OR_DROP: LocalSpec = LocalSpec {
    name: "keep-or-drop",
    title: "all or nothing, by its score",
    about: "Each piece whole or not at all, by how close its score is to the best one.",
    rate: |share| f32::from(u8::from(share >= KEPT_FROM)),
};
