//! A code language model that tract runs: Footnote's own, and any decoder that was exported to ONNX
//! with its logits as output.
//!
//! [`graph`] reads the ONNX file and says which of the two it is, [`rows`] makes rows of tokens of
//! texts, `gpu` (feature `gpu`) runs a network that its kernels know on a GPU, and [`conformance`]
//! is what every runtime has to pass.

pub mod conformance;
#[cfg(feature = "gpu")]
pub mod gpu;
mod graph;
mod manifest;
mod rows;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use super::score::ami::{LanguageModel, ModelError, ModelInput, TokenProbability};
use crate::embed::ModelFiles;
use crate::embed::batch::plan;
use crate::onnx;
use graph::Graph;
use manifest::Manifest;
use rows::{Row, Rows};

/// Bytes of an ONNX file from which on it is refused: its numbers, its graph and what is computed
/// have to fit into the 4 GB that a worker has, and some of it is there twice while it is read.
const MAX_BYTES: f64 = 700e6;

/// Tokens of a row of a model that says nothing about its window: more do not make a block clearer.
const WINDOW: usize = 512;

/// What a model that a user brought has to read before it is taken.
const TRIAL: [ModelInput<'static>; 2] = [
    ModelInput::Text("def add(a, b):\n    return a + b\n"),
    ModelInput::About {
        block: "total = add(1, 2)",
        question: "What is added?",
    },
];

/// A decoder-only language model in ONNX, run by tract.
pub struct CodeModel {
    id: String,
    rows: Rows,
    graph: Graph,
}

impl CodeModel {
    /// A model of Footnote's own, with its `model.json`. Takes some tenths of a second.
    pub fn new(files: ModelFiles) -> Result<Self, ModelError> {
        let manifest = Manifest::read(&files)?;
        Ok(Self {
            rows: manifest.rows(files.tokenizer)?,
            graph: Graph::new(files.onnx)?,
            id: manifest.id,
        })
    }

    /// Whether a model of so many bytes can be loaded at all; asked before they are read.
    pub fn check_size(name: &str, bytes: f64) -> Result<(), ModelError> {
        onnx::check_size(name, bytes, MAX_BYTES).map_err(ModelError::Files)
    }

    /// A model that a user brought: a decoder with logits as output, in one ONNX file, and its
    /// `tokenizer.json`. `name` is what the file is called.
    pub fn brought(name: &str, onnx: Cow<[u8]>, tokenizer: &[u8]) -> Result<Self, ModelError> {
        Self::check_size(name, onnx.len() as f64)?;
        let id = onnx::brought_id(name, &onnx, tokenizer);
        // The tokeniser first: it is small, and often the one that was forgotten.
        let rows = Rows::new(tokenizer, None, WINDOW)?;
        Self::tried(id, rows, Graph::new(onnx)?)
    }

    /// As [`CodeModel::brought`], and its weights, if the GPU's kernels know its network; the error
    /// names what they do not know. The file is parsed once for both: it may be large.
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
        // That a graph can be planned does not mean that it runs.
        match model.read(&TRIAL) {
            Ok(_) => Ok(model),
            Err(ModelError::Run(why)) => Err(ModelError::Files(format!("it does not run: {why}"))),
            Err(error) => Err(error),
        }
    }

    /// What it makes of the trial, for others to be compared with.
    #[cfg(feature = "gpu")]
    fn known(&self) -> Result<gpu::Known, ModelError> {
        let rows = self.rows.ask(&TRIAL)?.rows;
        let expected = self.run(&rows)?;
        Ok(gpu::Known { rows, expected })
    }

    /// The natural logarithms of the probabilities of each row's scored tokens.
    fn run(&self, rows: &[Row]) -> Result<Vec<Vec<f32>>, ModelError> {
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
