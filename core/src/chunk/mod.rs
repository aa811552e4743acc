//! Symbols and text → [`Chunk`]s: the line ranges that are indexed, embedded and cited. Every line
//! of every file is in at least one chunk.
//!
//! [`chunk_file`] cuts a file with a [`Chunking`]; [`embedding_text()`] is the text of a chunk that
//! an encoder reads.

mod chunkings;
mod embedding_text;
mod measure;
pub(crate) mod metadata;
mod sections;
mod split;
mod symbols;
mod tree;
mod windows;

#[cfg(test)]
mod tests;

pub use chunkings::Chunking;
pub(crate) use embedding_text::with_header;
pub use embedding_text::{Header, embedding_text};
pub use metadata::Metadata;

use crate::lang::{Parsed, Symbol};
use crate::lines::LineRange;
use crate::source::FileId;
use measure::Measure;

/// How a repository is cut for search: into which chunks, and what an encoder reads for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Where chunks begin and end.
    pub chunking: Chunking,
    /// What an encoder reads before a chunk's text.
    pub header: Header,
}

/// What the app uses.
impl Default for Cut {
    fn default() -> Self {
        Self::from(Chunking::FUNCTION)
    }
}

impl From<Chunking> for Cut {
    fn from(chunking: Chunking) -> Self {
        Self {
            chunking,
            header: Header::default(),
        }
    }
}

/// A chunk of an index: its position in the index's list of chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChunkId(pub u32);

/// What a chunk holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChunkKind {
    /// A whole function, method or small class.
    Symbol,
    /// The head of a class or other container: signature, documentation, fields, without members.
    Head,
    /// A part of a long symbol, cut at block boundaries.
    Part,
    /// Lines between symbols: imports, constants, top-level code.
    Between,
    /// A section of a text document or configuration file.
    Section,
    /// A window of lines or characters, made without syntax.
    Window,
}

/// A range of lines of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The file it is cut from.
    pub file: FileId,
    /// The lines it covers, always whole lines.
    pub lines: LineRange,
    /// What the lines hold.
    pub kind: ChunkKind,
    /// The symbol it belongs to: an index into that file's `Parsed::symbols`.
    pub symbol: Option<u32>,
}

/// Cuts one file. The chunks are sorted by first line and together cover every line of `text`;
/// there is at least one. Symbols that reach beyond the text are clipped to it.
pub fn chunk_file(file: FileId, text: &str, parsed: &Parsed, chunking: Chunking) -> Vec<Chunk> {
    let pieces = chunking.cut(&Measure::new(text), parsed);
    pieces
        .into_iter()
        .map(|piece| piece.into_chunk(file))
        .collect()
}

/// The symbols that are named in the lines of `chunk`.
pub(crate) fn named_in<'p>(
    parsed: &'p Parsed,
    chunk: &'p Chunk,
) -> impl Iterator<Item = &'p Symbol> {
    let symbols = parsed.symbols.iter();
    symbols.filter(|symbol| chunk.lines.contains(symbol.name_line))
}

/// A chunk while it is built: rows `first..=last`, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    first: u32,
    last: u32,
    kind: ChunkKind,
    symbol: Option<u32>,
}

impl Piece {
    fn into_chunk(self, file: FileId) -> Chunk {
        use crate::lines::Row;
        Chunk {
            file,
            lines: LineRange::from_rows(Row(self.first), Row(self.last)),
            kind: self.kind,
            symbol: self.symbol,
        }
    }
}
