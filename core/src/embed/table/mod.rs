//! The static encoder: a table with a vector for each token. A text's vector is the weighted sum of
//! its tokens' rows, so it takes microseconds; the order of words is lost.
//!
//! [`words`] splits a text, [`Vocabulary`] knows the tokens, [`file`](mod@file) reads the rows. The
//! recipe is `xtask/models/code-table`; onnxruntime computes the same vectors from the same file
//! (`tests`).

mod file;
#[cfg(test)]
pub(crate) mod tests;
mod vocabulary;
mod words;

use vocabulary::Vocabulary;

use super::{EmbedError, Embedder, Embedding, ModelFiles, TableManifest, TokenVectors, dot};

/// A table of token vectors. It needs no runtime, so page and engine can use it.
pub struct TableEncoder {
    manifest: TableManifest,
    vocabulary: Vocabulary,
    /// One row of `dimension` values per token.
    values: Vec<i8>,
    /// The scale of each row.
    scales: Vec<f32>,
    /// The length of each row's values, before its scale.
    lengths: Vec<f32>,
}

impl TableEncoder {
    /// Reads the files of the model's folder. Fails if they are damaged or do not fit together.
    pub fn new(files: ModelFiles) -> Result<Self, EmbedError> {
        let manifest = TableManifest::read(&files)?;
        let vocabulary = Vocabulary::read(files.tokenizer, manifest.max_word)?;
        let table = file::read(&files.onnx)?;
        if table.dimension != manifest.dimension || table.scales.len() != vocabulary.size() {
            let what = format!(
                "{} rows of {} values for {} tokens and {} values",
                table.scales.len(),
                table.dimension,
                vocabulary.size(),
                manifest.dimension
            );
            return Err(EmbedError::Model(what));
        }
        let rows = table.values.chunks_exact(table.dimension);
        Ok(Self {
            manifest,
            vocabulary,
            lengths: rows.map(|row| (dot(row, row) as f32).sqrt()).collect(),
            values: table.values,
            scales: table.scales,
        })
    }

    /// The id of the model, part of a vector's key.
    pub fn id(&self) -> &str {
        &self.manifest.id
    }

    /// Length of the vectors.
    pub fn dimension(&self) -> usize {
        self.manifest.dimension
    }

    /// The distinct tokens of a text in ascending order, with the square root of their counts.
    pub fn bag(&self, text: &str) -> Vec<(u32, f32)> {
        let mut ids = self.tokens(text);
        ids.sort_unstable();
        let same = ids.chunk_by(|a, b| a == b);
        same.filter_map(|run| Some((*run.first()?, (run.len() as f32).sqrt())))
            .collect()
    }

    /// The vector of a text; zero if it has no tokens.
    pub fn vector(&self, text: &str) -> Embedding {
        let mut sum = vec![0.0; self.dimension()];
        for (token, weight) in self.bag(text) {
            self.add(token, weight, &mut sum);
        }
        Embedding::from_raw(sum)
    }

    /// The whole words that have a row of their own, with their tokens.
    pub(crate) fn words(&self) -> impl Iterator<Item = (&str, u32)> {
        self.vocabulary.words()
    }

    /// The token of a whole word.
    pub(crate) fn word(&self, word: &str) -> Option<u32> {
        self.vocabulary.word(word)
    }

    /// The weight of a token: the length of its row.
    pub(crate) fn weight(&self, token: u32) -> f32 {
        let at = token as usize;
        let length = self.lengths.get(at).zip(self.scales.get(at));
        length.map_or(0.0, |(length, scale)| length * scale)
    }

    /// Cosine of the rows of two tokens; 0 if either does not exist.
    pub(crate) fn cosine(&self, a: u32, b: u32) -> f32 {
        let length = |token: u32| self.lengths.get(token as usize).copied().unwrap_or(0.0);
        let product = length(a) * length(b);
        match (self.row(a), self.row(b)) {
            (Some(a), Some(b)) if product > 0.0 => dot(a, b) as f32 / product,
            _ => 0.0,
        }
    }

    fn row(&self, token: u32) -> Option<&[i8]> {
        let start = token as usize * self.dimension();
        self.values.get(start..start + self.dimension())
    }

    /// The tokens of a text in order.
    fn tokens(&self, text: &str) -> Vec<u32> {
        let text = first_chars(text, self.manifest.max_characters);
        let mut ids = Vec::with_capacity(text.len() / 4);
        words::each(text, |word| {
            self.vocabulary.pieces(word, &mut ids);
        });
        ids
    }

    fn add(&self, token: u32, weight: f32, sum: &mut [f32]) {
        let (Some(row), Some(scale)) = (self.row(token), self.scales.get(token as usize)) else {
            return;
        };
        let factor = weight * scale;
        for (sum, value) in sum.iter_mut().zip(row) {
            *sum += factor * f32::from(*value);
        }
    }
}

fn first_chars(text: &str, most: usize) -> &str {
    // A character has at least one byte.
    if text.len() <= most {
        return text;
    }
    let end = text.char_indices().nth(most).map(|(at, _)| at);
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

impl Embedder for TableEncoder {
    fn model_id(&self) -> &str {
        self.id()
    }

    fn dimension(&self) -> usize {
        self.manifest.dimension
    }

    fn embed(&mut self, texts: &[&str]) -> Result<Vec<Embedding>, EmbedError> {
        Ok(texts.iter().map(|text| self.vector(text)).collect())
    }

    fn token_vectors(&mut self, texts: &[&str]) -> Result<Vec<TokenVectors>, EmbedError> {
        let dimension = self.manifest.dimension;
        let vectors = |text: &&str| {
            let tokens = self.tokens(text);
            let mut rows = vec![0.0; tokens.len() * dimension];
            for (row, token) in rows.chunks_exact_mut(dimension).zip(tokens) {
                self.add(token, 1.0, row);
            }
            TokenVectors::from_raw(dimension, rows)
        };
        Ok(texts.iter().map(vectors).collect())
    }
}
