//! How much of an answer rests on each of its footnotes.
//!
//! Every statement of an answer counts the same. It is divided evenly among the footnotes that it
//! cites, and each of them gets its part times what its verdict is [`worth`]: a proven citation
//! gets all of it, a supported one three quarters, lines that exist a half, a false one nothing.
//! The weight of a footnote is the sum of its parts, divided by the number of statements. So
//! weights are between 0 and 1, and they add up to 1 only if every statement is proven.
//!
//! The part that a rejected citation loses goes to nobody: a sentence with one true and one false
//! source rests on the true one by no more than half.

use std::collections::BTreeMap;

use super::review::Standing;

/// What rests on a footnote.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Weight {
    /// Number of statements that cite it and in which it is worth something.
    pub statements: u32,
    /// Its share of the answer, 0–1.
    pub share: f32,
}

/// Returns what a citation with this verdict is worth, 0–1.
pub fn worth(standing: Standing) -> f32 {
    match standing {
        Standing::Proven => 1.0,
        Standing::Supported => 0.75,
        Standing::LinesExist | Standing::Repaired => 0.5,
        // The model cannot have taken the statement from there, or did not say that it did.
        Standing::OutsideEvidence | Standing::AutoCited => 0.25,
        Standing::Rejected | Standing::Contradicted | Standing::Uncited => 0.0,
    }
}

/// Returns the weight of each footnote by its number. A statement is the footnotes that it cites,
/// each with its verdict; one that it cites twice counts once.
pub fn weights<S>(statements: impl IntoIterator<Item = S>) -> BTreeMap<u32, Weight>
where
    S: IntoIterator<Item = (u32, Standing)>,
{
    let mut weights: BTreeMap<u32, Weight> = BTreeMap::new();
    let mut count = 0_u32;
    for statement in statements {
        count += 1;
        let cited: BTreeMap<u32, Standing> = statement.into_iter().collect();
        for (number, standing) in &cited {
            let weight = weights.entry(*number).or_default();
            let worth = worth(*standing);
            weight.statements += u32::from(worth > 0.0);
            weight.share += worth / cited.len() as f32;
        }
    }
    for weight in weights.values_mut() {
        weight.share /= count.max(1) as f32;
    }
    weights
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Standing::{
        AutoCited, Contradicted, LinesExist, OutsideEvidence, Proven, Rejected, Repaired, Supported,
    };
    use super::*;

    /// Statements; then for each footnote, how many statements rest on it and its share in
    /// thousandths.
    type Case = (
        &'static [&'static [(u32, Standing)]],
        &'static [(u32, u32, u32)],
    );

    const CASES: [Case; 8] = [
        (&[], &[]),
        (&[&[]], &[]),
        (&[&[(1, Proven)]], &[(1, 1, 1000)]),
        // Two statements, the second without a source.
        (&[&[(1, Proven)], &[]], &[(1, 1, 500)]),
        (
            &[&[(1, Proven), (2, Supported)]],
            &[(1, 1, 500), (2, 1, 375)],
        ),
        // Nobody gets the false one's part.
        (
            &[&[(1, Proven), (2, Rejected)], &[(2, Rejected)]],
            &[(1, 1, 250), (2, 0, 0)],
        ),
        (
            &[&[(1, LinesExist), (1, LinesExist)], &[(2, Contradicted)]],
            &[(1, 1, 250), (2, 0, 0)],
        ),
        (
            &[&[(3, Repaired)], &[(3, OutsideEvidence), (4, AutoCited)]],
            &[(3, 2, 313), (4, 1, 63)],
        ),
    ];

    #[test]
    fn a_statement_is_divided_among_its_footnotes_by_what_they_came_to() {
        for (statements, expected) in CASES {
            let found = weights(statements.iter().map(|cited| cited.iter().copied()));
            let found: Vec<_> = found
                .into_iter()
                .map(|(number, weight)| {
                    let thousandths = (weight.share * 1000.0).round() as u32;
                    (number, weight.statements, thousandths)
                })
                .collect();
            assert_eq!(found, expected, "{statements:?}");
        }
    }

    #[test]
    fn no_verdict_is_worth_more_than_a_better_one() {
        let worths: Vec<f32> = [Proven, Supported, LinesExist, OutsideEvidence, Rejected]
            .into_iter()
            .map(worth)
            .collect();
        assert!(worths.is_sorted_by(|better, worse| better > worse));
        assert!(Standing::ALL.into_iter().map(worth).all(|it| it <= 1.0));
    }

    proptest! {
        #[test]
        fn weights_add_up_to_no_more_than_the_answer(
            statements in prop::collection::vec(
                prop::collection::vec((1..9_u32, 0..Standing::ALL.len()), 0..5), 0..9,
            ),
        ) {
            let cited = |(number, at): &(u32, usize)| (*number, Standing::ALL[*at]);
            let found = weights(statements.iter().map(|cites| cites.iter().map(cited)));
            let sum: f32 = found.values().map(|weight| weight.share).sum();
            prop_assert!((0.0..=1.001).contains(&sum), "{sum}");
            let most = statements.len() as u32;
            prop_assert!(found.values().all(|weight| weight.statements <= most));
        }
    }
}
