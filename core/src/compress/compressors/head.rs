//! The first lines of each piece.

use super::{CompressorSpec, best_first, no_values, rows};

pub(super) static HEAD: CompressorSpec = CompressorSpec {
    name: "head",
    title: "First lines",
    about: "The first lines of each piece.",
    needs: None,
    values: no_values,
    units: |scored, _| rows(scored, |_, row| -(row as f32)),
    keep: |scored, selection, units| {
        // Rows of different pieces cannot be compared.
        selection.share_out();
        best_first(scored, selection, units);
    },
};
