//! Why an archive or one of its files could not be used.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::Survey;

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
    #[error("minified, or one very long line")]
    Minified,
    #[error("generated file")]
    Generated,
    #[error("lock file")]
    Lock,
    #[error("data or translation catalogue")]
    Data,
    #[error("vendored or installed code")]
    Vendored,
    #[error("version control data")]
    VersionControl,
    #[error("file of the operating system")]
    SystemFile,
    #[error("backup of another file")]
    Backup,
    #[error("larger than {} ({})", size(*.limit), size(*.bytes))]
    TooLarge { bytes: u64, limit: u64 },
    #[error("ignored by {rule_file}")]
    Ignored { rule_file: String },
    #[error("a link, not a file")]
    Link,
    #[error("its path is unsafe or leaves the archive")]
    UnsafePath,
    #[error("protected by a password")]
    Encrypted,
    #[error("a second file of the same path")]
    Duplicate,
    #[error("left out by you")]
    LeftOut,
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
        "The archive unpacks to more than {}. Drop only the part that you want to ask about: {name}",
        size(*.limit)
    )]
    TooLarge { limit: u64, name: String },
    #[error(
        "The archive holds more than {} of text, which is more than a browser tab can index. Drop only the part that you want to ask about: {name}",
        size(*.limit)
    )]
    TooMuchText {
        limit: u64,
        name: String,
        /// Where the text lies, for a [`Scope`](super::Scope) that fits.
        survey: Box<Survey>,
    },
    #[error(
        "The archive unpacks to more than {ratio} times its size, as a zip bomb does, so reading it was stopped. Nothing was kept of it. If you trust it, unpack it and drop the folder: {name}"
    )]
    Bomb { ratio: u64, name: String },
    #[error("The archive holds no files. Check that it was packed from the right folder: {name}")]
    NoFiles { name: String },
    #[error(
        "None of the files in the archive is text that can be read, so there is nothing to ask about ({reasons}). Drop an archive that holds source code or documentation: {name}"
    )]
    NoSourceFiles {
        skipped: usize,
        /// How many were left out for which reason, the most frequent first.
        reasons: String,
        name: String,
    },
}

/// A number of bytes as people read it: `1 MiB`, `4.8 MiB`, `512 bytes`.
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

/// Why files are skipped, without what differs from file to file, and how many; the most frequent first.
pub fn reasons(skipped: &[Skipped]) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for file in skipped {
        let reason = match &file.reason {
            // The exact size and the exact rule file would make every file its own reason.
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

/// `12 × binary file, 3 × lock file`: the most frequent reasons with their counts.
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
