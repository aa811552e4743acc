//! The test that every runtime of the code model has to pass: the log-probabilities that
//! onnxruntime computed.

use serde::Deserialize;

use super::rows::{Row, Rows};
use super::{CodeModel, ModelError, ModelInput};

/// The largest allowed error of a log-probability, in nats.
pub const TOLERANCE: f32 = 1e-3;

/// The largest allowed relative error of a perplexity in half precision.
pub const PERPLEXITY_TOLERANCE: f32 = 1e-2;

/// Texts with the results of another runtime.
#[derive(Clone, Debug, Deserialize)]
pub struct Stored {
    /// Name and version of the runtime that computed them.
    pub runtime: String,
    /// The id of the model they belong to.
    pub model: String,
    /// Inputs with the log-probabilities of their tokens.
    pub cases: Vec<StoredCase>,
    /// Texts with their tokens, to test the tokeniser alone.
    pub texts: Vec<StoredText>,
}

/// A text and the model's result for it.
#[derive(Clone, Debug, Deserialize)]
pub struct StoredCase {
    /// The block before the text, if any.
    pub block: Option<String>,
    /// The text, or the question after `block`.
    pub text: String,
    /// The tokens of both, with the model's special tokens.
    pub ids: Vec<u32>,
    /// For each token but the first.
    pub log_probabilities: Vec<f32>,
}

impl StoredCase {
    /// The model input that should give these numbers.
    pub fn input(&self) -> ModelInput<'_> {
        match &self.block {
            Some(block) => ModelInput::About {
                block,
                question: &self.text,
            },
            None => ModelInput::Text(&self.text),
        }
    }

    /// The largest error of the text's log-probabilities, in nats; infinite if their number
    /// differs.
    pub fn worst(&self, read: &[f32]) -> f32 {
        self.expected(read)
            .map_or(f32::INFINITY, |expected| worst(read, expected))
    }

    /// The relative error of the text's perplexity; infinite if the number of log-probabilities
    /// differs.
    pub fn relative(&self, read: &[f32]) -> f32 {
        self.expected(read).map_or(f32::INFINITY, |expected| {
            relative_difference(read, expected)
        })
    }

    /// The expected value of `read`: for a text everything that is stored, for a question after a
    /// block only the end.
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
    // NaN must not pass as a small error.
    off.fold(0.0, |worst, off| match off.is_nan() {
        true => f32::INFINITY,
        false => worst.max(off),
    })
}

/// The relative error of a text's perplexity, computed from the log-probabilities of its tokens;
/// infinite if their number differs.
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

/// A text and its tokens by Python's tokeniser.
#[derive(Clone, Debug, Deserialize)]
pub struct StoredText {
    /// The text to tokenise.
    pub text: String,
    /// Its tokens, without the model's special tokens.
    pub ids: Vec<u32>,
}

/// The results of a runtime.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// Number of inputs compared.
    pub cases: usize,
    /// Number of log-probabilities compared.
    pub tokens: usize,
    /// The largest error of a log-probability, in nats.
    pub worst: f32,
    /// The largest relative error of a perplexity.
    pub perplexity: f32,
    /// Number of texts whose tokens differ from the stored ones.
    pub other_tokens: usize,
}

impl Stored {
    /// Reads `tests/fixtures/code-lm/conformance.json`.
    pub fn read(json: &[u8]) -> Result<Self, ModelError> {
        serde_json::from_slice(json)
            .map_err(|error| ModelError::Files(format!("stored probabilities: {error}")))
    }

    /// The rows to run: all cases, each scored from its second token on.
    pub(super) fn rows(&self) -> Vec<Row> {
        let row = |case: &StoredCase| Row {
            scored: 1..case.ids.len(),
            ids: case.ids.clone(),
            bytes: Vec::new(),
        };
        self.cases.iter().map(row).collect()
    }
}

/// Runs the suite, all cases in batches, as texts are run.
pub fn check(model: &CodeModel, stored: &Stored) -> Result<Found, ModelError> {
    compare(stored, &model.run(&stored.rows())?, &model.rows)
}

/// The results of a runtime that computed `read` for [`Stored::rows`], and of the tokeniser.
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
