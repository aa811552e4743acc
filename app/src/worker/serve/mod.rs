//! The engine's side. Each request runs as a task of its own, and long work yields every few
//! milliseconds, so that a question, a file or a cancel is handled while an archive is read.
//!
//! The state is split among owners, one per module, which receive what they need when they are
//! created and cannot see each other's state. Dependencies point one way, which `cargo xtask test`
//! checks; an owner notifies those above it through a [`hook`].
//!
//! | module | what it does |
//! |---|---|
//! | [`engine`] | creates the owners, receives messages, passes each group of requests to its owner |
//! | [`mod@write`], [`ask`], [`open`] | answers by a model, answers without one, opening and closing |
//! | [`context`] | what a model is shown, and its inspector |
//! | [`conversations`], [`mod@trace`] | earlier questions, how a question was searched |
//! | [`report`] | the verdicts of each model's answers |
//! | [`lab`] | question sets, and pipelines evaluated on them |
//! | [`look`], [`changes`], [`saved`] | the open files, what changed since another version, the saved repositories |
//! | [`connect`], [`code_model`], [`encoders`] | the connected service, the code language model, vectors |
//! | [`shelf`], [`across`] | the open repository, what is known of those of a server |
//! | [`services`] | the way to the page, [`storage`], the list of running [`jobs`], the signal of changes |
//! | [`server`], [`egress`] | the page's own site as a server of many repositories, the ledger of what left the page |

mod across;
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
mod egress;
mod encoders;
mod engine;
mod export;
pub mod formats;
mod graph;
mod hook;
mod hosted;
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
mod server;
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
