//! A service that is on no list: the user types its address and says what it speaks like.

use super::{Kind, Preset};

pub(super) const PRESET: Preset = Preset {
    title: "Other",
    kind: Kind::OPENAI,
    address: "",
};
