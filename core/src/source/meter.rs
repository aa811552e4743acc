//! Measures how much an archive unpacks to, and stops when it is too much.

use super::error::SourceError;
use super::limits::Limits;

#[derive(Debug)]
pub(super) struct Meter {
    /// Size of the archive in bytes; 0 if nothing is compressed, so that no ratio is checked.
    packed: u64,
    unpacked: u64,
    limits: Limits,
    archive_name: String,
}

impl Meter {
    pub(crate) fn new(packed: u64, limits: Limits, archive_name: String) -> Self {
        Self {
            packed,
            unpacked: 0,
            limits,
            archive_name,
        }
    }

    /// Counts `bytes` of output.
    pub(crate) fn add(&mut self, bytes: u64) -> Result<(), SourceError> {
        self.unpacked = self.unpacked.saturating_add(bytes);
        let by_ratio = self.packed.saturating_mul(self.limits.ratio);
        if self.packed > 0
            && self.unpacked > self.limits.ratio_floor_bytes
            && self.unpacked > by_ratio
        {
            return Err(SourceError::Bomb {
                ratio: self.limits.ratio,
                name: self.archive_name.clone(),
            });
        }
        if self.unpacked > self.limits.unpacked_bytes {
            return Err(SourceError::TooLarge {
                limit: self.limits.unpacked_bytes,
                name: self.archive_name.clone(),
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_and_the_total_are_watched_apart() {
        let limits = Limits {
            unpacked_bytes: 10_000,
            ratio: 10,
            ratio_floor_bytes: 500,
            ..Limits::STANDARD
        };
        // (packed, unpacked, verdict)
        for (packed, unpacked, verdict) in [
            (1, 500, "fine"),
            (1, 501, "bomb"),
            (100, 1_000, "fine"),
            (100, 1_001, "bomb"),
            (5_000, 10_000, "fine"),
            (5_000, 10_001, "large"),
            (0, 9_999, "fine"),
            (0, 10_001, "large"),
        ] {
            let found = match Meter::new(packed, limits, "x".to_owned()).add(unpacked) {
                Ok(()) => "fine",
                Err(SourceError::Bomb { .. }) => "bomb",
                Err(SourceError::TooLarge { .. }) => "large",
                Err(_) => "other",
            };
            assert_eq!(found, verdict, "{packed} to {unpacked}");
        }
    }
}
