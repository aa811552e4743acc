//! The targets: a new one is a file with a [`Target`], a row of [`TARGETS`], and a folder of stored
//! inputs.

mod archive;
mod citation;
mod import;
mod index;
mod index_file;
mod review;
mod stream;

use crate::target::Target;

pub const TARGETS: [Target; 7] = [
    archive::TARGET,
    citation::TARGET,
    review::TARGET,
    stream::TARGET,
    import::TARGET,
    index::TARGET,
    index_file::TARGET,
];
