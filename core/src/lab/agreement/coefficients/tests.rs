//! The coefficients against published worked examples.

use super::*;

/// The pairs in a table of counts; rows are the first rater's values.
fn pairs_of<const N: usize>(table: [[usize; N]; N]) -> Vec<(u8, u8)> {
    let mut pairs = Vec::new();
    for (a, row) in (1..).zip(table) {
        for (b, n) in (1..).zip(row) {
            pairs.extend(std::iter::repeat_n((a, b), n));
        }
    }
    pairs
}

fn assert_near(actual: Agreement, coefficient: f64, digits: f64) {
    let value = actual.coefficient.unwrap();
    assert!((value - coefficient).abs() < digits, "{value}");
}

#[test]
fn kappa_of_fifty_grant_proposals_matches_the_worked_example() {
    // Wikipedia, Cohen's kappa, "Simple example": 20 yes and yes, 5 yes and no, 10 no and yes, 15
    // no and no. By hand: agreed .7; by chance .5 · .6 + .5 · .4 = .5; (.7 − .5) / (1 − .5) = .4.
    let agreement = kappa(&pairs_of([[20, 5], [10, 15]]));
    assert_near(agreement, 0.4, 1e-12);
    assert_eq!((agreement.agreed, agreement.n), (Some(0.7), 50));
}

#[test]
fn kappa_distinguishes_habits_from_agreement() {
    // Wikipedia, Cohen's kappa, "Same percentages but different numbers": both agree in 60 of 100.
    assert_near(kappa(&pairs_of([[45, 15], [25, 15]])), 0.1304, 5e-5);
    assert_near(kappa(&pairs_of([[25, 35], [5, 35]])), 0.2593, 5e-5);
}

#[test]
fn weighted_kappa_of_91_couples_is_the_published_one() {
    // Answers of husbands and wives (Hout, Duncan & Sobel, 1987), in Friendly, Visualizing
    // Categorical Data.
    let pairs = pairs_of([[7, 7, 2, 3], [2, 8, 3, 7], [1, 5, 4, 9], [2, 8, 9, 14]]);
    assert_near(kappa(&pairs), 0.1293, 5e-5);
    assert_near(weighted_kappa(&pairs), 0.3320, 5e-5);
}

#[test]
fn weighted_kappa_by_hand() {
    // Squared differences observed: 0 + 0 + 1 + 4 = 5 in 4 pairs. Expected: each of 1, 1, 2, 3
    // against each of 1, 1, 3, 1 gives 4 + 4 + 4 + 12 = 24 in 16 pairs. 1 − (5 / 4) / (24 / 16) = 1
    // / 6.
    let pairs = [(1, 1), (1, 1), (2, 3), (3, 1)];
    assert_near(weighted_kappa(&pairs), 1.0 / 6.0, 1e-12);
}

/// Krippendorff, Computing Krippendorff's alpha-reliability (2011), section C: four observers,
/// twelve units, some values missing.
fn observers() -> Vec<Vec<u8>> {
    const NONE: u8 = 0;
    let rows: [[u8; 12]; 4] = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NONE, NONE, NONE],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NONE, 3],
        [NONE, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NONE],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NONE],
    ];
    let unit = |at: usize| {
        let values = rows.iter().map(|row| row[at]);
        values.filter(|&value| value != NONE).collect()
    };
    (0..12).map(unit).collect()
}

#[test]
fn alpha_of_four_observers_is_the_published_one() {
    for (level, expected) in [
        (Level::Nominal, 0.743),
        (Level::Ordinal, 0.815),
        (Level::Interval, 0.849),
    ] {
        let agreement = alpha(&observers(), level);
        assert_near(agreement, expected, 5e-4);
        assert_eq!(agreement.n, 11, "the unit with one value has no pair");
    }
}

#[test]
fn nominal_alpha_of_four_observers_by_hand() {
    // The paper's coincidences: diagonal 7, 10, 8, 4, 3 of 40; totals 9, 13, 10, 5, 3.
    let expected = (39.0 * 32.0 - (9.0 * 8.0 + 13.0 * 12.0 + 10.0 * 9.0 + 5.0 * 4.0 + 3.0 * 2.0))
        / (40.0 * 39.0 - (9.0 * 8.0 + 13.0 * 12.0 + 10.0 * 9.0 + 5.0 * 4.0 + 3.0 * 2.0));
    let agreement = alpha(&observers(), Level::Nominal);
    assert_near(agreement, expected, 1e-12);
    assert!((agreement.agreed.unwrap() - 32.0 / 40.0).abs() < 1e-12);
}

#[test]
fn alpha_of_two_observers_with_two_values_is_the_published_one() {
    // The same paper, section A: ten units, .095.
    let first = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0];
    let second = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0];
    let units: Vec<Vec<u8>> = first.iter().zip(second).map(|(&a, b)| vec![a, b]).collect();
    assert_near(alpha(&units, Level::Nominal), 0.095, 5e-4);
}

#[test]
fn the_order_of_raters_and_units_does_not_matter() {
    let mut units = observers();
    let before = alpha(&units, Level::Ordinal).coefficient.unwrap();
    units.reverse();
    units.iter_mut().for_each(|unit| unit.reverse());
    assert_near(alpha(&units, Level::Ordinal), before, 1e-12);
}

#[test]
fn a_coefficient_that_cannot_be_computed_has_a_reason() {
    let none = Err(Undefined::NoOverlap);
    assert_eq!(kappa(&[]).coefficient, none);
    assert_eq!(
        alpha(&[vec![1], vec![], vec![2]], Level::Interval).coefficient,
        none
    );
    let one = Err(Undefined::OneValue);
    let same = kappa(&[(3, 3), (3, 3)]);
    assert_eq!((same.coefficient, same.agreed), (one, Some(1.0)));
    for level in [Level::Nominal, Level::Ordinal, Level::Interval] {
        assert_eq!(alpha(&[vec![2, 2], vec![2, 2, 2]], level).coefficient, one);
    }
}

#[test]
fn full_agreement_is_one_and_full_disagreement_less_than_nothing() {
    assert_near(kappa(&[(1, 1), (2, 2), (3, 3)]), 1.0, 1e-12);
    assert_near(kappa(&[(1, 2), (2, 1)]), -1.0, 1e-12);
    assert_near(weighted_kappa(&[(1, 10), (10, 1)]), -1.0, 1e-12);
    for level in [Level::Nominal, Level::Ordinal, Level::Interval] {
        assert_near(alpha(&[vec![1, 1], vec![9, 9, 9]], level), 1.0, 1e-12);
    }
}
