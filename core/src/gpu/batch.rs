//! Groups sequences of tokens into batches for a program.

use super::kernel::LANES;

/// Splits sequences, in order, into batches of at most `most` tokens; a longer sequence is a batch
/// of its own.
pub(crate) fn batches<T>(
    sequences: impl IntoIterator<Item = T>,
    tokens: impl Fn(&T) -> usize,
    most: usize,
) -> Vec<Vec<T>> {
    let mut batches: Vec<Vec<T>> = Vec::new();
    let mut together = most;
    for sequence in sequences {
        let own = tokens(&sequence);
        together += own;
        match batches.last_mut() {
            Some(batch) if together <= most => batch.push(sequence),
            _ => {
                together = own;
                batches.push(vec![sequence]);
            }
        }
    }
    batches
}

/// The workgroups of attention for a sequence: for each, the sequence's first token, the one past
/// its last, and the first query.
pub(crate) fn queries(start: u32, end: u32) -> impl Iterator<Item = [u32; 4]> {
    let first = (start..end).step_by(LANES);
    first.map(move |query| [start, end, query, 0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_holds_what_fits_and_at_least_one() {
        let of = |lengths: &[usize]| batches(lengths.to_vec(), |&length| length, 10);
        assert_eq!(of(&[4, 6, 1]), [vec![4, 6], vec![1]]);
        assert_eq!(of(&[12, 3, 8]), [vec![12], vec![3], vec![8]]);
        assert!(of(&[]).is_empty());
    }

    #[test]
    fn each_workgroup_has_64_queries() {
        let found: Vec<_> = queries(10, 75).collect();
        assert_eq!(found, [[10, 75, 10, 0], [10, 75, 74, 0]]);
    }
}
