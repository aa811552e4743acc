//! Checks every language against its fixture: `tests/fixtures/languages/<language>/` holds sources
//! and `expected.txt`. `UPDATE_EXPECT=1` rewrites the listings; read them before committing.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod fixtures;
mod formats;
mod hostile;
mod robustness;
