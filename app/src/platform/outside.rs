//! Bytes outside of this program's memory. What wasm memory has grown by it keeps until the page closes, and
//! what JavaScript holds stays until the next garbage collection: a large index has tens of megabytes of each.

use footnote_core::index::format::Bytes;
use js_sys::Uint8Array;

/// Bytes that are copied in as they are needed, and given back at the end.
pub struct Outside(pub Uint8Array);

impl Bytes for Outside {
    fn length(&self) -> usize {
        self.0.length() as usize
    }

    fn read(&self, start: usize, to: &mut [u8]) {
        let (start, end) = (start as u32, (start + to.len()) as u32);
        self.0.subarray(start, end).copy_to(to);
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        release(&self.0);
    }
}

/// Pieces as one array.
pub fn joined<'a>(pieces: impl Iterator<Item = &'a [u8]> + Clone) -> Uint8Array {
    let length: usize = pieces.clone().map(<[u8]>::len).sum();
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
