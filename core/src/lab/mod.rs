//! The laboratory: questions made from a repository with gold lines that are right by construction,
//! their review by people, runs compared on them, judges that are never trusted alone, and sets to
//! take along.

pub mod agreement;
pub mod describing;
pub mod export;
pub mod judge;
pub mod questions;
pub mod runs;
