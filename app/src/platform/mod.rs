//! One small file per browser service. Each returns values or a typed error and makes no decisions.

pub mod canvas;
pub mod clicked;
pub mod clipboard;
pub mod clock;
pub mod device;
pub mod download;
pub mod erase;
pub mod estimate;
pub mod fetch;
#[cfg(feature = "engine")]
pub mod files;
pub mod focus;
#[cfg(feature = "encoder")]
pub mod gpu;
pub mod hovered;
pub mod http;
pub mod idb;
pub mod marked;
pub mod online;
pub mod outside;
pub mod page;
pub mod remembered;
pub mod scrolled;
pub mod seal;
pub mod signing;
pub mod simd;
pub mod stream;
mod subtle;
pub mod theme;
pub mod update;
pub mod vault;
pub mod workers;
