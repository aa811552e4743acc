//! One file, read: what parsing and cutting it gives, which depends on nothing but its text and the
//! name that tells its language. So files of one repository can be read in any order and by several
//! readers, and the index that comes of them is the same to the byte.

use std::collections::BTreeMap;
use std::ops::Range;

use super::builder::spans;
use crate::chunk::{Chunk, Chunking, chunk_file};
use crate::lang::Parsed;
use crate::parse::read;
use crate::source::{FileId, SkipReason, SourceFile};

/// What was read of one file.
#[derive(Clone, Debug)]
pub struct ReadFile {
    pub(super) parsed: Parsed,
    /// Their file is 0 until it is known which it is.
    pub(super) chunks: Vec<Chunk>,
    /// The bytes of each chunk in the text.
    pub(super) spans: Vec<Range<u32>>,
}

impl ReadFile {
    /// Reads a file.
    ///
    /// # Errors
    /// Why it takes more depth or work than one file may.
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

/// Files that are read out of order, by their places in the repository.
#[derive(Debug, Default)]
pub(super) struct Elsewhere {
    files: BTreeMap<usize, Entry>,
    /// How many files at the end were offered to other readers.
    offered: usize,
}

#[derive(Debug)]
enum Entry {
    Away,
    Read(Box<ReadFile>),
    /// It could not be read, and is read once more when its turn comes, which tells why.
    Left,
}

/// What is known of a file that is to be read.
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

    /// The first file from `from` on that nobody has read or is reading, of `total`.
    pub(super) fn next_unread(&self, from: usize, total: usize) -> Option<usize> {
        (from..total).find(|at| !self.files.contains_key(at))
    }

    /// Files for another reader, ascending: from the end, down to the one behind `own`, of about
    /// `bytes` bytes together. They count as away from now on.
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
