//! The laboratory: questions made from a repository, with gold lines that are right by
//! construction; their review by people; comparisons of runs on them; judges that are never trusted
//! alone; and exports of sets.

pub mod agreement;
pub mod describing;
pub mod export;
pub mod judge;
pub mod questions;
pub mod runs;
