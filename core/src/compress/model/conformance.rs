//! What every runtime of the code model has to pass: the log-probabilities that onnxruntime gave.

use serde::Deserialize;

use super::rows::{Row, Rows};
use super::{CodeModel, ModelError, ModelInput};

/// How far a log-probability may be off, in nats.
pub const TOLERANCE: f32 = 1e-3;

/// How far a perplexity may be off where numbers are half as long, as a share of it.
pub const PERPLEXITY_TOLERANCE: f32 = 1e-2;

/// Texts with what another runtime made of them.
#[derive(Clone, Debug, Deserialize)]
pub struct Stored {
    /// Name and version of what computed them.
    pub runtime: String,
    /// The model id that they belong to.
    pub model: String,
    /// Readings with the log-probabilities of their tokens.
    pub cases: Vec<StoredCase>,
    /// Texts with their tokens, for the tokeniser alone.
    pub texts: Vec<StoredText>,
}

/// A text and what the model made of it.
#[derive(Clone, Debug, Deserialize)]
pub struct StoredCase {
    /// What stands before the text, if anything does.
    pub block: Option<String>,
    /// The text, or the question after `block`.
    pub text: String,
    /// Of both, with the model's signs.
    pub ids: Vec<u32>,
    /// Of each token but the first.
    pub log_probabilities: Vec<f32>,
}

impl StoredCase {
    /// What a model has to read to give these numbers.
    pub fn input(&self) -> ModelInput<'_> {
        match &self.block {
            Some(block) => ModelInput::About {
                block,
                question: &self.text,
            },
            None => ModelInput::Text(&self.text),
        }
    }

    /// How far the logarithms of the text's tokens are off, in nats; infinitely if there are not as
    /// many.
    pub fn worst(&self, read: &[f32]) -> f32 {
        self.expected(read)
            .map_or(f32::INFINITY, |expected| worst(read, expected))
    }

    /// How far the text's perplexity is off, as a share of it; infinitely if there are not as many
    /// logarithms.
    pub fn relative(&self, read: &[f32]) -> f32 {
        self.expected(read).map_or(f32::INFINITY, |expected| {
            relative_difference(read, expected)
        })
    }

    /// What `read` should be: of a text all that is stored, of a question after a block the end of
    /// it.
    fn expected(&self, read: &[f32]) -> Option<&[f32]> {
        let of_text = self.log_probabilities.len().checked_sub(read.len());
        let expected = of_text.and_then(|start| self.log_probabilities.get(start..));
        let is_whole = self.block.is_some() || of_text == Some(0);
        expected.filter(|_| is_whole && !read.is_empty())
    }
}

fn worst(read: &[f32], expected: &[f32]) -> f32 {
    let off = read
        .iter()
        .zip(expected)
        .map(|(own, stored)| (own - stored).abs());
    // What is no number is not near.
    off.fold(0.0, |worst, off| match off.is_nan() {
        true => f32::INFINITY,
        false => worst.max(off),
    })
}

/// How far the perplexity of a text is off, as a share of the expected one, from the logarithms of
/// its tokens; infinitely if there are not as many.
pub fn relative_difference(read: &[f32], expected: &[f32]) -> f32 {
    if read.len() != expected.len() || read.is_empty() {
        return f32::INFINITY;
    }
    let off: f64 = read
        .iter()
        .zip(expected)
        .map(|(own, stored)| f64::from(*stored) - f64::from(*own))
        .sum();
    let ratio = (off / read.len() as f64).exp() as f32;
    match ratio.is_nan() {
        true => f32::INFINITY,
        false => (ratio - 1.0).abs(),
    }
}

/// A text and the tokens that Python's tokeniser made of it.
#[derive(Clone, Debug, Deserialize)]
pub struct StoredText {
    /// What is tokenised.
    pub text: String,
    /// Its tokens, without the model's signs.
    pub ids: Vec<u32>,
}

/// How a runtime did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// Readings that were compared.
    pub cases: usize,
    /// Log-probabilities that were compared.
    pub tokens: usize,
    /// The largest difference of a log-probability, in nats.
    pub worst: f32,
    /// The largest difference of a perplexity, as a share of it.
    pub perplexity: f32,
    /// Texts whose tokens are not the stored ones.
    pub other_tokens: usize,
}

impl Stored {
    /// Reads `tests/fixtures/code-lm/conformance.json`.
    pub fn read(json: &[u8]) -> Result<Self, ModelError> {
        serde_json::from_slice(json)
            .map_err(|error| ModelError::Files(format!("stored probabilities: {error}")))
    }

    /// What a runtime reads: all cases, each scored from its second token on.
    pub(super) fn rows(&self) -> Vec<Row> {
        let row = |case: &StoredCase| Row {
            scored: 1..case.ids.len(),
            ids: case.ids.clone(),
            bytes: Vec::new(),
        };
        self.cases.iter().map(row).collect()
    }
}

/// Runs the suite, all cases in batches as texts are.
pub fn check(model: &CodeModel, stored: &Stored) -> Result<Found, ModelError> {
    compare(stored, &model.run(&stored.rows())?, &model.rows)
}

/// How a runtime did that made `read` of [`Stored::rows`], and the tokeniser beside it.
pub(super) fn compare(
    stored: &Stored,
    read: &[Vec<f32>],
    rows: &Rows,
) -> Result<Found, ModelError> {
    let mut found = Found {
        cases: stored.cases.len(),
        tokens: 0,
        worst: 0.0,
        perplexity: 0.0,
        other_tokens: 0,
    };
    for (case, read) in stored.cases.iter().zip(read) {
        found.tokens += read.len();
        found.worst = match read.len() == case.log_probabilities.len() {
            true => found.worst.max(worst(read, &case.log_probabilities)),
            false => f32::INFINITY,
        };
        let off = relative_difference(read, &case.log_probabilities);
        found.perplexity = found.perplexity.max(off);
        let own = rows.of(&case.input())?;
        if !own.iter().all(|row| row.ids == case.ids) {
            found.other_tokens += 1;
        }
    }
    for text in &stored.texts {
        if rows.ids(&text.text)? != text.ids {
            found.other_tokens += 1;
        }
    }
    Ok(found)
}
