//! The page, the engine worker and the encoder workers. [`protocol`] is what they say, [`wire`] how
//! it is put into messages, [`client`] the page's side, [`ledger`] its book of running jobs.

pub mod client;
pub mod encoder;
pub mod encoder_protocol;
pub mod ledger;
pub mod protocol;
pub mod wire;
