//! The wire between the pool and an encoder worker: texts in; vectors out, one per text, token or
//! line. Encoded with postcard, one message per `Uint8Array`, or a list of a `Uint8Array` and
//! files. An encoder does one thing at a time and answers in order, so batches should be short:
//! whatever is sent next waits for the current one to end.

use serde::{Deserialize, Serialize};

/// How the vectors of a text's tokens are combined into one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PoolingView {
    /// Their mean.
    #[default]
    Mean,
    /// The first token's vector.
    First,
}

/// Identifies one batch. Never reused for the same worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BatchId(pub u32);

/// A request from the pool to an encoder. Anything sent before `EncoderEvent::Listening` is lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EncoderRequest {
    /// Load the model from this folder, an absolute URL that ends in `/`, because a worker started
    /// from a `blob:` URL cannot resolve relative addresses. Events: `Ready` or `Failed`.
    Load { folder: String, gpu: GpuUse },
    /// Load a model that the user added, on the processor. Its ONNX file and its tokeniser's file
    /// are attached to the request, in this order. Events as for `Load`.
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

/// Whether a model may run on a GPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum GpuUse {
    #[default]
    Never,
    /// Only on real hardware, and only if it computes the known vectors.
    Real,
    /// Also on an emulated GPU, which is slower: for tests.
    Emulated,
}

impl GpuUse {
    /// Reads the part after the `?` of the page's address: `gpu=off` uses no GPU, `gpu=any` also
    /// allows an emulated one, which only tests need.
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

/// Where a model runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Backend {
    /// With the reason for not using a GPU, if one was requested.
    Cpu { refused: Option<String> },
    Gpu {
        /// The browser's name for it.
        name: String,
        /// Which of its features are used: `footnote_core::gpu::Tier`.
        tier: String,
    },
}

impl Default for Backend {
    fn default() -> Self {
        Self::Cpu { refused: None }
    }
}

/// What to compute for a text beyond a single vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Detail {
    /// The vectors of its tokens: `footnote_core::embed::TokenVectors`.
    Tokens,
    /// The sums of its lines' token vectors: `footnote_core::embed::LineVectors`.
    Lines,
}

/// An event from an encoder to the pool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum EncoderEvent {
    /// The encoder accepts requests from now on.
    Listening,
    Ready(ModelView),
    Encoded(EncodedBatch),
    Read {
        id: BatchId,
        /// One per text, in order: `to_bytes` of the type that [`Detail`] names.
        texts: Vec<Vec<u8>>,
    },
    /// The model cannot be loaded (`batch` is empty; the encoder is useless), or a batch failed.
    Failed {
        batch: Option<BatchId>,
        what: String,
    },
    /// The GPU failed; from now on the processor computes, including the batch during which the GPU
    /// failed. That batch's own event follows.
    GpuLost {
        why: String,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelView {
    /// Part of a vector's key in storage, such as `all-MiniLM-L6-v2-int8`.
    pub id: String,
    pub dimension: u32,
    /// Texts are cut after this many tokens.
    pub max_tokens: u32,
    /// Milliseconds from `Load` to this event.
    pub load_ms: f64,
    pub backend: Backend,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EncodedBatch {
    pub id: BatchId,
    /// One per text, in order: `footnote_core::embed::Quantised::to_bytes`.
    pub vectors: Vec<Vec<u8>>,
    /// Tokens of all texts, after cutting; the time depends on them.
    pub tokens: u32,
    /// Milliseconds spent computing.
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
