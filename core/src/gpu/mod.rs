//! Computing on a GPU through wgpu: the code that the encoder and the code language model share.
//!
//! [`tier`] knows what a device can do, `kernel` the kernels of `core/shaders`; `steps` runs them
//! one after the other, `read_back` fetches their results, `batch` groups sequences, `trouble`
//! records device errors, and `graph` finds weights in an ONNX file. The caller opens the device.

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
