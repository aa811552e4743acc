//! Shared helpers of the test suites: a real browser on the built page, and archives made on the
//! spot.
// Helpers of tests may fail loudly.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stderr)]

#[cfg(feature = "browser")]
pub mod archive;
#[cfg(feature = "browser")]
pub mod archive_bench;
#[cfg(feature = "browser")]
pub mod browser;
#[cfg(feature = "browser")]
pub mod connecting;
#[cfg(feature = "browser")]
pub mod encoder_bench;
#[cfg(feature = "browser")]
pub mod firefox;
#[cfg(feature = "browser")]
pub mod graph_bench;
#[cfg(feature = "browser")]
pub mod kinds;
#[cfg(feature = "browser")]
pub mod model_bench;
#[cfg(feature = "browser")]
pub mod process;
#[cfg(feature = "browser")]
pub mod served;
pub mod services;
#[cfg(feature = "browser")]
pub mod synthetic;
