//! How much an encoder is given at once. A processor's share is fixed; a GPU can be a hundred times
//! as fast or slower than the processor, so its share follows from how long the last one took.

/// Chunks that a processor is given at most.
const USUAL: usize = 16;
/// Bytes of text for each chunk that may be given, each text counted up to what the model reads of
/// it.
const BYTES: usize = 256;
/// What a GPU is given at least and at most.
const LEAST: usize = 4;
const MOST: usize = 256;
/// Milliseconds that a GPU's batch should take: long enough to be worth the message, and a question
/// waits until an encoder is free.
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
    /// Chunks at most.
    pub fn chunks(self) -> usize {
        self.chunks
    }

    /// Bytes of text at most, if it is more than one chunk.
    pub fn bytes(self) -> usize {
        self.chunks * BYTES
    }

    /// After a batch that took so long.
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
