//! What the browser tests share with the automation: where things are, the static file server,
//! PostgreSQL, and the page as a package.
// This crate talks to a person at a terminal.
#![allow(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod dist;
pub mod packing;
pub mod paths;
pub mod postgres;
pub mod server;
