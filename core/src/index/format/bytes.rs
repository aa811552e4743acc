//! A section's bytes in pieces, for writing and reading: the texts of a large repository take tens
//! of megabytes, and a browser has little room for a second copy.

use std::borrow::Cow;

use super::checksum::Checksum;

/// Minimum size of a piece of records, in bytes.
const PIECE: usize = 1 << 20;

/// A named part of a saved index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section<'a> {
    /// `head`, `files`, `texts` …; each occurs once in a saved index.
    pub name: &'static str,
    /// The bytes, in order. Texts are borrowed from the index.
    pub pieces: Vec<Cow<'a, [u8]>>,
}

impl Section<'_> {
    /// Returns the total number of bytes.
    pub fn length(&self) -> usize {
        self.pieces.iter().map(|piece| piece.len()).sum()
    }

    /// Joins all pieces.
    pub fn into_bytes(self) -> Vec<u8> {
        self.pieces.concat()
    }

    pub(super) fn checksum(&self) -> u64 {
        let mut checksum = Checksum::new();
        self.pieces.iter().for_each(|piece| checksum.add(piece));
        checksum.sum()
    }
}

/// Records in pieces: a `Vec` that grows to megabytes would be copied again and again.
#[derive(Default)]
pub(super) struct Pieces {
    full: Vec<Cow<'static, [u8]>>,
    open: Vec<u8>,
}

impl Pieces {
    /// Returns the piece that the next record is written to.
    pub(crate) fn open(&mut self) -> &mut Vec<u8> {
        if self.open.len() >= PIECE {
            let full = std::mem::replace(&mut self.open, Vec::with_capacity(PIECE + PIECE / 4));
            self.full.push(full.into());
        }
        &mut self.open
    }

    pub(crate) fn into_pieces(mut self) -> Vec<Cow<'static, [u8]>> {
        self.full.push(self.open.into());
        self.full
    }
}

/// The bytes of a saved section, which may lie outside this program's memory.
pub trait Bytes {
    /// Returns their number.
    fn length(&self) -> usize;

    /// Copies the bytes from `start` on. Only called for bytes that exist.
    fn read(&self, start: usize, to: &mut [u8]);
}

impl<T: AsRef<[u8]>> Bytes for T {
    fn length(&self) -> usize {
        self.as_ref().len()
    }

    fn read(&self, start: usize, to: &mut [u8]) {
        let from = self.as_ref().get(start..start + to.len());
        to.copy_from_slice(from.unwrap_or_default());
    }
}

/// Takes bytes from a section, in order, and computes their checksum.
pub(super) struct Taken<'a, B: Bytes> {
    bytes: &'a B,
    at: usize,
    checksum: Checksum,
}

impl<'a, B: Bytes> Taken<'a, B> {
    pub(crate) fn new(bytes: &'a B) -> Self {
        Self {
            bytes,
            at: 0,
            checksum: Checksum::new(),
        }
    }

    /// Takes the next bytes; returns `None` if there are fewer.
    pub(crate) fn next(&mut self, length: usize) -> Option<Vec<u8>> {
        if length > self.left() {
            return None;
        }
        let mut bytes = vec![0; length];
        self.bytes.read(self.at, &mut bytes);
        self.at += length;
        self.checksum.add(&bytes);
        Some(bytes)
    }

    /// Takes all remaining bytes, and returns the checksum of everything that was taken.
    pub(crate) fn rest(mut self) -> (Vec<u8>, u64) {
        let rest = self.next(self.left()).unwrap_or_default();
        (rest, self.checksum.sum())
    }

    fn left(&self) -> usize {
        self.bytes.length() - self.at
    }
}
