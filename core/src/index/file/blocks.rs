//! A section's bytes in blocks of one mebibyte, each compressed alone: a step of the work is short,
//! no buffer grows to the size of a section, and a length is checked before its block is unpacked.
//!
//! The codec is DEFLATE, which the engine already has for archives. Brotli would save a fifth of
//! the bytes, but adds half a megabyte of wasm for writing; see `docs/index-files.md`.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use crate::index::format::Bytes;

/// Unpacked bytes of every block of a section but the last.
pub(super) const BLOCK: usize = 1 << 20;

/// Bytes before a block: the length of its packed bytes.
pub(super) const BLOCK_HEAD: usize = 4;

/// Compresses one block, with its head. Bytes that would grow are stored as they are: then the
/// packed length is the unpacked one.
pub(super) fn pack(block: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(vec![0; BLOCK_HEAD], Compression::new(level));
    // Writing to a `Vec` does not fail.
    let packed = encoder.write_all(block).and_then(|()| encoder.finish());
    let mut packed = match packed {
        Ok(packed) if packed.len() < block.len() + BLOCK_HEAD => packed,
        _ => [&[0; BLOCK_HEAD], block].concat(),
    };
    let length = (packed.len() - BLOCK_HEAD) as u32;
    if let Some(head) = packed.first_chunk_mut::<BLOCK_HEAD>() {
        *head = length.to_le_bytes();
    }
    packed
}

/// Unpacks a block without its head into exactly `length` bytes; `None` if it has another length
/// or cannot be read. Never holds more than `length` bytes.
pub(super) fn unpack(packed: &[u8], length: usize) -> Option<Vec<u8>> {
    if packed.len() == length {
        return Some(packed.to_vec());
    }
    let mut block = vec![0; length];
    let mut decoder = DeflateDecoder::new(packed);
    decoder.read_exact(&mut block).ok()?;
    let is_over = decoder.read(&mut [0]).ok()? == 0;
    // What follows the end of the stream would be bytes that nobody checked.
    (is_over && decoder.total_in() == packed.len() as u64).then_some(block)
}

/// An unpacked section.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    /// All but the last have [`BLOCK`] bytes.
    blocks: Vec<Vec<u8>>,
    length: usize,
}

impl Blocks {
    pub(crate) fn push(&mut self, block: Vec<u8>) {
        self.length += block.len();
        self.blocks.push(block);
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        self.blocks.concat()
    }
}

impl Bytes for Blocks {
    fn length(&self) -> usize {
        self.length
    }

    fn read(&self, start: usize, to: &mut [u8]) {
        let (mut at, mut rest) = (start, to);
        while !rest.is_empty() {
            let block = self.blocks.get(at / BLOCK);
            let from = block.and_then(|block| block.get(at % BLOCK..));
            let Some(from) = from.filter(|from| !from.is_empty()) else {
                return;
            };
            let length = from.len().min(rest.len());
            let (now, later) = rest.split_at_mut(length);
            now.copy_from_slice(from.get(..length).unwrap_or_default());
            rest = later;
            at += length;
        }
    }
}
