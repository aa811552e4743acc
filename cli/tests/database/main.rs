//! Many repositories in a real PostgreSQL with pgvector: each test starts a server of its own, and
//! several kill it. `cargo xtask services` installs it.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod access;
mod common;
mod faults;
mod kills;
mod queue;
mod schema;
mod serve;
mod versions;
