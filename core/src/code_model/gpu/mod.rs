//! The code language model on a GPU, through wgpu: the same model file, the same log-probabilities.
//!
//! [`network`] reads the weights from the ONNX file; [`program`] holds them on the device and runs
//! the kernels of `core/shaders`. Code shared with the encoder is in [`crate::gpu`]. Rows of
//! different lengths are packed without padding. The product with the vocabulary is reduced on the
//! device, word by word: for each scored token only one number comes back. The caller opens the
//! device.
//!
//! Scores do not say where they were computed: a GPU's equal the CPU's within the tolerance of
//! [`conformance`](super::conformance), so scores stored under the model's id hold for both.

mod network;
mod program;
mod reader;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use super::conformance::{PERPLEXITY_TOLERANCE, Stored, relative_difference};
use super::manifest::Manifest;
use super::rows::{Row, Rows};
use super::{CodeModel, ModelError, ModelInput, TokenProbability};
use crate::embed::ModelFiles;
use crate::gpu::trouble::Trouble;
use crate::gpu::{Tier, batch};
use crate::onnx;
use network::Network;
use program::{MAX_TOKENS, Packed, Program};

/// Some of the tests' stored probabilities, compiled in: rows of different lengths, one with a
/// block.
const SELF_TEST: &[u8] = include_bytes!("self_test.json");

/// The weights of a model whose network the kernels support.
pub struct Weights(Network);

impl Weights {
    /// Finds the weights in an ONNX file. The error names what the kernels do not support.
    pub fn read(onnx: Cow<[u8]>) -> Result<Self, ModelError> {
        let proto = onnx::read(onnx)
            .map_err(|error| ModelError::Files(format!("model.onnx: {error:#}")))?;
        Self::of(&proto).map_err(|what| ModelError::Files(format!("model.onnx: {what}")))
    }

    /// The weights of a file that is already parsed.
    pub(super) fn of(proto: &tract_onnx::pb::ModelProto) -> Result<Self, String> {
        let graph = proto.graph.as_ref().ok_or("it contains no graph")?;
        Network::read(graph).map(Self)
    }
}

/// Rows whose log-probabilities are known.
pub(super) struct Known {
    pub(super) rows: Vec<Row>,
    pub(super) expected: Vec<Vec<f32>>,
}

impl Known {
    fn stored() -> Result<Self, ModelError> {
        let stored = Stored::read(SELF_TEST)?;
        let expected = stored.cases.iter().map(|it| it.log_probabilities.clone());
        Ok(Self {
            rows: stored.rows(),
            expected: expected.collect(),
        })
    }
}

/// Runs a code language model on a GPU.
pub struct GpuCodeModel {
    id: String,
    rows: Rows,
    network: Network,
    tier: Tier,
    program: Program,
    trouble: Trouble,
}

impl GpuCodeModel {
    /// Uploads one of Footnote's own models to a device that was opened with `tier`'s features, or
    /// [`Tier::limits`] at least, and tests it on rows whose probabilities are known. If that
    /// fails, lower tiers are tried. [`ModelError::Device`] means that this device must not be
    /// used, and says why.
    pub async fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        tier: Tier,
        files: ModelFiles<'_>,
    ) -> Result<Self, ModelError> {
        let manifest = Manifest::read(&files)?;
        let rows = manifest.rows(files.tokenizer)?;
        let Weights(network) = Weights::read(files.onnx)?;
        Self::opened(
            device,
            queue,
            tier,
            (manifest.id, rows, network),
            &Known::stored()?,
        )
        .await
    }

    /// Uploads a model that a user brought and that `on_cpu` can run too; the device has to give
    /// the same results for two short texts. Errors are those of [`GpuCodeModel::new`].
    pub async fn brought(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        tier: Tier,
        weights: Weights,
        on_cpu: &CodeModel,
    ) -> Result<Self, ModelError> {
        let known = on_cpu.known()?;
        let model = (on_cpu.id.clone(), on_cpu.rows.clone(), weights.0);
        Self::opened(device, queue, tier, model, &known).await
    }

    async fn opened(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        tier: Tier,
        (id, rows, network): (String, Rows, Network),
        known: &Known,
    ) -> Result<Self, ModelError> {
        if rows.window() > MAX_TOKENS {
            let what = format!("rows of {} tokens do not fit on the device", rows.window());
            return Err(ModelError::Device(what));
        }
        let trouble = Trouble::watch(device);
        let program = first_that_works(device, queue, tier, &network, known).await;
        let (tier, program) = program.map_err(ModelError::Device)?;
        trouble.clear();
        Ok(Self {
            id,
            rows,
            network,
            tier,
            program,
            trouble,
        })
    }

    /// The model's id, the same as on the CPU, because the scores are the same.
    pub fn model_id(&self) -> &str {
        &self.id
    }

    /// The tier in use.
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// The tokens of each text or question, in order, as
    /// [`LanguageModel::read`](super::LanguageModel::read) returns them. [`ModelError::Device`]
    /// means that the device is lost or no longer to be trusted: this model returns no more
    /// results.
    pub async fn read(
        &mut self,
        inputs: &[ModelInput<'_>],
    ) -> Result<Vec<Vec<TokenProbability>>, ModelError> {
        let asked = self.rows.ask(inputs)?;
        let scores = run(&self.program, &self.network, &asked.rows).await?;
        match self.trouble.get() {
            Some(what) => Err(ModelError::Device(what)),
            None => Ok(asked.answered(scores)),
        }
    }
}

/// The log-probabilities of each row's scored tokens.
async fn run(
    program: &Program,
    network: &Network,
    rows: &[Row],
) -> Result<Vec<Vec<f32>>, ModelError> {
    let mut ids = rows.iter().flat_map(|row| &row.ids);
    if !ids.all(|&id| (id as usize) < network.vocabulary()) {
        let what = "the tokenizer makes tokens that the model does not know";
        return Err(ModelError::Run(what.to_owned()));
    }
    let mut all = Vec::new();
    for batch in batches(rows) {
        let found = program.run(&Packed::new(&batch, network)).await;
        all.extend(found.map_err(ModelError::Device)?);
    }
    let mut all = all.into_iter();
    let own = |row: &Row| all.by_ref().take(row.scored.len()).collect();
    Ok(rows.iter().map(own).collect())
}

/// Batches of the rows that have tokens to score, each small enough for a program.
fn batches(rows: &[Row]) -> Vec<Vec<&Row>> {
    let asked = rows.iter().filter(|row| !row.scored.is_empty());
    batch::batches(asked, |row| row.ids.len(), MAX_TOKENS)
}

async fn first_that_works(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    tier: Tier,
    network: &Network,
    known: &Known,
) -> Result<(Tier, Program), String> {
    let open = async |tier| {
        let program = Program::new(device, queue, tier, network).await?;
        self_test(&program, network, known).await?;
        Ok(program)
    };
    tier.first_that_works(open).await
}

/// Checks that a program gives the known perplexities.
async fn self_test(program: &Program, network: &Network, known: &Known) -> Result<(), String> {
    let read = run(program, network, &known.rows).await;
    let read = read.map_err(|error| error.to_string())?;
    for ((row, own), expected) in known.rows.iter().zip(&read).zip(&known.expected) {
        let off = relative_difference(own, expected);
        // A NaN fails too.
        let is_right = off < PERPLEXITY_TOLERANCE;
        if !is_right {
            return Err(format!(
                "its results are wrong: the perplexity of {} tokens is off by {:.1} %",
                row.scored.len(),
                off * 100.0
            ));
        }
    }
    Ok(())
}
