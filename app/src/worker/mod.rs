//! The page, the engine worker and the encoder workers talk through [`protocol`].

pub mod protocol;
