//! Symbols and text → [`Chunk`]s: what is indexed, embedded and cited. Every line of every file is in
//! at least one chunk.

use crate::lines::LineRange;
use crate::source::FileId;

/// A chunk of an index: the position in its list of chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChunkId(pub u32);

/// What a chunk holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChunkKind {
    /// A whole function, method or small class.
    Symbol,
    /// The head of a class or other container: signature, documentation, fields; members apart.
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

/// One `LineRange` of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    pub file: FileId,
    pub lines: LineRange,
    pub kind: ChunkKind,
    /// The symbol it belongs to: an index into that file's `Parsed::symbols`.
    pub symbol: Option<u32>,
}

/// How files are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// By symbol (the default).
    Function,
    /// `lines` lines, each window starting `lines - overlap` after the last.
    SlidingWindow { lines: u32, overlap: u32 },
    /// `chars` characters with `overlap` (RepoQA-SA, section 3.1: 1,500 and 200), rounded to lines.
    FixedChars { chars: u32, overlap: u32 },
}
