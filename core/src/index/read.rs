//! Reads one file: parses and cuts it, which depends only on its text and on the name that
//! determines its language. So the files of a repository can be read in any order and by several
//! readers, and the resulting index is the same, byte for byte.

use std::collections::BTreeMap;
use std::ops::Range;

use super::builder::spans;
use crate::chunk::{Chunk, Chunking, chunk_file};
use crate::lang::Parsed;
use crate::parse::read;
use crate::source::{FileId, SkipReason, SourceFile};

/// The result of reading one file.
#[derive(Clone, Debug)]
pub struct ReadFile {
    pub(super) parsed: Parsed,
    /// Their file id is 0 until the file's position is known.
    pub(super) chunks: Vec<Chunk>,
    /// The byte range of each chunk in the text.
    pub(super) spans: Vec<Range<u32>>,
}

impl ReadFile {
    /// Reads a file.
    ///
    /// # Errors
    /// Why it needs more depth or work than one file may.
    pub fn of(file: &SourceFile, chunking: Chunking) -> Result<Self, SkipReason> {
        let parsed = read(&file.path, &file.text)?;
        let chunks = chunk_file(FileId(0), &file.text, &parsed, chunking);
        Ok(Self {
            spans: spans(file, &chunks),
            parsed,
            chunks,
        })
    }
}

/// Files that are read out of order, by their position in the repository.
#[derive(Debug, Default)]
pub(super) struct Elsewhere {
    files: BTreeMap<usize, Entry>,
    /// Number of files at the end that were offered to other readers.
    offered: usize,
}

#[derive(Debug)]
enum Entry {
    Away,
    Read(Box<ReadFile>),
    /// It could not be read, and is read again when its turn comes, which gives the reason.
    Left,
}

/// The state of a file that is to be read.
pub(super) enum State {
    Unread,
    Away,
    Read,
}

impl Elsewhere {
    pub(super) fn state(&self, at: usize) -> State {
        match self.files.get(&at) {
            None | Some(Entry::Left) => State::Unread,
            Some(Entry::Away) => State::Away,
            Some(Entry::Read(_)) => State::Read,
        }
    }

    pub(super) fn take(&mut self, at: usize) -> Option<ReadFile> {
        match self.files.remove(&at) {
            Some(Entry::Read(read)) => Some(*read),
            _ => None,
        }
    }

    pub(super) fn put(&mut self, at: usize, read: Option<ReadFile>) {
        let entry = read.map_or(Entry::Left, |read| Entry::Read(Box::new(read)));
        self.files.insert(at, entry);
    }

    pub(super) fn send(&mut self, at: usize) {
        self.files.insert(at, Entry::Away);
    }

    /// Returns the first file of `total`, from `from` on, that nobody has read or is reading.
    pub(super) fn next_unread(&self, from: usize, total: usize) -> Option<usize> {
        (from..total).find(|at| !self.files.contains_key(at))
    }

    /// Returns files for another reader, ascending: from the end down to the one after `own`, with
    /// about `bytes` bytes in total. They count as being read from now on.
    pub(super) fn offer(&mut self, files: &[SourceFile], own: usize, bytes: usize) -> Vec<usize> {
        let mut offered = Vec::new();
        let mut size = 0;
        while size < bytes {
            let next = files.len().checked_sub(self.offered + 1);
            let Some(at) = next.filter(|&at| at > own) else {
                break;
            };
            self.offered += 1;
            if self.files.contains_key(&at) {
                continue;
            }
            size += files.get(at).map_or(0, |file| file.text.len());
            self.send(at);
            offered.push(at);
        }
        offered.reverse();
        offered
    }
}
