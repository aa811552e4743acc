//! Turns what documentation says into quotations. Its words are never made a statement of
//! Footnote's: that somebody wrote that a function encrypts does not make it encrypt.

mod code_block;
mod markup;
mod quote;
mod sentences;

pub(crate) use code_block::is_fence;
pub(crate) use markup::{code_list, code_some, spans};
pub(crate) use quote::{Quote, quote};
pub(crate) use sentences::{Sentence, is_field, sentences};
