//! A service that is not on the list: the user types its address and chooses its protocol.

use super::{Kind, Preset};

pub(super) const PRESET: Preset = Preset {
    title: "Other",
    kind: Kind::OPENAI,
    address: "",
};
