//! The named compressors.
//!
//! To add one, write a file with a [`CompressorSpec`] and add a row to [`LIST`]; its measured
//! results are a line of `benches/runs/2026-11-compress/reached.tsv`.

mod ami_mmr;
mod bm25_blocks;
mod bm25_lines;
mod embedding_blocks;
mod fitted;
mod fused;
mod head;
mod knapsack;
mod none;
mod ranked;
mod reached;

use std::fmt;

use super::Scored;
use super::select::{Selection, Unit};
pub use reached::Reached;

/// One compressor: a `static` in its own file, and a row of [`LIST`].
pub(super) struct CompressorSpec {
    /// Its name on the command line, in saved settings and in exports.
    name: &'static str,
    /// A short title for a list of choices.
    title: &'static str,
    /// What it does, in one sentence for users.
    about: &'static str,
    /// What it needs beside the words of the pieces.
    needs: Option<Missing>,
    /// The value of each block of each piece; empty if it does not choose among blocks.
    values: fn(&Scored) -> Vec<Vec<f32>>,
    /// The units it chooses among; where they are blocks, with these values.
    units: fn(&Scored, &[Vec<f32>]) -> Vec<Unit>,
    /// Keeps those of its units that fit.
    keep: fn(&Scored, &mut Selection<'_>, &[Unit]),
}

/// In the order they are offered.
static LIST: &[&CompressorSpec] = &[
    &none::NONE,
    &head::HEAD,
    &bm25_lines::BM25_LINES,
    &bm25_blocks::BM25_BLOCKS,
    &embedding_blocks::EMBEDDING_BLOCKS,
    &fused::FUSED,
    &ranked::RANKED,
    &knapsack::KNAPSACK,
    &ami_mmr::AMI_MMR,
    &fitted::FITTED,
];

/// What a compressor needs but does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Missing {
    /// Vectors of lines; available once the encoder has been run.
    #[error("the encoder has not read these lines")]
    Encoder,
    /// Perplexities; available once a code language model has been run.
    #[error("no code language model has read these lines")]
    Model,
}

/// How the lines of a context are chosen: one entry of the list.
#[derive(Clone, Copy)]
pub struct Compressor(&'static CompressorSpec);

/// The best one measured: see `benches/runs/2026-11-compress`.
impl Default for Compressor {
    fn default() -> Self {
        Self(&ranked::RANKED)
    }
}

impl Compressor {
    /// Keeps whole pieces; all other compressors are measured against it.
    pub const NONE: Self = Self(&none::NONE);
    /// The fallback if only the words are known.
    const BY_WORDS: Self = Self(&bm25_blocks::BM25_BLOCKS);

    /// All compressors, in the order they are offered.
    pub fn all() -> impl Iterator<Item = Self> {
        LIST.iter().copied().map(Self)
    }

    /// Reads a [`Compressor::name`].
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|known| known.name() == name)
    }

    /// Its name on the command line, in saved settings and in exports.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// A short title for a list of choices.
    pub fn title(self) -> &'static str {
        self.0.title
    }

    /// What it does, in one sentence for users.
    pub fn about(self) -> &'static str {
        self.0.about
    }

    /// Its measured results, if there are any.
    pub fn reached(self) -> Option<Reached> {
        reached::of(self.0.name)
    }

    /// Whether it needs a code language model.
    pub fn uses_model(self) -> bool {
        self.0.needs == Some(Missing::Model)
    }

    /// The compressor to use if this one's needs are not met, and what is missing.
    pub fn with(self, has_vectors: bool, has_model: bool) -> (Self, Option<Missing>) {
        let has = |need: &Missing| match need {
            Missing::Encoder => has_vectors,
            Missing::Model => has_model,
        };
        let missing = self.0.needs.filter(|need| !has(need));
        let used = match (missing, has_vectors) {
            (None, _) => self,
            (Some(_), true) => Self::default(),
            (Some(_), false) => Self::BY_WORDS,
        };
        (used, missing)
    }

    /// See [`CompressorSpec::values`].
    pub(super) fn values(self, scored: &Scored) -> Vec<Vec<f32>> {
        (self.0.values)(scored)
    }

    /// See [`CompressorSpec::units`].
    pub(super) fn units(self, scored: &Scored, values: &[Vec<f32>]) -> Vec<Unit> {
        (self.0.units)(scored, values)
    }

    /// See [`CompressorSpec::keep`].
    pub(super) fn keep(self, scored: &Scored, selection: &mut Selection<'_>, units: &[Unit]) {
        (self.0.keep)(scored, selection, units);
    }
}

/// Names are unique.
impl PartialEq for Compressor {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for Compressor {}

impl fmt::Debug for Compressor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

/// No values, for compressors that do not choose among blocks.
fn no_values(_: &Scored) -> Vec<Vec<f32>> {
    Vec::new()
}

/// Each row of each piece as a unit; `value` takes the piece's position and the row.
fn rows(scored: &Scored, value: impl Fn(usize, usize) -> f32) -> Vec<Unit> {
    let mut units = Vec::new();
    for (piece, source) in scored.sources.iter().enumerate() {
        units.extend((0..source.rows.len()).map(|row| Unit {
            piece,
            rows: row..row + 1,
            value: value(piece, row),
        }));
    }
    units
}

/// Each block of each piece as a unit.
pub(super) fn blocks(scored: &Scored, values: &[Vec<f32>]) -> Vec<Unit> {
    let mut units = Vec::new();
    for (piece, blocks) in scored.blocks.iter().enumerate() {
        for (at, block) in blocks.iter().enumerate() {
            let value = values.get(piece).and_then(|values| values.get(at));
            units.push(Unit {
                piece,
                rows: block.rows.clone(),
                value: value.copied().unwrap_or(0.0),
            });
        }
    }
    units
}

/// Keeps units in order of value while they fit, then any others that still fit.
pub(super) fn best_first(_: &Scored, selection: &mut Selection<'_>, units: &[Unit]) {
    selection.greedy(units);
    selection.fill(units);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Command lines, recorded runs and exports hold these names; new ones are only added.
    #[test]
    fn names_stay() {
        let names: Vec<&str> = Compressor::all().map(Compressor::name).collect();
        let known = [
            "none",
            "head",
            "bm25-lines",
            "bm25-blocks",
            "embedding-blocks",
            "fused",
            "ranked",
            "knapsack",
            "ami-mmr",
            "fitted",
        ];
        for name in known {
            assert!(names.contains(&name), "{name}");
        }
    }

    #[test]
    fn names_are_read_back() {
        let mut seen = BTreeSet::new();
        for compressor in Compressor::all() {
            let name = compressor.name();
            assert!(seen.insert(name), "{name} twice");
            assert!(seen.insert(compressor.title()), "{name}: its title twice");
            assert_eq!(Compressor::from_name(name), Some(compressor));
            assert!(compressor.about().ends_with('.'), "{name}");
        }
        assert_eq!(Compressor::from_name("nothing"), None);
    }

    #[test]
    fn a_missing_requirement_is_named_and_a_compressor_without_it_is_used() {
        for compressor in Compressor::all() {
            for (has_vectors, has_model) in
                [(false, false), (true, false), (false, true), (true, true)]
            {
                let (used, missing) = compressor.with(has_vectors, has_model);
                let needs = used.0.needs;
                assert!(has_vectors || needs != Some(Missing::Encoder), "{used:?}");
                assert!(has_model || needs != Some(Missing::Model), "{used:?}");
                assert_eq!(used == compressor, missing.is_none(), "{compressor:?}");
            }
        }
    }
}
