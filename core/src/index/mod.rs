//! The immutable index of one repository: files, symbols, chunks, words; vectors beside it, because
//! they arrive later and one by one.

use crate::chunk::{Chunk, ChunkId};
use crate::parse::Parsed;
use crate::source::{FileId, Repo, SourceFile};

/// Names a vector across repositories: a digest of model id and embedded text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentKey(pub [u8; 16]);

/// Everything known about one repository except its vectors.
pub struct Index {
    pub repo: Repo,
    /// One a file, in the order of `repo.files`.
    pub parsed: Vec<Parsed>,
    /// Sorted by file, then first line.
    pub chunks: Vec<Chunk>,
}

impl Index {
    /// The chunk `id`, if the index has one.
    pub fn chunk(&self, id: ChunkId) -> Option<&Chunk> {
        self.chunks.get(id.0 as usize)
    }

    /// The file `id` and what was parsed in it.
    pub fn file(&self, id: FileId) -> Option<(&SourceFile, &Parsed)> {
        Some((self.repo.file(id)?, self.parsed.get(id.0 as usize)?))
    }
}
