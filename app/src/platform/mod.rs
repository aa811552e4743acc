//! One small file a browser service. Each returns values or a typed error and decides nothing.

pub mod clock;
pub mod files;
pub mod workers;
