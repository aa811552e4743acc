//! Texts → rows of tokens that fit the model's window, and which of the tokens are scored.

use std::ops::Range;

use tokenizers::Tokenizer;

use super::{ModelError, ModelInput, TokenProbability};

/// Bytes of a text that are read. More would take too long, and no function that people write is
/// that long.
const MAX_TEXT: usize = 16_000;
/// A row of this many tokens has to fit into memory, whatever the vocabulary.
const LEAST_WINDOW: usize = 32;
/// Bytes of a block that are tokenised per token of the window: the rest would be cut anyway.
const BYTES_A_TOKEN: usize = 16;

/// The special tokens around texts.
#[derive(Clone)]
pub(crate) struct Signs {
    /// At the start of each row. May be empty; the first token of a text is then not scored.
    pub start: Vec<u32>,
    /// Between a block and a question.
    pub separator: Vec<u32>,
}

/// The tokens to run, and which of them are scored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub ids: Vec<u32>,
    /// Places in `ids`, none of them the first.
    pub scored: Range<usize>,
    /// The bytes of each scored token in its text.
    pub bytes: Vec<Range<usize>>,
}

/// The rows of several inputs.
pub(crate) struct Asked {
    pub rows: Vec<Row>,
    /// For each row, the input it belongs to.
    owners: Vec<usize>,
    inputs: usize,
}

impl Asked {
    /// The scored tokens of each input, from the log-probabilities of each row.
    pub(crate) fn answered(self, scores: Vec<Vec<f32>>) -> Vec<Vec<TokenProbability>> {
        let mut read = vec![Vec::new(); self.inputs];
        for ((row, scores), at) in self.rows.into_iter().zip(scores).zip(self.owners) {
            let tokens = row.bytes.into_iter().zip(scores);
            let tokens = tokens.map(|(bytes, ln)| TokenProbability { bytes, ln });
            if let Some(slot) = read.get_mut(at) {
                slot.extend(tokens);
            }
        }
        read
    }
}

/// Builds rows with a model's tokeniser.
#[derive(Clone)]
pub(crate) struct Rows {
    tokenizer: Tokenizer,
    signs: Signs,
    window: usize,
}

struct Encoded {
    ids: Vec<u32>,
    bytes: Vec<Range<usize>>,
}

impl Rows {
    /// Without `signs`, rows start with the tokens that the tokeniser itself puts before a text,
    /// and a blank line is the separator.
    pub(crate) fn new(
        json: &[u8],
        signs: Option<Signs>,
        window: usize,
    ) -> Result<Self, ModelError> {
        let wrong =
            |error: tokenizers::Error| ModelError::Files(format!("tokenizer.json: {error}"));
        let mut tokenizer = Tokenizer::from_bytes(json).map_err(wrong)?;
        tokenizer.with_truncation(None).map_err(wrong)?;
        tokenizer.with_padding(None);
        // A special token spelt out in a text is ordinary text.
        tokenizer.set_encode_special_tokens(true);
        let signs = match signs {
            Some(signs) => signs,
            None => {
                let alone = tokenizer.encode_fast("", true).map_err(wrong)?;
                let separator = tokenizer.encode_fast("\n\n", false).map_err(wrong)?;
                Signs {
                    start: alone.get_ids().first().copied().into_iter().collect(),
                    separator: separator.get_ids().to_vec(),
                }
            }
        };
        Ok(Self {
            tokenizer,
            signs,
            window,
        })
    }

    /// Tokens of the longest row.
    #[cfg(feature = "gpu")]
    pub(crate) fn window(&self) -> usize {
        self.window
    }

    /// Limits rows to this many tokens.
    pub(crate) fn limit(&mut self, tokens: usize) {
        self.window = self.window.min(tokens).max(LEAST_WINDOW);
    }

    /// The rows of several inputs, in order.
    pub(crate) fn ask(&self, inputs: &[ModelInput]) -> Result<Asked, ModelError> {
        let mut asked = Asked {
            rows: Vec::new(),
            owners: Vec::new(),
            inputs: inputs.len(),
        };
        for (at, input) in inputs.iter().enumerate() {
            let own = self.of(input)?;
            asked.owners.extend(own.iter().map(|_| at));
            asked.rows.extend(own);
        }
        Ok(asked)
    }

    /// The rows of an input. A long text has several; each repeats half a window of the one before.
    pub(crate) fn of(&self, input: &ModelInput) -> Result<Vec<Row>, ModelError> {
        match *input {
            ModelInput::Text(text) => self.of_text(text),
            ModelInput::About { block, question } => Ok(vec![self.about(block, question)?]),
        }
    }

    fn of_text(&self, text: &str) -> Result<Vec<Row>, ModelError> {
        let text = self.encode(beginning(text, MAX_TEXT))?;
        let before = self.signs.start.len();
        let ids: Vec<u32> = self.signs.start.iter().copied().chain(text.ids).collect();
        let mut rows = Vec::new();
        let mut done = before.max(1);
        while done < ids.len() {
            let start = match rows.is_empty() {
                true => 0,
                false => done - self.window / 2,
            };
            let end = (start + self.window).min(ids.len());
            rows.push(Row {
                ids: ids.get(start..end).unwrap_or_default().to_vec(),
                scored: done - start..end - start,
                bytes: text
                    .bytes
                    .get(done - before..end - before)
                    .unwrap_or_default()
                    .to_vec(),
            });
            done = end;
        }
        Ok(rows)
    }

    /// Of a question at most half a window is read; the block gets the rest.
    fn about(&self, block: &str, question: &str) -> Result<Row, ModelError> {
        let most = self.window * BYTES_A_TOKEN;
        let mut question = self.encode(beginning(question, most))?;
        let mut block = self.encode(beginning(block, most))?;
        question.ids.truncate(self.window / 2);
        question.bytes.truncate(self.window / 2);
        let signs = self.signs.start.len() + self.signs.separator.len();
        let room = self.window.saturating_sub(question.ids.len() + signs);
        block.ids.truncate(room);
        let mut ids = self.signs.start.clone();
        ids.extend(block.ids);
        ids.extend(&self.signs.separator);
        let start = ids.len();
        ids.extend(&question.ids);
        // If the tokeniser turns a blank line into nothing, there is nothing before the first
        // token.
        let skipped = usize::from(start == 0).min(question.ids.len());
        Ok(Row {
            scored: start + skipped..ids.len(),
            ids,
            bytes: question.bytes.split_off(skipped),
        })
    }

    /// The tokens of a text, without special tokens.
    pub(crate) fn ids(&self, text: &str) -> Result<Vec<u32>, ModelError> {
        Ok(self.encode(text)?.ids)
    }

    fn encode(&self, text: &str) -> Result<Encoded, ModelError> {
        let encoding = self
            .tokenizer
            .encode(text, false)
            .map_err(|error| ModelError::Run(format!("tokenizer: {error}")))?;
        let offsets = encoding.get_offsets().iter();
        Ok(Encoded {
            ids: encoding.get_ids().to_vec(),
            bytes: offsets.map(|&(start, end)| start..end).collect(),
        })
    }
}

/// At most this many bytes of a text, cut between characters.
fn beginning(text: &str, bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(bytes)).unwrap_or(text)
}
