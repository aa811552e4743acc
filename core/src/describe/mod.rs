//! Chunks → what they do, in words; searched beside the code itself (Code2Text, section 3.1).
//!
//! [`describe`] writes a text by code. A language model can write better ones
//! ([`crate::lab::describing`]). [`Written`] keeps those, keyed by what they describe, so that they
//! survive a new version; [`doubts`] says which of them do not fit their lines. [`Describe`] makes
//! the [`Texts`] of an index: a model's text if there is one, otherwise the one written by code.

mod by_code;
mod check;
mod record;
#[cfg(test)]
mod tests;

pub use by_code::{CHARACTERS, describe, describe_definition};
pub use check::doubts;
pub use record::{RecordError, export, read, write};

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;

use crate::chunk::ChunkId;
use crate::index::bm25::{Bm25, Bm25Builder};
use crate::index::texts::TextVectors;
use crate::index::{ContentKey, Index, Text, Texts, Writer};
use crate::job::{Job, Progress, Step};

/// Chunks per step: some milliseconds in a browser.
const CHUNKS_AT_ONCE: usize = 64;

/// The key of a chunk across versions of a repository, whatever its folder: a digest of what an
/// encoder reads for it.
pub fn key(index: &Index, chunk: ChunkId) -> ContentKey {
    index.key(chunk, "text")
}

/// A text that a language model wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenText {
    /// The text, about 500 characters.
    pub text: String,
    /// The model's name.
    pub model: String,
}

/// The texts that language models wrote for the chunks of a repository, by [`key`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written(pub BTreeMap<ContentKey, WrittenText>);

impl Written {
    /// The text of a chunk.
    pub fn of(&self, index: &Index, chunk: ChunkId) -> Option<&WrittenText> {
        match self.0.is_empty() {
            true => None,
            false => self.0.get(&key(index, chunk)),
        }
    }
}

/// The job that makes the [`Texts`] of an index; progress counts chunks. Pass the result to
/// [`Index::set_texts`].
pub struct Describe {
    index: Arc<Index>,
    written: Written,
    texts: Vec<Text>,
    words: Bm25Builder,
    vectors: Option<TextVectors>,
}

impl Describe {
    /// Takes the models' texts; code writes the rest.
    pub fn new(index: Arc<Index>, written: Written) -> Self {
        Self {
            vectors: Some(TextVectors::new(&index)),
            index,
            written,
            texts: Vec::new(),
            words: Bm25::builder(),
        }
    }

    fn describe_next(&mut self) {
        let index = &self.index;
        let chunk = ChunkId(self.texts.len() as u32);
        let text = match self.written.of(index, chunk) {
            Some(it) => Text {
                doubts: doubts(index, chunk, &it.text),
                text: it.text.clone(),
                writer: Writer::Model(it.model.clone()),
            },
            None => Text {
                text: describe(index, chunk),
                writer: Writer::Code,
                doubts: Vec::new(),
            },
        };
        self.words.add(&text.text, "", std::iter::empty::<&str>());
        if let Some(vectors) = &mut self.vectors {
            vectors.add(index, chunk, &text.text);
        }
        self.texts.push(text);
    }
}

impl Job for Describe {
    type Output = Texts;
    type Error = Infallible;

    fn step(&mut self) -> Result<Step<Texts>, Infallible> {
        let total = self.index.chunks.len();
        let end = total.min(self.texts.len() + CHUNKS_AT_ONCE);
        while self.texts.len() < end {
            self.describe_next();
        }
        if end < total {
            return Ok(Step::Working(Progress {
                done: end as u64,
                total: total as u64,
            }));
        }
        let words = std::mem::take(&mut self.words).finish();
        let vectors = self.vectors.take().and_then(TextVectors::finish);
        let texts = std::mem::take(&mut self.texts);
        Ok(Step::Done(Texts::new(texts, words, vectors)))
    }
}
