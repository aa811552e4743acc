//! By symbol for code, by section for text formats.

use super::{ChunkingSpec, Window};
use crate::chunk::{sections, symbols};

pub(super) static FUNCTION: ChunkingSpec = ChunkingSpec {
    name: "function",
    window: Window {
        size: 0,
        overlap: 0,
    },
    cut: |measure, parsed, _| match parsed.language.is_code() {
        true => symbols::cut(measure, parsed),
        false => sections::cut(measure, parsed),
    },
};
