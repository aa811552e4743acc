//! The head: maps a question's vector to a probability for each file.
//!
//! `score(q, f) = γ q·m + (U q)·(V m + δ) + b`, with the unit vectors q of the question and m of
//! the file's text. U and V are a low-rank map that all files share: it moves questions nearer to
//! their files, and also applies to files that no question led to. δ and b are the file's own.

use super::Rows;
use crate::embed::Embedding;
use crate::index::Index;
use crate::source::FileId;

/// The vector of each file: the mean of its chunks' vectors by the static encoder, scaled to
/// length 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Meanings {
    dimension: usize,
    /// `files × dimension`.
    values: Vec<f32>,
}

impl Meanings {
    /// Computes them for all files of an index; `None` until the static encoder's vectors have
    /// arrived.
    pub fn of(index: &Index) -> Option<Self> {
        let vectors = index.table()?.vectors();
        let dimension = vectors.dimension();
        let mut values = Vec::with_capacity(dimension * index.repo.files.len());
        for file in (0..index.repo.files.len()).map(|at| FileId(at as u32)) {
            let chunks = index.chunks_of(file).map(|(id, _)| id);
            let mean = vectors.mean(chunks);
            values.extend(mean.values());
        }
        Some(Self { dimension, values })
    }

    /// Returns the length of each vector.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Returns the number of files.
    pub fn files(&self) -> usize {
        self.values.len() / self.dimension.max(1)
    }

    /// Returns the vector of the file at this position; empty if there is none.
    pub(crate) fn row(&self, file: usize) -> &[f32] {
        let start = file * self.dimension;
        let row = self.values.get(start..start + self.dimension);
        row.unwrap_or_default()
    }
}

/// The trained parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// Length of the vectors that it accepts.
    pub(super) dimension: usize,
    /// Number of rows of U and V.
    pub(super) rank: usize,
    /// γ.
    pub(super) scale: f32,
    /// U, `rank × dimension`.
    pub(super) question: Vec<f32>,
    /// V, `rank × dimension`.
    pub(super) file: Vec<f32>,
    /// δ, one row of `rank` values per taught file.
    pub(super) own: Vec<f32>,
    /// b, one per taught file.
    pub(super) bias: Vec<f32>,
}

impl Head {
    /// Returns `None` if the lengths do not match.
    pub(crate) fn new(
        (dimension, rank): (usize, usize),
        scale: f32,
        [question, file]: [Vec<f32>; 2],
        own: Vec<f32>,
        bias: Vec<f32>,
    ) -> Option<Self> {
        let shared = rank.checked_mul(dimension)?;
        let fits = question.len() == shared
            && file.len() == shared
            && own.len() == bias.len().checked_mul(rank)?;
        let all = question.iter().chain(&file).chain(&own).chain(&bias);
        let is_finite = scale.is_finite() && all.copied().all(f32::is_finite);
        (fits && is_finite && dimension > 0 && rank > 0).then_some(Self {
            dimension,
            rank,
            scale,
            question,
            file,
            own,
            bias,
        })
    }

    /// Returns the length of the vectors that it accepts.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Returns the number of files that have parameters of their own.
    pub fn files(&self) -> usize {
        self.bias.len()
    }

    /// Returns the probability of each file; they sum to 1. `rows` holds each file's position among
    /// the taught ones.
    pub(crate) fn probabilities(
        &self,
        meanings: &Meanings,
        rows: &Rows,
        question: &Embedding,
    ) -> Vec<f32> {
        let q = question.values();
        let code = product(&self.question, self.dimension, q);
        // Vᵀ(U q): one product with each file's vector instead of one with each row of V.
        let mut pulled: Vec<f32> = q.iter().map(|value| value * self.scale).collect();
        for (row, weight) in self.file.chunks_exact(self.dimension).zip(&code) {
            add(&mut pulled, *weight, row);
        }
        let scores = rows.0.iter().enumerate().map(|(file, row)| {
            let shared = dot(meanings.row(file), &pulled);
            shared + row.map_or(0.0, |row| self.of_file(row as usize, &code))
        });
        softmax(scores.collect())
    }

    /// Returns what the file's own parameters add.
    fn of_file(&self, row: usize, code: &[f32]) -> f32 {
        let own = self.own.get(row * self.rank..(row + 1) * self.rank);
        let bias = self.bias.get(row).copied().unwrap_or_default();
        own.map_or(0.0, |own| dot(own, code)) + bias
    }
}

/// Multiplies a matrix, stored by rows, with a vector.
pub(crate) fn product(matrix: &[f32], columns: usize, vector: &[f32]) -> Vec<f32> {
    let rows = matrix.chunks_exact(columns.max(1));
    rows.map(|row| dot(row, vector)).collect()
}

/// Sums in eight lanes, so that it compiles to wide instructions, natively and in wasm.
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let (a, a_rest) = a.as_chunks::<8>();
    let (b, b_rest) = b.as_chunks::<8>();
    let mut lanes = [0.0; 8];
    for (a, b) in a.iter().zip(b) {
        for ((lane, a), b) in lanes.iter_mut().zip(a).zip(b) {
            *lane += a * b;
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    lanes.iter().sum::<f32>() + rest
}

/// Computes `to += weight · row`.
pub(crate) fn add(to: &mut [f32], weight: f32, row: &[f32]) {
    for (to, value) in to.iter_mut().zip(row) {
        *to += weight * value;
    }
}

/// Returns exponentials that sum to 1.
pub(crate) fn softmax(mut scores: Vec<f32>) -> Vec<f32> {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for score in &mut scores {
        *score = (*score - most).exp();
    }
    let sum: f32 = scores.iter().sum();
    for score in &mut scores {
        *score /= sum.max(f32::MIN_POSITIVE);
    }
    scores
}
