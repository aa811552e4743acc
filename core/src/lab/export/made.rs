//! How a set was made, in one sentence for its card.

use std::collections::BTreeSet;

use crate::eval::Item;

/// Most sources that the card quotes; the rest are counted.
const QUOTED: usize = 3;

/// The card's sentence about a set that was split with `seed`; `valid` is the share for validation.
pub fn how_made(items: &[Item], seed: u64, valid: f64) -> String {
    let sources = items.iter().filter_map(|item| item.source.as_deref());
    let sources: BTreeSet<&str> = sources.collect();
    let from = match sources.len() {
        0 => "The set does not say where its questions come from.".to_owned(),
        1..=QUOTED => {
            let sources: Vec<&str> = sources.into_iter().collect();
            format!("Questions: {}.", sources.join("; "))
        }
        n => format!("Questions come from {n} sources, which the metadata names."),
    };
    format!(
        "{from} Split by gold file with seed {seed}, at most {} % of the questions for validation.",
        (valid * 100.0).round()
    )
}
