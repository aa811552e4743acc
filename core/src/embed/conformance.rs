//! The test that every backend has to pass: it compares with the stored vectors of another runtime,
//! and checks that a vector does not depend on the texts beside it. Each backend's tests call it.

use serde::Deserialize;

use super::{EmbedError, Embedder, Embedding};

/// Least cosine of a backend's vector and the stored one.
pub(crate) const LEAST_COSINE: f32 = 0.999;

/// Least cosine of a text's vector computed alone and in a batch.
pub(crate) const LEAST_COSINE_IN_BATCH: f32 = 0.99999;

/// Two texts and their cosine, as published for all-MiniLM-L6-v2.
pub(crate) const PUBLISHED: [(&str, &str, f32); 2] = [
    (
        "That is a happy person",
        "That is a very happy person",
        0.943,
    ),
    ("That is a happy person", "Today is a sunny day", 0.257),
];
/// The largest allowed difference from a published cosine.
pub(crate) const PUBLISHED_TOLERANCE: f32 = 0.02;

/// Texts with their token ids and vectors, computed by onnxruntime.
#[derive(Clone, Debug, Deserialize)]
pub struct Stored {
    /// Name and version of the runtime that computed them.
    pub runtime: String,
    /// The id of the model they belong to.
    pub model: String,
    /// Short and long texts, code and prose.
    pub cases: Vec<StoredCase>,
}

/// One text.
#[derive(Clone, Debug, Deserialize)]
pub struct StoredCase {
    /// The text to embed.
    pub text: String,
    /// Its tokens, with the two special ones.
    pub ids: Vec<u32>,
    /// Its vector, of unit length.
    pub vector: Vec<f32>,
}

impl Stored {
    /// Reads `tests/fixtures/embeddings/vectors.json`.
    pub fn read(json: &[u8]) -> Result<Self, EmbedError> {
        serde_json::from_slice(json)
            .map_err(|error| EmbedError::Model(format!("stored vectors: {error}")))
    }
}

/// Runs the suite. Returns what fails, one sentence each.
pub fn check(embedder: &mut dyn Embedder, stored: &Stored) -> Result<Vec<String>, EmbedError> {
    let mut problems = Vec::new();
    if embedder.model_id() != stored.model {
        problems.push(format!(
            "{} is not the stored {}",
            embedder.model_id(),
            stored.model
        ));
    }
    let texts: Vec<&str> = stored.cases.iter().map(|case| case.text.as_str()).collect();
    let together = embedder.embed(&texts)?;
    if together.len() != texts.len() {
        problems.push(format!(
            "{} texts gave {} vectors",
            texts.len(),
            together.len()
        ));
    }
    for (case, vector) in stored.cases.iter().zip(&together) {
        let expected = Embedding::from_raw(case.vector.clone());
        let [alone] = embedder
            .embed(&[&case.text])?
            .try_into()
            .unwrap_or_else(|_| [Embedding::from_raw(Vec::new())]);
        let mut least = |what: &str, a: &Embedding, b: &Embedding, least: f32| {
            // Written so that NaN fails too.
            let cosine = a.cosine(b);
            if !(cosine > least && a.values().len() == b.values().len()) {
                problems.push(format!("{what} {cosine} for {:?}", case.text));
            }
        };
        least(
            "cosine with the stored vector is",
            vector,
            &expected,
            LEAST_COSINE,
        );
        least(
            "cosine of batch and single is",
            vector,
            &alone,
            LEAST_COSINE_IN_BATCH,
        );
    }
    for (first, second, expected) in PUBLISHED {
        if let [a, b] = embedder.embed(&[first, second])?.as_slice() {
            let cosine = a.cosine(b);
            let near = (cosine - expected).abs() <= PUBLISHED_TOLERANCE;
            // NaN is never near.
            if !near {
                problems.push(format!(
                    "cosine of {first:?} and {second:?} is {cosine}, published {expected}"
                ));
            }
        }
    }
    Ok(problems)
}
