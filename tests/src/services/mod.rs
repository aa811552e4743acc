//! Language model services for the tests: real ones that others wrote, and one that fails on demand.
//!
//! - [`faulty::FaultyServer`] speaks the wire of OpenAI, Anthropic, Gemini and Ollama, and stalls, cuts,
//!   refuses, splits and floods as its [`script::Script`] says. It records each request.

pub mod faulty;
pub mod http;
pub mod script;
pub mod wire;
