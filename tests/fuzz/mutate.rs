//! Pseudo-random numbers, and changes to bytes made with them.

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers for the same seed, on every machine.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number less than `n`; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// Bytes that readers do not treat as letters.
const ODD: [u8; 16] = [
    0, 1, 0x7f, 0x80, 0xc3, 0xe2, 0xef, 0xff, b'\n', b'\r', b'"', b'\\', b'{', b'}', b'[', b'-',
];

/// Changes some bytes; `tokens` may be inserted.
pub fn bytes(rng: &mut Rng, bytes: &mut Vec<u8>, tokens: &[&[u8]]) {
    for _ in 0..=rng.below(6) {
        once(rng, bytes, tokens);
    }
}

fn once(rng: &mut Rng, bytes: &mut Vec<u8>, tokens: &[&[u8]]) {
    let at = rng.below(bytes.len());
    let end = (at + 1 + rng.below(24)).min(bytes.len());
    match rng.below(9) {
        0 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
        1 if at < bytes.len() => bytes[at] = *rng.pick(&ODD),
        2 if at < bytes.len() => bytes[at] = rng.next() as u8,
        3 if at < end => {
            bytes.drain(at..end);
        }
        4 if at < end => {
            let copy = bytes[at..end].to_vec();
            let to = rng.below(bytes.len() + 1);
            bytes.splice(to..to, copy);
        }
        5 if rng.one_in(4) => bytes.truncate(at),
        6 if at + 4 <= bytes.len() => {
            // A length or an offset that is far off, in either byte order.
            let value = *rng.pick(&[0, 1, 0xffff, 0x7fff_ffff, 0xffff_ffff, 0x0100_0000_u32]);
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        }
        7 => {
            let odd = [*rng.pick(&ODD)];
            bytes.splice(at..at, odd);
        }
        _ if !tokens.is_empty() => {
            let token = rng.pick(tokens).iter().copied();
            bytes.splice(at..at, token);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_makes_the_same_changes() {
        let made = |seed: u64| {
            let mut changed = b"some bytes that are changed".to_vec();
            bytes(&mut Rng::new(seed), &mut changed, &[b"token"]);
            changed
        };
        assert_eq!(made(7), made(7));
        assert_ne!(made(7), made(8));
    }
}
