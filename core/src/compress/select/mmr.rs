//! Maximal marginal relevance: a choice should not repeat earlier choices.

/// Weight of relevance against novelty (RepoDistill, section 2.2).
pub const LAMBDA: f32 = 0.1;

/// Calls `keep` with the index of each unit, in order of λ·relevance − (1−λ)·max similarity to
/// those already kept; `keep` returns whether it kept the unit. `similarity` of two units is 0–1.
pub(crate) fn greedy(
    lambda: f32,
    relevance: &[f32],
    similarity: impl Fn(usize, usize) -> f32,
    mut keep: impl FnMut(usize) -> bool,
) {
    let mut left: Vec<(usize, f32)> = (0..relevance.len()).map(|at| (at, 0.0)).collect();
    loop {
        let mut best: Option<(usize, f32)> = None;
        for (place, &(at, nearest)) in left.iter().enumerate() {
            let own = relevance.get(at).copied().filter(|own| !own.is_nan());
            let value = lambda * own.unwrap_or(f32::MIN) - (1.0 - lambda) * nearest;
            if best.is_none_or(|(_, known)| value > known) {
                best = Some((place, value));
            }
        }
        let Some((place, _)) = best else { return };
        let (chosen, _) = left.remove(place);
        if keep(chosen) {
            for (at, nearest) in &mut left {
                *nearest = nearest.max(similarity(*at, chosen));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_that_repeat_a_chosen_one_come_later() {
        let same = |a: usize, b: usize| if a % 2 == b % 2 { 1.0 } else { 0.0 };
        for (relevance, expected) in [
            (vec![3.0, 1.0, 2.0], vec![0, 1, 2]),
            (vec![30.0, 1.0, 20.0], vec![0, 2, 1]),
            (vec![f32::NAN, 1.0], vec![1, 0]),
            (vec![], vec![]),
        ] {
            let mut order = Vec::new();
            greedy(LAMBDA, &relevance, same, |at| {
                order.push(at);
                true
            });
            assert_eq!(order, expected, "{relevance:?}");
        }
    }

    #[test]
    fn with_a_lambda_of_one_only_relevance_counts() {
        let mut order = Vec::new();
        greedy(
            1.0,
            &[3.0, 1.0, 2.0],
            |_, _| 1.0,
            |at| {
                order.push(at);
                true
            },
        );
        assert_eq!(order, [0, 2, 1]);
    }

    #[test]
    fn a_candidate_that_was_not_kept_does_not_hold_others_back() {
        let mut order = Vec::new();
        greedy(
            LAMBDA,
            &[3.0, 1.0, 2.0],
            |_, _| 1.0,
            |at| {
                order.push(at);
                false
            },
        );
        assert_eq!(order, [0, 2, 1]);
    }
}
