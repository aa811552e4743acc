//! Names that share parts with the question: `resolve_redirects` and "how are redirects resolved".

use std::collections::BTreeSet;

use super::with_gains;
use super::{Group, StepSpec};
use crate::index::tokens::name_parts;
use crate::search::analysis::{Analysis, Rarity};
use crate::search::params::Param;
use crate::search::stem::stem;
use crate::search::{Context, Hit};

/// Maximum number of symbols of a chunk that are compared; a chunk of constants can have hundreds.
const MAX_SYMBOLS: usize = 24;

/// Gain for parts of a chunk's names that are words of the question.
static GAIN: Param = Param::new("names", 0.2);

pub(super) static NAMES: StepSpec = StepSpec {
    name: "names",
    about: "Names in the chunk share rare words with the question.",
    why: |_, _| "its names share rare words with the question".to_owned(),
    group: Group::Rule,
    compares: None,
    params: &[&GAIN],
    apply: names,
};

fn names(context: &Context<'_>, hits: Vec<Hit>) -> Vec<Hit> {
    let weight = context.params.get(&GAIN);
    with_gains("names", hits, |hit| {
        let index = context.index;
        let own = index.symbol_of(hit.chunk);
        let inside = index.symbols_in(hit.chunk).take(MAX_SYMBOLS);
        let overlaps = own.into_iter().chain(inside).map(|symbol| {
            let name = last_two(&symbol.qualified);
            overlap(&context.analysis, name, |word| word.in_names)
        });
        Some(weight * overlaps.fold(0.0, f32::max))
    })
}

/// Returns a symbol's name with its owner.
fn last_two(qualified: &str) -> &str {
    let mut dots = qualified.rmatch_indices('.').map(|(at, _)| at + 1);
    let start = dots.nth(1).unwrap_or(0);
    qualified.get(start..).unwrap_or(qualified)
}

/// Returns how well a name matches the question: the share of the name's parts that are words of
/// the question, times the sum of their squared rarities, at most 1. Without the squares, ordinary
/// words ("path", "flags") outweigh the few informative ones.
pub(super) fn overlap(analysis: &Analysis, name: &str, rarity: impl Fn(&Rarity) -> f32) -> f32 {
    let parts: BTreeSet<String> = name_parts(name).iter().map(|part| stem(part)).collect();
    let said = parts.iter().filter_map(|part| analysis.words.get(part));
    let (mut n_said, mut told) = (0usize, 0.0);
    for word in said {
        n_said += 1;
        told += rarity(word).powi(2);
    }
    if n_said == 0 {
        return 0.0;
    }
    n_said as f32 / parts.len() as f32 * told.min(1.0)
}
