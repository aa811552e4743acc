//! Computing on a GPU through wgpu: what the encoder and the code language model share.
//!
//! [`tier`] knows what a device can do, `kernel` the kernels of `core/shaders`, `steps` puts them
//! behind each other, `read_back` fetches what they made, `batch` puts sequences together,
//! `trouble` hears of what goes wrong, and `graph` finds weights in an ONNX file. The device is
//! opened by the caller.

pub(crate) mod batch;
pub(crate) mod graph;
pub(crate) mod kernel;
pub(crate) mod read_back;
pub(crate) mod steps;
pub mod tier;
pub(crate) mod trouble;

#[cfg(test)]
pub(crate) mod tests;

pub use tier::Tier;
