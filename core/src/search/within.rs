//! The files that a question is limited to.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::source::FileId;

/// Some files of a repository, as the question names them. Cloning it copies a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Within(Arc<Files>);

#[derive(Debug, PartialEq, Eq)]
struct Files {
    names: Vec<String>,
    files: BTreeSet<FileId>,
}

impl Within {
    /// `names` are the paths of the files, or of the folders that contain them.
    pub fn new(names: Vec<String>, files: BTreeSet<FileId>) -> Self {
        Self(Arc::new(Files { names, files }))
    }

    /// Whether the file is one of them.
    pub fn holds(&self, file: FileId) -> bool {
        self.0.files.contains(&file)
    }

    /// Returns the paths that name them.
    pub fn names(&self) -> &[String] {
        &self.0.names
    }
}
