//! The formats for export, for the page: lists declared beside what they export, without their
//! functions.

use super::export::specs;
use super::{compare, context, conversations, lab, lesson, report, trace};
use crate::worker::protocol::FormatSpec;

pub const CONVERSATION: &[FormatSpec] = &specs(&conversations::formats::ALL);
pub const TRACE: &[FormatSpec] = &specs(&trace::formats::ALL);
pub const COMPARISON: &[FormatSpec] = &specs(&compare::formats::ALL);
pub const LESSON: &[FormatSpec] = &specs(&lesson::formats::ALL);
pub const CONTEXT: &[FormatSpec] = &specs(&context::formats::ALL);
pub const REPORT: &[FormatSpec] = &specs(&report::formats::ALL);
pub const QUESTIONS: &[FormatSpec] = &specs(&lab::formats::SET);
pub const RUNS: &[FormatSpec] = &specs(&lab::formats::RUNS);
pub const REVIEWS: &[FormatSpec] = &specs(&lab::formats::REVIEWS);
pub const AGREEMENT: &[FormatSpec] = &specs(&lab::formats::AGREEMENT);
pub const KEY: &[FormatSpec] = &specs(&lab::formats::KEY);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formats_of_a_thing_differ_in_name_and_extension() {
        for formats in [
            CONVERSATION,
            TRACE,
            COMPARISON,
            LESSON,
            CONTEXT,
            REPORT,
            QUESTIONS,
            RUNS,
            REVIEWS,
            AGREEMENT,
            KEY,
        ] {
            for (at, format) in formats.iter().enumerate() {
                let others = formats.iter().skip(at + 1);
                for other in others {
                    assert_ne!(format.name, other.name);
                    assert_ne!(format.extension, other.extension);
                }
            }
        }
    }
}
