//! The result of compression: which lines were chosen.

use crate::chunk::ChunkId;
use crate::index::Index;
use crate::lines::LineRange;
use crate::model::prompt::{Block as PromptBlock, lines_without};
use crate::source::FileId;

use super::{Compressor, Missing};

/// A block of a snippet, with its scores.
#[derive(Clone, Debug, PartialEq)]
pub struct SnippetBlock {
    /// All its lines, kept or not.
    pub lines: LineRange,
    /// `bm25`, `cosine`, `ami` …, as far as they are known; and `value`, by which the compressor
    /// chose.
    pub scores: Vec<(&'static str, f32)>,
    /// Number of its lines that are kept.
    pub kept_lines: u32,
    /// Tokens of all its lines, line numbers included.
    pub tokens: usize,
}

/// A piece with its chosen lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Snippet {
    /// The file it is cut from.
    pub file: FileId,
    /// The path of that file.
    pub path: String,
    /// All lines of the piece.
    pub lines: LineRange,
    /// The chunk it comes from, if it is one.
    pub chunk: Option<ChunkId>,
    /// The text of all lines as stored, line ends included.
    pub text: String,
    /// In order; together they cover all lines.
    pub blocks: Vec<SnippetBlock>,
    /// The dropped runs of lines, in order; each is replaced by one marker. All of `lines` if
    /// nothing is kept.
    pub dropped: Vec<LineRange>,
    /// Tokens of the whole piece, if it were sent.
    pub tokens_before: usize,
    /// Tokens of what is sent; 0 if nothing is kept.
    pub tokens_after: usize,
}

impl Snippet {
    /// The lines that are kept, in order.
    pub fn kept(&self) -> Vec<LineRange> {
        lines_without(self.lines, &self.dropped)
    }

    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.dropped.first() == Some(&self.lines)
    }

    /// Tokens after compression divided by tokens before.
    pub fn rate(&self) -> f32 {
        self.tokens_after as f32 / self.tokens_before.max(1) as f32
    }

    /// The kept lines as evidence for a prompt; `None` if nothing is kept.
    pub fn evidence(&self, index: &Index) -> Option<PromptBlock> {
        if self.is_empty() {
            return None;
        }
        PromptBlock::without(index, self.file, self.lines, self.dropped.clone())
    }
}

/// All snippets of a context.
#[derive(Clone, Debug, PartialEq)]
pub struct Compressed {
    /// The compressor that was asked for.
    pub asked: Compressor,
    /// The compressor that was used: a fallback if something is missing.
    pub used: Compressor,
    /// Why a fallback was used.
    pub missing: Option<Missing>,
    /// One for each piece, in the same order, even if nothing of it is kept.
    pub snippets: Vec<Snippet>,
}

impl Compressed {
    /// Tokens of all pieces.
    pub fn tokens_before(&self) -> usize {
        self.snippets
            .iter()
            .map(|snippet| snippet.tokens_before)
            .sum()
    }

    /// Tokens of the kept lines.
    pub fn tokens_after(&self) -> usize {
        self.snippets
            .iter()
            .map(|snippet| snippet.tokens_after)
            .sum()
    }

    /// The kept lines as evidence for a prompt, in order.
    pub fn evidence(&self, index: &Index) -> Vec<PromptBlock> {
        self.snippets
            .iter()
            .filter_map(|snippet| snippet.evidence(index))
            .collect()
    }
}
