//! Cuts nothing: whole pieces, the best first.

use super::{CompressorSpec, no_values};
use crate::compress::Scored;
use crate::compress::select::Unit;

pub(super) static NONE: CompressorSpec = CompressorSpec {
    name: "none",
    title: "Whole functions",
    about: "Whole pieces, best first, as many as fit.",
    needs: None,
    values: no_values,
    units: |scored, _| pieces(scored),
    keep: |_, selection, units| selection.greedy(units),
};

fn pieces(scored: &Scored) -> Vec<Unit> {
    let sources = scored.sources.iter().enumerate();
    let unit = |(piece, source): (usize, &crate::compress::piece::Source)| Unit {
        piece,
        rows: 0..source.rows.len(),
        value: -(piece as f32),
    };
    sources.map(unit).collect()
}
