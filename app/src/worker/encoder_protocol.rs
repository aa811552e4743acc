//! The wire between the pool and an encoder worker: texts in, vectors out, one a text, a token or a
//! line. Encoded with postcard, one message a `Uint8Array`, or a list of that and of files. An
//! encoder does one thing at a time and answers in order, so a batch should be short: what is sent
//! after it waits for its end.

use serde::{Deserialize, Serialize};

use super::protocol::PoolingView;

/// Names one batch. Never reused for the same worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BatchId(pub u32);

/// What the pool asks of an encoder. Anything sent before `EncoderEvent::Listening` is lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EncoderRequest {
    /// Load the model from this folder, an absolute URL that ends in `/`: a worker that was started
    /// from a `blob:` URL has no place of its own to start from. Events: `Ready` or `Failed`.
    Load { folder: String, gpu: GpuUse },
    /// Load a model that the user brought, on the processor. Its ONNX file and its tokeniser's
    /// travel beside the request, in this order. Events as of `Load`.
    LoadBrought { name: String, pooling: PoolingView },
    /// Events: `Encoded`, or `Failed` with this batch.
    Encode { id: BatchId, texts: Vec<String> },
    /// Events: `Read`, or `Failed` with this batch.
    Read {
        id: BatchId,
        detail: Detail,
        texts: Vec<String>,
    },
}

/// Whether a model may be computed on a GPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum GpuUse {
    #[default]
    Never,
    /// If it is one, and gives the vectors that are known.
    Real,
    /// Even if the processor only plays it, which is slower: for tests.
    Emulated,
}

impl GpuUse {
    /// As the page's address says, of which this follows the `?`: `gpu=off` uses none, `gpu=any`
    /// even one that the processor only plays, which tests need and no one else wants.
    pub fn of_query(query: &str) -> Self {
        let mut wishes = query
            .split('&')
            .filter_map(|part| part.strip_prefix("gpu="));
        match wishes.next() {
            Some("off") => Self::Never,
            Some("any") => Self::Emulated,
            _ => Self::Real,
        }
    }
}

/// Where a model is computed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Backend {
    /// With the reason why not on a GPU, if it was asked to.
    Cpu { refused: Option<String> },
    Gpu {
        /// What the browser calls it.
        name: String,
        /// What of it is used: `footnote_core::gpu::Tier`.
        tier: String,
    },
}

impl Default for Backend {
    fn default() -> Self {
        Self::Cpu { refused: None }
    }
}

/// What is wanted of a text that is looked at closer than by one vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Detail {
    /// The vectors of its tokens: `footnote_core::embed::TokenVectors`.
    Tokens,
    /// The sums of its lines' token vectors: `footnote_core::embed::LineVectors`.
    Lines,
}

/// What an encoder tells the pool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum EncoderEvent {
    /// The encoder hears requests from now on.
    Listening,
    Ready(ModelView),
    Encoded(EncodedBatch),
    Read {
        id: BatchId,
        /// One for each text, in order: `to_bytes` of what [`Detail`] names.
        texts: Vec<Vec<u8>>,
    },
    /// The model cannot be loaded (`batch` is empty; the encoder is of no use), or a batch failed.
    Failed {
        batch: Option<BatchId>,
        what: String,
    },
    /// The GPU failed; from now on the processor computes, the batch included that it failed on.
    /// That batch's own event follows.
    GpuLost {
        why: String,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelView {
    /// Part of a vector's key in storage, such as `all-MiniLM-L6-v2-int8`.
    pub id: String,
    pub dimension: u32,
    /// Texts are cut after so many tokens.
    pub max_tokens: u32,
    /// Milliseconds from `Load` to this event.
    pub load_ms: f64,
    pub backend: Backend,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EncodedBatch {
    pub id: BatchId,
    /// One for each text, in order: `footnote_core::index::Quantised::to_bytes`.
    pub vectors: Vec<Vec<u8>>,
    /// Tokens of all texts, after cutting: what the time depends on.
    pub tokens: u32,
    /// Milliseconds of computing.
    pub milliseconds: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_says_which_gpu_may_be_used() {
        for (query, wanted) in [
            ("", GpuUse::Real),
            ("gpu=off", GpuUse::Never),
            ("lang=en&gpu=any", GpuUse::Emulated),
            ("gpu=fast", GpuUse::Real),
        ] {
            assert_eq!(GpuUse::of_query(query), wanted, "{query}");
        }
    }
}
