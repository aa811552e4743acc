//! The scales for ratings, with the meaning of each part of a scale.

/// A part of a scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band {
    /// Its smallest value.
    pub low: u8,
    /// Its largest value, inclusive.
    pub high: u8,
    /// The meaning of its values.
    pub meaning: &'static str,
}

/// A scale of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// Its name in files.
    pub key: &'static str,
    /// Its name on the page.
    pub title: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Its parts, best first; together they cover the whole scale.
    pub bands: &'static [Band],
}

impl Scale {
    /// The smallest value.
    pub fn low(&self) -> u8 {
        self.bands.iter().map(|band| band.low).min().unwrap_or(0)
    }

    /// The largest value.
    pub fn high(&self) -> u8 {
        self.bands.iter().map(|band| band.high).max().unwrap_or(0)
    }

    /// The meaning of `value`; `None` if it is not on the scale.
    pub fn meaning(&self, value: u8) -> Option<&'static str> {
        let mut bands = self.bands.iter();
        let band = bands.find(|band| (band.low..=band.high).contains(&value))?;
        Some(band.meaning)
    }
}

const fn band(low: u8, high: u8, meaning: &'static str) -> Band {
    Band { low, high, meaning }
}

/// The rating of a question with its answer. RepoQA-SA (section 3.1 and figure 9) rates pairs from
/// 1 to 10, removes those below 3 and has a person look at those from 3 to 5.
pub const RATING: Scale = Scale {
    key: "rating",
    title: "Rating",
    source: "RepoQA-SA, section 3.1",
    bands: &[
        band(6, 10, "Good to perfect: the pair is kept as it is."),
        band(3, 5, "Doubtful: the pair is edited by hand or deleted."),
        band(1, 2, "Bad: the pair is deleted."),
    ],
};

const SOURCE: &str = "RepoDistill, table 6";

/// Five scores of an answer, each from 0 to 10. RepoDistill (table 6) gives ranges such as 6.0–7.9;
/// people give whole numbers, so that range is 6–7 here. The order is that of
/// [`super::Review::scores`].
pub const SCORES: [Scale; 5] = [
    Scale {
        key: "correctness",
        title: "Correctness",
        source: SOURCE,
        bands: &[
            band(
                8,
                10,
                "Completely correct; core points and details are accurate with no ambiguity.",
            ),
            band(
                6,
                7,
                "Mostly correct; only minor details are slightly inaccurate or loosely expressed.",
            ),
            band(
                4,
                5,
                "Partially correct; some errors or omissions, but main points are generally \
                 accurate.",
            ),
            band(
                2,
                3,
                "Several errors or ambiguities that affect understanding of the core information.",
            ),
            band(
                0,
                1,
                "Serious errors; misleading or fails to convey key information.",
            ),
        ],
    },
    Scale {
        key: "completeness",
        title: "Completeness",
        source: SOURCE,
        bands: &[
            band(
                8,
                10,
                "Covers all key points from the reference answer without omission.",
            ),
            band(
                6,
                7,
                "Covers most key points; only minor non-critical information missing.",
            ),
            band(
                4,
                5,
                "Missing several key points; content is somewhat incomplete.",
            ),
            band(
                2,
                3,
                "Important information largely missing; content is one-sided.",
            ),
            band(
                0,
                1,
                "Covers very little or irrelevant information; seriously incomplete.",
            ),
        ],
    },
    Scale {
        key: "relevance",
        title: "Relevance",
        source: SOURCE,
        bands: &[
            band(
                8,
                10,
                "Content fully focused on the question topic; no irrelevant information.",
            ),
            band(
                6,
                7,
                "Mostly focused; only minor irrelevant or peripheral information.",
            ),
            band(
                4,
                5,
                "Topic not sufficiently focused; contains considerable off-topic content.",
            ),
            band(
                2,
                3,
                "Content deviates from topic; includes excessive irrelevant information.",
            ),
            band(0, 1, "Majority of content irrelevant to the question."),
        ],
    },
    Scale {
        key: "clarity",
        title: "Clarity",
        source: SOURCE,
        bands: &[
            band(
                8,
                10,
                "Fluent language; clear and precise expression; easy to understand.",
            ),
            band(
                6,
                7,
                "Mostly fluent; some expressions slightly unclear or not concise.",
            ),
            band(
                4,
                5,
                "Expression somewhat awkward; some ambiguity or lack of fluency.",
            ),
            band(
                2,
                3,
                "Language obscure; sentences are not smooth; hinders understanding.",
            ),
            band(0, 1, "Expression confusing; very difficult to understand."),
        ],
    },
    Scale {
        key: "reasoning",
        title: "Reasoning",
        source: SOURCE,
        bands: &[
            band(
                8,
                10,
                "Reasoning is clear, logical, and well-structured; argumentation is solid.",
            ),
            band(
                6,
                7,
                "Reasoning generally reasonable; mostly clear logic; minor jumps.",
            ),
            band(
                4,
                5,
                "Reasoning is average; some logical jumps or organization issues.",
            ),
            band(
                2,
                3,
                "Reasoning unclear; lacks logical order; difficult to follow.",
            ),
            band(0, 1, "No clear reasoning; logic is chaotic."),
        ],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_of_a_scale_has_one_meaning_and_no_other_value_has_any() {
        for scale in SCORES.iter().chain([&RATING]) {
            let bounds = (scale.low(), scale.high());
            let expected = if scale.key == "rating" { 1 } else { 0 };
            assert_eq!(bounds, (expected, 10), "{}", scale.key);
            for value in 0..=20 {
                let bands = scale.bands.iter();
                let n = bands
                    .filter(|band| (band.low..=band.high).contains(&value))
                    .count();
                let on_scale = (scale.low()..=scale.high()).contains(&value);
                assert_eq!(n, usize::from(on_scale), "{} {value}", scale.key);
                assert_eq!(scale.meaning(value).is_some(), on_scale);
            }
        }
    }
}
