//! The engine's side. Each request runs as a task of its own, and long work lets others run every
//! few milliseconds, so that a question, a file or a cancel is heard while an archive is read.
//!
//! The state has owners, one module each, which get what they need when they are made and see
//! nothing of each other's. Arrows run one way, which `cargo xtask test` checks; what an owner
//! below has to tell one above it says through a [`hook`].
//!
//! | module | what it does |
//! |---|---|
//! | [`engine`] | makes the owners, hears messages, gives each group of requests to its owner |
//! | [`mod@write`], [`ask`], [`open`] | answers by a model, answers without one, opening and closing |
//! | [`context`] | what a model is shown, and the inspector of that |
//! | [`conversations`], [`mod@trace`] | what was asked before, how it was searched |
//! | [`report`] | what the answers of each model came to |
//! | [`lab`] | question sets, and pipelines evaluated on them |
//! | [`look`], [`changes`], [`saved`] | the open files, what changed since another version, the saved repositories |
//! | [`connect`], [`code_model`], [`encoders`] | the connected service, the model that reads code, vectors |
//! | [`shelf`] | the open repository |
//! | [`services`] | the way to the page, [`storage`], the book of [`jobs`], the signal of changes |

mod answered;
mod ask;
mod batch;
mod cancel;
mod changes;
mod code_model;
mod compare;
mod connect;
mod context;
pub mod conversations;
mod described;
mod document;
mod draft;
mod encoders;
mod engine;
mod export;
pub mod formats;
mod graph;
mod hook;
mod jobs;
mod lab;
mod lesson;
mod load;
mod look;
mod meant;
mod notices;
mod open;
mod reader;
mod records;
mod repo;
mod report;
mod runner;
mod saved;
mod services;
mod shelf;
mod signal;
mod slices;
mod storage;
mod taught;
mod trace;
mod unsaved;
mod uses;
mod views;
mod write;

pub use engine::run;
