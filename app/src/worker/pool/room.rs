//! How much an encoder is given at a time. The share of a processor is fixed; a GPU can be a
//! hundred times as fast as the processor, or slower than it, so its share depends on how long the
//! last batch took.

/// Most chunks that a processor is given at a time.
const USUAL: usize = 16;
/// Bytes of text per chunk of the limit; each text counts up to the length that the model reads.
const BYTES: usize = 256;
/// Fewest and most chunks that a GPU is given.
const LEAST: usize = 4;
const MOST: usize = 256;
/// Milliseconds that a GPU's batch should take: long enough to be worth the message, and short
/// enough for a question that waits for a free encoder.
const GOOD_MS: std::ops::Range<f64> = 120.0..480.0;

/// Limits of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    chunks: usize,
}

impl Default for Room {
    fn default() -> Self {
        Self { chunks: USUAL }
    }
}

impl Room {
    /// Most chunks.
    pub fn chunks(self) -> usize {
        self.chunks
    }

    /// Most bytes of text, for more than one chunk.
    pub fn bytes(self) -> usize {
        self.chunks * BYTES
    }

    /// Returns the limits after a batch that took this long.
    pub fn after(self, milliseconds: f64) -> Self {
        let chunks = if milliseconds < GOOD_MS.start {
            self.chunks * 2
        } else if milliseconds < GOOD_MS.end {
            self.chunks
        } else {
            self.chunks / 2
        };
        Self {
            chunks: chunks.clamp(LEAST, MOST),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fast_gpu_gets_more_and_a_slow_one_less_within_limits() {
        let after = |times: &[f64]| {
            times
                .iter()
                .fold(Room::default(), |room, &ms| room.after(ms))
        };
        for (times, chunks) in [
            (vec![], 16),
            (vec![10.0], 32),
            (vec![200.0], 16),
            (vec![900.0], 8),
            (vec![10.0; 9], 256),
            (vec![9_000.0; 9], 4),
        ] {
            assert_eq!(after(&times).chunks(), chunks, "{times:?}");
        }
        assert_eq!(Room::default().bytes(), 4_096);
    }
}
