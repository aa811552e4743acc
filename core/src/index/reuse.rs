//! Reuses what the index of an older version knows of files that have not changed.

use std::hash::Hasher;
use std::sync::Arc;

use super::Index;
use super::bm25::{Bm25Builder, KnownWords};
use crate::chunk::{Chunk, ChunkId};
use crate::hash::{FastHasher, FastMap};
use crate::lang::{Language, Parsed};
use crate::source::{FileId, SourceFile};

/// An older index, with lookup by text.
pub(super) struct Reuse {
    older: Arc<Index>,
    /// The first file with each text and language.
    by_text: FastMap<(u64, Language), FileId>,
    /// Computed on first use.
    words: Option<KnownWords>,
}

impl Reuse {
    pub(crate) fn new(older: Arc<Index>) -> Self {
        let mut by_text = FastMap::default();
        let files = older.repo.files.iter().zip(older.parsed.iter());
        for (id, (file, parsed)) in (0..).map(FileId).zip(files) {
            let key = (hash(&file.text), parsed.language);
            by_text.entry(key).or_insert(id);
        }
        Self {
            older,
            by_text,
            words: None,
        }
    }

    /// Returns the older version's file with the same text in the same language as `file`.
    pub(crate) fn find(&self, file: &SourceFile) -> Option<FileId> {
        let same_path = self.older.repo.find(&file.path);
        let language = Language::detect(&file.path, &file.text);
        let is_same = |id: &FileId| {
            let known = self.older.file(*id);
            known.is_some_and(|(known, parsed)| {
                known.text == file.text && parsed.language == language
            })
        };
        let by_text = || self.by_text.get(&(hash(&file.text), language)).copied();
        same_path
            .filter(is_same)
            .or_else(|| by_text().filter(is_same))
    }

    /// Returns what was parsed in the file `of`, and its chunks as chunks of `file`.
    pub(crate) fn take(&self, of: FileId, file: FileId) -> Option<(Parsed, Vec<Chunk>)> {
        let (_, parsed) = self.older.file(of)?;
        let chunks = self.older.chunks_of(of).map(|(_, chunk)| Chunk {
            file,
            ..chunk.clone()
        });
        Some((parsed.clone(), chunks.collect()))
    }

    /// Adds the words of a chunk, counted from the first of the file `of`, whose path is now
    /// `path`. Returns false and adds nothing if there is no such chunk.
    pub(crate) fn add_words(
        &mut self,
        words: &mut Bm25Builder,
        of: FileId,
        nth: usize,
        path: &str,
    ) -> bool {
        let first = self.older.first_chunks().get(of.0 as usize).copied();
        let Some(chunk) = first.and_then(|first| first.checked_add(nth as u32)) else {
            return false;
        };
        let chunk = ChunkId(chunk);
        if self.older.chunk(chunk).is_none_or(|it| it.file != of) {
            return false;
        }
        let bm25 = &self.older.bm25;
        let known = self.words.get_or_insert_with(|| KnownWords::new(bm25));
        let before = self.older.repo.file(of).map(|file| file.path.as_str());
        let other = (before != Some(path)).then_some(path);
        words.add_known(bm25, known, chunk, other)
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = FastHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}
