//! What the browser tests share with the automation: where things are, and the static file server.
// This crate talks to a person at a terminal.
#![allow(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod paths;
pub mod server;
