//! The wire's part on the language model that reads code.

use serde::{Deserialize, Serialize};

/// Which language model reads code. Both end with a [`CodeModelView`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CodeModelRequest {
    /// The one that comes with the page.
    UseOwn,
    /// One that the user brought: its ONNX file and its tokeniser's travel beside the request, in
    /// this order (`Parcel::code_model`); if something is wrong with them, the job ends with
    /// `Failed`.
    Bring { name: String, keep: bool },
}

/// The language model that reads code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeModelView {
    /// The name of the one that the user brought; none is the one that comes with the page.
    pub brought: Option<String>,
    /// Whether it stays for the next visit.
    pub is_kept: bool,
}
