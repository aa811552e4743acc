//! The code model's results for lines and blocks: read from the cache, else computed and stored.

use std::path::Path;

use footnote_core::code_model::{CodeModel, LanguageModel};
use footnote_core::compress::score::ami::{Ami, ami, line_perplexities};
use footnote_core::compress::{Boundaries, Piece, Scored};
use footnote_core::index::{ContentKey, Index};
use footnote_core::search::Question;

use super::records::Records;
use crate::{Result, model};

/// The code model and its results for texts: values of four bytes each.
pub struct Code {
    model: CodeModel,
    records: Records,
}

impl Code {
    /// Stores results in `folder`; without one, only in memory.
    pub fn open(folder: Option<&Path>) -> Result<Self> {
        let model = model::read("footnote-code-lm-1", |files| Ok(CodeModel::new(files)?))?;
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
            let read = |model: &mut CodeModel| {
                let lines = line_perplexities(model, &[text])?;
                Ok(lines.into_iter().next().unwrap_or_default())
            };
            all.push(self.known_or(key, read)?);
        }
        Ok(all)
    }

    /// How much each block of each piece changes the model's surprise at the question.
    pub fn ami(&mut self, question: &str, blocks: &[Vec<String>]) -> Result<Vec<Vec<Ami>>> {
        let mut all = Vec::new();
        for texts in blocks {
            let mut scores = Vec::new();
            for text in texts {
                let id = format!("{} ami {question}", self.model.model_id());
                let read = |model: &mut CodeModel| {
                    let scores = ami(model, question, &[text])?;
                    Ok(scores
                        .iter()
                        .flat_map(|ami| [ami.whole, ami.content])
                        .collect())
                };
                match self.known_or(ContentKey::of(&id, text), read)?.as_slice() {
                    &[whole, content] => scores.push(Ami { whole, content }),
                    other => return Err(format!("{} values of a block", other.len()).into()),
                }
            }
            all.push(scores);
        }
        Ok(all)
    }

    fn known_or(
        &mut self,
        key: ContentKey,
        read: impl FnOnce(&mut CodeModel) -> Result<Vec<f32>>,
    ) -> Result<Vec<f32>> {
        let model = &mut self.model;
        let bytes = self.records.get_or(key, || {
            let values = read(model)?;
            Ok(values
                .iter()
                .flat_map(|value| value.to_le_bytes())
                .collect())
        })?;
        let (values, _) = bytes.as_chunks::<4>();
        Ok(values
            .iter()
            .map(|value| f32::from_le_bytes(*value))
            .collect())
    }
}
