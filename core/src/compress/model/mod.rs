//! A code language model that tract runs: Footnote's own, and any decoder that was exported to ONNX with its
//! logits as output.
//!
//! [`graph`] reads the ONNX file and says which of the two it is, [`rows`] makes rows of tokens of texts, and
//! [`conformance`] is what every runtime has to pass.

pub mod conformance;
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
use rows::{Row, Rows, Signs};

/// Bytes of an ONNX file from which on it is refused: its numbers, its graph and what is computed have to fit into the
/// 4 GB that a worker has, and some of it is there twice while it is read.
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
        let signs = Signs {
            start: vec![manifest.tokens.end],
            separator: vec![manifest.tokens.separator],
        };
        Ok(Self {
            id: manifest.id,
            rows: Rows::new(files.tokenizer, Some(signs), manifest.context)?,
            graph: Graph::new(files.onnx)?,
        })
    }

    /// Whether a model of so many bytes can be loaded at all; asked before they are read.
    pub fn check_size(name: &str, bytes: f64) -> Result<(), ModelError> {
        onnx::check_size(name, bytes, MAX_BYTES).map_err(ModelError::Files)
    }

    /// A model that a user brought: a decoder with logits as output, in one ONNX file, and its `tokenizer.json`.
    /// `name` is what the file is called.
    pub fn brought(name: &str, onnx: Cow<[u8]>, tokenizer: &[u8]) -> Result<Self, ModelError> {
        Self::check_size(name, onnx.len() as f64)?;
        let id = onnx::brought_id(name, &onnx, tokenizer);
        // The tokeniser first: it is small, and often the one that was forgotten.
        let mut rows = Rows::new(tokenizer, None, WINDOW)?;
        let graph = Graph::new(onnx)?;
        rows.limit(graph.most_tokens());
        let mut model = Self { id, rows, graph };
        // That a graph can be planned does not mean that it runs.
        match model.read(&TRIAL) {
            Ok(_) => Ok(model),
            Err(ModelError::Run(why)) => Err(ModelError::Files(format!("it does not run: {why}"))),
            Err(error) => Err(error),
        }
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
        let mut rows = Vec::new();
        let mut owners = Vec::new();
        for (at, input) in inputs.iter().enumerate() {
            let own = self.rows.of(input)?;
            owners.extend(own.iter().map(|_| at));
            rows.extend(own);
        }
        let mut read = vec![Vec::new(); inputs.len()];
        let scores = self.run(&rows)?;
        for ((row, scores), at) in rows.into_iter().zip(scores).zip(owners) {
            let tokens = row.bytes.into_iter().zip(scores);
            let tokens = tokens.map(|(bytes, ln)| TokenProbability { bytes, ln });
            if let Some(slot) = read.get_mut(at) {
                slot.extend(tokens);
            }
        }
        Ok(read)
    }
}
