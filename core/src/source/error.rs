//! Why an archive or one of its files could not be used.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::Survey;

/// A file that was left out, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The path inside the archive, with `/` between folders; an unsafe one is escaped for display.
    pub path: String,
    /// Why it was left out.
    pub reason: SkipReason,
}

/// Why one file was left out. The user sees the `Display` text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SkipReason {
    /// Its bytes are not text in any known encoding.
    #[error("binary file")]
    Binary,
    /// Machine-made lines that people neither read nor cite.
    #[error("minified, or one very long line")]
    Minified,
    /// Its text or its name says that a program wrote it.
    #[error("generated file")]
    Generated,
    /// Exact versions that a package manager wrote.
    #[error("lock file")]
    Lock,
    /// Text, but neither code nor documentation.
    #[error("data or translation catalogue")]
    Data,
    /// Another project's code, kept in this one.
    #[error("vendored or installed code")]
    Vendored,
    /// The contents of `.git` and similar folders.
    #[error("version control data")]
    VersionControl,
    /// `.DS_Store`, `Thumbs.db` and similar files.
    #[error("operating system file")]
    SystemFile,
    /// A copy that an editor or a merge left behind.
    #[error("backup of another file")]
    Backup,
    /// It is larger than [`Limits::file_bytes`](super::Limits::file_bytes).
    #[error("larger than {} ({})", size(*.limit), size(*.bytes))]
    TooLarge {
        /// Size of the file.
        bytes: u64,
        /// The largest size allowed.
        limit: u64,
    },
    /// A rule of the repository excludes it.
    #[error("ignored by {rule_file}")]
    Ignored {
        /// Path of the `.gitignore` or `.footnoteignore` with the rule.
        rule_file: String,
    },
    /// A symbolic or hard link; links are never followed.
    #[error("a link, not a file")]
    Link,
    /// It has `..`, or an absolute path, or a path that is too long or too deep.
    #[error("its path is unsafe or leaves the archive")]
    UnsafePath,
    /// An entry of a zip that is protected by a password.
    #[error("protected by a password")]
    Encrypted,
    /// Another file with the same path was kept.
    #[error("a second file with the same path")]
    Duplicate,
    /// It is in a folder that the user left out: see [`Scope`](super::Scope).
    #[error("left out by you")]
    LeftOut,
    /// Its syntax is nested more deeply than is supported.
    #[error("nested too deeply to read")]
    TooDeep,
    /// Parsing it takes far more work than any ordinary text of its length.
    #[error("too ambiguous or broken to read")]
    TooMuchWork,
    /// Reading it stopped the engine before.
    #[error("reading it stopped the engine")]
    StoppedEngine,
    /// A damaged entry, or one that is not an ordinary file; holds the reader's message.
    #[error("unreadable: {0}")]
    Unreadable(String),
}

