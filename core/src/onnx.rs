//! Reads ONNX files, for everything that runs a model, including one that a user brought.

use std::borrow::Cow;

use prost::Message as _;
use tract_onnx::Onnx;
use tract_onnx::pb::tensor_proto::DataLocation;
use tract_onnx::pb::{ModelProto, TensorProto};
use tract_onnx::prelude::{InferenceModel, TractResult};
use tract_onnx::tract_hir::internal::{Framework, TractErrorContext, bail, ensure};
use tract_onnx::tract_hir::ops::unimpl::UnimplementedOp;

/// Parses a file and frees its bytes. tract's own reader copies all of them first, and a browser
/// never gets back the peak of its memory. The file has to contain both the graph and its weights.
pub(crate) fn read(bytes: Cow<[u8]>) -> TractResult<ModelProto> {
    let proto =
        ModelProto::decode(&*bytes).context("it is not an ONNX file, or only part of one")?;
    let graph = proto.graph.as_ref().context("it contains no graph")?;
    let is_outside =
        |tensor: &TensorProto| tensor.data_location == Some(DataLocation::External as i32);
    ensure!(
        !graph.initializer.iter().any(is_outside),
        "its weights are in a second file; export it as one file"
    );
    Ok(proto)
}

/// Builds a graph from a parsed file, which is freed. A graph with operators that tract lacks is
/// refused.
pub(crate) fn model(onnx: &Onnx, proto: ModelProto) -> TractResult<InferenceModel> {
    let model = onnx.model_for_proto_model(&proto)?;
    drop(proto);
    for node in model.nodes() {
        if node.op_is::<UnimplementedOp>() {
            let name = node.op().name();
            let name = name
                .trim_start_matches("Unimplemented(")
                .trim_end_matches(')');
            bail!("it uses the operator {name}, which tract does not support");
        }
    }
    Ok(model)
}

/// Refuses a file that a user brought if it has more than `most` bytes.
pub(crate) fn check_size(name: &str, bytes: f64, most: f64) -> Result<(), String> {
    if bytes <= most {
        return Ok(());
    }
    let mb = |bytes: f64| bytes / 1e6;
    Err(format!(
        "{name} is {:.0} MB; more than {:.0} MB do not fit in a tab's memory",
        mb(bytes),
        mb(most)
    ))
}

/// The id of a model that a user brought, from its file name and its content.
pub(crate) fn brought_id(name: &str, onnx: &[u8], tokenizer: &[u8]) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(onnx).update(tokenizer);
    let digest = hasher.finalize().to_hex();
    format!("{name} {}", digest.get(..8).unwrap_or_default())
}
