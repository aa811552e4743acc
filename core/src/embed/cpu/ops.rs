//! The operators that [`super::fuse`] puts into a graph, as tract nodes.

use std::sync::Arc;

use tract_onnx::model::ParsingContext;
use tract_onnx::pb::NodeProto;
use tract_onnx::tract_hir::internal::*;

use super::attention::Attention;
use super::fuse;
use super::linear::{Activation, Linear};
use super::product::{COLUMNS, Kernel};

/// The functions that read linear layers and attention for a kernel.
macro_rules! readers {
    ($kernel:expr) => {
        (
            |_, node| read_linear(node, $kernel),
            |_, node| read_attention(node, $kernel),
        )
    };
}

/// An ONNX reader that knows the fused operators.
pub(crate) fn onnx(kernel: Kernel) -> tract_onnx::Onnx {
    let mut onnx = tract_onnx::onnx().with_ignore_value_info(true);
    // tract takes plain functions of the node, so the kernel cannot be captured.
    let (linear, attention): (Reader, Reader) = match kernel {
        Kernel::Words => readers!(Kernel::Words),
        Kernel::Bytes => readers!(Kernel::Bytes),
        Kernel::Avx2 => readers!(Kernel::Avx2),
        Kernel::Avx512 => readers!(Kernel::Avx512),
    };
    onnx.op_register.insert(fuse::LINEAR, linear);
    onnx.op_register.insert(fuse::ATTENTION, attention);
    onnx
}

type Read = TractResult<(Box<dyn InferenceOp>, Vec<String>)>;
type Reader = fn(&ParsingContext, &NodeProto) -> Read;

fn read_linear(node: &NodeProto, kernel: Kernel) -> Read {
    let activation = match node.get_attr::<i64>("gelu")? {
        0 => Activation::None,
        _ => Activation::Gelu,
    };
    Ok((expand(LinearLayer { activation, kernel }), vec![]))
}

fn read_attention(node: &NodeProto, kernel: Kernel) -> Read {
    let heads = node.get_attr::<usize>("heads")?;
    Ok((expand(AttentionLayer { heads, kernel }), vec![]))
}

/// `x`, weights, scales and bias, before the weights are packed.
#[derive(Clone, Debug)]
struct LinearLayer {
    activation: Activation,
    kernel: Kernel,
}

impl Expansion for LinearLayer {
    fn name(&self) -> StaticName {
        fuse::LINEAR.into()
    }

    fn rules<'r, 'p: 'r, 's: 'r>(
        &'s self,
        solver: &mut Solver<'r>,
        inputs: &'p [TensorProxy],
        outputs: &'p [TensorProxy],
    ) -> InferenceResult {
        check_input_arity(inputs, 4)?;
        check_output_arity(outputs, 1)?;
        solver.equals(&inputs[0].datum_type, f32::datum_type())?;
        solver.equals(&outputs[0].datum_type, f32::datum_type())?;
        solver.equals(&inputs[0].rank, &outputs[0].rank)?;
        solver.given_2(
            &inputs[0].shape,
            &inputs[2].shape,
            move |solver, mut shape, scales| {
                if let (Some(last), Some(outputs)) = (shape.last_mut(), scales.last()) {
                    *last = outputs.clone();
                }
                solver.equals(&outputs[0].shape, shape)
            },
        )
    }

    fn wire(
        &self,
        prefix: &str,
        model: &mut TypedModel,
        inputs: &[OutletId],
    ) -> TractResult<TVec<OutletId>> {
        let [x, weights, scales, bias] = *inputs else {
            bail!("a linear layer has four inputs");
        };
        let stored = |model: &TypedModel, outlet| -> TractResult<Arc<Tensor>> {
            model
                .outlet_fact(outlet)?
                .konst
                .clone()
                .context("weights of a layer are not stored")
        };
        let weights = stored(model, weights)?;
        let scales = stored(model, scales)?;
        let bias = stored(model, bias)?;
        let inputs = weights.shape().first().copied().unwrap_or_default();
        let linear = Linear::new(
            weights.try_as_plain_ram()?.as_slice::<i8>()?,
            inputs,
            scales.try_as_plain_ram()?.as_slice::<f32>()?,
            bias.try_as_plain_ram()?.as_slice::<f32>()?,
            self.kernel,
        )?;
        let op = LinearOp {
            linear: Arc::new(linear),
            activation: self.activation,
        };
        model.wire_node(prefix, op, &[x])
    }
}

#[derive(Clone, Debug)]
struct LinearOp {
    linear: Arc<Linear>,
    activation: Activation,
}

impl PartialEq for LinearOp {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.linear, &other.linear) && self.activation == other.activation
    }
}

impl Eq for LinearOp {}

impl Op for LinearOp {
    fn name(&self) -> StaticName {
        fuse::LINEAR.into()
    }

