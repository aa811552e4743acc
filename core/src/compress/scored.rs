//! Pieces with their blocks and scores. Lines can be chosen from them any number of times.

use std::ops::Range;

use super::blocks::Boundaries;
use super::compressors::{self, Compressor};
use super::cost::{Cost, Counting};
use super::passes::{self, Pass};
use super::piece::{Piece, Source};
use super::result::{Compressed, Snippet, SnippetBlock};
use super::score::ami::Ami;
use super::score::fitted::Features;
use super::score::{self, Block, lexical, meaning};
use super::select::{self, Budget, LAMBDA, Selection};
use super::structure::Structure;
use crate::embed::{Embedding, LineVectors};
use crate::index::Index;
use crate::lines::LineRange;
use crate::model::prompt::{estimate_tokens, fence};
use crate::search::Question;
use crate::source::FileId;

/// The scored pieces of one question. It owns all its data, so that it can be kept beside the
/// index.
#[derive(Clone, Debug)]
pub struct Scored {
    pub(super) sources: Vec<Source>,
    /// For each piece, in order.
    pub(super) blocks: Vec<Vec<Block>>,
    /// By words, for the rows of each piece.
    pub(super) row_scores: Vec<Vec<f32>>,
    /// For each piece: the share of the question's words in its symbol's name.
    pub(super) name_scores: Vec<f32>,
    costs: Vec<Cost>,
    structures: Vec<Structure>,
    has_vectors: bool,
    pub(super) has_model: bool,
    /// λ of MMR: the weight of relevance against novelty.
    pub(super) lambda: f32,
}

impl Scored {
    /// Cuts pieces into blocks and scores them by words. Pieces whose lines their file does not
    /// have are left out.
    pub fn new(
        index: &Index,
        question: &Question,
        pieces: &[Piece],
        boundaries: Boundaries,
    ) -> Self {
        Self::with_perplexities(index, question, pieces, boundaries, &[])
    }

    /// As [`Scored::new`]; `perplexities` holds those of each piece's lines, if a language model
    /// has read them.
    pub fn with_perplexities(
        index: &Index,
        question: &Question,
        pieces: &[Piece],
        boundaries: Boundaries,
        perplexities: &[Vec<f32>],
    ) -> Self {
        let mut scored = Self {
            sources: Vec::new(),
            blocks: Vec::new(),
            row_scores: Vec::new(),
            name_scores: Vec::new(),
            costs: Vec::new(),
            structures: Vec::new(),
            has_vectors: false,
            has_model: false,
            lambda: LAMBDA,
        };
        for (at, piece) in pieces.iter().enumerate() {
            let Some(source) = Source::new(index, *piece) else {
                continue;
            };
            let texts = source.row_texts();
            let cost = Cost::new(&source, Counting::Sent);
            let blocks = boundaries.cut(&texts, perplexities.get(at).map(Vec::as_slice));
            let block = |rows: Range<usize>| Block::new(rows, &cost.rows);
            scored.blocks.push(blocks.into_iter().map(block).collect());
            scored
                .structures
                .push(Structure::new(&texts, source.name_row));
            scored.costs.push(cost);
            scored.sources.push(source);
        }
        lexical::score(&mut scored, index, question);
        scored
    }

    /// Sets λ of MMR, 0–1; other compressors ignore it.
    pub fn set_lambda(&mut self, lambda: f32) {
        self.lambda = lambda;
    }

    /// The same scores with another way of counting; for measurements.
    pub fn counting(mut self, counting: Counting) -> Self {
        let sources = self.sources.iter();
        self.costs = sources.map(|source| Cost::new(source, counting)).collect();
        if counting == Counting::Lines {
            self.structures = vec![Structure::default(); self.sources.len()];
        }
        for (blocks, cost) in self.blocks.iter_mut().zip(&self.costs) {
            for block in blocks {
                block.count(&cost.rows);
            }
        }
        self
    }

    /// The texts that an encoder has to read for [`Scored::set_vectors`].
    pub fn passes(&self) -> Vec<Pass> {
        let sources = self.sources.iter().enumerate();
        sources
            .flat_map(|(at, source)| passes::of(at, source))
            .collect()
    }

    /// Scores by meaning. Takes the question's vector and, for each of [`Scored::passes`], the
    /// result of [`crate::embed::Embedder::line_vectors`]; `None` if that failed.
    pub fn set_vectors(&mut self, question: &Embedding, vectors: &[Option<LineVectors>]) {
        let all = self.passes();
        for at in 0..self.sources.len() {
            let own = all.iter().zip(vectors).filter(|(pass, _)| pass.piece == at);
            let (own, vectors): (Vec<&Pass>, Vec<_>) =
                own.map(|(pass, vectors)| (pass, vectors.as_ref())).unzip();
            if let Some(blocks) = self.blocks.get_mut(at) {
                meaning::score(blocks, &passes::joined(&own, &vectors), question);
            }
        }
        self.has_vectors = self
            .blocks
            .iter()
            .flatten()
            .any(|block| block.cosine.is_some());
    }

    /// The relevance of each piece to the question, by all known scores: at least 0, without a
    /// unit.
    pub(crate) fn piece_relevance(&self) -> Vec<f32> {
        score::relevance(self)
    }

