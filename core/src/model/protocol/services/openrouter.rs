//! OpenRouter, which speaks OpenAI's protocol.

use super::{Kind, Preset};

pub(super) const PRESET: Preset = Preset {
    title: "OpenRouter",
    kind: Kind::OPENAI,
    address: "https://openrouter.ai/api/v1",
};
