//! Groups texts of similar length into batches, to keep padding small.

/// Texts that are padded to the same length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Batch {
    /// Indices into the list of lengths.
    pub texts: Vec<usize>,
    /// Tokens of each text, padding included.
    pub length: usize,
}

impl Batch {
    /// Number of tokens to compute, padding included.
    pub(crate) fn tokens(&self) -> usize {
        self.texts.len() * self.length
    }
}

/// Sorts texts by length into batches of at most `budget` tokens, padding included; a text longer
/// than the budget gets its own batch. Less than a ninth of a batch is padding.
pub(crate) fn plan(lengths: &[usize], budget: usize) -> Vec<Batch> {
    let mut order: Vec<(usize, usize)> = lengths
        .iter()
        .enumerate()
        .map(|(text, &length)| (bucket(length), text))
        .collect();
    order.sort_unstable();
    let mut batches: Vec<Batch> = Vec::new();
    for (length, text) in order {
        match batches.last_mut() {
            Some(batch) if batch.length == length && batch.tokens() + length <= budget => {
                batch.texts.push(text);
            }
            _ => batches.push(Batch {
                texts: vec![text],
                length,
            }),
        }
    }
    batches
}

/// The length that a text is padded to: the next of sixteen steps between powers of two.
pub(crate) fn bucket(length: usize) -> usize {
    length.next_multiple_of((length.next_power_of_two() / 16).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_text_is_in_one_batch(lengths in prop::collection::vec(0usize..600, 0..200), budget in 1usize..5000) {
            let mut seen: Vec<usize> = plan(&lengths, budget).into_iter().flat_map(|batch| batch.texts).collect();
            seen.sort_unstable();
            prop_assert_eq!(seen, (0..lengths.len()).collect::<Vec<_>>());
        }

        #[test]
        fn batches_keep_to_the_budget(lengths in prop::collection::vec(1usize..600, 0..200), budget in 1usize..5000) {
            for batch in plan(&lengths, budget) {
                prop_assert!(batch.texts.len() == 1 || batch.tokens() <= budget, "{batch:?}");
            }
        }

        #[test]
        fn less_than_a_ninth_is_padding(lengths in prop::collection::vec(1usize..600, 1..200), budget in 1usize..5000) {
            for batch in plan(&lengths, budget) {
                let real: usize = batch.texts.iter().map(|&text| lengths[text]).sum();
                prop_assert!(batch.texts.iter().all(|&text| lengths[text] <= batch.length));
                prop_assert!((batch.tokens() - real) * 9 < batch.tokens(), "{batch:?}");
            }
        }

        #[test]
        fn texts_of_one_length_fill_their_batches(count in 1usize..100, length in 1usize..300) {
            let budget = 1024;
            let batches = plan(&vec![length; count], budget);
            let each = (budget / bucket(length)).max(1);
            prop_assert_eq!(batches.len(), count.div_ceil(each));
        }
    }
}
