//! What each chunk of an index does, in words: an index of its own, searched by words and by
//! meaning (Code2Text, section 3.1: candidates as text instead of as code).

use super::bm25::Bm25Params;
use super::{Bm25, Index, Quantised, Vectors};
use crate::chunk::ChunkId;
use crate::embed::Embedding;

/// Who wrote a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Writer {
    /// Code put it together from the syntax tree and the graph.
    Code,
    /// A language model of this name wrote it.
    Model(String),
}

/// What a chunk does, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// About 500 characters.
    pub text: String,
    /// Who wrote it.
    pub writer: Writer,
    /// What is doubtful about it, each a sentence. Empty for what code wrote.
    pub doubts: Vec<String>,
}

/// A text for each chunk, with its words and its meaning.
pub struct Texts {
    texts: Vec<Text>,
    words: Bm25,
    /// By the static encoder; `None` if its vectors were not there yet.
    vectors: Option<Vectors>,
}

impl Texts {
    /// Of texts in the order of the chunks, with the words that were counted in them.
    pub(crate) fn new(texts: Vec<Text>, words: Bm25, vectors: Option<Vectors>) -> Self {
        Self {
            texts,
            words,
            vectors,
        }
    }

    /// The text of a chunk.
    pub fn of(&self, chunk: ChunkId) -> Option<&Text> {
        self.texts.get(chunk.0 as usize)
    }

    /// Number of chunks that have a text.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether no chunk has one.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The texts that models wrote.
    pub fn written(&self) -> impl Iterator<Item = (ChunkId, &Text)> {
        let all = (0..).map(ChunkId).zip(&self.texts);
        all.filter(|(_, text)| text.writer != Writer::Code)
    }

    /// The best `n` by words, best first.
    pub(crate) fn by_words(
        &self,
        params: &Bm25Params,
        terms: &[String],
        n: usize,
    ) -> Vec<(ChunkId, f32)> {
        self.words.search_by(params, terms, n)
    }

    /// The nearest `n` by the static encoder, nearest first; none while the vectors are not there.
    pub(crate) fn by_meaning(&self, question: &Embedding, n: usize) -> Vec<(ChunkId, f32)> {
        let vectors = self.vectors.as_ref();
        vectors.map_or_else(Vec::new, |vectors| vectors.nearest(question, n))
    }

    /// The cosine of a text with a question.
    pub(crate) fn cosine(&self, question: &Embedding, chunk: ChunkId) -> Option<f32> {
        self.vectors.as_ref()?.cosine(question, chunk)
    }
}

/// Makes the vector of each text as it comes, if the static encoder can be used.
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
