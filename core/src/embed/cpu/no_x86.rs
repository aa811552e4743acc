//! Replaces `x86` where its instructions do not exist: its types are never created.

use super::attention::Attention;
use super::linear::Activation;
use super::product::Kernel;

#[derive(Debug)]
pub(crate) enum Panels {}

impl Panels {
    pub(crate) fn pack(_: &[i8], _: usize, _: usize, _: Kernel) -> Option<Self> {
        None
    }

    pub(crate) fn forward(&self, _: &[f32], _: &mut [f32], _: &[f32], _: &[f32], _: Activation) {
        match *self {}
    }
}

pub(crate) fn attend(_: Kernel, _: &Attention, _: &mut [f32]) -> bool {
    false
}

pub(crate) fn fastest() -> Kernel {
    Kernel::Words
}
