//! Footnote's engine: archive bytes in, checked citations out.
//!
//! The modules, in the order the data flows. Each uses only those above it and, within a row, those
//! to its left; `cargo xtask test` reads this table and checks that.
//!
//! | module | what it does |
//! |---|---|
//! | [`job`], [`lines`], `onnx`, `gpu`, `hash`, `random` | steps long work; converts lines and bytes, the only place that does; reads model files; computes on a GPU; hashes fast; draws repeatable random numbers |
//! | [`source`] | archive → files |
//! | [`lang`] | facts about each language: grammar, queries, imports, manifests, colours |
//! | [`parse`] | text → symbols, imports, calls |
//! | [`chunk`], [`embed`], [`code_model`], [`index`] | line ranges; vectors; how probable code is; words and graph |
//! | [`describe`] | chunks → what they do, in words |
//! | [`search`] | question → hits, by named steps |
//! | [`markdown`] | the Markdown of an answer: its blocks, while it grows and as they are shown |
//! | [`cite`] | what a citation is and how it is checked |
//! | [`changes`] | two versions → the files and definitions that changed |
//! | [`model`] | talking to a language model: tokens, fences, prompts, wire protocols, tools |
//! | [`compress`] | hits → the lines that matter, within a budget |
//! | [`answer`] | statements with footnotes: written by code, or by a model and reviewed |
//! | [`pipeline`] | how an answer is made, as a value: the papers' pipelines and others, run by one function |
//! | [`lesson`] | one question, ways to search for it side by side, and the numbers behind their ranks |
//! | [`eval`] | question sets and measures |
//! | [`teach`] | questions whose files are known → what a repository was taught |
//! | [`lab`] | questions made from a repository, their review, comparisons of runs, judges, exports |
//!
//! [`examples/ask.rs`] is the whole way in forty lines, from an archive and a question to a cited
//! answer.
//!
//! [`examples/ask.rs`]: ../../../core/examples/ask.rs
//!
//! Without the feature `engine`, only what the encoder workers need is there.
//!
//! Invariants: no IO, no clock, no browser; parsing never fails; no panic on user data; a citation
//! of type [`cite::Verified`] was checked against stored text.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]
// Some helpers of what is left are used by the rest alone.
#![cfg_attr(not(feature = "engine"), allow(dead_code))]

#[cfg(feature = "engine")]
pub mod answer;
#[cfg(feature = "engine")]
pub mod changes;
#[cfg(feature = "engine")]
pub mod chunk;
#[cfg(feature = "engine")]
pub mod cite;
pub mod code_model;
#[cfg(feature = "engine")]
pub mod compress;
#[cfg(feature = "engine")]
pub mod describe;
pub mod embed;
#[cfg(feature = "engine")]
pub mod eval;
#[cfg(feature = "gpu")]
pub mod gpu;
mod hash;
#[cfg(feature = "engine")]
pub mod index;
#[cfg(feature = "engine")]
pub mod job;
#[cfg(feature = "engine")]
pub mod lab;
#[cfg(feature = "engine")]
pub mod lang;
#[cfg(feature = "engine")]
pub mod lesson;
pub mod lines;
#[cfg(feature = "engine")]
pub mod markdown;
#[cfg(feature = "engine")]
pub mod model;
#[cfg(feature = "model")]
mod onnx;
#[cfg(feature = "engine")]
pub mod parse;
#[cfg(feature = "engine")]
pub mod pipeline;
#[cfg(feature = "engine")]
mod random;
#[cfg(feature = "engine")]
pub mod search;
#[cfg(feature = "engine")]
pub mod source;
#[cfg(feature = "engine")]
pub mod teach;

#[cfg(test)]
mod tests {
    use proptest::prelude::ProptestConfig;
    use proptest::test_runner::RngSeed;

    /// `.cargo/config.toml` sets this for the whole workspace: a property that fails once fails
    /// again.
    #[test]
    fn properties_are_checked_with_a_seed_that_is_given_and_leave_no_file() {
        let config = ProptestConfig::default();
        assert!(matches!(config.rng_seed, RngSeed::Fixed(_)));
        assert!(config.failure_persistence.is_none());
    }
}
