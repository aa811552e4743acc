//! The ONNX file: its inputs, its output, and how to run it.

use std::borrow::Cow;

use tract_onnx::pb::ModelProto;
use tract_onnx::prelude::*;
use tract_onnx::tract_hir::internal::{
    DimLike, Factoid, InferenceModelExt, TractErrorContext, bail, ensure,
};

use super::ModelError;
use super::rows::Row;

/// Most tokens per run, padding included.
const BATCH_TOKENS: usize = 512;
/// Most output values per run if the graph returns logits; each has 4 bytes.
const MAX_LOGITS: usize = 32_000_000;

/// The meaning of each of a graph's inputs, in the graph's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Input {
    Ids,
    /// The places to score: only Footnote's own form has this input.
    Scored,
    Mask,
    Places,
}

/// What the graph returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Output {
    /// `[rows, scored]`, for the token after each place.
    LogProbabilities,
    /// `[rows, tokens, vocabulary]`
    Logits { vocabulary: usize },
}

/// A graph, ready to run.
pub(crate) struct Graph {
    inputs: Vec<(Input, DatumType)>,
    output: Output,
    plan: Arc<TypedRunnableModel>,
}

impl Graph {
    /// Reads a graph. The error says why it cannot be run.
    pub(crate) fn new(onnx: Cow<[u8]>) -> Result<Self, ModelError> {
        Ok(Self::with(onnx, |_| ())?.0)
    }

    /// Reads a graph, and something else from the same file before it is freed.
    pub(crate) fn with<T>(
        onnx: Cow<[u8]>,
        look: impl FnOnce(&ModelProto) -> T,
    ) -> Result<(Self, T), ModelError> {
        let read = || {
            let proto = crate::onnx::read(onnx)?;
            let seen = look(&proto);
            Ok((Self::planned(proto)?, seen))
        };
        let read: TractResult<_> = read();
        read.map_err(|error| ModelError::Files(format!("model.onnx: {error:#}")))
    }

    fn planned(proto: ModelProto) -> TractResult<Self> {
        let onnx = tract_onnx::onnx().with_ignore_value_info(true);
        let mut model = crate::onnx::model(&onnx, proto)?;
        let inputs = set_inputs(&mut model)?;
        let typed = model.into_optimized()?;
        let output = output(&typed, &inputs)?;
        Ok(Self {
            inputs,
            output,
            plan: typed.into_runnable()?,
        })
    }

    /// Most tokens per run, padding included.
    pub(crate) fn most_tokens(&self) -> usize {
        match self.output {
            Output::LogProbabilities => BATCH_TOKENS,
            Output::Logits { vocabulary } => BATCH_TOKENS.min(MAX_LOGITS / vocabulary.max(1)),
        }
    }

    /// The log-probabilities of each row's scored tokens. No row may be empty.
    pub(crate) fn run(&self, rows: &[&Row]) -> TractResult<Vec<Vec<f32>>> {
        if let Output::Logits { vocabulary } = self.output {
            let mut ids = rows.iter().flat_map(|row| &row.ids);
            ensure!(
                ids.all(|id| (*id as usize) < vocabulary),
                "the tokenizer makes tokens that the model does not know"
            );
        }
        let tokens = rows.iter().map(|row| row.ids.len()).max().unwrap_or(0);
        let scored = rows.iter().map(|row| row.scored.len()).max().unwrap_or(0);
        let mut inputs = tvec!();
        for &(input, kind) in &self.inputs {
            let width = match input {
                Input::Scored => scored,
                _ => tokens,
            };
            let values = rows
                .iter()
                .flat_map(|row| (0..width).map(|at| value(input, row, at)));
            let tensor = tract_ndarray::Array2::from_shape_vec(
                (rows.len(), width),
                values.collect::<Vec<i64>>(),
            )?
            .into_tensor();
            inputs.push(tensor.cast_to_dt(kind)?.into_owned().into());
        }
        let outputs = self.plan.run(inputs)?;
        let output = outputs.first().context("the model has no output")?;
        let output = output.cast_to::<f32>()?;
        let values = output.try_as_plain_ram()?.as_slice::<f32>()?;
        let width = match self.output {
            Output::LogProbabilities => scored,
            Output::Logits { vocabulary } => tokens * vocabulary,
        };
        ensure!(
            values.len() == rows.len() * width && width > 0,
            "the model's output has the shape {:?}",
            output.shape()
        );
        let each = rows.iter().zip(values.chunks_exact(width));
        Ok(each.map(|(row, values)| self.scores(row, values)).collect())
    }

