//! Archives, folders and index files on disk → indexes.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use footnote_core::chunk::Chunking;
use footnote_core::index::file::{self, About, Decoded, IndexFile, SavedVectors};
use footnote_core::index::{Index, IndexBuilder, Recheck};
use footnote_core::job::run_to_end;
use footnote_core::source::{
    ArchiveReader, FolderReader, Repo, SkipReason, is_worth_listing, unwanted,
};

use crate::Result;

/// Marks folders whose contents can be regenerated, such as Cargo's `target`.
const CACHE_MARK: &str = "CACHEDIR.TAG";

/// Reads an archive or an index file, cut into functions.
pub fn open(path: &Path) -> Result<Index> {
    Ok(open_cut(path, Chunking::FUNCTION)?.0)
}

/// Returns the index of an archive, a folder or an index file, and the static encoder's vectors if
/// they are in the file.
pub fn open_cut(path: &Path, chunking: Chunking) -> Result<(Index, Option<SavedVectors>)> {
    if path.is_dir() {
        return Ok((index(folder(path)?, chunking)?, None));
    }
    let bytes = read(path)?;
    // An index file holds functions.
    match file::is_index_file(&bytes) && chunking == Chunking::FUNCTION {
        true => {
            let checked = checked(decode(path, bytes)?)?;
            if checked.differs {
                writeln!(std::io::stderr(), "{} {DIFFERS}", path.display())?;
            }
            Ok((checked.index, checked.table))
        }
        false => Ok((index(unpack(path, bytes)?, chunking)?, None)),
    }
}

/// What to tell of an index file that differs from its text, behind its name.
pub const DIFFERS: &str = "does not match its own text: another version of Footnote made it, or \
                           somebody changed it. Its text is indexed again.";

/// An index file whose index says what its text says.
pub struct Checked {
    pub about: About,
    pub index: Index,
    /// The static encoder's vectors, if they are in the file.
    pub table: Option<SavedVectors>,
    /// Whether the file said something else, so that its text was indexed again; the vectors of
    /// such a file are not taken.
    pub differs: bool,
}

/// Compares what an index file says of its files with its own text, since it may come from anybody.
pub fn checked(decoded: Decoded) -> Result<Checked> {
    let Ok(fits) = run_to_end(Recheck::new(&decoded.index, Chunking::FUNCTION));
    Ok(Checked {
        about: decoded.about,
        table: decoded.table.filter(|_| fits),
        index: match fits {
            true => decoded.index,
            false => index(Arc::unwrap_or_clone(decoded.index.repo), Chunking::FUNCTION)?,
        },
        differs: !fits,
    })
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

/// Reads the archive, the folder or the files of the index file at `path`.
pub fn archive_or_folder(path: &Path) -> Result<Repo> {
    match path.is_dir() {
        true => folder(path),
        false => archive(path),
    }
}

pub fn archive(path: &Path) -> Result<Repo> {
    unpack(path, read(path)?)
}

/// Reads the bytes of the archive or index file at `path`.
pub fn unpack(path: &Path, bytes: Vec<u8>) -> Result<Repo> {
    if file::is_index_file(&bytes) {
        return Ok(Arc::unwrap_or_clone(decode(path, bytes)?.index.repo));
    }
    unpack_archive(path, bytes)
}

fn unpack_archive(path: &Path, bytes: Vec<u8>) -> Result<Repo> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Ok(run_to_end(ArchiveReader::open(&name, bytes)?)?)
}

/// Reads an index file. If its text was left out, its archive must lie beside it.
fn decode(path: &Path, bytes: Vec<u8>) -> Result<Decoded> {
    let opened = IndexFile::open(bytes)?;
    let archive = opened.about().archive.as_ref();
    // The name comes from the file: only a name is one of a file beside it.
    let name = archive.and_then(|archive| Path::new(&archive.name).file_name());
    let beside = name.map(|name| path.with_file_name(name));
    match beside.filter(|beside| !opened.about().has_text && beside.is_file()) {
        Some(beside) => {
            let repo = unpack_archive(&beside, read(&beside)?)?;
            Ok(run_to_end(opened.decoding_beside(repo))?)
        }
        None => Ok(opened.decode()?),
    }
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
