//! What is saved beside the sections of an index: the record of a repository, the pending archive,
//! keys. Records are JSON, so that another version of Footnote can at least list them.

use footnote_core::index::format;
use serde::{Deserialize, Serialize};

use crate::worker::protocol::{SavedRepoView, SavedState};

/// The record of a saved repository. It is written last, so a repository without one does not
/// exist.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RepoRecord {
    pub name: String,
    /// Version of the sections' format; 0 if the record cannot be read.
    pub format: u32,
    pub files: u32,
    pub chunks: u32,
    /// Total size of its sections.
    pub bytes: f64,
    /// Milliseconds since 1970.
    pub opened_at: f64,
    /// Whether it came as an index file: an archive with the same text is read all the same.
    pub from_file: bool,
}

impl Default for RepoRecord {
    fn default() -> Self {
        Self {
            name: "?".to_owned(),
            format: 0,
            files: 0,
            chunks: 0,
            bytes: 0.0,
            opened_at: 0.0,
            from_file: false,
        }
    }
}

impl RepoRecord {
    /// Whether the saved repository can be opened, as far as its record says.
    pub fn state(&self) -> SavedState {
        match self.format {
            0 => SavedState::Damaged,
            version if readable(version) => SavedState::Whole,
            _ => SavedState::OtherVersion,
        }
    }

    /// The repository's entry in the list; `vectors` is the number of chunks with a vector,
    /// `bytes_of_vectors` their total size.
    pub fn view(&self, repo: &str, vectors: u32, bytes_of_vectors: f64) -> SavedRepoView {
        SavedRepoView {
            repo: repo.to_owned(),
            name: self.name.clone(),
            files: self.files,
            chunks: self.chunks,
            vectors,
            bytes: self.bytes + bytes_of_vectors,
            opened_at: self.opened_at,
            state: self.state(),
        }
    }
}

/// The record of the archive that is being read; its bytes are stored beside it as one blob.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum PendingRecord {
    Archive {
        file_name: String,
    },
    /// The blob holds the concatenated files.
    Folder {
        name: String,
        /// Path and size of each file.
        files: Vec<(String, f64)>,
    },
}

/// A pending reading, and how often it was restarted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pending {
    pub record: PendingRecord,
    pub resumed: u32,
}

/// The key of a batch of `vectors` of a repository, which belong to `chunks`: chunks with the same
/// text share one. Saved at `at_ms`; `writer` distinguishes the batches of two tabs.
pub fn vectors_key(repo: &str, at_ms: f64, writer: u32, vectors: usize, chunks: usize) -> String {
    format!("{repo}/{at_ms:015.0}-{writer:08x}-{vectors}x{chunks}")
}

/// Returns the number of vectors in the batch at `key`, and the number of their chunks.
pub fn vectors_in(key: &str) -> (u32, u32) {
    let counts = key.rsplit('-').next().unwrap_or_default();
    // Earlier versions store only the number of vectors.
    let (vectors, chunks) = counts.split_once('x').unwrap_or((counts, counts));
    let number = |digits: &str| digits.parse().unwrap_or(0);
    (number(vectors), number(chunks))
}

/// The repository that a key belongs to.
pub fn repo_of(key: &str) -> &str {
    key.split('/').next().unwrap_or(key)
}

/// The prefix of everything that belongs to a repository.
pub fn prefix(repo: &str) -> String {
    format!("{repo}/")
}

/// The key of a repository: the first half of its digest, in hex.
pub fn repo_key(digest: &[u8; 32]) -> String {
    digest
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Whether this version can read a format of sections.
pub fn readable(version: u32) -> bool {
    (format::OLDEST_READABLE..=format::FORMAT_VERSION).contains(&version)
}

/// What a user's model does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelKind {
    /// Reads code for compression: a code language model.
    Code,
    /// Computes vectors: an encoder.
    Encoder,
}

impl ModelKind {
    pub fn key(self) -> &'static str {
        match self {
            ModelKind::Code => "brought",
            ModelKind::Encoder => "encoder",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_sort_by_time_and_tell_what_they_belong_to() {
        let first = vectors_key("ab", 999.4, 1, 12, 15);
        let second = vectors_key("ab", 1_700_000_000_000.0, 0, 7, 7);
        assert!(first < second);
        assert_eq!(vectors_in(&first), (12, 15), "some chunks share a vector");
        assert_eq!(vectors_in(&second), (7, 7));
        assert_eq!(
            vectors_in("ab/000000000000999-00000001-12"),
            (12, 12),
            "earlier"
        );
        assert_eq!(repo_of(&first), "ab");
        assert!(first.starts_with(&prefix("ab")));
    }

    #[test]
    fn a_record_of_another_version_can_still_be_listed() {
        let record: RepoRecord =
            serde_json::from_str(r#"{"name":"flask","format":99,"new_field":[1]}"#).unwrap();
        assert_eq!((record.name.as_str(), record.format), ("flask", 99));
        assert_eq!(record.state(), SavedState::OtherVersion);
        for (format, state) in [
            (format::FORMAT_VERSION, SavedState::Whole),
            (0, SavedState::Damaged),
        ] {
            let record = RepoRecord {
                format,
                ..RepoRecord::default()
            };
            assert_eq!(record.view("k", 0, 0.0).state, state, "{format}");
        }
    }

    #[test]
    fn a_repository_key_is_the_first_half_of_its_digest() {
        let mut digest = [0; 32];
        digest[0] = 0xab;
        digest[15] = 0x01;
        digest[16] = 0xff;
        assert_eq!(repo_key(&digest), "ab000000000000000000000000000001");
    }
}
