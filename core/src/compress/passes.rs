//! The texts that an encoder reads for a piece: windows of its lines under a header, one pass each.

use std::ops::Range;

use super::piece::Source;
use crate::embed::LineVectors;
use crate::index::ContentKey;
use crate::model::prompt::estimate_tokens;

/// Tokens of a window's lines by [`estimate_tokens`]; with the header they fit into the encoder's
/// 256.
const WINDOW_TOKENS: usize = 190;
/// Characters of a line that the encoder reads; as many as are sent.
const MAX_LINE: usize = 400;

/// One text for [`crate::embed::Embedder::line_vectors`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pass {
    /// The index of its piece.
    pub piece: usize,
    /// A header line, then the lines.
    pub text: String,
    /// The rows of the piece that it contains.
    pub(super) rows: Range<usize>,
}

impl Pass {
    /// The key under which the vectors of this pass are stored.
    pub fn key(&self, model_id: &str) -> ContentKey {
        ContentKey::of(&format!("{model_id} lines"), &self.text)
    }
}

/// The passes of a piece, in order of its rows, with as few windows as possible. The header names
/// file and symbol, as in [`crate::chunk::embedding_text()`].
pub(super) fn of(at: usize, source: &Source) -> Vec<Pass> {
    let name = source.path.rsplit('/').next().unwrap_or(&source.path);
    let header = format!("{name} {}", source.title).replace('\n', " ");
    let mut passes: Vec<Pass> = Vec::new();
    let mut used = usize::MAX;
    for (row, text) in source.rows.iter().enumerate() {
        let end = text
            .char_indices()
            .nth(MAX_LINE)
            .map_or(text.len(), |(at, _)| at);
        let text = text.get(..end).unwrap_or(text);
        let tokens = estimate_tokens(text);
        match passes
            .last_mut()
            .filter(|_| used.saturating_add(tokens) <= WINDOW_TOKENS)
        {
            Some(pass) => {
                used += tokens;
                pass.rows.end = row + 1;
                pass.text.push('\n');
                pass.text.push_str(text);
            }
            None => {
                used = tokens;
                passes.push(Pass {
                    piece: at,
                    text: format!("{header}\n{text}"),
                    rows: row..row + 1,
                });
            }
        }
    }
    passes
}

/// Joins the vectors of a piece's passes, without header lines. Rows of missing passes have no
/// tokens.
pub(super) fn joined(passes: &[&Pass], vectors: &[Option<&LineVectors>]) -> LineVectors {
    let mut whole = LineVectors::default();
    // The first known vectors give the dimension.
    if let Some(known) = vectors.iter().flatten().next() {
        whole.append(known, 0..0);
    }
    for (at, pass) in passes.iter().enumerate() {
        let none = LineVectors::default();
        let own = vectors.get(at).copied().flatten().unwrap_or(&none);
        whole.append(own, 1..1 + pass.rows.len());
    }
    whole
}