    /// The features of each block of each piece; see [`score::fitted`].
    pub fn features(&self) -> Vec<Vec<Features>> {
        score::fitted::features(self)
    }

    /// The text of each block of each piece, as [`ami::ami`](super::score::ami::ami) reads it.
    pub fn block_texts(&self) -> Vec<Vec<String>> {
        let pieces = self.sources.iter().zip(&self.blocks);
        let texts = |(source, blocks): (&Source, &Vec<Block>)| {
            blocks
                .iter()
                .map(|block| source.text_of(block.rows.clone()))
                .collect()
        };
        pieces.map(texts).collect()
    }

    /// Scores by a code language model. Takes its results for [`Scored::block_texts`]; blocks
    /// without a score count as unrelated.
    pub fn set_ami(&mut self, scores: &[Vec<Ami>]) {
        for (blocks, scores) in self.blocks.iter_mut().zip(scores) {
            for (block, score) in blocks.iter_mut().zip(scores) {
                block.ami = Some(*score);
            }
        }
        self.has_model = self
            .blocks
            .iter()
            .flatten()
            .any(|block| block.ami.is_some());
    }

    /// Chooses lines. The tokens of the kept lines never exceed the budget.
    pub fn compress(&self, compressor: Compressor, budget: &Budget) -> Compressed {
        let (used, missing) = compressor.with(self.has_vectors, self.has_model);
        let values = used.values(self);
        let mut selection = Selection::new(&self.costs, &self.structures, budget);
        used.keep(self, &mut selection, &used.units(self, &values));
        Compressed {
            asked: compressor,
            used,
            missing,
            snippets: self.snippets(&selection, &values),
        }
    }

    /// Chooses again in the snippet at `at`, so that it has at most `rate` (0–1) of its tokens; all
    /// other snippets stay as they are.
    pub fn reselect(&self, compressed: &mut Compressed, at: usize, rate: f32) {
        let mut rates = vec![0.0; at];
        rates.push(rate);
        let budget = Budget::Rates { rates, total: None };
        let used = compressed.used;
        let values = used.values(self);
        let mut units = used.units(self, &values);
        units.retain(|unit| unit.piece == at);
        let mut selection = Selection::new(&self.costs, &self.structures, &budget);
        used.keep(self, &mut selection, &units);
        let kept = selection.kept.get(at);
        let new = kept.and_then(|kept| self.snippet(at, kept, &values));
        if let (Some(snippet), Some(new)) = (compressed.snippets.get_mut(at), new) {
            *snippet = new;
        }
    }

    /// The snippets chosen by given values, one for each block of each piece; for measurements.
    pub fn compress_by(&self, values: &[Vec<f32>], budget: &Budget) -> Vec<Snippet> {
        let mut selection = Selection::new(&self.costs, &self.structures, budget);
        compressors::best_first(self, &mut selection, &compressors::blocks(self, values));
        self.snippets(&selection, values)
    }

    fn snippets(&self, selection: &Selection<'_>, values: &[Vec<f32>]) -> Vec<Snippet> {
        let kept = selection.kept.iter().enumerate();
        kept.filter_map(|(at, kept)| self.snippet(at, kept, values))
            .collect()
    }

    /// The values of the fitted combination with other weights; for measurements, with
    /// [`Scored::compress_by`].
    pub fn fitted_values(&self, weights: &Features) -> Vec<Vec<f32>> {
        score::fitted::values(self, weights)
    }

    /// The file and lines of each block of each piece.
    pub fn block_lines(&self) -> Vec<Vec<(FileId, LineRange)>> {
        let pieces = self.sources.iter().zip(&self.blocks);
        let lines = |(source, blocks): (&Source, &Vec<Block>)| {
            blocks
                .iter()
                .map(|block| (source.piece.file, source.lines(block.rows.clone())))
                .collect()
        };
        pieces.map(lines).collect()
    }

    fn snippet(&self, at: usize, kept: &[bool], values: &[Vec<f32>]) -> Option<Snippet> {
        let (source, cost) = (self.sources.get(at)?, self.costs.get(at)?);
        let lines = source.piece.lines;
        let dropped = select::runs(kept, false);
        let dropped: Vec<LineRange> = dropped.into_iter().map(|run| source.lines(run)).collect();
        let is_empty = !kept.contains(&true);
        let quoted = || fence::quote_without(&source.path, lines, &source.text, &dropped);
        let tokens_after = if is_empty {
            0
        } else {
            estimate_tokens(&quoted())
        };
        let block = |(n, block): (usize, &Block)| {
            let value = values.get(at).and_then(|values| values.get(n)).copied();
            let rows = kept.get(block.rows.clone()).unwrap_or_default();
            SnippetBlock {
                lines: source.lines(block.rows.clone()),
                scores: block.scores(value),
                kept_lines: rows.iter().filter(|kept| **kept).count() as u32,
                tokens: block.tenths.div_ceil(10),
            }
        };
        let blocks = self.blocks.get(at)?.iter().enumerate();
        Some(Snippet {
            file: source.piece.file,
            path: source.path.clone(),
            lines,
            chunk: source.piece.chunk,
            text: source.text.clone(),
            blocks: blocks.map(block).collect(),
            tokens_before: cost.whole(),
            tokens_after,
            dropped,
        })
    }
}
