//! Resolves the path that a model wrote to the file that it means.

use super::{Evidence, Rejection};
use crate::index::Index;
use crate::lang::resolve::names::file_name;
use crate::source::{FileId, Repo};

/// How the intended path differs from the written one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathRepair {
    /// Leading folders were left out.
    Suffix,
    /// Upper and lower case differ.
    Case,
    /// A leading folder is not part of the repository's paths.
    Prefix,
}

/// Returns the file that `path` names, and what had to be assumed.
///
/// # Errors
/// [`Rejection::NoSuchFile`], [`Rejection::AmbiguousPath`].
pub(super) fn resolve(
    index: &Index,
    evidence: &Evidence,
    path: &str,
) -> Result<(FileId, Option<PathRepair>), Rejection> {
    if let Some(file) = index.repo.find(path) {
        return Ok((file, None));
    }
    if let Some(file) = without_prefix(&index.repo, path) {
        return Ok((file, Some(PathRepair::Prefix)));
    }
    let suffixes = [
        (PathRepair::Case, is_same as fn(&str, &str) -> bool),
        (PathRepair::Suffix, is_suffix),
        (PathRepair::Case, is_suffix_in_any_case),
    ];
    for (repair, matches) in suffixes {
        let mut found: Vec<FileId> = index.paths().named(file_name(path)).collect();
        found.retain(|&file| {
            let whole = index.repo.file(file).map_or("", |file| file.path.as_str());
            matches(whole, path)
        });
        // A model can only mean what it was sent.
        let sent: Vec<FileId> = found
            .iter()
            .copied()
            .filter(|&file| evidence.has_file(file))
            .collect();
        match (found.as_slice(), sent.as_slice()) {
            ([], _) => continue,
            ([file], _) | (_, [file]) => return Ok((*file, Some(repair))),
            _ => {
                return Err(Rejection::AmbiguousPath {
                    count: found.len(),
                    path: path.to_owned(),
                });
            }
        }
    }
    Err(Rejection::NoSuchFile {
        path: path.to_owned(),
    })
}

/// Whether some file has this path, or a path that ends with it.
pub(super) fn is_known(index: &Index, path: &str) -> bool {
    index.repo.find(path).is_some()
        || index.paths().named(file_name(path)).any(|file| {
            let whole = index.repo.file(file).map_or("", |file| file.path.as_str());
            is_suffix(whole, path)
        })
}

fn is_same(whole: &str, path: &str) -> bool {
    whole.to_lowercase() == path.to_lowercase()
}

/// Whether `path` is `whole` without some of its leading folders.
pub(super) fn is_suffix(whole: &str, path: &str) -> bool {
    whole
        .strip_suffix(path)
        .is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

fn is_suffix_in_any_case(whole: &str, path: &str) -> bool {
    is_suffix(&whole.to_lowercase(), &path.to_lowercase())
}

/// Returns the file that remains of `path` without the archive's top folder, or without the folders
/// of a checkout down to one with its name. Any other leading folder is an invention: that a file
/// `auth/README.md` was claimed says nothing about the `README.md` that exists.
fn without_prefix(repo: &Repo, path: &str) -> Option<FileId> {
    let name = repo.name.to_lowercase();
    let mut rest = path;
    while let Some((folder, below)) = rest.split_once('/') {
        let folder = folder.to_lowercase();
        let is_first = rest.len() == path.len();
        if (folder == name || is_first && folder == versionless(&name))
            && let Some(file) = repo.find(below)
        {
            return Some(file);
        }
        rest = below;
    }
    None
}

/// Returns the name of a checkout: `requests` of `requests-2.32.5`.
fn versionless(name: &str) -> &str {
    match name.rsplit_once('-') {
        Some((before, version))
            if version.starts_with(|c: char| c.is_ascii_digit())
                || matches!(version, "main" | "master") =>
        {
            before
        }
        _ => name,
    }
}
