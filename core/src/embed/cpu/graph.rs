//! An encoder's ONNX file: its inputs, its outputs, and how to run it.

use std::borrow::Cow;

use tract_onnx::pb::ModelProto;
use tract_onnx::prelude::*;
use tract_onnx::tract_hir::internal::{
    DimLike, Factoid, InferenceModelExt, TractErrorContext, bail, ensure,
};

use super::product::Kernel;
use super::{fuse, ops};
use crate::embed::batch::Batch;

/// The meaning of each of a graph's inputs, in the graph's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Input {
    Ids,
    /// 1 for a token, 0 for padding.
    Mask,
    /// Which of two texts a token belongs to: always the first.
    Segment,
    Place,
}

/// The names that exporters give to the vectors of the tokens.
const HIDDEN: [&str; 2] = ["last_hidden_state", "token_embeddings"];
/// The name that exporters give to the vector of the text, if they export one.
const SENTENCE: &str = "sentence_embedding";

/// A graph, ready to run.
pub(super) struct Graph {
    inputs: Vec<(Input, DatumType)>,
    /// Length of a token's vector.
    pub dimension: usize,
    plan: Arc<TypedRunnableModel>,
}

/// A graph's outputs for a batch.
pub(super) struct States {
    /// The last hidden state: `[texts, length, dimension]`.
    pub tokens: Vec<f32>,
    /// The vectors of the texts, `[texts, dimension]`, if the graph computes them too.
    pub texts: Option<Vec<f32>>,
}

impl Graph {
    /// Reads the graph, fuses its layers and lets tract plan the rest.
    ///
    /// Of the model's successive forms at most two exist at a time, because a browser never gets
    /// back the peak of its memory.
    pub fn new(bytes: Cow<[u8]>, kernel: Kernel) -> TractResult<Self> {
        let mut proto = crate::onnx::read(bytes)?;
        if let Some(graph) = &mut proto.graph {
            fuse::fuse(graph);
        }
        let wanted = wanted_outputs(&proto);
        let mut model = crate::onnx::model(&ops::onnx(kernel), proto)?;
        let outlets = model.output_outlets()?.to_vec();
        let wanted: Vec<_> = wanted.iter().filter_map(|&at| outlets.get(at)).collect();
        let wanted: Vec<_> = wanted.into_iter().copied().collect();
        model.select_output_outlets(&wanted)?;
        let inputs = set_inputs(&mut model)?;
        let typed = model.into_optimized()?;
        let dimension = match typed.output_fact(0)?.shape.dims() {
            [_, _, dimension] => dimension.to_usize()?,
            dims => bail!(
                "its output has {} dimensions instead of the 3 of one vector for each token",
                dims.len()
            ),
        };
        Ok(Self {
            inputs,
            dimension,
            plan: typed.into_runnable()?,
        })
    }

    /// Runs a batch of `ids`.
    pub fn run(&self, ids: &[Vec<u32>], batch: &Batch) -> TractResult<States> {
        let shape = (batch.texts.len(), batch.length);
        let mut inputs = tvec!();
        for &(input, kind) in &self.inputs {
            let rows = batch.texts.iter().map(|&text| ids.get(text));
            let rows = rows.map(|ids| ids.map(Vec::as_slice).unwrap_or_default());
            let values = rows.flat_map(|ids| (0..batch.length).map(|at| value(input, ids, at)));
            let tensor =
                tract_ndarray::Array2::from_shape_vec(shape, values.collect::<Vec<i64>>())?
                    .into_tensor();
            inputs.push(tensor.cast_to_dt(kind)?.into_owned().into());
        }
        let outputs = self.plan.run(inputs)?;
        let hidden = outputs.first().context("the model has no output")?;
        ensure!(
            hidden.shape() == [shape.0, shape.1, self.dimension],
            "the model's output has the shape {:?}",
            hidden.shape()
        );
        let of = |values: &TValue| -> TractResult<Vec<f32>> {
            let values = values.cast_to::<f32>()?;
            Ok(values.try_as_plain_ram()?.as_slice::<f32>()?.to_vec())
        };
        Ok(States {
            tokens: of(hidden)?,
            texts: outputs.get(1).map(of).transpose()?,
        })
    }
}

/// The positions of the outputs that are read: the vectors of the tokens, then that of the text if
/// there is one.
fn wanted_outputs(proto: &ModelProto) -> Vec<usize> {
    let outputs = proto.graph.iter().flat_map(|graph| &graph.output);
    let names: Vec<&str> = outputs.map(|output| output.name.as_str()).collect();
    let hidden = names.iter().position(|name| HIDDEN.contains(name));
    let sentence = names.iter().position(|name| *name == SENTENCE);
    let hidden = hidden.unwrap_or(0);
    let sentence = sentence.filter(|&at| at != hidden);
    std::iter::once(hidden).chain(sentence).collect()
}

/// Recognises the inputs by name, and makes their numbers of texts and tokens variable.
fn set_inputs(model: &mut InferenceModel) -> TractResult<Vec<(Input, DatumType)>> {
    let texts = model.symbols.sym("texts").to_dim();
    let tokens = model.symbols.sym("tokens").to_dim();
    let mut known = Vec::new();
    for (at, outlet) in model.input_outlets()?.to_vec().into_iter().enumerate() {
        let name = model.node(outlet.node).name.clone();
        let input = match name.as_str() {
            "input_ids" => Input::Ids,
            "attention_mask" => Input::Mask,
            "token_type_ids" => Input::Segment,
            "position_ids" => Input::Place,
            name => bail!("it has the unknown input {name}"),
        };
        let kind = model.input_fact(at)?.datum_type.concretize();
        let kind = kind.unwrap_or(i64::datum_type());
        let shape = tvec!(texts.clone(), tokens.clone());
        model.set_input_fact(at, InferenceFact::dt_shape(kind, shape))?;
        known.push((input, kind));
    }
    ensure!(
        known.iter().any(|(input, _)| *input == Input::Ids),
        "it has no input named input_ids"
    );
    Ok(known)
}

/// The value of an input; texts are padded on the right.
fn value(input: Input, ids: &[u32], at: usize) -> i64 {
    match input {
        Input::Ids => ids.get(at).copied().unwrap_or_default().into(),
        Input::Mask => i64::from(at < ids.len()),
        Input::Segment => 0,
        Input::Place => at as i64,
    }
}
