//! Archives and folders on disk → indexes.

use std::fs;
use std::path::Path;

use footnote_core::chunk::Chunking;
use footnote_core::index::{Index, IndexBuilder};
use footnote_core::job::run_to_end;
use footnote_core::source::{
    ArchiveReader, FolderReader, Repo, SkipReason, is_worth_listing, unwanted,
};

use crate::Result;

/// Marks folders whose contents can be regenerated, such as Cargo's `target`.
const CACHE_MARK: &str = "CACHEDIR.TAG";

/// Reads an archive and indexes it, cut into functions.
pub fn open(path: &Path) -> Result<Index> {
    index(archive(path)?, Chunking::FUNCTION)
}

/// Indexes a repository.
pub fn index(repo: Repo, chunking: Chunking) -> Result<Index> {
    let Ok(index) = run_to_end(IndexBuilder::new(repo, chunking));
    Ok(index)
}

/// The chunking with this name, for command lines.
pub fn chunking(name: &str) -> std::result::Result<Chunking, String> {
    let known = || Chunking::all().map(Chunking::name).collect::<Vec<_>>();
    Chunking::from_name(name).ok_or_else(|| format!("choose one of {}", known().join(", ")))
}

/// Reads the archive or the folder at `path`.
pub fn archive_or_folder(path: &Path) -> Result<Repo> {
    match path.is_dir() {
        true => folder(path),
        false => archive(path),
    }
}

pub fn archive(path: &Path) -> Result<Repo> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Ok(run_to_end(ArchiveReader::open(&name, read(path)?)?)?)
}

pub fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|error| unreadable(path, &error).into())
}

pub fn read_text(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|error| unreadable(path, &error).into())
}

fn unreadable(path: &Path, error: &std::io::Error) -> String {
    format!("cannot read {}: {error}", path.display())
}

/// Reads a folder by the rules that the page applies to a dropped one; links are not followed.
fn folder(path: &Path) -> Result<Repo> {
    let full = path
        .canonicalize()
        .map_err(|error| unreadable(path, &error))?;
    let name = full.file_name().unwrap_or_default().to_string_lossy();
    let mut reader = FolderReader::new(&name);
    let mut waiting = vec![(name.clone().into_owned(), full.clone())];
    while let Some((shown, folder)) = waiting.pop() {
        let listed = fs::read_dir(&folder).map_err(|error| unreadable(&folder, &error))?;
        let mut entries = listed.collect::<std::io::Result<Vec<_>>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let shown = format!("{shown}/{}", entry.file_name().to_string_lossy());
            let (kind, on_disk) = (entry.file_type()?, entry.path());
            if kind.is_symlink() {
                reader.skip(&shown, SkipReason::Link)?;
            } else if kind.is_dir() {
                match unwanted_folder(&shown, &on_disk) {
                    Some(reason) => reader.skip(&shown, reason)?,
                    None if is_worth_listing(&shown) => waiting.push((shown, on_disk)),
                    None => {}
                }
            } else if let Some(reason) = unwanted(&shown, entry.metadata()?.len()) {
                reader.skip(&shown, reason)?;
            } else {
                reader.add(&shown, read(&on_disk)?)?;
            }
        }
    }
    Ok(reader.finish()?)
}

/// Why a folder can be skipped entirely, if it can.
fn unwanted_folder(shown: &str, on_disk: &Path) -> Option<SkipReason> {
    if on_disk.join(CACHE_MARK).is_file() {
        return Some(SkipReason::Generated);
    }
    unwanted(&format!("{shown}/file"), 0).filter(|reason| *reason == SkipReason::Vendored)
}
