//! What is to be compressed, and its lines.

use std::ops::Range;

use crate::chunk::ChunkId;
use crate::index::Index;
use crate::lines::{Line, LineRange, Row};
use crate::model::prompt::Block;
use crate::search::Hit;
use crate::search::pack::{self, Packed, Packing};
use crate::source::FileId;

/// What is compressed has so many times the tokens that are sent: see
/// `benches/runs/2026-11-compress`.
const WIDER: usize = 2;

/// A retrieved run of lines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// The file that it is cut from.
    pub file: FileId,
    /// Its lines.
    pub lines: LineRange,
    /// The chunk that it comes from: its symbol's signature stays.
    pub chunk: Option<ChunkId>,
    /// Of its retrieval; any unit, larger is better. 0 for all if unknown.
    pub score: f32,
}

impl Piece {
    /// A whole chunk; `None` if the index has no such chunk.
    pub fn of_chunk(index: &Index, chunk: ChunkId, score: f32) -> Option<Self> {
        let own = index.chunk(chunk)?;
        Some(Self {
            file: own.file,
            lines: own.lines,
            chunk: Some(chunk),
            score,
        })
    }

    /// Whole chunks of the best of `hits` (best first): [`WIDER`] times the `tokens` that are to be
    /// sent.
    pub fn of_hits(index: &Index, hits: &[Hit], tokens: usize) -> Vec<Self> {
        Self::up_to(index, hits, tokens.saturating_mul(WIDER))
    }

    /// Whole chunks of the best of `hits` (best first), as many as have these tokens together.
    pub fn up_to(index: &Index, hits: &[Hit], tokens: usize) -> Vec<Self> {
        let cost =
            |file, lines| Block::new(index, file, lines).map_or(usize::MAX, |block| block.tokens);
        let packed = pack::pack_by(index, hits, Packing::TopK, tokens, cost);
        Self::of_packed(index, &packed, hits)
    }

    /// Its lines as they are stored; `None` if the file does not have them.
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

/// A piece with its text, its own copy, so that a selection can be kept and changed while the index
/// is at work. Rows count from 0 at the piece's first line.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub piece: Piece,
    pub path: String,
    /// As stored, line ends included.
    pub text: String,
    /// As many as the piece has lines, without line ends.
    pub rows: Vec<String>,
    /// The row of the symbol's name, if it stands in the piece.
    pub name_row: Option<usize>,
    /// The symbol with its owners; empty without one.
    pub title: String,
}

impl Source {
    /// `None` if the file does not have the lines.
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

    /// The rows as they are read by those who only look at them.
    pub(crate) fn row_texts(&self) -> Vec<&str> {
        self.rows.iter().map(String::as_str).collect()
    }

    /// The text of some rows, joined by line ends.
    pub(crate) fn text_of(&self, rows: Range<usize>) -> String {
        self.rows.get(rows).unwrap_or_default().join("\n")
    }

    /// The line of a row.
    pub(crate) fn line(&self, row: usize) -> Line {
        let first = Row::from(self.piece.lines.start()).0;
        Row(first.saturating_add(row as u32)).into()
    }

    /// The lines of the rows `rows`, which are not empty.
    pub(crate) fn lines(&self, rows: Range<usize>) -> LineRange {
        LineRange::new(self.line(rows.start), self.line(rows.end.saturating_sub(1)))
    }
}
