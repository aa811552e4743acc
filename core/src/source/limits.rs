//! How much of an archive is read before it is refused. An archive is hostile until it has been
//! read.

/// Entries of an archive, folders and links included.
pub const MAX_ENTRIES: u64 = 250_000;
/// Bytes that all entries unpack to, whether they are kept or not.
pub(crate) const MAX_UNPACKED_BYTES: u64 = 2 << 30;
/// How many times its own size an archive may unpack to.
pub(crate) const MAX_RATIO: u64 = 200;
/// Below this much output the ratio is not looked at: passing over it takes a second and no memory,
/// and honest archives exceed the ratio with one file of repeated lines.
pub(crate) const RATIO_FLOOR_BYTES: u64 = 256 << 20;
/// Bytes of one source file, before decoding.
pub(crate) const MAX_FILE_BYTES: u64 = 1 << 20;
/// Bytes of text kept in memory. A 32-bit module that also has to index it cannot hold more.
pub const MAX_TEXT_BYTES: u64 = 512 << 20;

/// Bytes of one path; longer ones are unsafe.
pub(super) const MAX_PATH_BYTES: usize = 1024;
/// Folders above a file; deeper ones are unsafe.
pub(super) const MAX_DEPTH: usize = 64;
/// Rule files (`.gitignore`, `.footnoteignore`) honoured in one repository.
pub(super) const MAX_RULE_FILES: usize = 2_000;
/// Bytes of one rule file; a larger one is no list of rules that somebody wrote.
pub(super) const MAX_RULE_FILE_BYTES: usize = 64 << 10;

/// The limits that one reader works under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Entries of an archive, folders and links included.
    pub entries: u64,
    /// Bytes that all entries unpack to, whether they are kept or not.
    pub unpacked_bytes: u64,
    /// How many times its own size an archive may unpack to.
    pub ratio: u64,
    /// Unpacked bytes up to which the ratio is not looked at.
    pub ratio_floor_bytes: u64,
    /// Bytes of one file, before decoding.
    pub file_bytes: u64,
    /// Bytes of all text that is kept.
    pub text_bytes: u64,
}

impl Limits {
    /// The limits of the product; tests lower single ones.
    pub const STANDARD: Limits = Limits {
        entries: MAX_ENTRIES,
        unpacked_bytes: MAX_UNPACKED_BYTES,
        ratio: MAX_RATIO,
        ratio_floor_bytes: RATIO_FLOOR_BYTES,
        file_bytes: MAX_FILE_BYTES,
        text_bytes: MAX_TEXT_BYTES,
    };
}