    fn scores(&self, row: &Row, values: &[f32]) -> Vec<f32> {
        match self.output {
            Output::LogProbabilities => values.iter().copied().take(row.scored.len()).collect(),
            Output::Logits { vocabulary } => row
                .scored
                .clone()
                .map(|at| {
                    let logits = values.get((at - 1) * vocabulary..at * vocabulary);
                    let id = row.ids.get(at).copied().unwrap_or_default() as usize;
                    log_softmax(logits.unwrap_or_default(), id)
                })
                .collect(),
        }
    }
}

/// The value of an input. Rows are padded on the right, where a decoder does not look.
fn value(input: Input, row: &Row, at: usize) -> i64 {
    match input {
        Input::Ids => row.ids.get(at).copied().unwrap_or_default().into(),
        Input::Scored if at < row.scored.len() => (row.scored.start + at) as i64 - 1,
        Input::Scored => 0,
        Input::Mask => i64::from(at < row.ids.len()),
        Input::Places => at as i64,
    }
}

/// The logarithm of a token's probability; a very low one if the model does not know the token.
fn log_softmax(logits: &[f32], id: usize) -> f32 {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = logits.iter().map(|logit| (logit - most).exp()).sum();
    match logits.get(id) {
        Some(logit) => logit - most - sum.ln(),
        None => f32::MIN_POSITIVE.ln(),
    }
}

/// Recognises the inputs by name, and makes their numbers of rows and tokens variable.
fn set_inputs(model: &mut InferenceModel) -> TractResult<Vec<(Input, DatumType)>> {
    let (rows, tokens, scored) = (
        model.symbols.sym("rows").to_dim(),
        model.symbols.sym("tokens").to_dim(),
        model.symbols.sym("scored").to_dim(),
    );
    let mut known = Vec::new();
    for (at, outlet) in model.input_outlets()?.to_vec().into_iter().enumerate() {
        let name = model.node(outlet.node).name.clone();
        let input = match name.as_str() {
            "ids" | "input_ids" => Input::Ids,
            "positions" => Input::Scored,
            "attention_mask" => Input::Mask,
            "position_ids" => Input::Places,
            name if name.starts_with("past_key_values") => {
                bail!("it needs the keys and values of earlier tokens; export it without a cache")
            }
            name => bail!("it has the unknown input {name}"),
        };
        let kind = model.input_fact(at)?.datum_type.concretize();
        let kind = kind.unwrap_or(i64::datum_type());
        let width = match input {
            Input::Scored => scored.clone(),
            _ => tokens.clone(),
        };
        model.set_input_fact(
            at,
            InferenceFact::dt_shape(kind, tvec!(rows.clone(), width)),
        )?;
        known.push((input, kind));
    }
    ensure!(
        known.iter().any(|(input, _)| *input == Input::Ids),
        "it has no input named input_ids"
    );
    Ok(known)
}

fn output(model: &TypedModel, inputs: &[(Input, DatumType)]) -> TractResult<Output> {
    let shape = &model.output_fact(0)?.shape;
    if inputs.iter().any(|(input, _)| *input == Input::Scored) {
        ensure!(
            shape.rank() == 2,
            "it has an input positions, but gives no probabilities of places"
        );
        return Ok(Output::LogProbabilities);
    }
    match shape.dims() {
        [_, _, vocabulary] => Ok(Output::Logits {
            vocabulary: vocabulary.to_usize()?,
        }),
        dims => bail!(
            "its first output has {} dimensions instead of the 3 of logits",
            dims.len()
        ),
    }
}
