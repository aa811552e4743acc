//! Hits → the blocks of evidence to send.

use super::fence;
use super::tokens::estimate_tokens;
use crate::index::Index;
use crate::lines::{Line, LineRange};
use crate::search::Hit;
use crate::search::pack::{self, Packing};
use crate::source::FileId;

/// Tokens of evidence for a model that has room for more: about Grounded's 12,000 characters
/// (section 3.5), with line numbers.
pub const EVIDENCE_TOKENS: usize = 4_500;

/// Lines of one file that are sent as evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The file.
    pub file: FileId,
    /// Its path, in the form that the model has to cite.
    pub path: String,
    /// From the first to the last line, including lines that are left out.
    pub lines: LineRange,
    /// The text as stored, line ends included, even of lines that are left out.
    pub text: String,
    /// Runs of lines that are not sent, in order; each is replaced by a marker with their numbers.
    pub left_out: Vec<LineRange>,
    /// Tokens of the block as it is sent: named, numbered and fenced.
    pub tokens: usize,
}

impl Block {
    /// The block of the lines of a file; `None` if the file does not have them.
    pub fn new(index: &Index, file: FileId, lines: LineRange) -> Option<Self> {
        Self::without(index, file, lines, Vec::new())
    }

    /// As [`Block::new`], without the lines of `left_out`: runs inside `lines`, in order, no two
    /// adjoining.
    pub fn without(
        index: &Index,
        file: FileId,
        lines: LineRange,
        left_out: Vec<LineRange>,
    ) -> Option<Self> {
        let source = index.repo.file(file)?;
        let text = index.lines(file)?.slice(&source.text, lines)?;
        let quoted = fence::quote_without(&source.path, lines, text, &left_out);
        Some(Self {
            file,
            path: source.path.clone(),
            lines,
            text: text.to_owned(),
            left_out,
            tokens: estimate_tokens(&quoted),
        })
    }

    /// The text that is sent.
    pub fn quoted(&self) -> String {
        fence::quote_without(&self.path, self.lines, &self.text, &self.left_out)
    }

    /// The lines that are sent, in order: those that an answer may cite.
    pub fn sent_lines(&self) -> Vec<LineRange> {
        lines_without(self.lines, &self.left_out)
    }
}

/// `lines` without the runs `left_out`, which are in order.
pub(crate) fn lines_without(lines: LineRange, left_out: &[LineRange]) -> Vec<LineRange> {
    let mut rest = Vec::new();
    let mut next = lines.start().0;
    for run in left_out {
        if run.start().0 > next {
            rest.push(LineRange::new(Line(next), Line(run.start().0 - 1)));
        }
        next = next.max(run.end().0.saturating_add(1));
    }
    if next <= lines.end().0 {
        rest.push(LineRange::new(Line(next), lines.end()));
    }
    rest
}

/// Chooses from `hits` (best first) what fits into `budget_tokens`, in order of choice, so that the
/// least important is cut first.
pub fn context(index: &Index, hits: &[Hit], budget_tokens: usize, packing: Packing) -> Vec<Block> {
    let cost = |file: FileId, lines: LineRange| {
        Block::new(index, file, lines).map_or(usize::MAX, |block| block.tokens)
    };
    let chosen = pack::pack_by(index, hits, packing, budget_tokens, cost);
    let block =
        |packed: pack::Packed| Block::new(index, index.chunk(packed.chunk)?.file, packed.lines);
    chosen.into_iter().filter_map(block).collect()
}
