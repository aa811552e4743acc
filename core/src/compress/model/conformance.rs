//! What every runtime of the code model has to pass: the log-probabilities that onnxruntime gave.

use serde::Deserialize;

use super::{CodeModel, ModelError, Row};

/// How far a log-probability may be off, in nats.
pub const TOLERANCE: f32 = 1e-3;

/// Rows of tokens with what another runtime made of them.
#[derive(Clone, Debug, Deserialize)]
pub struct Stored {
    pub runtime: String,
    pub model: String,
    pub cases: Vec<StoredCase>,
    pub texts: Vec<StoredText>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct StoredCase {
    pub ids: Vec<u32>,
    /// Of each token but the first.
    pub log_probabilities: Vec<f32>,
}

/// A text and the tokens that Python's tokeniser made of it.
#[derive(Clone, Debug, Deserialize)]
pub struct StoredText {
    pub text: String,
    pub ids: Vec<u32>,
}

/// How a runtime did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    pub cases: usize,
    pub tokens: usize,
    /// The largest difference of a log-probability, in nats.
    pub worst: f32,
    /// Texts whose tokens are not the stored ones.
    pub other_tokens: usize,
}

impl Stored {
    /// Reads `tests/fixtures/code-lm/conformance.json`.
    pub fn read(json: &[u8]) -> Result<Self, ModelError> {
        serde_json::from_slice(json)
            .map_err(|error| ModelError::Files(format!("stored probabilities: {error}")))
    }
}

/// Runs the suite, all cases in batches as texts are.
pub fn check(model: &CodeModel, stored: &Stored) -> Result<Found, ModelError> {
    let row = |case: &StoredCase| Row {
        scored: 1..case.ids.len(),
        ids: case.ids.clone(),
        bytes: Vec::new(),
    };
    let rows: Vec<Row> = stored.cases.iter().map(row).collect();
    let read = model.run(&rows)?;
    let mut found = Found {
        cases: rows.len(),
        tokens: 0,
        worst: 0.0,
        other_tokens: 0,
    };
    for (case, read) in stored.cases.iter().zip(&read) {
        found.tokens += read.len();
        if read.len() != case.log_probabilities.len() {
            found.worst = f32::INFINITY;
        }
        for (own, stored) in read.iter().zip(&case.log_probabilities) {
            let off = (own - stored).abs();
            // What is no number is not near.
            found.worst = if off.is_nan() {
                f32::INFINITY
            } else {
                found.worst.max(off)
            };
        }
    }
    for text in &stored.texts {
        if model.rows.ids(&text.text)? != text.ids {
            found.other_tokens += 1;
        }
    }
    Ok(found)
}
