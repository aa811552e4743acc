//! Language model services for the tests: real ones that others wrote, and one that fails on
//! demand.
//!
//! - [`faulty::FaultyServer`] speaks the wire formats of OpenAI, Anthropic, Gemini and Ollama, and
//!   stalls, cuts, refuses, splits and floods as its [`script::Script`] says. It records each
//!   request.
//! - [`litellm::LiteLlm`] is LiteLLM's proxy with fixed answers.
//! - [`llama::Llama`] is llama.cpp's server with a model of random weights; only in
//!   `cargo xtask test --all`.

pub mod client;
pub mod faulty;
pub mod http;
#[cfg(feature = "browser")]
pub mod litellm;
#[cfg(feature = "browser")]
pub mod llama;
#[cfg(test)]
mod protocol_tests;
#[cfg(feature = "browser")]
pub mod real;
pub mod script;
pub mod wire;
pub mod writer;
