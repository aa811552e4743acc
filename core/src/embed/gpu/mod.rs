//! The embedder on a GPU, through wgpu: the same model file, the same vectors.
//!
//! [`network`] reads the weights from the ONNX file; [`program`] holds them on the device and runs
//! the kernels of `core/shaders`. Code shared with the code language model is in [`crate::gpu`].
//! Texts of different lengths are packed without padding, activations stay on the device, and a
//! batch is read back once. The caller opens the device.

mod network;
mod program;

#[cfg(test)]
mod tests;

use super::conformance::{LEAST_COSINE, Stored};
use super::cpu::Encoded;
use super::tokenizer::Tokenizer;
use super::{EmbedError, Embedding, Manifest, ModelFiles, Pooling};
use crate::gpu::trouble::Trouble;
use crate::gpu::{Tier, batch};
use network::Network;
use program::{MAX_TOKENS, Program};

/// Some of the tests' stored vectors, compiled in: texts of different lengths.
const SELF_TEST: &[u8] = include_bytes!("self_test.json");

/// Runs an ONNX encoder on a GPU.
pub struct GpuEmbedder {
    manifest: Manifest,
    tokenizer: Tokenizer,
    vocabulary: usize,
    tier: Tier,
    program: Program,
    trouble: Trouble,
}

impl GpuEmbedder {
    /// Uploads the model to a device that was opened with `tier`'s features, or [`Tier::limits`] at
    /// least, and tests it on texts whose vectors are known. If that fails, lower tiers are tried.
    /// An error means that this device must not be used, and says why.
    pub async fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        tier: Tier,
        files: ModelFiles<'_>,
    ) -> Result<Self, EmbedError> {
        let manifest = Manifest::read(&files)?;
        let tokenizer = Tokenizer::new(files.tokenizer, manifest.max_tokens)?;
        if manifest.pooling != Pooling::Mean {
            let what = "the kernels can only make a text's vector as the mean of its tokens' \
                        vectors"
                .to_owned();
            return Err(EmbedError::Model(what));
        }
        let network = Network::read(files.onnx)?;
        if network.hidden != manifest.dimension || network.window() < manifest.max_tokens {
            let what = "the width or window of model.onnx differs from what model.json says";
            return Err(EmbedError::Model(what.to_owned()));
        }
        let trouble = Trouble::watch(device);
        let program = Self::first_that_works(device, queue, tier, &network, &tokenizer).await;
        let (tier, program) = program.map_err(EmbedError::Device)?;
        trouble.clear();
        Ok(Self {
            manifest,
            tokenizer,
            vocabulary: network.vocabulary(),
            tier,
            program,
            trouble,
        })
    }

    async fn first_that_works(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        tier: Tier,
        network: &Network,
        tokenizer: &Tokenizer,
    ) -> Result<(Tier, Program), String> {
        let open = async |tier| {
            let program = Program::new(device, queue, tier, network).await?;
            self_test(&program, tokenizer).await?;
            Ok(program)
        };
        tier.first_that_works(open).await
    }

    /// The id of the model and its precision, the same as on the CPU, because the vectors are the
    /// same.
    pub fn model_id(&self) -> &str {
        &self.manifest.id
    }

    /// Length of the vectors.
    pub fn dimension(&self) -> usize {
        self.manifest.dimension
    }

    /// Texts are cut after this many tokens.
    pub fn max_tokens(&self) -> usize {
        self.manifest.max_tokens
    }

    /// The tier in use.
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// One vector for each text, in order, and a count of the tokens. [`EmbedError::Device`] means
    /// that the device is lost or no longer to be trusted: this embedder returns no more vectors.
    pub async fn encode(&mut self, texts: &[&str]) -> Result<Encoded, EmbedError> {
        let ids: Vec<Vec<u32>> = texts
            .iter()
            .map(|text| self.tokenizer.encode(text))
            .collect::<Result<_, _>>()?;
        let mut all = ids.iter().flatten();
        if !all.all(|&id| (id as usize) < self.vocabulary) {
            let what = "the tokenizer makes tokens that the model does not know";
            return Err(EmbedError::Run(what.to_owned()));
        }
        let mut embeddings = Vec::with_capacity(texts.len());
        for batch in batches(&ids) {
            let values = self.program.run(&batch).await.map_err(EmbedError::Device)?;
            if let Some(what) = self.trouble.get() {
                return Err(EmbedError::Device(what));
            }
            let vectors = values.chunks_exact(self.dimension());
            embeddings.extend(vectors.map(|vector| Embedding::from_raw(vector.to_vec())));
        }
        Ok(Encoded {
            embeddings,
            tokens: ids.iter().map(Vec::len).sum(),
        })
    }
}

/// Checks that a program gives the known vectors.
async fn self_test(program: &Program, tokenizer: &Tokenizer) -> Result<(), String> {
    let stored = Stored::read(SELF_TEST).map_err(|error| error.to_string())?;
    let mut ids = Vec::new();
    for case in &stored.cases {
        let own = tokenizer.encode(&case.text);
        ids.push(own.map_err(|error| error.to_string())?);
    }
    let ids: Vec<&[u32]> = ids.iter().map(Vec::as_slice).collect();
    let values = program.run(&ids).await?;
    for (at, case) in stored.cases.iter().enumerate() {
        let size = case.vector.len();
        let own = values.get(at * size..(at + 1) * size).unwrap_or_default();
        let cosine =
            Embedding::from_raw(own.to_vec()).cosine(&Embedding::from_raw(case.vector.clone()));
        // NaN fails too.
        let is_right = cosine > LEAST_COSINE;
        if !is_right {
            return Err(format!(
                "its results are wrong: a text of {} tokens has a cosine of {cosine} with its \
                 known vector",
                case.ids.len()
            ));
        }
    }
    Ok(())
}

/// Tokenised texts in batches, each small enough for a program.
fn batches(texts: &[Vec<u32>]) -> Vec<Vec<&[u32]>> {
    let texts = texts.iter().map(Vec::as_slice);
    batch::batches(texts, |text| text.len(), MAX_TOKENS)
}
