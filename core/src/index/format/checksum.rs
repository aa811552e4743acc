//! Detects damage to a section. Against accidents only, at the speed of memory: a saved index is read
//! whole at each start.

const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

/// 64 bits of `bytes`. Each word changes its lane by a bijection, so no single changed word goes
/// unseen; four lanes keep the processor busy.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    let mut lanes = [1u64, 2, 3, 4];
    let (blocks, rest) = bytes.as_chunks::<32>();
    for block in blocks {
        let (words, _) = block.as_chunks::<8>();
        for (lane, word) in lanes.iter_mut().zip(words) {
            *lane = mix(*lane, u64::from_le_bytes(*word));
        }
    }
    let mut sum = bytes.len() as u64;
    for lane in lanes {
        sum = mix(sum, lane);
    }
    for &byte in rest {
        sum = mix(sum, u64::from(byte));
    }
    sum
}

fn mix(state: u64, word: u64) -> u64 {
    (state ^ word).wrapping_mul(MULTIPLIER).rotate_left(29)
}

#[cfg(test)]
mod tests {
    use super::checksum;

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
