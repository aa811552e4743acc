//! Token-by-token scores of a question's best candidates: read from the cache, else computed and
//! stored, since making the token vectors takes a thousand times as long as a search.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;
use std::time::Instant;

use footnote_core::chunk::ChunkId;
use footnote_core::embed::{Embedder, TokenVectors};
use footnote_core::index::{ContentKey, Index};
use footnote_core::search::{BertScore, LateScores, Question, Side, bert_score};

use crate::{Result, model};

/// The bytes of a record: key, precision, recall, F1.
const RECORD: usize = 16 + 3 * 4;

/// How many chunks keep their token vectors for the next question, 0.3 MB each.
const MAX_TOKENS_KEPT: usize = 2_000;

pub struct LateCache {
    embedder: Box<dyn Embedder + Send>,
    known: HashMap<[u8; 16], BertScore>,
    file: File,
    tokens: HashMap<(Side, ChunkId), TokenVectors>,
    texts: usize,
    seconds: f64,
}

impl LateCache {
    pub fn open(folder: &Path) -> Result<Self> {
        let embedder = model::open()?;
        let model = embedder.model_id();
        let mut file = OpenOptions::new()
            .create(true)
            .read(true)
            .append(true)
            .open(folder.join(format!("{model}-late.bin")))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let known = bytes.chunks_exact(RECORD).filter_map(read).collect();
        Ok(Self {
            embedder,
            known,
            file,
            tokens: HashMap::new(),
            texts: 0,
            seconds: 0.0,
        })
    }

    /// The scores of `chunks`; missing ones are computed one text at a time.
    pub fn scores(
        &mut self,
        index: &Index,
        question: &Question,
        (side, chunks): (Side, &[ChunkId]),
    ) -> Result<LateScores> {
        let id = format!("{} late", self.embedder.model_id());
        let mut query = None;
        let mut scores = LateScores::new();
        for &chunk in chunks {
            let text = side.text(index, chunk);
            let key = ContentKey::of(&id, &format!("{}\0{text}", question.text()));
            let score = match self.known.get(&key.0) {
                Some(&score) => score,
                None => {
                    let own = match query.take() {
                        Some(own) => own,
                        None => self.tokens(question.text())?,
                    };
                    let score = self.compare(&own, (side, chunk), &text)?;
                    query = Some(own);
                    self.add(key, score)?;
                    score
                }
            };
            scores.insert(chunk, score);
        }
        Ok(scores)
    }

    fn compare(
        &mut self,
        query: &TokenVectors,
        chunk: (Side, ChunkId),
        text: &str,
    ) -> Result<BertScore> {
        if let Some(known) = self.tokens.get(&chunk) {
            return Ok(bert_score(query, known));
        }
        let started = Instant::now();
        let own = self.tokens(text)?;
        let score = bert_score(query, &own);
        self.seconds += started.elapsed().as_secs_f64();
        self.texts += 1;
        if self.tokens.len() >= MAX_TOKENS_KEPT {
            self.tokens.clear();
        }
        self.tokens.insert(chunk, own);
        Ok(score)
    }

    fn tokens(&mut self, text: &str) -> Result<TokenVectors> {
        let mut vectors = self.embedder.token_vectors(&[text])?;
        Ok(vectors.pop().ok_or("the model gave no vectors")?)
    }

    fn add(&mut self, key: ContentKey, score: BertScore) -> Result<()> {
        let mut record = key.0.to_vec();
        for value in [score.precision, score.recall, score.f1] {
            record.extend(value.to_le_bytes());
        }
        self.file.write_all(&record)?;
        self.known.insert(key.0, score);
        Ok(())
    }
}

/// Reports what the candidates of this archive cost.
impl Drop for LateCache {
    fn drop(&mut self) {
        if self.texts > 0 {
            // If the line cannot be written, nothing is lost.
            let _ = writeln!(
                std::io::stderr(),
                "  token vectors of {} candidates, {:.1} ms each",
                self.texts,
                self.seconds * 1_000.0 / self.texts as f64
            );
        }
    }
}

fn read(record: &[u8]) -> Option<([u8; 16], BertScore)> {
    let (key, rest) = record.split_first_chunk::<16>()?;
    let value = |at: usize| {
        let bytes = rest.get(4 * at..)?.first_chunk::<4>()?;
        Some(f32::from_le_bytes(*bytes))
    };
    let score = BertScore {
        precision: value(0)?,
        recall: value(1)?,
        f1: value(2)?,
    };
    Some((*key, score))
}
