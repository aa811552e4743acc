//! Why an archive or one of its files could not be used.

/// A file that was left out, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    pub path: String,
    pub reason: SkipReason,
}

/// Why one file was left out. `Display` is shown to the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SkipReason {
    #[error("binary file")]
    Binary,
    #[error("minified")]
    Minified,
    #[error("generated file")]
    Generated,
    #[error("lock file")]
    Lock,
    #[error("data or translation catalogue")]
    Data,
    #[error("vendored or installed code")]
    Vendored,
    #[error("larger than {limit} bytes ({bytes} bytes)")]
    TooLarge { bytes: u64, limit: u64 },
    #[error("ignored by {rule_file}")]
    Ignored { rule_file: String },
    #[error("a link, not a file")]
    Link,
    #[error("its path leaves the archive")]
    UnsafePath,
    #[error("protected by a password")]
    Encrypted,
    #[error("a second file of the same path")]
    Duplicate,
    #[error("unreadable: {0}")]
    Unreadable(String),
}

/// Why a whole archive could not be used. Each message says what happened, why, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    #[error(
        "This is not an archive that Footnote can read. Drop a zip, tar, tar.gz, tgz, crate or whl file, or a folder: {name}"
    )]
    NotAnArchive { name: String },
    #[error(
        "The archive ends too early, so it was probably not downloaded completely. Download it again: {name}"
    )]
    Truncated { name: String },
    #[error("The archive is damaged ({detail}). Download or pack it again: {name}")]
    Damaged { name: String, detail: String },
    #[error(
        "The archive is protected by a password. Unpack it and drop the folder instead: {name}"
    )]
    PasswordProtected { name: String },
    #[error(
        "The archive holds more than {limit} entries. Drop only the part that you want to ask about: {name}"
    )]
    TooManyEntries { limit: u64, name: String },
    #[error(
        "The archive unpacks to more than {limit} bytes. Drop only the part that you want to ask about: {name}"
    )]
    TooLarge { limit: u64, name: String },
    #[error(
        "The archive unpacks to more than {ratio} times its size, as a zip bomb does, so reading it was stopped. Nothing was kept of it: {name}"
    )]
    Bomb { ratio: u64, name: String },
    #[error("The archive holds no files. Check that it was packed from the right folder: {name}")]
    NoFiles { name: String },
    #[error(
        "None of the {skipped} files in the archive is text that can be read, so there is nothing to ask about. The list of skipped files says why for each: {name}"
    )]
    NoSourceFiles { skipped: usize, name: String },
}