/// Why a whole archive could not be used. Each message says what happened, why, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// Its first bytes are not those of a supported format.
    #[error(
        "This is not an archive that Footnote can read. Drop a zip, tar, tar.gz, tgz, crate or whl file, or a folder: {name}"
    )]
    NotAnArchive {
        /// File name of the archive.
        name: String,
    },
    /// It ends in the middle of an entry.
    #[error(
        "The archive ends too early, so it was probably not downloaded completely. Download it again: {name}"
    )]
    Truncated {
        /// File name of the archive.
        name: String,
    },
    /// Its structure contradicts itself.
    #[error("The archive is damaged ({detail}). Download or pack it again: {name}")]
    Damaged {
        /// File name of the archive.
        name: String,
        /// The reader's message.
        detail: String,
    },
    /// More than half of its files are encrypted.
    #[error(
        "The archive is protected by a password. Unpack it and drop the folder instead: {name}"
    )]
    PasswordProtected {
        /// File name of the archive.
        name: String,
    },
    /// It has more entries than [`Limits::entries`](super::Limits::entries).
    #[error(
        "The archive contains more than {limit} entries. Drop only the part you want to ask about: \
         {name}"
    )]
    TooManyEntries {
        /// The most entries that are read, including folders and links.
        limit: u64,
        /// File name of the archive.
        name: String,
    },
    /// It unpacks to more bytes than [`Limits::unpacked_bytes`](super::Limits::unpacked_bytes).
    #[error(
        "The archive unpacks to more than {}. Drop only the part you want to ask about: {name}",
        size(*.limit)
    )]
    TooLarge {
        /// The most bytes that all entries may unpack to.
        limit: u64,
        /// File name of the archive.
        name: String,
    },
    /// It has more text than [`Limits::text_bytes`](super::Limits::text_bytes); the user can choose
    /// a part that fits.
    #[error(
        "The archive contains more than {} of text, which is more than a browser tab can index. \
         Drop only the part you want to ask about: {name}",
        size(*.limit)
    )]
    TooMuchText {
        /// The most bytes of text that can be kept.
        limit: u64,
        /// File name of the archive.
        name: String,
        /// Where the text is, to choose a [`Scope`](super::Scope) that fits.
        survey: Box<Survey>,
    },
    /// It unpacks to far more than its own size.
    #[error(
        "The archive unpacks to more than {ratio} times its size, as a zip bomb does, so Footnote \
         stopped reading it and kept nothing. If you trust it, unpack it and drop the folder: \
         {name}"
    )]
    Bomb {
        /// How many times its own size it may unpack to.
        ratio: u64,
        /// File name of the archive.
        name: String,
    },
    /// It contains nothing, or only folders.
    #[error(
        "The archive contains no files. Check that it was packed from the right folder: {name}"
    )]
    NoFiles {
        /// File name of the archive.
        name: String,
    },
    /// It contains files, but all of them were left out.
    #[error(
        "No file in the archive is text that can be read, so there is nothing to ask about \
         ({reasons}). Drop an archive that contains source code or documentation: {name}"
    )]
    NoSourceFiles {
        /// Number of files that were left out.
        skipped: usize,
        /// The reasons with their counts, the most frequent first.
        reasons: String,
        /// File name of the archive.
        name: String,
    },
}

/// A number of bytes for people: `1 MiB`, `4.8 MiB`, `512 bytes`.
fn size(bytes: u64) -> String {
    const UNITS: [(&str, u64); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    for (unit, one) in UNITS {
        if bytes >= one {
            let tenths = bytes / (one / 10).max(1);
            return if bytes.is_multiple_of(one) {
                format!("{} {unit}", bytes / one)
            } else {
                format!("{}.{} {unit}", tenths / 10, tenths % 10)
            };
        }
    }
    format!("{bytes} bytes")
}

/// The reasons why files are skipped, without details that differ between files, and their counts;
/// the most frequent first.
pub fn reasons(skipped: &[Skipped]) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for file in skipped {
        let reason = match &file.reason {
            // With the exact size or rule file, every file would have its own reason.
            SkipReason::TooLarge { limit, .. } => format!("larger than {}", size(*limit)),
            SkipReason::Ignored { .. } => "ignored by a rule file".to_owned(),
            SkipReason::Unreadable(_) => "unreadable".to_owned(),
            other => other.to_string(),
        };
        *counts.entry(reason).or_default() += 1;
    }
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| Reverse(*count));
    counts
}

/// The most frequent reasons with their counts: `12 × binary file, 3 × lock file`.
pub(super) fn summary(skipped: &[Skipped]) -> String {
    let parts: Vec<String> = reasons(skipped)
        .iter()
        .take(4)
        .map(|(reason, count)| format!("{count} × {reason}"))
        .collect();
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_like_sizes() {
        for (bytes, shown) in [
            (0, "0 bytes"),
            (1023, "1023 bytes"),
            (1 << 20, "1 MiB"),
            (2 << 30, "2 GiB"),
            (209_715_201, "200.0 MiB"),
            (5_000_000, "4.7 MiB"),
        ] {
            assert_eq!(size(bytes), shown);
        }
    }

    #[test]
    fn the_summary_counts_reasons_and_puts_the_most_frequent_first() {
        let skipped = [
            (SkipReason::Lock, "a"),
            (SkipReason::Binary, "b"),
            (SkipReason::TooLarge { bytes: 9, limit: 5 }, "c"),
            (SkipReason::Binary, "d"),
        ]
        .map(|(reason, path)| Skipped {
            path: path.to_owned(),
            reason,
        });
        let text = summary(&skipped);
        assert!(text.starts_with("2 × binary file, "), "{text}");
        assert!(text.contains("1 × larger than 5 bytes"), "{text}");
    }
}