    op_as_typed_op!();
}

impl EvalOp for LinearOp {
    op_out_of_plan!();

    fn eval(&self, _: &EvalContext, inputs: TVec<TValue>) -> TractResult<TVec<TValue>> {
        let x = args_1!(inputs);
        let mut shape: TVec<usize> = x.shape().into();
        match shape.last_mut() {
            Some(last) if *last == self.linear.inputs() => *last = self.linear.outputs(),
            _ => bail!(
                "a layer of {} inputs got {:?}",
                self.linear.inputs(),
                x.shape()
            ),
        }
        let y = self
            .linear
            .forward(x.try_as_plain_ram()?.as_slice::<f32>()?, self.activation);
        Ok(tvec!(shaped(&shape, y)?))
    }
}

impl TypedOp for LinearOp {
    fn output_facts(&self, inputs: &[&TypedFact]) -> TractResult<TVec<TypedFact>> {
        let mut fact = inputs[0].without_value();
        fact.shape
            .set(fact.rank() - 1, self.linear.outputs().to_dim());
        Ok(tvec!(fact))
    }

    as_op!();
}

#[derive(Clone, Debug)]
struct AttentionLayer {
    heads: usize,
    kernel: Kernel,
}

impl Expansion for AttentionLayer {
    fn name(&self) -> StaticName {
        fuse::ATTENTION.into()
    }

    fn rules<'r, 'p: 'r, 's: 'r>(
        &'s self,
        solver: &mut Solver<'r>,
        inputs: &'p [TensorProxy],
        outputs: &'p [TensorProxy],
    ) -> InferenceResult {
        check_input_arity(inputs, 2)?;
        check_output_arity(outputs, 1)?;
        solver.equals(&outputs[0].datum_type, f32::datum_type())?;
        solver.equals(&outputs[0].rank, 3)?;
        solver.given(&inputs[0].shape, move |solver, mut shape| {
            if let Some(last) = shape.last_mut() {
                *last = last.clone() / 3;
            }
            solver.equals(&outputs[0].shape, shape)
        })
    }

    fn wire(
        &self,
        prefix: &str,
        model: &mut TypedModel,
        inputs: &[OutletId],
    ) -> TractResult<TVec<OutletId>> {
        let fact = model.outlet_fact(inputs[0])?;
        let hidden = fact.shape[fact.rank() - 1].to_usize()? / 3;
        ensure!(
            self.heads > 0 && hidden.is_multiple_of(self.heads * COLUMNS),
            "{hidden} values cannot be shared by {} heads",
            self.heads
        );
        model.wire_node(
            prefix,
            AttentionOp {
                heads: self.heads,
                hidden,
                kernel: self.kernel,
            },
            inputs,
        )
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct AttentionOp {
    heads: usize,
    hidden: usize,
    kernel: Kernel,
}

impl Op for AttentionOp {
    fn name(&self) -> StaticName {
        fuse::ATTENTION.into()
    }

    op_as_typed_op!();
}

impl EvalOp for AttentionOp {
    op_out_of_plan!();

    fn eval(&self, _: &EvalContext, inputs: TVec<TValue>) -> TractResult<TVec<TValue>> {
        let (joint, bias) = args_2!(inputs);
        let [batch, tokens, width] = *joint.shape() else {
            bail!("attention got {:?}", joint.shape());
        };
        ensure!(
            width == 3 * self.hidden && bias.len() == batch * tokens,
            "attention got {width} values a token"
        );
        let mut out = vec![0.0; batch * tokens * self.hidden];
        let joint = joint.try_as_plain_ram()?.as_slice::<f32>()?;
        let bias = bias.try_as_plain_ram()?.as_slice::<f32>()?;
        let texts = joint
            .chunks_exact((tokens * width).max(1))
            .zip(bias.chunks_exact(tokens.max(1)));
        for ((joint, bias), out) in texts.zip(out.chunks_exact_mut((tokens * self.hidden).max(1))) {
            let attention = Attention {
                joint,
                bias,
                hidden: self.hidden,
                heads: self.heads,
            };
            attention.forward(self.kernel, out);
        }
        Ok(tvec!(shaped(&[batch, tokens, self.hidden], out)?))
    }
}

impl TypedOp for AttentionOp {
    fn output_facts(&self, inputs: &[&TypedFact]) -> TractResult<TVec<TypedFact>> {
        let mut fact = inputs[0].without_value();
        fact.shape.set(fact.rank() - 1, self.hidden.to_dim());
        Ok(tvec!(fact))
    }

    as_op!();
}

fn shaped(shape: &[usize], values: Vec<f32>) -> TractResult<TValue> {
    let array = tract_ndarray::ArrayD::from_shape_vec(shape, values)?;
    Ok(array.into_tensor().into_tvalue())
}
