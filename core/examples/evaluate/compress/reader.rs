//! What the code model makes of lines and blocks: read from the cache, else computed and kept.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;

use footnote_core::compress::score::ami::{Ami, LanguageModel, ami, line_perplexities};
use footnote_core::compress::{Boundaries, CodeModel, Piece, Scored};
use footnote_core::index::{ContentKey, Index};
use footnote_core::search::Question;

use crate::{Result, model};

/// A file of records: 16 bytes of key, the number of values (u32), the values (f32).
pub struct Reader {
    model: CodeModel,
    known: HashMap<[u8; 16], Vec<f32>>,
    file: File,
}

impl Reader {
    pub fn open(folder: &Path) -> Result<Self> {
        std::fs::create_dir_all(folder)?;
        let model = model::read("footnote-code-lm-1", |files| Ok(CodeModel::new(files)?))?;
        let path = folder.join(format!("{}.bin", model.model_id()));
        let mut file = OpenOptions::new()
            .create(true)
            .read(true)
            .append(true)
            .open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let mut known = HashMap::new();
        let mut rest = bytes.as_slice();
        while let Some((key, values, after)) = record(rest) {
            known.insert(key, values);
            rest = after;
        }
        Ok(Self { model, known, file })
    }

    /// Pieces cut by `boundaries`, their blocks scored by AMI.
    pub fn scored(
        &mut self,
        index: &Index,
        question: &Question,
        pieces: &[Piece],
        boundaries: Boundaries,
    ) -> Result<Scored> {
        let perplexities = match boundaries {
            Boundaries::Perplexity => self.perplexities(index, pieces)?,
            _ => Vec::new(),
        };
        let mut scored =
            Scored::with_perplexities(index, question, pieces, boundaries, &perplexities);
        self.score(&mut scored, question.text())?;
        Ok(scored)
    }

    fn perplexities(&mut self, index: &Index, pieces: &[Piece]) -> Result<Vec<Vec<f32>>> {
        let mut all = Vec::new();
        for piece in pieces {
            let text = piece.text(index).unwrap_or_default();
            let key = ContentKey::of(&format!("{} lines", self.model.model_id()), &text);
            let read = |model: &mut CodeModel| {
                let lines = line_perplexities(model, &[&text])?;
                Ok(lines.into_iter().next().unwrap_or_default())
            };
            all.push(self.known_or(key, read)?);
        }
        Ok(all)
    }

    fn score(&mut self, scored: &mut Scored, question: &str) -> Result<()> {
        let mut all = Vec::new();
        for texts in scored.block_texts() {
            let mut scores = Vec::new();
            for text in texts {
                let id = format!("{} ami {question}", self.model.model_id());
                let read = |model: &mut CodeModel| {
                    let scores = ami(model, question, &[&text])?;
                    Ok(scores
                        .iter()
                        .flat_map(|ami| [ami.whole, ami.content])
                        .collect())
                };
                match self.known_or(ContentKey::of(&id, &text), read)?.as_slice() {
                    &[whole, content] => scores.push(Ami { whole, content }),
                    other => return Err(format!("{} values of a block", other.len()).into()),
                }
            }
            all.push(scores);
        }
        scored.set_ami(&all);
        Ok(())
    }

    fn known_or(
        &mut self,
        key: ContentKey,
        read: impl FnOnce(&mut CodeModel) -> Result<Vec<f32>>,
    ) -> Result<Vec<f32>> {
        if let Some(known) = self.known.get(&key.0) {
            return Ok(known.clone());
        }
        let values = read(&mut self.model)?;
        let mut record = key.0.to_vec();
        record.extend((values.len() as u32).to_le_bytes());
        record.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        self.file.write_all(&record)?;
        self.known.insert(key.0, values.clone());
        Ok(values)
    }
}

/// The first record: key, values, what follows it. `None` at the end, or where a run was stopped in the middle of one.
fn record(bytes: &[u8]) -> Option<([u8; 16], Vec<f32>, &[u8])> {
    let (key, rest) = bytes.split_first_chunk::<16>()?;
    let (n, rest) = rest.split_first_chunk::<4>()?;
    let (record, rest) = rest.split_at_checked(4 * u32::from_le_bytes(*n) as usize)?;
    let (values, _) = record.as_chunks::<4>();
    let values = values.iter().map(|value| f32::from_le_bytes(*value));
    Some((*key, values.collect(), rest))
}
