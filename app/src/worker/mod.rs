//! The page, the engine worker and the encoder workers. [`protocol`] defines what the page and the
//! engine send each other, and [`wire`] how it is put into messages. [`client`] is the page's side;
//! [`serve`] is the engine's side; [`pool`] holds the encoders, which the engine owns and which
//! speak [`encoder_protocol`]; [`code_model`] reads code for compression and speaks
//! [`code_model_protocol`]; [`parser`] parses beside the engine while a repository is read.

#[cfg(feature = "encoder")]
mod answering;
#[cfg(feature = "engine")]
pub mod client;
#[cfg(feature = "encoder")]
pub mod code_model;
pub mod code_model_protocol;
#[cfg(feature = "encoder")]
pub mod encoder;
pub mod encoder_protocol;
#[cfg(feature = "engine")]
mod messages;
mod model_files;
#[cfg(feature = "engine")]
pub mod parser;
#[cfg(feature = "engine")]
pub mod pool;
#[cfg(feature = "engine")]
pub mod protocol;
#[cfg(feature = "engine")]
pub mod serve;
pub mod wire;
