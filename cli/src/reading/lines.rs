//! The line vectors of passes: read from the cache, else computed and stored.

use std::path::Path;

use footnote_core::compress::{Pass, Scored};
use footnote_core::embed::{Embedder, Embedding, LineVectors};

use super::records::Records;
use crate::{Result, model};

/// The encoder and its results for passes.
pub struct Lines {
    embedder: Box<dyn Embedder + Send>,
    records: Records,
    question: Option<(String, Embedding)>,
}

impl Lines {
    /// Stores results in `folder`; without one, only in memory.
    pub fn open(folder: Option<&Path>) -> Result<Self> {
        let embedder = model::open()?;
        Ok(Self {
            records: Records::open(folder, &format!("{}-lines.bin", embedder.model_id()))?,
            embedder,
            question: None,
        })
    }

    /// Adds scores by meaning.
    pub fn score(&mut self, scored: &mut Scored, question: &str) -> Result<()> {
        let vectors = self.vectors(&scored.passes())?;
        let embedding = self.embed(question)?;
        scored.set_vectors(&embedding, &vectors);
        Ok(())
    }

    /// The line vectors of each pass.
    pub fn vectors(&mut self, passes: &[Pass]) -> Result<Vec<Option<LineVectors>>> {
        let id = self.embedder.model_id().to_owned();
        let mut vectors = Vec::new();
        for pass in passes {
            let embedder = &mut self.embedder;
            let bytes = self.records.get_or(pass.key(&id), || {
                let vectors = embedder.line_vectors(&[&pass.text])?;
                Ok(vectors
                    .first()
                    .ok_or("the model gave no vectors")?
                    .to_bytes())
            })?;
            vectors.push(LineVectors::from_bytes(&bytes));
        }
        Ok(vectors)
    }

    fn embed(&mut self, question: &str) -> Result<Embedding> {
        if let Some((_, known)) = self.question.as_ref().filter(|(text, _)| text == question) {
            return Ok(known.clone());
        }
        let own = self
            .embedder
            .embed(&[question])?
            .pop()
            .ok_or("the model gave no vector")?;
        self.question = Some((question.to_owned(), own.clone()));
        Ok(own)
    }
}
