//! The code language model on the wire.

use serde::{Deserialize, Serialize};

/// Which code language model to use. Both requests end with a [`CodeModelView`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CodeModelRequest {
    /// The one that comes with the page.
    UseOwn,
    /// A model that the user added: its ONNX file and its tokeniser's file are attached to the
    /// request, in this order (`Parcel::code_model`). If something is wrong with them, the job ends
    /// with `Failed`.
    Bring { name: String, keep: bool },
}

/// The code language model in use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeModelView {
    /// Name of the model that the user added; `None` for the one that comes with the page.
    pub brought: Option<String>,
    /// Whether it is kept for the next visit.
    pub is_kept: bool,
}
