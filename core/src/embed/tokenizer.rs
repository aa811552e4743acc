//! Text → token ids, by the model's own `tokenizer.json`.

use tokenizers::{Tokenizer as Inner, TruncationParams};

use super::EmbedError;

/// A tokeniser that cuts texts at the model's window.
pub(crate) struct Tokenizer {
    inner: Inner,
}

impl Tokenizer {
    /// `max_tokens` counts the special tokens at both ends.
    pub(crate) fn new(json: &[u8], max_tokens: usize) -> Result<Self, EmbedError> {
        let wrong =
            |error: tokenizers::Error| EmbedError::Model(format!("tokenizer.json: {error}"));
        let mut inner = Inner::from_bytes(json).map_err(wrong)?;
        let truncation = TruncationParams {
            max_length: max_tokens,
            ..TruncationParams::default()
        };
        inner.with_truncation(Some(truncation)).map_err(wrong)?;
        inner.with_padding(None);
        Ok(Self { inner })
    }

    /// The token ids of a text, with the special tokens at both ends; at most `max_tokens`.
    pub(crate) fn encode(&self, text: &str) -> Result<Vec<u32>, EmbedError> {
        let encoding = self.inner.encode_fast(text, true);
        let encoding = encoding.map_err(|error| EmbedError::Run(format!("tokenizer: {error}")))?;
        Ok(encoding.get_ids().to_vec())
    }

    /// As [`Tokenizer::encode`], with the byte of the text at which each token starts; `None` for
    /// special tokens.
    pub(crate) fn encode_with_starts(
        &self,
        text: &str,
    ) -> Result<(Vec<u32>, Vec<Option<usize>>), EmbedError> {
        let encoding = self.inner.encode(text, true);
        let encoding = encoding.map_err(|error| EmbedError::Run(format!("tokenizer: {error}")))?;
        let special = encoding.get_special_tokens_mask();
        let offsets = encoding.get_offsets().iter().zip(special);
        let starts = offsets.map(|(&(start, _), &special)| (special == 0).then_some(start));
        Ok((encoding.get_ids().to_vec(), starts.collect()))
    }
}
