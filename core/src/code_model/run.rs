//! Runs a model in tract.

use std::borrow::Cow;

#[cfg(feature = "gpu")]
use super::gpu;
use super::graph::Graph;
use super::manifest::Manifest;
use super::rows::{Row, Rows};
use super::{LanguageModel, ModelError, ModelInput, TokenProbability};
use crate::embed::ModelFiles;
use crate::embed::batch::plan;
use crate::onnx;

/// Larger ONNX files are refused: weights, graph and intermediate results have to fit into a
/// worker's 4 GB, and some of them exist twice while the file is read.
const MAX_BYTES: f64 = 700e6;

/// Tokens per row of a model that does not state its window: more do not make a block clearer.
const WINDOW: usize = 512;

/// What a model that a user brought has to read before it is accepted.
const TRIAL: [ModelInput<'static>; 2] = [
    ModelInput::Text("def add(a, b):\n    return a + b\n"),
    ModelInput::About {
        block: "total = add(1, 2)",
        question: "What is added?",
    },
];

/// A decoder-only language model in ONNX, run by tract.
pub struct CodeModel {
    pub(super) id: String,
    pub(super) rows: Rows,
    graph: Graph,
}

impl CodeModel {
    /// One of Footnote's own models, with its `model.json`. Takes some tenths of a second.
    pub fn new(files: ModelFiles) -> Result<Self, ModelError> {
        let manifest = Manifest::read(&files)?;
        Ok(Self {
            rows: manifest.rows(files.tokenizer)?,
            graph: Graph::new(files.onnx)?,
            id: manifest.id,
        })
    }

    /// Checks whether a model of this size can be loaded at all; called before its bytes are read.
    pub fn check_size(name: &str, bytes: f64) -> Result<(), ModelError> {
        onnx::check_size(name, bytes, MAX_BYTES).map_err(ModelError::Files)
    }

    /// A model that a user brought: a decoder that returns logits, in one ONNX file, and its
    /// `tokenizer.json`. `name` is the file's name.
    pub fn brought(name: &str, onnx: Cow<[u8]>, tokenizer: &[u8]) -> Result<Self, ModelError> {
        Self::check_size(name, onnx.len() as f64)?;
        let id = onnx::brought_id(name, &onnx, tokenizer);
        // The tokeniser first: it is small, and often the file that was forgotten.
        let rows = Rows::new(tokenizer, None, WINDOW)?;
        Self::tried(id, rows, Graph::new(onnx)?)
    }

    /// As [`CodeModel::brought`], with its weights if the GPU's kernels support its network; the
    /// error names what they do not support. The file is parsed only once, because it may be large.
    #[cfg(feature = "gpu")]
    pub fn brought_with_weights(
        name: &str,
        onnx: Cow<[u8]>,
        tokenizer: &[u8],
    ) -> Result<(Self, Result<gpu::Weights, String>), ModelError> {
        Self::check_size(name, onnx.len() as f64)?;
        let id = onnx::brought_id(name, &onnx, tokenizer);
        let rows = Rows::new(tokenizer, None, WINDOW)?;
        let (graph, weights) = Graph::with(onnx, gpu::Weights::of)?;
        Ok((Self::tried(id, rows, graph)?, weights))
    }

    fn tried(id: String, mut rows: Rows, graph: Graph) -> Result<Self, ModelError> {
        rows.limit(graph.most_tokens());
        let mut model = Self { id, rows, graph };
        // A graph that can be planned may still fail to run.
        match model.read(&TRIAL) {
            Ok(_) => Ok(model),
            Err(ModelError::Run(why)) => Err(ModelError::Files(format!("it does not run: {why}"))),
            Err(error) => Err(error),
        }
    }

    /// Its results for the trial, to compare a GPU's with.
    #[cfg(feature = "gpu")]
    pub(super) fn known(&self) -> Result<gpu::Known, ModelError> {
        let rows = self.rows.ask(&TRIAL)?.rows;
        let expected = self.run(&rows)?;
        Ok(gpu::Known { rows, expected })
    }

    /// The natural logarithms of the probabilities of each row's scored tokens.
    pub(super) fn run(&self, rows: &[Row]) -> Result<Vec<Vec<f32>>, ModelError> {
        let mut all = vec![Vec::new(); rows.len()];
        let asked: Vec<(usize, &Row)> = rows
            .iter()
            .enumerate()
            .filter(|(_, row)| !row.scored.is_empty())
            .collect();
        let lengths: Vec<usize> = asked.iter().map(|(_, row)| row.ids.len()).collect();
        for batch in plan(&lengths, self.graph.most_tokens()) {
            let asked = batch.texts.iter().filter_map(|&at| asked.get(at).copied());
            let (places, own): (Vec<usize>, Vec<&Row>) = asked.unzip();
            let read = self
                .graph
                .run(&own)
                .map_err(|error| ModelError::Run(format!("{error:#}")))?;
            for (at, read) in places.into_iter().zip(read) {
                if let Some(slot) = all.get_mut(at) {
                    *slot = read;
                }
            }
        }
        Ok(all)
    }
}

impl LanguageModel for CodeModel {
    fn model_id(&self) -> &str {
        &self.id
    }

    fn read(
        &mut self,
        inputs: &[ModelInput<'_>],
    ) -> Result<Vec<Vec<TokenProbability>>, ModelError> {
        let asked = self.rows.ask(inputs)?;
        let scores = self.run(&asked.rows)?;
        Ok(asked.answered(scores))
    }
}
