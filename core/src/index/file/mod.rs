//! Index files: everything that a page needs to answer about a repository, in one file to hand over
//! (`NAME-<16 hex>.footnote`). [`encode`] writes one, [`IndexFile`] reads it.
//!
//! A file is a magic, two versions, a header ([`header`]) that names the sections, and the
//! sections in blocks ([`blocks`]): those of a saved index ([`super::format`]), then `table` and
//! `model`, the vectors ([`vectors`]). Nothing that a file says is trusted: sizes are checked
//! before anything is unpacked, every section has a BLAKE3 digest of its unpacked bytes, paths
//! must be those of a repository, and a vector belongs to each chunk or the section is refused.
//! What a digest cannot show, a lie that was sealed, is left to the citations: they are checked
//! against the text inside.
//!
//! `docs/index-files.md` has the layout as a table.

mod blocks;
mod error;
mod header;
mod read;
mod vectors;
mod write;

#[cfg(test)]
mod tests;

pub use error::FileError;
pub use header::{About, Archive, ContentHash, Encoder};
pub use read::{Decoded, Decoding, IndexFile};
pub use vectors::{PackedVectors, SavedVectors};
pub use write::{Contents, Encoded, Encoding, encode};

use crate::source::limits::MAX_TEXT_BYTES;

/// The extension of index files, without a dot.
pub const EXTENSION: &str = "footnote";

/// The version that [`encode`] writes.
pub const FILE_VERSION: u32 = 1;

/// The oldest version that [`IndexFile`] reads.
pub const OLDEST_READABLE: u32 = 1;

/// The oldest version whose readers understand what [`encode`] writes.
const READABLE_SINCE: u32 = 1;

/// The first bytes of every index file. A transfer as text changes the first byte or the line
/// ends.
pub const MAGIC: [u8; 12] = *b"\x89footnote\r\n\x1a";

/// Whether a file that starts with `bytes` says that it is an index file.
pub fn is_index_file(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// The most that a file may say it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most bytes of the header.
    pub header_bytes: u64,
    /// Most bytes of the text of all files.
    pub text_bytes: u64,
    /// Most unpacked bytes of another section.
    pub section_bytes: u64,
    /// Most unpacked bytes of all sections.
    pub total_bytes: u64,
}

impl Limits {
    /// The limits that Footnote uses; tests lower some of them. A page's engine cannot address more
    /// than 4 GB.
    pub const STANDARD: Limits = Limits {
        header_bytes: 1 << 20,
        text_bytes: MAX_TEXT_BYTES,
        section_bytes: 1 << 30,
        total_bytes: 2 << 30,
    };
}
