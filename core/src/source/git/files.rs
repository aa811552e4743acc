//! Selects the files of a `.git` folder that are kept until its commits are read.

use std::collections::HashMap;

use crate::source::rules;

/// Largest file, in bytes; a larger pack is left out.
pub(in crate::source) const MAX_GIT_FILE_BYTES: u64 = 64 << 20;
/// Most bytes of all files. They are freed before the index is built.
const MAX_BYTES: usize = 128 << 20;
/// Most files: a clone has a dozen, a folder in use some thousand loose objects.
const MAX_FILES: usize = 20_000;

/// The bytes that a history is read from, by path inside `.git`.
#[derive(Debug, Default)]
pub(in crate::source) struct GitFiles {
    /// The folder that contains `.git`, with its `/`; empty for the root.
    folder: Option<String>,
    files: HashMap<String, Vec<u8>>,
    bytes: usize,
}

impl GitFiles {
    /// Keeps a file for which [`is_history`] is true, if there is room.
    pub(crate) fn add(&mut self, path: &str, bytes: &[u8]) {
        let Some((folder, inside)) = split(path) else {
            return;
        };
        // If there are several repositories side by side, only one is read.
        if self.folder.get_or_insert_with(|| folder.to_owned()) != folder {
            return;
        }
        let has_room = self.bytes.saturating_add(bytes.len()) <= MAX_BYTES;
        if has_room && self.files.len() < MAX_FILES && !self.files.contains_key(inside) {
            self.bytes += bytes.len();
            self.files.insert(inside.to_owned(), bytes.to_vec());
        }
    }

    /// Whether `.git` is in `folder`, which ends in `/`, or in the root.
    pub(crate) fn belongs_to(&self, folder: &str) -> bool {
        let own = self.folder.as_deref();
        own.is_some_and(|own| own.is_empty() || own == folder)
    }

    pub(crate) fn get(&self, path: &str) -> Option<&[u8]> {
        self.files.get(path).map(Vec::as_slice)
    }

    /// The text of a small file, trimmed.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        std::str::from_utf8(self.get(path)?).ok().map(str::trim)
    }

    /// The names of all packs, without extension, sorted.
    pub(crate) fn packs(&self) -> Vec<&str> {
        let names = self.files.keys();
        let mut packs: Vec<&str> = names.filter_map(|name| name.strip_suffix(".idx")).collect();
        packs.sort_unstable();
        packs
    }
}

/// Whether the file at `path` belongs to the `.git` folder of the repository itself (in the root,
/// or in the single top folder) and is needed to read its commits.
pub(crate) fn is_history(path: &str) -> bool {
    split(path).is_some_and(|(_, inside)| {
        let object = |name: &str| {
            let (fan, rest) = name.split_once('/')?;
            let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
            Some(fan.len() == 2 && rest.len() == 38 && is_hex(fan) && is_hex(rest))
        };
        match inside.strip_prefix("objects/") {
            Some(name) => match name.strip_prefix("pack/") {
                Some(pack) => pack.ends_with(".pack") || pack.ends_with(".idx"),
                None => object(name).unwrap_or(false),
            },
            None => {
                matches!(inside, "HEAD" | "config" | "packed-refs")
                    || inside.starts_with("refs/heads/")
            }
        }
    })
}

/// Whether the folder at `path` is worth listing: every folder is, except those of version control
/// that do not lead to commits.
pub fn is_worth_listing(path: &str) -> bool {
    let Some(folder) = rules::version_control_folder(path) else {
        return true;
    };
    let inside = path.get(folder.len()..).unwrap_or("");
    let inside = inside.trim_start_matches('/');
    let is_fan = |name: &str| name.len() == 2 && name.bytes().all(|b| b.is_ascii_hexdigit());
    let is_own = folder
        .strip_suffix(".git")
        .is_some_and(|top| top.matches('/').count() <= 1);
    let leads = matches!(
        inside,
        "" | "refs" | "refs/heads" | "objects" | "objects/pack"
    ) || inside.starts_with("refs/heads/")
        || inside.strip_prefix("objects/").is_some_and(is_fan);
    is_own && leads
}

/// The folder that contains `.git`, and the path below `.git`.
fn split(path: &str) -> Option<(&str, &str)> {
    let folder = rules::version_control_folder(path)?;
    let top = folder.strip_suffix(".git")?;
    let inside = path.get(folder.len() + 1..)?;
    (top.matches('/').count() <= 1).then_some((top, inside))
}
