//! Shared helpers of the test suites: a real browser on the built page, and archives made on the spot.
// Helpers of tests may fail loudly.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stderr)]

pub mod archive;
pub mod archive_bench;
pub mod browser;
pub mod connecting;
pub mod encoder_bench;
pub mod graph_bench;
pub mod kinds;
pub mod model_bench;
pub mod process;
pub mod services;
pub mod synthetic;
