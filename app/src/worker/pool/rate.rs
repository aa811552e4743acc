//! How fast vectors arrive, over the last seconds instead of since the start: a pause or a question
//! in between should not distort the estimate for long.

use std::collections::VecDeque;

/// Length of the window, in milliseconds.
const WINDOW_MS: f64 = 15_000.0;

/// Counts arrivals over the last seconds.
#[derive(Debug, Default)]
pub struct Rate {
    seen: VecDeque<(f64, u32)>,
}

impl Rate {
    /// Notes that `count` vectors arrived at `now_ms`.
    pub fn note(&mut self, now_ms: f64, count: u32) {
        self.seen.push_back((now_ms, count));
        while self
            .seen
            .front()
            .is_some_and(|&(at, _)| at < now_ms - WINDOW_MS)
        {
            self.seen.pop_front();
        }
    }

    /// Vectors per second; 0 until there are two notes.
    pub fn per_second(&self) -> f64 {
        let (Some(&(first, at_first)), Some(&(last, _))) = (self.seen.front(), self.seen.back())
        else {
            return 0.0;
        };
        let seconds = (last - first) / 1_000.0;
        let count: u32 = self.seen.iter().map(|&(_, count)| count).sum();
        // The vectors of the first note were computed before it.
        let after_first = f64::from(count - at_first);
        if seconds > 0.0 {
            after_first / seconds
        } else {
            0.0
        }
    }

    /// Estimated seconds until `count` more have arrived, if known.
    pub fn seconds_for(&self, count: u32) -> Option<f64> {
        let rate = self.per_second();
        (rate > 0.0).then(|| f64::from(count) / rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_covers_only_the_last_seconds() {
        let mut rate = Rate::default();
        assert_eq!(rate.seconds_for(5), None);
        for at in 0..100 {
            rate.note(f64::from(at) * 1_000.0, if at < 50 { 1 } else { 4 });
        }
        assert_eq!(rate.per_second(), 4.0);
        assert_eq!(rate.seconds_for(8), Some(2.0));
    }
}
