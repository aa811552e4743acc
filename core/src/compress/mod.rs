//! Retrieved pieces of code → the lines of them that say most about the question, within a budget
//! of tokens (RepoDistill, section 2.2).
//!
//! [`Scored`] cuts each [`Piece`] into blocks ([`mod@blocks`]) and scores them ([`score`]). The
//! caller supplies the results of an encoder or a language model ([`Scored::passes`],
//! [`Scored::set_vectors`], [`Scored::set_ami`]), so nothing here waits. [`Scored::compress`] then
//! chooses lines with a [`Compressor`] and a [`Budget`] ([`select`]), and [`Scored::reselect`]
//! chooses again in one piece without scoring again. [`policy`] decides how much of each piece is
//! worth keeping.
//!
//! Invariants: a kept line is verbatim and has its true number; each line of a piece is either kept
//! or in exactly one dropped run; the tokens of the kept lines, counted as [`crate::model::prompt`]
//! sends them, never exceed the budget.

mod blocks;
mod compressors;
mod cost;
mod passes;
mod piece;
pub mod policy;
mod result;
pub mod score;
mod scored;
mod select;
mod structure;

#[cfg(test)]
mod tests;

pub use blocks::Boundaries;
pub use compressors::{Compressor, Missing, Reached};
pub use cost::Counting;
pub use passes::Pass;
pub use piece::Piece;
pub use result::{Compressed, Snippet, SnippetBlock};
pub use scored::Scored;
pub use select::{Budget, LAMBDA};
