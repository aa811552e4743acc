//! Hits → what is kept of them within a budget.

use super::run::Reader;
use super::{Budget, Pipeline};
use crate::compress::policy::Local;
use crate::compress::{self, Boundaries, Compressed, Compressor, Piece, Scored};
use crate::embed::Embedding;
use crate::index::Index;
use crate::lines::{Line, LineRange};
use crate::model::prompt::Block;
use crate::search::pack::{self, Packing, Room};
use crate::search::{Hit, Question, files};
use crate::source::FileId;

/// What is kept of the hits.
#[derive(Clone, Debug, PartialEq)]
pub enum Keep {
    /// Chunks, unchanged.
    Chunks {
        /// How they are chosen.
        packing: Packing,
        /// Only the first lines of each; `None` for all.
        lines: Option<u32>,
        /// The most chunks; `None` for as many as fit.
        most: Option<usize>,
    },
    /// For each chunk, the lines that say most (RepoDistill, section 2.2).
    Lines {
        /// How they are chosen.
        compressor: Compressor,
        /// Where chunks are cut into blocks.
        boundaries: Boundaries,
        /// How much of each chunk is kept, by its score; with `None`, all blocks compete.
        policy: Option<Local>,
        /// Tokens of the best chunks that lines are chosen from. With `None`: twice the budget, or
        /// as many as the policy spends the budget on.
        read: Option<usize>,
        /// λ of MMR, 0–1, for compressors that use it: the weight of relevance against novelty
        /// (RepoDistill, section 2.2).
        lambda: f32,
    },
    /// The files of the best hits, whole, until the budget is used up.
    Files,
    /// Nothing: a model answers from what it knows.
    Nothing,
}

/// What was kept.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// The blocks that a model is shown, best first.
    pub blocks: Vec<Block>,
    /// The result of compression, if lines were chosen.
    pub lines: Option<Compressed>,
    /// The code model that read the lines, or why it did not; `None` if none was wanted.
    pub model: Option<Result<String, String>>,
}

impl Kept {
    /// Why lines were not chosen as the pipeline says, and how they were chosen instead; `None` if
    /// they were.
    pub fn instead(&self) -> Option<String> {
        let compressed = self.lines.as_ref()?;
        let missing = compressed.missing?;
        let why = match &self.model {
            Some(Err(why)) => format!(" ({why})"),
            _ => String::new(),
        };
        let used = compressed.used.title();
        Some(format!(
            "Lines were chosen by “{used}” instead, because {missing}{why}."
        ))
    }
}

/// A question and what was found for it.
pub(super) struct Found<'a> {
    pub index: &'a Index,
    pub question: &'a Question,
    pub embedding: Option<&'a Embedding>,
    pub hits: &'a [Hit],
}

/// Keeps what the pipeline specifies.
pub(super) async fn keep<R: Reader>(pipeline: &Pipeline, found: &Found<'_>, reader: &R) -> Kept {
    let blocks = match &pipeline.keep {
        Keep::Nothing => Vec::new(),
        Keep::Files => whole_files(pipeline, found),
        Keep::Chunks {
            packing,
            lines,
            most,
        } => {
            let room = Room {
                budget: size(pipeline.budget),
                lines: lines.unwrap_or(u32::MAX),
                most: most.unwrap_or(usize::MAX),
            };
            chunks(found, *packing, room, pipeline.budget)
        }
        Keep::Lines {
            compressor,
            boundaries,
            policy,
            read,
            lambda,
        } => {
            let choice = Choice {
                read: *read,
                lambda: *lambda,
                compressor: *compressor,
                boundaries: *boundaries,
                policy: *policy,
                tokens: tokens(pipeline.budget),
            };
            return choice.keep(found, reader).await;
        }
    };
    Kept {
        blocks,
        ..Kept::default()
    }
}

fn size(budget: Budget) -> usize {
    match budget {
        Budget::Tokens(n) | Budget::Characters(n) => n,
    }
}

/// Compression counts only in tokens: 12,000 characters correspond to the 4,500 tokens of a usual
/// context.
fn tokens(budget: Budget) -> usize {
    match budget {
        Budget::Tokens(n) => n,
        Budget::Characters(n) => n * 3 / 8,
    }
}

/// What lines of a file cost, in the unit of the budget.
fn cost(index: &Index, budget: Budget, file: FileId, lines: LineRange) -> usize {
    let block = Block::new(index, file, lines);
    block.map_or(usize::MAX, |block| match budget {
        Budget::Tokens(_) => block.tokens,
        Budget::Characters(_) => block.text.chars().count(),
    })
}

fn chunks(found: &Found<'_>, packing: Packing, room: Room, budget: Budget) -> Vec<Block> {
    let index = found.index;
    let cost = |file, lines| cost(index, budget, file, lines);
    let packed = pack::pack_within(index, found.hits, packing, room, cost);
    let block = |it: pack::Packed| Block::new(index, index.chunk(it.chunk)?.file, it.lines);
    packed.into_iter().filter_map(block).collect()
}

/// The best files, whole; of the first that does not fit, the lines that do.
fn whole_files(pipeline: &Pipeline, found: &Found<'_>) -> Vec<Block> {
    let index = found.index;
    let ranked = files::ranked(index, found.question, found.hits, &pipeline.numbers);
    let mut left = size(pipeline.budget);
    let mut blocks = Vec::new();
    for hit in ranked {
        let Some(n) = index.lines(hit.file).map(|lines| lines.line_count()) else {
            continue;
        };
        let cost = |end: u32| {
            let lines = LineRange::new(Line(1), Line(end));
            cost(index, pipeline.budget, hit.file, lines)
        };
        let end = last_that_fits(n, left, cost);
        if let Some(end) = end {
            let lines = LineRange::new(Line(1), Line(end));
            left = left.saturating_sub(cost(end));
            blocks.extend(Block::new(index, hit.file, lines));
        }
        if end.is_none_or(|end| end < n) {
            break;
        }
    }
    blocks
}

