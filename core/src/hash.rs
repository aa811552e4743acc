//! A fast hash for words, and fingerprints of texts. The fast hash does not resist an attacker: a
//! repository built to cause collisions only slows down its own indexing.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The first `digits` hexadecimal digits of BLAKE3 over the texts and their lengths.
pub(crate) fn fingerprint<'p>(parts: impl IntoIterator<Item = &'p str>, digits: usize) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex().chars().take(digits).collect()
}

const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

/// Multiplies and rotates 8 bytes at a time.
#[derive(Default)]
pub(crate) struct FastHasher(u64);

impl FastHasher {
    fn mix(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(MULTIPLIER).rotate_left(29);
    }
}

impl Hasher for FastHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.mix(u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        for (to, from) in last.iter_mut().zip(rest) {
            *to = *from;
        }
        if !rest.is_empty() {
            self.mix(u64::from_le_bytes(last));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.mix(u64::from(value));
    }

    fn finish(&self) -> u64 {
        // The hash table uses bits from both ends.
        let mixed = self.0 ^ (self.0 >> 32);
        mixed.wrapping_mul(MULTIPLIER)
    }
}

pub(crate) type FastMap<K, V> = HashMap<K, V, BuildHasherDefault<FastHasher>>;
