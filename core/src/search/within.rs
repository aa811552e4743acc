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
    /// How words name the files, if no paths do: `in test files`.
    phrase: Option<String>,
    files: BTreeSet<FileId>,
}

impl Within {
    /// `names` are the paths of the files, or of the folders that contain them.
    pub fn new(names: Vec<String>, files: BTreeSet<FileId>) -> Self {
        Self(Arc::new(Files {
            names,
            phrase: None,
            files,
        }))
    }

    /// Files that words name: `in test files`.
    pub fn of_phrase(phrase: &str, files: BTreeSet<FileId>) -> Self {
        Self(Arc::new(Files {
            names: Vec::new(),
            phrase: Some(phrase.to_owned()),
            files,
        }))
    }

    /// Whether the file is one of them.
    pub fn holds(&self, file: FileId) -> bool {
        self.0.files.contains(&file)
    }

    /// Returns how words name them, if no paths do.
    pub fn phrase(&self) -> Option<&str> {
        self.0.phrase.as_deref()
    }

    /// Returns the paths that name them.
    pub fn names(&self) -> &[String] {
        &self.0.names
    }
}
