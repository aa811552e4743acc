//! What was chosen.

use crate::chunk::ChunkId;
use crate::index::Index;
use crate::lines::LineRange;
use crate::model::prompt::{Block as PromptBlock, lines_without};
use crate::source::FileId;

use super::{Compressor, Missing};

/// A block of a snippet with what is known about it.
#[derive(Clone, Debug, PartialEq)]
pub struct SnippetBlock {
    /// Its lines, kept or not.
    pub lines: LineRange,
    /// `bm25`, `cosine`, `ami` …, as far as they are known; and `value`, by which the compressor
    /// chose.
    pub scores: Vec<(&'static str, f32)>,
    /// How many of its lines are kept.
    pub kept_lines: u32,
    /// Of all its lines, numbers included.
    pub tokens: usize,
}

/// A piece with its chosen lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Snippet {
    /// The file that it is cut from.
    pub file: FileId,
    /// The path of that file.
    pub path: String,
    /// All lines of the piece.
    pub lines: LineRange,
    /// The chunk that it comes from, if it is one.
    pub chunk: Option<ChunkId>,
    /// As stored, line ends included, all lines.
    pub text: String,
    /// In order; together all lines.
    pub blocks: Vec<SnippetBlock>,
    /// Runs of lines that are dropped, in order; one marker stands for each. All of `lines` if
    /// nothing is kept.
    pub dropped: Vec<LineRange>,
    /// Of the whole piece, as it would be sent.
    pub tokens_before: usize,
    /// As it is sent; 0 if nothing is kept.
    pub tokens_after: usize,
}

impl Snippet {
    /// The lines that are kept, in order.
    pub fn kept(&self) -> Vec<LineRange> {
        lines_without(self.lines, &self.dropped)
    }

    /// Whether nothing of it is sent.
    pub fn is_empty(&self) -> bool {
        self.dropped.first() == Some(&self.lines)
    }

    /// Tokens after by tokens before.
    pub fn rate(&self) -> f32 {
        self.tokens_after as f32 / self.tokens_before.max(1) as f32
    }

    /// The evidence that is sent of it; `None` if nothing is kept.
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
    /// What was asked for.
    pub asked: Compressor,
    /// What was used: another one if something is missing.
    pub used: Compressor,
    /// Why another one was used.
    pub missing: Option<Missing>,
    /// One for each piece, in the same order, also those of which nothing is kept.
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

    /// Tokens of what is sent.
    pub fn tokens_after(&self) -> usize {
        self.snippets
            .iter()
            .map(|snippet| snippet.tokens_after)
            .sum()
    }

    /// What is sent, in order.
    pub fn evidence(&self, index: &Index) -> Vec<PromptBlock> {
        self.snippets
            .iter()
            .filter_map(|snippet| snippet.evidence(index))
            .collect()
    }
}
