//! Hits → the blocks of evidence that are sent.

use super::fence;
use super::tokens::estimate_tokens;
use crate::index::Index;
use crate::lines::LineRange;
use crate::search::Hit;
use crate::search::pack::{self, Packing};
use crate::source::FileId;

/// Tokens of evidence for a model with room for more: what Grounded's 12,000 characters come to
/// (section 3.5), with numbers before the lines.
pub const EVIDENCE_TOKENS: usize = 4_500;

/// Lines of one file that are sent as evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub file: FileId,
    pub path: String,
    pub lines: LineRange,
    /// As stored, line ends included.
    pub text: String,
    /// Of the block as it is sent: named, numbered and fenced.
    pub tokens: usize,
}

impl Block {
    /// The lines of a file; `None` if the file does not have them.
    pub fn new(index: &Index, file: FileId, lines: LineRange) -> Option<Self> {
        let source = index.repo.file(file)?;
        let text = index.lines(file)?.slice(&source.text, lines)?;
        Some(Self {
            file,
            path: source.path.clone(),
            lines,
            text: text.to_owned(),
            tokens: estimate_tokens(&fence::quote(&source.path, lines, text)),
        })
    }

    /// As it is sent.
    pub fn quoted(&self) -> String {
        fence::quote(&self.path, self.lines, &self.text)
    }
}

/// Chooses of `hits` (best first) what fits into `budget_tokens`, in order of choice, so that what is
/// cut first matters least.
pub fn context(index: &Index, hits: &[Hit], budget_tokens: usize, packing: Packing) -> Vec<Block> {
    let cost = |file: FileId, lines: LineRange| {
        Block::new(index, file, lines).map_or(usize::MAX, |block| block.tokens)
    };
    let chosen = pack::pack_by(index, hits, packing, budget_tokens, cost);
    let block =
        |packed: pack::Packed| Block::new(index, index.chunk(packed.chunk)?.file, packed.lines);
    chosen.into_iter().filter_map(block).collect()
}
