//! `--pipeline`: an answer made by one of the pipelines, and the context that a model would be
//! shown.

use std::io::Write;
use std::process::ExitCode;

use footnote_core::answer::Resolved;
use footnote_core::chunk::Cut;
use footnote_core::index::{Index, Recut};
use footnote_core::job::run_to_end;
use footnote_core::pipeline::{self, Made, PRESETS, Pipeline};
use footnote_core::search::Question;

use super::shown::{Context, Shown};
use super::{Args, print};
use crate::reading::{Native, at_once};
use crate::vectors::{self, Dense};
use crate::{Result, model};

/// Prints the available pipelines.
pub fn list() -> Result<()> {
    let mut out = std::io::stdout().lock();
    for preset in PRESETS {
        writeln!(out, "{:16} {}", preset.name, preset.about)?;
        for deviation in preset.deviations {
            let (what, why) = (deviation.what, deviation.why);
            writeln!(
                out,
                "{:16} – differs from its paper: {what}, because {why}",
                ""
            )?;
        }
    }
    writeln!(out, "\nSettings for --set:")?;
    for (name, about) in pipeline::settings() {
        writeln!(out, "{name:16} {about}")?;
    }
    Ok(())
}

/// A preset, changed by assignments such as `α=.4,budget=8000`.
pub fn with_changes(name: &str, changes: &[String]) -> Result<Pipeline> {
    let preset = pipeline::preset(name).ok_or_else(|| {
        let known: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
        format!(
            "there is no pipeline {name}; the pipelines are {}",
            known.join(", ")
        )
    })?;
    let mut pipeline = (preset.make)();
    for change in changes.iter().flat_map(|all| all.split(',')) {
        let (name, value) = change.split_once('=').ok_or("--set takes NAME=VALUE")?;
        pipeline.set(name.trim(), value.trim())?;
    }
    Ok(pipeline)
}

/// Returns exit status 1 if the repository holds nothing on the question.
pub fn run(
    args: &Args,
    pipeline: &Pipeline,
    whole: &Index,
    question: &Question,
    resolved: Resolved,
) -> Result<ExitCode> {
    let recut = recut(whole, pipeline.cut);
    let index = recut.as_ref().unwrap_or(whole);
    let mut made = made(args, pipeline, index, &resolved.question)?;
    resolved.said_in(&mut made.answer);
    let note = made.answer.note.clone();
    let shown = Shown::new(index, question, &made.answer, note.as_deref());
    let context = Context::new(index, &made);
    print(args.json, &shown.by(&pipeline.name, context))
}

/// The repository, cut as a pipeline wants it; `None` if it is cut that way already.
pub fn recut(whole: &Index, cut: Cut) -> Option<Index> {
    if cut == Cut::default() {
        return None;
    }
    let Ok(index) = run_to_end(Recut::new(whole, cut));
    Some(index)
}

fn made(args: &Args, pipeline: &Pipeline, index: &Index, question: &Question) -> Result<Made> {
    let options = vectors::Options {
        folder: None,
        open: model::open,
        // The pipeline decides which chunks are compared.
        embed_limit: 0,
        compare: pipeline.compare.max(1),
    };
    let dense = (!args.no_vectors)
        .then(|| Dense::open(&options, index))
        .transpose()?;
    let mut reader = Native::new(index, dense, None);
    if pipeline.asks_model() && args.service.is_given() {
        reader.connect(args.service.open(None)?, &args.service)?;
    }
    let made = at_once(pipeline::run(pipeline, index, question, &reader))?;
    if let Some(why) = reader.trouble() {
        writeln!(std::io::stderr(), "ask: something was left out: {why}")?;
    }
    Ok(made)
}
