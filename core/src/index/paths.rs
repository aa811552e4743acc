//! Looks up files and folders by name.

use std::collections::{BTreeSet, HashMap};

use crate::source::{FileId, Repo};

/// Files and folders by the last part of their paths, for paths of which only the end is known.
/// Built once per [`Index`](super::Index), on first use.
#[derive(Default)]
pub(crate) struct Paths {
    /// File names in lower case.
    by_name: HashMap<String, Vec<FileId>>,
    /// By what stands before the last full stop of the name, as written.
    by_stem: HashMap<String, Vec<FileId>>,
    /// Whole paths of folders by their last part, as written; ascending.
    folders: HashMap<String, Vec<String>>,
}

impl Paths {
    pub(crate) fn new(repo: &Repo) -> Self {
        let mut paths = Self::default();
        let mut folders: BTreeSet<&str> = BTreeSet::new();
        for (file, at) in repo.files.iter().zip(0u32..) {
            let (name, id) = (file_name(&file.path), FileId(at));
            let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            let named = paths.by_name.entry(name.to_lowercase()).or_default();
            named.push(id);
            paths.by_stem.entry(stem.to_owned()).or_default().push(id);
            let mut folder = file.path.as_str();
            while let Some((above, _)) = folder.rsplit_once('/') {
                if !folders.insert(above) {
                    break;
                }
                folder = above;
            }
        }
        for folder in folders {
            let named = paths.folders.entry(file_name(folder).to_owned());
            named.or_default().push(folder.to_owned());
        }
        paths
    }

    /// Returns the files whose name without its extension is `stem`.
    pub(crate) fn with_stem(&self, stem: &str) -> &[FileId] {
        self.by_stem.get(stem).map_or(&[], Vec::as_slice)
    }

    /// Returns the folders whose own name is `name`, by path.
    pub(crate) fn folders(&self, name: &str) -> &[String] {
        self.folders.get(name).map_or(&[], Vec::as_slice)
    }

    /// Returns the files whose own name is `name`, ignoring case.
    pub(crate) fn named(&self, name: &str) -> &[FileId] {
        self.by_name
            .get(&name.to_lowercase())
            .map_or(&[], Vec::as_slice)
    }
}

/// Returns the last part of a path.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
