//! The files that a question is limited to.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::source::FileId;

/// Some files of a repository, as the question names them. Copying it copies a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Within(Arc<Files>);

#[derive(Debug, PartialEq, Eq)]
struct Files {
    names: Vec<String>,
    files: BTreeSet<FileId>,
}

impl Within {
    /// `names` are the paths of the files, or those of the folders that hold them.
    pub fn new(names: Vec<String>, files: BTreeSet<FileId>) -> Self {
        Self(Arc::new(Files { names, files }))
    }

    /// Whether the file is one of them.
    pub fn holds(&self, file: FileId) -> bool {
        self.0.files.contains(&file)
    }

    /// The paths by which they are named.
    pub fn names(&self) -> &[String] {
        &self.0.names
    }
}
