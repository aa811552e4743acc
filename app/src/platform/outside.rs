//! Bytes outside of this program's memory, in parts of some megabytes. What wasm memory has grown
//! by it keeps until the page closes, and what JavaScript holds stays until the next garbage
//! collection: a large index has tens of megabytes of each.

use std::borrow::Cow;

use footnote_core::index::format::Bytes;
use js_sys::Uint8Array;

/// Bytes of a part, but for a single piece that is longer. The browser copies a part once more
/// while it saves it.
const PART: usize = 8 << 20;

/// Bytes that are copied in as they are needed, and given back at the end.
#[derive(Default)]
pub struct Outside(Vec<Uint8Array>);

impl Outside {
    /// Adds the bytes that follow those that are there.
    pub fn append(&mut self, part: Uint8Array) {
        self.0.push(part);
    }
}

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

/// Pieces as parts, each made when it is asked for.
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

/// Gives the memory of bytes back at once; the array is empty then.
pub fn release(bytes: &Uint8Array) {
    // A browser without this method collects them later.
    let _ = bytes.buffer().transfer_to_fixed_length_with_length(0);
}
