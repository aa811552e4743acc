//! What documentation says → quotations. Its words are its own and are never made a statement of
//! Footnote's: that somebody wrote that a function encrypts does not make it do so.

mod markup;
mod quote;
mod sentences;

pub(crate) use markup::{code_list, code_some, spans};
pub(crate) use quote::{Quote, quote};
pub(crate) use sentences::{Sentence, is_field, sentences};
