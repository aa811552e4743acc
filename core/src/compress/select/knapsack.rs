//! The set of units with the largest sum of values within a budget (LongCodeZip's selection).

/// Number of steps that a budget is divided into, so that a table of units × steps stays small for
/// any budget.
const STEPS: usize = 2_000;

/// Which units are chosen. Values of 0 or less are never chosen. Weights and budget can have any
/// unit; weights are rounded up to steps of the budget, so that the sum never exceeds it.
pub(crate) fn choose(values: &[f32], weights: &[usize], budget: usize) -> Vec<bool> {
    let step = budget.div_ceil(STEPS).max(1);
    let room = budget / step;
    let items: Vec<(usize, f64, usize)> = values
        .iter()
        .zip(weights)
        .enumerate()
        .map(|(at, (&value, &weight))| (at, f64::from(value), weight.div_ceil(step)))
        .filter(|&(_, value, weight)| value > 0.0 && weight <= room)
        .collect();
    let mut best = vec![0f64; room + 1];
    let mut taken: Vec<Vec<bool>> = Vec::with_capacity(items.len());
    for &(_, value, weight) in &items {
        let mut takes = vec![false; room + 1];
        for used in (weight..=room).rev() {
            let with = best.get(used - weight).copied().unwrap_or(0.0) + value;
            if let (Some(best), Some(takes)) = (best.get_mut(used), takes.get_mut(used))
                && with > *best
            {
                (*best, *takes) = (with, true);
            }
        }
        taken.push(takes);
    }
    let mut chosen = vec![false; values.len()];
    let mut used = room;
    for (&(at, _, weight), takes) in items.iter().zip(&taken).rev() {
        if takes.get(used) == Some(&true)
            && let Some(chosen) = chosen.get_mut(at)
        {
            *chosen = true;
            used -= weight;
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_best_sum_is_found() {
        for (values, weights, budget, expected) in [
            (
                vec![6.0, 5.0, 5.0],
                vec![6, 5, 5],
                10,
                vec![false, true, true],
            ),
            (vec![1.0, 2.0], vec![1, 1], 1, vec![false, true]),
            (
                vec![1.0, -1.0, f32::NAN],
                vec![1, 1, 1],
                9,
                vec![true, false, false],
            ),
            (vec![1.0], vec![2], 1, vec![false]),
            (vec![1.0], vec![0], 0, vec![true]),
            (vec![], vec![], 5, vec![]),
        ] {
            assert_eq!(
                choose(&values, &weights, budget),
                expected,
                "{values:?} {weights:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn no_other_set_is_better(
            items in prop::collection::vec((0f32..9.0, 0usize..9), 0..8),
            budget in 0usize..30,
        ) {
            let (values, weights): (Vec<f32>, Vec<usize>) = items.into_iter().unzip();
            let sums = |is_in: &dyn Fn(usize) -> bool| {
                let all = (0..values.len()).filter(|&at| is_in(at));
                all.fold((0.0, 0), |(value, weight), at| (value + values[at], weight + weights[at]))
            };
            let chosen = choose(&values, &weights, budget);
            let (value, weight) = sums(&|at| chosen[at]);
            prop_assert!(weight <= budget);
            for set in 0u32..1 << values.len() {
                let (other, weight) = sums(&|at| set >> at & 1 == 1);
                prop_assert!(weight > budget || other <= value + 1e-3);
            }
        }
    }
}
