//! Descriptions of what each chunk of an index does: an index of its own, searched by words and by
//! meaning (Code2Text, section 3.1: candidates as text instead of as code).

use super::bm25::Bm25Params;
use super::{Bm25, Index, Vectors};
use crate::chunk::ChunkId;
use crate::embed::Embedding;
use crate::embed::Quantised;

/// Who wrote a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Writer {
    /// Code, from the syntax tree and the graph.
    Code,
    /// A language model with this name.
    Model(String),
}

/// A description of what a chunk does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The text, about 500 characters.
    pub text: String,
    /// Who wrote it.
    pub writer: Writer,
    /// What is doubtful about it, each as a sentence. Empty for what code wrote.
    pub doubts: Vec<String>,
}

/// A description for each chunk, with its words and its meaning.
pub struct Texts {
    texts: Vec<Text>,
    words: Bm25,
    /// Computed by the static encoder; `None` if its vectors had not arrived.
    vectors: Option<Vectors>,
}

impl Texts {
    /// Takes texts in chunk order, with the words counted in them.
    pub(crate) fn new(texts: Vec<Text>, words: Bm25, vectors: Option<Vectors>) -> Self {
        Self {
            texts,
            words,
            vectors,
        }
    }

    /// Returns the description of a chunk.
    pub fn of(&self, chunk: ChunkId) -> Option<&Text> {
        self.texts.get(chunk.0 as usize)
    }

    /// Returns the number of chunks that have a description.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether no chunk has one.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Returns the descriptions that models wrote.
    pub fn written(&self) -> impl Iterator<Item = (ChunkId, &Text)> {
        let all = (0..).map(ChunkId).zip(&self.texts);
        all.filter(|(_, text)| text.writer != Writer::Code)
    }

    /// Returns the best `n` by words, best first.
    pub(crate) fn by_words(
        &self,
        params: &Bm25Params,
        terms: &[String],
        n: usize,
    ) -> Vec<(ChunkId, f32)> {
        self.words.search_by(params, terms, n)
    }

    /// Returns the nearest `n` by the static encoder, nearest first; empty until the vectors have
    /// arrived.
    pub(crate) fn by_meaning(&self, question: &Embedding, n: usize) -> Vec<(ChunkId, f32)> {
        let vectors = self.vectors.as_ref();
        vectors.map_or_else(Vec::new, |vectors| vectors.nearest(question, n))
    }

    /// Returns the cosine of a description with a question.
    pub(crate) fn cosine(&self, question: &Embedding, chunk: ChunkId) -> Option<f32> {
        self.vectors.as_ref()?.cosine(question, chunk)
    }
}

/// Computes the vector of each description as it arrives, if the static encoder is available.
pub(crate) struct TextVectors(Option<Vectors>);

impl TextVectors {
    pub(crate) fn new(index: &Index) -> Self {
        let of = |table: &super::TableVectors| table.vectors().dimension();
        let dimension = index.table().map(of);
        Self(dimension.map(|it| Vectors::new(it, index.chunks.len())))
    }

    pub(crate) fn add(&mut self, index: &Index, chunk: ChunkId, text: &str) {
        let embedding = index.table().and_then(|table| table.embed(text));
        if let (Some(vectors), Some(embedding)) = (&mut self.0, embedding) {
            vectors.set(chunk, &Quantised::new(&embedding));
        }
    }

    pub(crate) fn finish(self) -> Option<Vectors> {
        self.0
    }
}
