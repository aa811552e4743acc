//! Words of the commits that touched a file, for search: people describe a change by the purpose of
//! the file.

use super::Bm25;
use crate::source::{FileId, Repo};

/// One document for each file with a history: the subjects of its commits. Rebuilt when a saved
/// index is opened, as that takes hardly any time.
pub struct HistoryWords {
    files: Vec<FileId>,
    words: Bm25,
}

impl HistoryWords {
    /// Indexes the commit subjects of `repo`.
    pub fn new(repo: &Repo) -> Self {
        let history = &repo.history;
        let mut words = Bm25::builder();
        let mut files = Vec::new();
        for &file in history.files.keys() {
            let subjects: Vec<&str> = history.of(file).collect();
            words.add(&subjects.join("\n"), "", std::iter::empty::<&str>());
            files.push(file);
        }
        Self {
            files,
            words: words.finish(),
        }
    }

    /// Returns the files whose history contains a token, best first.
    pub fn search(&self, tokens: &[(impl AsRef<str>, f32)]) -> Vec<(FileId, f32)> {
        let params = self.words.params();
        let found = self
            .words
            .search_weighted(&params, tokens, self.files.len());
        let file = |at: u32| self.files.get(at as usize).copied();
        found
            .into_iter()
            .filter_map(|(at, score)| Some((file(at.0)?, score)))
            .collect()
    }
}
