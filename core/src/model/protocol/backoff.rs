//! When to send a request again.

use super::failure::Failure;

/// The waits between attempts. It is pure: the caller measures time and draws random numbers.
///
/// What the service asks for is respected. If it asks for nothing, waits double from one second,
/// each randomly shortened by up to half, so that many pages do not retry at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backoff {
    attempts_left: u32,
    /// The upper limit of the next wait, in milliseconds.
    next_ms: u64,
}

/// Attempts after the first.
const MAX_RETRIES: u32 = 4;
const FIRST_MS: u64 = 1_000;
const MAX_MS: u64 = 16_000;
/// A longer wait is reported to the user instead.
const MAX_ASKED_MS: u64 = 60_000;

impl Default for Backoff {
    fn default() -> Self {
        Self {
            attempts_left: MAX_RETRIES,
            next_ms: FIRST_MS,
        }
    }
}

impl Backoff {
    /// Milliseconds to wait before asking again; `None` to give up and show `failure`. `jitter` is
    /// a random number from 0 to 1.
    pub fn wait_ms(&mut self, failure: &Failure, jitter: f32) -> Option<u64> {
        if !failure.is_retryable() || self.attempts_left == 0 {
            return None;
        }
        let asked = failure.retry_after_ms();
        if asked.is_some_and(|asked| asked > MAX_ASKED_MS) {
            return None;
        }
        let half = self.next_ms / 2;
        let own = half + (half as f32 * jitter.clamp(0.0, 1.0)) as u64;
        self.attempts_left -= 1;
        self.next_ms = (self.next_ms * 2).min(MAX_MS);
        Some(match asked {
            // A little later than asked, at random, because every client was told the same.
            Some(asked) => asked + (500.0 * jitter.clamp(0.0, 1.0)) as u64,
            None => own,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limited(retry_after_ms: Option<u64>) -> Failure {
        Failure::RateLimited {
            message: String::new(),
            retry_after_ms,
        }
    }

    #[test]
    fn waits_double_up_to_a_limit_and_end() {
        let mut backoff = Backoff::default();
        let longest: Vec<_> = (0..5)
            .map(|_| backoff.wait_ms(&limited(None), 1.0))
            .collect();
        assert_eq!(
            longest,
            [Some(1_000), Some(2_000), Some(4_000), Some(8_000), None]
        );
        let mut backoff = Backoff::default();
        assert_eq!(backoff.wait_ms(&limited(None), 0.0), Some(500));
        assert_eq!(backoff.wait_ms(&limited(None), f32::NAN), Some(1_000));
    }

    #[test]
    fn the_wait_that_a_service_asks_for_is_kept_unless_it_is_too_long() {
        let mut backoff = Backoff::default();
        assert_eq!(backoff.wait_ms(&limited(Some(20_000)), 0.0), Some(20_000));
        assert_eq!(backoff.wait_ms(&limited(Some(0)), 1.0), Some(500));
        assert_eq!(backoff.wait_ms(&limited(Some(61_000)), 0.0), None);
    }

    #[test]
    fn failures_that_waiting_does_not_change_are_not_retried() {
        for failure in [
            Failure::Stopped,
            Failure::CorsRefused,
            Failure::BadKey {
                message: String::new(),
            },
            Failure::OutOfCredit {
                message: String::new(),
            },
            Failure::NotAService {
                found: String::new(),
            },
            Failure::Server {
                status: 501,
                message: String::new(),
                retry_after_ms: None,
            },
        ] {
            assert_eq!(
                Backoff::default().wait_ms(&failure, 0.5),
                None,
                "{failure:?}"
            );
        }
    }
}
