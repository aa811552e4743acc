//! Looks up files and folders by name.

use std::collections::HashMap;

use crate::lang::resolve::names::{Files, ancestors, digest, file_name, folder};
use crate::source::{FileId, Repo};

/// Files and folders by the last part of their paths, for paths of which only the end is known.
/// Built once per [`Index`](super::Index), on first use.
#[derive(Default)]
pub(crate) struct Paths {
    /// File names in lower case.
    by_name: Files,
    /// By what stands before the last full stop of the name, as written.
    by_stem: Files,
    /// Whole paths of folders by their last part, as written; ascending.
    folders: HashMap<String, Vec<String>>,
}

impl Paths {
    pub(crate) fn new(repo: &Repo) -> Self {
        let names = || repo.files.iter().map(|file| file_name(&file.path));
        Self {
            by_name: Files::new(names().map(digest_in_lower_case)),
            by_stem: Files::new(names().map(|name| digest(stem(name)))),
            folders: folders(repo),
        }
    }

    /// Returns the files whose name without its extension is `stem`, and now and then another: the
    /// caller compares.
    pub(crate) fn with_stem(&self, stem: &str) -> impl Iterator<Item = FileId> {
        self.by_stem.of(digest(stem))
    }

    /// Returns the folders whose own name is `name`, by path.
    pub(crate) fn folders(&self, name: &str) -> &[String] {
        self.folders.get(name).map_or(&[], Vec::as_slice)
    }

    /// Returns the files whose own name is `name`, ignoring case, and now and then another: the
    /// caller compares.
    pub(crate) fn named(&self, name: &str) -> impl Iterator<Item = FileId> {
        self.by_name.of(digest_in_lower_case(name))
    }
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn digest_in_lower_case(name: &str) -> u64 {
    let is_lower = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase();
    match name.bytes().all(is_lower) {
        true => digest(name),
        false => digest(&name.to_lowercase()),
    }
}

/// All folders by their own names. Files of one folder follow each other, so most are passed over
/// by a look at the one before.
fn folders(repo: &Repo) -> HashMap<String, Vec<String>> {
    let mut all: Vec<&str> = Vec::new();
    let mut before = "";
    for file in &repo.files {
        let own = folder(&file.path);
        if own != before {
            all.extend(ancestors(own));
            before = own;
        }
    }
    all.sort_unstable();
    all.dedup();
    let mut folders: HashMap<String, Vec<String>> = HashMap::new();
    for folder in all.into_iter().filter(|folder| !folder.is_empty()) {
        let named = folders.entry(file_name(folder).to_owned());
        named.or_default().push(folder.to_owned());
    }
    folders
}
