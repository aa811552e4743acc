//! The code model's results for lines and blocks: read from the cache, else computed and stored.

use std::path::Path;

use footnote_core::code_model::{CodeModel, LanguageModel};
use footnote_core::compress::score::ami::{Ami, ami, line_perplexities};
use footnote_core::compress::{Boundaries, Piece, Scored};
use footnote_core::index::{ContentKey, Index};
use footnote_core::search::Question;

use super::records::Records;
use crate::gpu::Gpu;
use crate::{Result, model};

/// The code model and its results for texts: values of four bytes each.
pub struct Code {
    model: Box<dyn LanguageModel>,
    records: Records,
}

impl Code {
    /// Stores results in `folder`; without one, only in memory.
    pub fn open(folder: Option<&Path>, on_gpu: bool) -> Result<Self> {
        let model = model::read("footnote-code-lm-1", |files| match on_gpu {
            true => Gpu::find()?.code_model(files),
            false => Ok(Box::new(CodeModel::new(files)?)),
        })?;
        let records = Records::open(folder, &format!("{}-readings.bin", model.model_id()))?;
        Ok(Self { model, records })
    }

    /// The pieces cut by `boundaries`, with their blocks scored by AMI.
    pub fn scored(
        &mut self,
        index: &Index,
        question: &Question,
        pieces: &[Piece],
        boundaries: Boundaries,
    ) -> Result<Scored> {
        let perplexities = match boundaries {
            Boundaries::Perplexity => {
                let texts = pieces.iter().map(|piece| piece.text(index));
                let texts: Vec<String> = texts.map(Option::unwrap_or_default).collect();
                self.perplexities(&texts)?
            }
            _ => Vec::new(),
        };
        let mut scored =
            Scored::with_perplexities(index, question, pieces, boundaries, &perplexities);
        let scores = self.ami(question.text(), &scored.block_texts())?;
        scored.set_ami(&scores);
        Ok(scored)
    }

    /// The id of the model.
    pub fn id(&self) -> &str {
        self.model.model_id()
    }

    /// The perplexity of each line of each text.
    pub fn perplexities(&mut self, texts: &[String]) -> Result<Vec<Vec<f32>>> {
        let mut all = Vec::new();
        for text in texts {
            let key = ContentKey::of(&format!("{} lines", self.model.model_id()), text);
            let values = match self.known(key) {
                Some(known) => known,
                None => {
                    let lines = line_perplexities(&mut *self.model, &[text])?;
                    self.store(key, lines.into_iter().next().unwrap_or_default())?
                }
            };
            all.push(values);
        }
        Ok(all)
    }

    /// How much each block of each piece changes the model's surprise at the question.
    pub fn ami(&mut self, question: &str, blocks: &[Vec<String>]) -> Result<Vec<Vec<Ami>>> {
        let id = format!("{} ami {question}", self.model.model_id());
        let mut all = Vec::new();
        for texts in blocks {
            let keys: Vec<_> = texts.iter().map(|it| ContentKey::of(&id, it)).collect();
            self.read_blocks(question, keys.iter().copied().zip(texts))?;
            let known = keys.iter().map(|&key| match self.known(key)?.as_slice() {
                &[whole, content] => Some(Ami { whole, content }),
                _ => None,
            });
            let known: Option<Vec<Ami>> = known.collect();
            all.push(known.ok_or("what was stored for a block is not two values")?);
        }
        Ok(all)
    }

    /// Stores the AMI of each block that has none. They are read together, so that the question
    /// alone is read once.
    fn read_blocks<'t>(
        &mut self,
        question: &str,
        blocks: impl Iterator<Item = (ContentKey, &'t String)>,
    ) -> Result<()> {
        let missing = blocks.filter(|(key, _)| self.known(*key).is_none());
        let (keys, texts): (Vec<_>, Vec<_>) = missing.map(|(key, it)| (key, it.as_str())).unzip();
        if texts.is_empty() {
            return Ok(());
        }
        let scores = ami(&mut *self.model, question, &texts)?;
        for (key, ami) in keys.into_iter().zip(scores) {
            self.store(key, vec![ami.whole, ami.content])?;
        }
        Ok(())
    }

    fn known(&self, key: ContentKey) -> Option<Vec<f32>> {
        let (values, _) = self.records.get(key)?.as_chunks::<4>();
        let values = values.iter().map(|value| f32::from_le_bytes(*value));
        Some(values.collect())
    }

    fn store(&mut self, key: ContentKey, values: Vec<f32>) -> Result<Vec<f32>> {
        let bytes = values.iter().flat_map(|value| value.to_le_bytes());
        self.records.put(key, bytes.collect())?;
        Ok(values)
    }
}
