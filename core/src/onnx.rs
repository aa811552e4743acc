//! ONNX files: one way to read them for all that run a model.

use std::borrow::Cow;

use prost::Message as _;
use tract_onnx::pb::ModelProto;
use tract_onnx::prelude::TractResult;

/// Reads a file and frees its bytes. tract's own reader copies all of them first, and in a browser the most
/// memory that was ever needed is never given back.
pub(crate) fn read(bytes: Cow<[u8]>) -> TractResult<ModelProto> {
    Ok(ModelProto::decode(&*bytes)?)
}
