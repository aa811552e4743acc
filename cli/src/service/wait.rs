//! Waits between attempts, shortened at random so that many programs do not retry at once.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use footnote_core::model::protocol::{Backoff, Failure};

/// How long to wait before asking again; `None` to give up.
pub fn before_next(backoff: &mut Backoff, failure: &Failure) -> Option<Duration> {
    let wait = backoff.wait_ms(failure, jitter())?;
    Some(Duration::from_millis(wait))
}

/// A random number from 0 to 1: the keys of a new hasher are random.
fn jitter() -> f32 {
    let bits = RandomState::new().hash_one(0_u8) >> 40;
    bits as f32 / (1_u32 << 24) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_stays_within_its_bounds_and_varies() {
        let drawn: Vec<f32> = (0..50).map(|_| jitter()).collect();
        assert!(drawn.iter().all(|it| (0.0..1.0).contains(it)), "{drawn:?}");
        assert!(drawn.iter().any(|it| *it != drawn[0]), "{drawn:?}");
    }
}
