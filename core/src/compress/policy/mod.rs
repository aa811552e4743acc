//! How much of each piece is worth keeping, decided before any line is chosen.
//!
//! [`Judging`] asks a language model (RepoDistill, section 2.3): a few requests, each about some of
//! the pieces, with a memory that is passed from one to the next. [`Local`] decides from the scores
//! alone, without any request. Both give a rate for each piece, for [`super::Budget::Rates`].

mod judging;
mod local;
mod reply;

pub use judging::{Answered, Document, Judging};
pub use local::Local;
pub use reply::{Malformed, Reply};

/// The level nearest to the share of a piece that is worth keeping: 0, ¼, ½, ¾ or 1 (RepoDistill,
/// section 2.3); 0 for NaN.
pub(crate) fn level(rate: f32) -> f32 {
    let quarters = (rate.clamp(0.0, 1.0) * 4.0).round();
    if quarters.is_nan() {
        0.0
    } else {
        quarters / 4.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_rounded_to_a_level() {
        for (rate, expected) in [
            (0.1, 0.0),
            (0.2, 0.25),
            (0.7, 0.75),
            (9.0, 1.0),
            (-1.0, 0.0),
            (f32::NAN, 0.0),
        ] {
            assert_eq!(level(rate), expected, "{rate}");
        }
    }
}
