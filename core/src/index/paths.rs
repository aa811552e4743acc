//! File names → files.

use std::collections::HashMap;

use crate::source::{FileId, Repo};

/// All files by their file name in lower case, for paths of which only the end is right. Built once an
/// [`Index`](super::Index), when the first path needs it: one hash a file, 1.5 ms for the 6,700 files of Django.
#[derive(Default)]
pub(crate) struct Paths {
    by_name: HashMap<String, Vec<FileId>>,
}

impl Paths {
    pub(crate) fn new(repo: &Repo) -> Self {
        let mut by_name: HashMap<String, Vec<FileId>> = HashMap::new();
        for (file, at) in repo.files.iter().zip(0u32..) {
            let name = file_name(&file.path).to_lowercase();
            by_name.entry(name).or_default().push(FileId(at));
        }
        Self { by_name }
    }

    /// The files whose own name is `name`, in any case.
    pub(crate) fn named(&self, name: &str) -> &[FileId] {
        self.by_name
            .get(&name.to_lowercase())
            .map_or(&[], Vec::as_slice)
    }
}

/// The last part of a path.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
