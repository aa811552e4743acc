//! Limits on what is read from an archive before it is refused. Every archive is treated as
//! hostile.

/// Most entries of an archive, including folders and links.
pub const MAX_ENTRIES: u64 = 250_000;
/// Most bytes that all entries may unpack to, whether they are kept or not.
pub(crate) const MAX_UNPACKED_BYTES: u64 = 2 << 30;
/// How many times its own size an archive may unpack to.
pub(crate) const MAX_RATIO: u64 = 200;
/// Up to this much output the ratio is not checked: discarding it takes a second and no memory, and
/// an honest archive can exceed the ratio with one file of repeated lines.
pub(crate) const RATIO_FLOOR_BYTES: u64 = 256 << 20;
/// Largest source file in bytes, before decoding.
pub(crate) const MAX_FILE_BYTES: u64 = 1 << 20;
/// Most bytes of text kept in memory. A 32-bit module that also has to index it cannot hold more.
pub const MAX_TEXT_BYTES: u64 = 512 << 20;

/// Longest path in bytes; longer ones are unsafe.
pub(super) const MAX_PATH_BYTES: usize = 1024;
/// Most folders above a file; deeper paths are unsafe.
pub(super) const MAX_DEPTH: usize = 64;
/// Most rule files (`.gitignore`, `.footnoteignore`) that are read in one repository.
pub(super) const MAX_RULE_FILES: usize = 2_000;
/// Largest rule file in bytes; a larger one was not written by a person.
pub(super) const MAX_RULE_FILE_BYTES: usize = 64 << 10;

/// The limits of one reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most entries of an archive, including folders and links.
    pub entries: u64,
    /// Most bytes that all entries may unpack to, whether they are kept or not.
    pub unpacked_bytes: u64,
    /// How many times its own size an archive may unpack to.
    pub ratio: u64,
    /// Unpacked bytes up to which the ratio is not checked.
    pub ratio_floor_bytes: u64,
    /// Largest file in bytes, before decoding.
    pub file_bytes: u64,
    /// Most bytes of all text that is kept.
    pub text_bytes: u64,
}

impl Limits {
    /// The limits that Footnote uses; tests lower some of them.
    pub const STANDARD: Limits = Limits {
        entries: MAX_ENTRIES,
        unpacked_bytes: MAX_UNPACKED_BYTES,
        ratio: MAX_RATIO,
        ratio_floor_bytes: RATIO_FLOOR_BYTES,
        file_bytes: MAX_FILE_BYTES,
        text_bytes: MAX_TEXT_BYTES,
    };
}
