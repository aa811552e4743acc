//! A piece to compress, and its lines.

use std::ops::Range;

use crate::chunk::ChunkId;
use crate::index::Index;
use crate::lines::{Line, LineRange, Row};
use crate::model::prompt::Block;
use crate::search::Hit;
use crate::search::pack::{self, Packed, Packing};
use crate::source::FileId;

/// The pieces to compress have this many times the tokens that are sent: see
/// `benches/runs/2026-11-compress`.
const WIDER: usize = 2;

/// A retrieved run of lines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// The file it is cut from.
    pub file: FileId,
    /// Its lines.
    pub lines: LineRange,
    /// The chunk it comes from, if any; the signature of its symbol is always kept.
    pub chunk: Option<ChunkId>,
    /// Its retrieval score, in any unit; larger is better. 0 for all pieces if unknown.
    pub score: f32,
}

impl Piece {
    /// The piece of a whole chunk; `None` if the index has no such chunk.
    pub fn of_chunk(index: &Index, chunk: ChunkId, score: f32) -> Option<Self> {
        let own = index.chunk(chunk)?;
        Some(Self {
            file: own.file,
            lines: own.lines,
            chunk: Some(chunk),
            score,
        })
    }

    /// The whole chunks of the best of `hits` (best first), with [`WIDER`] times the `tokens` that
    /// will be sent.
    pub fn of_hits(index: &Index, hits: &[Hit], tokens: usize) -> Vec<Self> {
        Self::up_to(index, hits, tokens.saturating_mul(WIDER))
    }

    /// The whole chunks of the best of `hits` (best first) that fit into this many tokens together.
    pub fn up_to(index: &Index, hits: &[Hit], tokens: usize) -> Vec<Self> {
        let cost =
            |file, lines| Block::new(index, file, lines).map_or(usize::MAX, |block| block.tokens);
        let packed = pack::pack_by(index, hits, Packing::TopK, tokens, cost);
        Self::of_packed(index, &packed, hits)
    }

    /// Its lines as stored; `None` if the file does not have them.
    pub fn text(&self, index: &Index) -> Option<String> {
        Source::new(index, *self).map(|source| source.text)
    }

    /// The pieces of a packed context, with the scores of their hits.
    pub fn of_packed(index: &Index, packed: &[Packed], hits: &[Hit]) -> Vec<Self> {
        let piece = |packed: &Packed| {
            let hit = hits.iter().find(|hit| hit.chunk == packed.chunk);
            let score = hit.map_or(0.0, |hit| hit.score);
            let whole = Self::of_chunk(index, packed.chunk, score)?;
            Some(Self {
                lines: packed.lines,
                ..whole
            })
        };
        packed.iter().filter_map(piece).collect()
    }
}

/// A piece with its own copy of its text, so that a selection can be kept and changed while the
/// index is in use. Rows count from 0 at the piece's first line.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub piece: Piece,
    pub path: String,
    /// As stored, line ends included.
    pub text: String,
    /// One for each line of the piece, without line ends.
    pub rows: Vec<String>,
    /// The row of the symbol's name, if it is in the piece.
    pub name_row: Option<usize>,
    /// The qualified symbol; empty if there is none.
    pub title: String,
}

impl Source {
    /// Copies the text of a piece; `None` if the file does not have its lines.
    pub(crate) fn new(index: &Index, piece: Piece) -> Option<Self> {
        let file = index.repo.file(piece.file)?;
        let text = index.lines(piece.file)?.slice(&file.text, piece.lines)?;
        let lines = text.lines().chain(std::iter::repeat(""));
        let symbol = piece.chunk.and_then(|chunk| index.symbol_of(chunk));
        let name_row = symbol
            .filter(|symbol| piece.lines.contains(symbol.name_line))
            .map(|symbol| (symbol.name_line.0 - piece.lines.start().0) as usize);
        let rows = lines.take(piece.lines.count() as usize);
        Some(Self {
            piece,
            path: file.path.clone(),
            text: text.to_owned(),
            rows: rows.map(str::to_owned).collect(),
            name_row,
            title: symbol
                .map(|symbol| symbol.qualified.clone())
                .unwrap_or_default(),
        })
    }

    /// The rows as string slices.
    pub(crate) fn row_texts(&self) -> Vec<&str> {
        self.rows.iter().map(String::as_str).collect()
    }

    /// The text of some rows, joined by newlines.
    pub(crate) fn text_of(&self, rows: Range<usize>) -> String {
        self.rows.get(rows).unwrap_or_default().join("\n")
    }

    /// The line of a row.
    pub(crate) fn line(&self, row: usize) -> Line {
        let first = Row::from(self.piece.lines.start()).0;
        Row(first.saturating_add(row as u32)).into()
    }

    /// The lines of `rows`, which must not be empty.
    pub(crate) fn lines(&self, rows: Range<usize>) -> LineRange {
        LineRange::new(self.line(rows.start), self.line(rows.end.saturating_sub(1)))
    }
}
