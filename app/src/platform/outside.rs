//! Bytes outside this program's memory, in parts of a few megabytes. Wasm memory that has grown
//! stays allocated until the page closes, and JavaScript memory stays until the next garbage
//! collection; a large index would take tens of megabytes of each.

use std::borrow::Cow;

#[cfg(feature = "engine")]
use footnote_core::index::format::Bytes;
use js_sys::Uint8Array;

/// Size of a part in bytes; only a single longer piece makes a longer part. The browser copies each
/// part once more while saving it.
const PART: usize = 8 << 20;

/// Bytes that are copied in as they are needed, and released at the end.
#[derive(Default)]
pub struct Outside(Vec<Uint8Array>);

impl Outside {
    /// Appends the bytes that follow the existing ones.
    pub fn append(&mut self, part: Uint8Array) {
        self.0.push(part);
    }
}

#[cfg(feature = "engine")]
impl Bytes for Outside {
    fn length(&self) -> usize {
        self.0.iter().map(|part| part.length() as usize).sum()
    }

    fn read(&self, start: usize, to: &mut [u8]) {
        let (mut start, mut to) = (start, to);
        for part in &self.0 {
            let length = part.length() as usize;
            if start >= length {
                start -= length;
                continue;
            }
            let taken = to.len().min(length - start);
            let (now, later) = to.split_at_mut(taken);
            part.subarray(start as u32, (start + taken) as u32)
                .copy_to(now);
            (start, to) = (0, later);
        }
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        self.0.iter().for_each(release);
    }
}

/// Joins pieces into parts, each created when it is requested.
pub fn parts(pieces: Vec<Cow<'_, [u8]>>) -> impl Iterator<Item = Uint8Array> {
    let mut pieces = pieces.into_iter().peekable();
    std::iter::from_fn(move || {
        let mut part = vec![pieces.next()?];
        let mut length: usize = part.iter().map(|piece| piece.len()).sum();
        while let Some(piece) = pieces.next_if(|piece| length + piece.len() <= PART) {
            length += piece.len();
            part.push(piece);
        }
        Some(joined(&part, length))
    })
}

fn joined(pieces: &[Cow<'_, [u8]>], length: usize) -> Uint8Array {
    let all = Uint8Array::new_with_length(length as u32);
    let mut at = 0;
    for piece in pieces {
        let end = at + piece.len() as u32;
        all.subarray(at, end).copy_from(piece);
        at = end;
    }
    all
}

/// Frees the memory of the bytes at once; the array is empty afterwards.
pub fn release(bytes: &Uint8Array) {
    // Without this method, the browser frees the bytes later.
    let _ = bytes.buffer().transfer_to_fixed_length_with_length(0);
}
