//! Looks at a folder and reads the index files that are new.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use footnote_core::index::file::{EXTENSION, IndexFile, Limits};
use footnote_core::search::across::Member;
use sha2::{Digest, Sha256};

use super::held::{Held, Shelf};
use crate::hex::hex;
use crate::serve::stamp::Stamp;
use crate::{Result, archive};

/// Digits of a digest that distinguish the versions of one file.
const TAG: usize = 32;

/// Returns what the folder holds now; `None` if nothing has changed. Files read before are not read
/// again.
pub fn look(folder: &Path, before: &Held) -> Result<Option<Held>> {
    let files = index_files(folder)?;
    let mut now = Held::default();
    let mut new = Vec::new();
    for (name, (path, stamp)) in files {
        match before.shelves.get(&name) {
            Some(shelf) if shelf.stamp == stamp => {
                now.shelves.insert(name, Arc::clone(shelf));
            }
            _ if before.refused.get(&name) == Some(&stamp) => {
                now.refused.insert(name, stamp);
            }
            _ => new.push((name, path, stamp)),
        }
    }
    let is_held = |name| now.shelves.contains_key(name) || now.refused.contains_key(name);
    let mut known = before.shelves.keys().chain(before.refused.keys());
    if new.is_empty() && known.all(is_held) {
        return Ok(None);
    }
    for (name, stamp, shelf) in read_all(new) {
        match shelf {
            Ok(shelf) => {
                now.shelves.insert(name, Arc::new(shelf));
            }
            Err(error) => {
                tracing::warn!(file = name, "an index file is left out: {error}");
                now.refused.insert(name, stamp);
            }
        }
    }
    Ok(Some(now))
}

/// The index files of a folder by name, as they are now. Folders in it are not searched.
///
/// # Errors
/// The folder cannot be read.
pub fn index_files(folder: &Path) -> Result<BTreeMap<String, (PathBuf, Stamp)>> {
    let failed = |error| format!("cannot read the folder {}: {error}", folder.display());
    let entries = std::fs::read_dir(folder).map_err(failed)?;
    let mut files = BTreeMap::new();
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        let is_index = path.extension().is_some_and(|it| it == EXTENSION) && path.is_file();
        let name = path.file_name().and_then(|name| name.to_str());
        let (true, Some(name), Some(stamp)) = (is_index, name, Stamp::of(&path)) else {
            continue;
        };
        files.insert(name.to_owned(), (path.clone(), stamp));
    }
    Ok(files)
}

type Read = (String, Stamp, std::result::Result<Shelf, String>);

/// Reads files on all cores.
fn read_all(new: Vec<(String, PathBuf, Stamp)>) -> Vec<Read> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads.min(new.len()) {
            scope.spawn(|| {
                while let Some((name, path, stamp)) = new.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let shelf = read(name, path, stamp);
                    let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                    done.push((name.clone(), stamp.clone(), shelf));
                }
            });
        }
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Reads a file, checks all of it and compares it with its own text, which takes about as long as
/// indexing that text.
///
/// # Errors
/// Says what is wrong with it.
pub fn read(name: &str, path: &Path, stamp: &Stamp) -> std::result::Result<Shelf, String> {
    if stamp.length() > Limits::STANDARD.total_bytes {
        return Err("it is larger than an index file can be".to_owned());
    }
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    if Stamp::of(path).as_ref() != Some(stamp) {
        return Err("it changed while it was being read".to_owned());
    }
    let tag: String = hex(&Sha256::digest(&bytes)).chars().take(TAG).collect();
    let file = IndexFile::open(bytes).map_err(|error| error.to_string())?;
    let decoded = file.decode().map_err(|error| error.to_string())?;
    let checked = archive::checked(decoded).map_err(|error| error.to_string())?;
    if checked.differs {
        tracing::warn!("{name} {}", archive::DIFFERS);
    }
    let mut member = Member::of(&checked.index);
    if let Some(table) = checked.table {
        member = member.with_vectors(table.encoder.id, table.vectors);
    }
    Ok(Shelf {
        file: name.to_owned(),
        path: path.to_owned(),
        stamp: stamp.clone(),
        tag,
        member,
    })
}

/// Reads all index files of a folder as a server would: the name of each, with that of its
/// repository, or why it would be left out.
///
/// # Errors
/// The folder cannot be read.
pub fn check(folder: &Path) -> Result<Vec<(String, std::result::Result<String, String>)>> {
    let files = index_files(folder)?.into_iter();
    let new = files
        .map(|(name, (path, stamp))| (name, path, stamp))
        .collect();
    let name = |shelf: Shelf| shelf.member.name().to_owned();
    let mut read: Vec<_> = read_all(new)
        .into_iter()
        .map(|(file, _, shelf)| (file, shelf.map(name)))
        .collect();
    read.sort();
    Ok(read)
}
