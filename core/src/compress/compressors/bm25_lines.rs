//! Single lines, scored by the question's words.

use super::{CompressorSpec, best_first, no_values, rows};

pub(super) static BM25_LINES: CompressorSpec = CompressorSpec {
    name: "bm25-lines",
    title: "Lines by words",
    about: "The lines that contain the rarest words of the question.",
    needs: None,
    values: no_values,
    units: |scored, _| {
        rows(scored, |piece, row| {
            let scores = scored.row_scores.get(piece);
            let score = scores.and_then(|scores| scores.get(row));
            score.copied().unwrap_or(0.0)
        })
    },
    keep: best_first,
};
