//! Browser stories: the built page in headless Chromium, used as a person would.
// Tests may fail loudly.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod accessibility;
mod archives;
mod better;
mod code_as_text;
mod code_model;
mod compare;
mod context;
mod conversations;
mod egress;
mod encoder;
mod erase;
mod every_kind;
mod firefox;
mod first_visit;
mod gpu;
mod graph;
mod keyboard;
mod keys;
mod kinds;
mod laboratory;
mod laboratory_model;
mod laboratory_review;
mod languages;
mod lesson;
mod main_job;
mod model;
mod names;
mod offline;
mod own_encoder;
mod package;
mod permalink;
mod questions;
mod recovery;
mod report_card;
mod scope;
mod sealed;
mod story;
mod take_along;
mod teaching;
mod trouble;
mod verdicts;
mod versions;
mod workers;
mod zoom;
