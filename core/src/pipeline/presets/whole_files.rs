//! The best files until the budget is used up: what people do by hand.

use super::{Preset, footnote};
use crate::pipeline::{Keep, Pipeline};

pub(super) static PRESET: Preset = Preset {
    name: "whole-files",
    title: "Whole files",
    about: "The best files by Footnote's ranking, whole, until the budget is full.",
    deviations: &[],
    make,
};

fn make() -> Pipeline {
    Pipeline {
        name: PRESET.name.to_owned(),
        keep: Keep::Files,
        rules: false,
        ..footnote::make()
    }
}
