//! Detects damage to a section. Guards only against accidents, at the speed of memory: a saved
//! index is read whole at each start.

const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

/// A 64-bit checksum of all bytes that were added. Each word changes its lane by a bijection, so no
/// single changed word goes unnoticed; four lanes keep the processor busy.
pub(super) struct Checksum {
    lanes: [u64; 4],
    /// The bytes of an incomplete block.
    pending: Vec<u8>,
    length: u64,
}

const BLOCK: usize = 32;

impl Checksum {
    pub(crate) fn new() -> Self {
        Self {
            lanes: [1, 2, 3, 4],
            pending: Vec::with_capacity(BLOCK),
            length: 0,
        }
    }

    /// Adds bytes. How they are split makes no difference.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.length += bytes.len() as u64;
        let missing = (BLOCK - self.pending.len()).min(bytes.len());
        let (first, bytes) = match self.pending.is_empty() {
            true => (&bytes[..0], bytes),
            false => bytes.split_at(missing),
        };
        self.pending.extend(first);
        if self.pending.len() == BLOCK {
            let block = std::mem::take(&mut self.pending);
            self.add_blocks(&block);
            self.pending = block;
            self.pending.clear();
        }
        let rest = self.add_blocks(bytes);
        self.pending.extend(rest);
    }

    /// Adds the complete blocks; returns the rest.
    fn add_blocks<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let (blocks, rest) = bytes.as_chunks::<BLOCK>();
        let mut lanes = self.lanes;
        for block in blocks {
            let (words, _) = block.as_chunks::<8>();
            for (lane, word) in lanes.iter_mut().zip(words) {
                *lane = mix(*lane, u64::from_le_bytes(*word));
            }
        }
        self.lanes = lanes;
        rest
    }

    pub(crate) fn sum(&self) -> u64 {
        let sum = self.lanes.into_iter().fold(self.length, mix);
        let rest = self.pending.iter();
        rest.fold(sum, |sum, &byte| mix(sum, u64::from(byte)))
    }
}

/// Returns the checksum of a section's bytes, as the head stores it; the head's own checksum stands
/// at its end.
pub fn checksum(bytes: &[u8]) -> u64 {
    let mut checksum = Checksum::new();
    checksum.add(bytes);
    checksum.sum()
}

fn mix(state: u64, word: u64) -> u64 {
    (state ^ word).wrapping_mul(MULTIPLIER).rotate_left(29)
}

#[cfg(test)]
mod tests {
    use super::{Checksum, checksum};

    #[test]
    fn every_flipped_bit_and_every_cut_changes_the_sum() {
        let bytes: Vec<u8> = (0..200u8).collect();
        let sum = checksum(&bytes);
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[at] ^= 1 << bit;
                assert_ne!(checksum(&changed), sum, "byte {at} bit {bit}");
            }
            assert_ne!(checksum(&bytes[..at]), sum, "cut at {at}");
        }
    }

    #[test]
    fn bytes_in_pieces_have_the_sum_of_the_whole() {
        let bytes: Vec<u8> = (0..200u8).collect();
        for size in [1, 7, 31, 32, 33, 64, 100] {
            let mut pieces = Checksum::new();
            bytes.chunks(size).for_each(|piece| pieces.add(piece));
            assert_eq!(pieces.sum(), checksum(&bytes), "pieces of {size}");
        }
    }

    #[test]
    fn the_sum_is_part_of_the_format_and_never_changes() {
        let long: Vec<u8> = (0..100u8).collect();
        for (bytes, sum) in [
            (&b""[..], 0xdaaa_9ad1_260b_3fff),
            (b"footnote", 0x222e_d21e_1916_ea1e),
            (&long, 0x63c6_28f2_b207_24e3),
        ] {
            assert_eq!(checksum(bytes), sum, "{} bytes", bytes.len());
        }
    }
}