/// The largest number from 1 to `n` whose cost is at most `left`; costs have to increase.
fn last_that_fits(n: u32, left: usize, cost: impl Fn(u32) -> usize) -> Option<u32> {
    if n > 0 && cost(n) <= left {
        return Some(n);
    }
    let (mut fits, mut too_many) = (0, n);
    while fits + 1 < too_many {
        let middle = fits + (too_many - fits) / 2;
        match cost(middle) <= left {
            true => fits = middle,
            false => too_many = middle,
        }
    }
    (fits > 0).then_some(fits)
}

/// How lines are chosen.
struct Choice {
    compressor: Compressor,
    boundaries: Boundaries,
    policy: Option<Local>,
    read: Option<usize>,
    lambda: f32,
    tokens: usize,
}

impl Choice {
    async fn keep<R: Reader>(&self, found: &Found<'_>, reader: &R) -> Kept {
        let (pieces, rates) = self.pieces(found);
        let mut model = None;
        let reading = Reading {
            index: found.index,
            question: found.question,
            embedding: found.embedding,
            pieces: &pieces,
            boundaries: self.boundaries,
        };
        let mut scored = match self.compressor.uses_model() {
            true => match reading.by_model(reader).await {
                Ok((scored, id)) => {
                    model = Some(Ok(id));
                    scored
                }
                Err(why) => {
                    model = Some(Err(why));
                    reading.plainly(reader).await
                }
            },
            false => reading.plainly(reader).await,
        };
        let budget = match rates {
            Some(rates) => compress::Budget::Rates {
                rates,
                total: Some(self.tokens),
            },
            None => compress::Budget::Tokens(self.tokens),
        };
        scored.set_lambda(self.lambda);
        let compressed = scored.compress(self.compressor, &budget);
        Kept {
            blocks: compressed.evidence(found.index),
            lines: Some(compressed),
            model,
        }
    }

    /// The pieces that lines are chosen from, and the share of each that may be kept.
    fn pieces(&self, found: &Found<'_>) -> (Vec<Piece>, Option<Vec<f32>>) {
        let Some(policy) = self.policy else {
            let (index, hits) = (found.index, found.hits);
            let pieces = match self.read {
                Some(read) => Piece::up_to(index, hits, read),
                None => Piece::of_hits(index, hits, self.tokens),
            };
            return (pieces, None);
        };
        let hits = found.hits.iter();
        let pieces = hits.filter_map(|hit| Piece::of_chunk(found.index, hit.chunk, hit.score));
        let pieces: Vec<Piece> = pieces.collect();
        let rates = policy.rates_by_score(&pieces);
        // Pieces after the budget is spent would get nothing, so they need not be read.
        let mut left = self.tokens as f32;
        let mut unread = self.read.unwrap_or(usize::MAX);
        let mut kept = (Vec::new(), Vec::new());
        for (piece, rate) in pieces.into_iter().zip(rates) {
            if left <= 0.0 {
                break;
            }
            if rate <= 0.0 {
                continue;
            }
            let block = Block::new(found.index, piece.file, piece.lines);
            let tokens = block.map_or(0, |block| block.tokens);
            if tokens > unread {
                break;
            }
            unread -= tokens;
            left -= rate * tokens as f32;
            kept.0.push(piece);
            kept.1.push(rate);
        }
        (kept.0, Some(kept.1))
    }
}

/// The pieces of a question's context, to be scored.
pub struct Reading<'a> {
    /// The repository.
    pub index: &'a Index,
    /// The question that was asked.
    pub question: &'a Question,
    /// The vector of the question; `None` if no encoder can be used.
    pub embedding: Option<&'a Embedding>,
    /// The pieces that lines are chosen from.
    pub pieces: &'a [Piece],
    /// How they are cut into blocks.
    pub boundaries: Boundaries,
}

impl Reading<'_> {
    /// Scores by words, and by meaning if there is an encoder.
    pub async fn plainly<R: Reader>(&self, reader: &R) -> Scored {
        let (index, question) = (self.index, self.question);
        let mut scored = Scored::new(index, question, self.pieces, self.boundaries);
        self.lines(&mut scored, reader).await;
        scored
    }

    /// Scores by the code model too: by how much a block lowers its surprise at the question
    /// (RepoDistill, section 2.2). Blocks are cut where the model is surprised, if the boundaries
    /// say so. Returns the scores and the model's id.
    ///
    /// # Errors
    /// Why the code model cannot be used.
    pub async fn by_model<R: Reader>(&self, reader: &R) -> Result<(Scored, String), String> {
        let id = reader.code_model().await?;
        let perplexities = match self.boundaries {
            Boundaries::Perplexity => {
                let texts = self.pieces.iter().map(|piece| piece.text(self.index));
                let texts: Vec<String> = texts.map(Option::unwrap_or_default).collect();
                reader.perplexities(&texts).await?
            }
            _ => Vec::new(),
        };
        let mut scored = Scored::with_perplexities(
            self.index,
            self.question,
            self.pieces,
            self.boundaries,
            &perplexities,
        );
        self.lines(&mut scored, reader).await;
        let blocks = scored.block_texts();
        let scores = reader.ami(self.question.text(), &blocks).await?;
        scored.set_ami(&scores);
        Ok((scored, id))
    }

    async fn lines<R: Reader>(&self, scored: &mut Scored, reader: &R) {
        if let Some(question) = self.embedding {
            let vectors = reader.line_vectors(&scored.passes()).await;
            scored.set_vectors(question, &vectors);
        }
    }
}
