//! Line vectors of passes: read from the cache, else computed and kept.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;

use footnote_core::compress::Scored;
use footnote_core::embed::{Embedder, Embedding, LineVectors};
use footnote_core::index::ContentKey;

use crate::{Result, model};

/// A file of records: 16 bytes of key, the number of bytes (u32), the vectors. Kept as bytes, since few of them are
/// needed at once.
pub struct Lines {
    embedder: Box<dyn Embedder + Send>,
    known: HashMap<[u8; 16], Vec<u8>>,
    file: File,
    question: Option<(String, Embedding)>,
}

impl Lines {
    pub fn open(folder: &Path) -> Result<Self> {
        std::fs::create_dir_all(folder)?;
        let embedder = model::open()?;
        let path = folder.join(format!("{}-lines.bin", embedder.model_id()));
        let mut file = OpenOptions::new()
            .create(true)
            .read(true)
            .append(true)
            .open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let mut known = HashMap::new();
        let mut rest = bytes.as_slice();
        while let Some((key, record, after)) = record(rest) {
            known.insert(key, record.to_vec());
            rest = after;
        }
        Ok(Self {
            embedder,
            known,
            file,
            question: None,
        })
    }

    /// Scores by meaning.
    pub fn score(&mut self, scored: &mut Scored, question: &str) -> Result<()> {
        let id = self.embedder.model_id().to_owned();
        let mut vectors = Vec::new();
        for pass in scored.passes() {
            let key = pass.key(&id);
            let bytes = match self.known.get(&key.0) {
                Some(bytes) => bytes.clone(),
                None => self.compute(key, &pass.text)?,
            };
            vectors.push(LineVectors::from_bytes(&bytes));
        }
        let embedding = self.embed(question)?;
        scored.set_vectors(&embedding, &vectors);
        Ok(())
    }

    fn compute(&mut self, key: ContentKey, text: &str) -> Result<Vec<u8>> {
        let vectors = self.embedder.line_vectors(&[text])?;
        let bytes = vectors
            .first()
            .ok_or("the model gave no vectors")?
            .to_bytes();
        let mut record = key.0.to_vec();
        record.extend((bytes.len() as u32).to_le_bytes());
        record.extend(&bytes);
        self.file.write_all(&record)?;
        self.known.insert(key.0, bytes.clone());
        Ok(bytes)
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

/// The first record: key, bytes, what follows it. `None` at the end, or where a run was stopped in the middle of one.
fn record(bytes: &[u8]) -> Option<([u8; 16], &[u8], &[u8])> {
    let (key, rest) = bytes.split_first_chunk::<16>()?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let (record, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    Some((*key, record, rest))
}
