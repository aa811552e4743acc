//! `footnote ask ARCHIVE "question"`: the answer that the page gives without a language model, from
//! the same files, the same search and the same comparison by meaning. With `--pipeline`, the
//! answer of another pipeline, and what a model would see.

mod by_pipeline;
mod shown;
mod text;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use footnote_core::answer::{self, Asked};
use footnote_core::chunk::Chunking;
use footnote_core::index::{Index, Vectors};
use footnote_core::search::Question;

use crate::{Result, archive, describe, model, service, teach};
pub use by_pipeline::{recut, with_changes};
use shown::Shown;
pub use text::width;

/// Answers a question about a repository, citing the lines that prove each sentence
#[derive(clap::Args)]
pub struct Args {
    /// A zip, tar, tar.gz, crate or whl file, a folder, or an index file
    archive: Option<PathBuf>,
    /// The question
    question: Option<String>,
    /// Prints the answer as JSON
    #[arg(long)]
    json: bool,
    /// Compares by words alone: faster, and needs no model
    #[arg(long)]
    no_vectors: bool,
    /// The folder with the embedding model
    #[arg(long, value_name = "DIR", default_value_os_t = model::folder(model::ENCODER))]
    model_dir: PathBuf,
    /// How files are cut: function, sliding-window, fixed-chars
    #[arg(long, value_name = "NAME", default_value = "function", value_parser = archive::chunking, conflicts_with = "pipeline")]
    chunk: Chunking,
    /// The pipeline that answers, or `list` for the names; also prints what a model would see
    #[arg(long, value_name = "NAME")]
    pipeline: Option<String>,
    /// Changes settings of the pipeline: `α=.4,budget=8000`; an unknown name lists the known ones
    #[arg(long, value_name = "NAME=VALUE,…", requires = "pipeline")]
    set: Vec<String>,
    /// What the repository was taught, as written by `footnote teach`, for the pipeline `taught`
    #[arg(long, value_name = "FILE", requires = "pipeline")]
    taught: Option<PathBuf>,
    /// Descriptions, as written by `footnote describe`, for pipelines that search them
    #[arg(long, value_name = "FILE", requires = "pipeline")]
    texts: Option<PathBuf>,
    #[command(flatten)]
    service: service::Args,
}

/// Returns exit status 1 if the repository holds nothing on the question.
pub fn run(args: &Args) -> Result<ExitCode> {
    if args.pipeline.as_deref() == Some("list") {
        by_pipeline::list()?;
        return Ok(ExitCode::SUCCESS);
    }
    let missing = "name an archive and a question: footnote ask ARCHIVE \"question\"";
    let archive = args.archive.as_ref().ok_or(missing)?;
    let question = Question::new(args.question.as_ref().ok_or(missing)?)?;
    let (index, table) = archive::open_cut(archive, args.chunk)?;
    let index = match args.no_vectors {
        true => Arc::new(index),
        false => model::with_saved_table(index, table)?,
    };
    let resolved = answer::resolve(&index, &question, &[]);
    if let Some(name) = &args.pipeline {
        let pipeline = with_changes(name, &args.set)?;
        if let Some(path) = &args.taught {
            teach::load(path, &index)?;
        }
        if pipeline.search.uses_texts() {
            describe::texts(&index, args.texts.as_deref())?;
        }
        return by_pipeline::run(args, &pipeline, &index, &question, resolved);
    }
    let mut asked = ask(args, &index, &resolved.question)?;
    resolved.said_in(&mut asked.answer);
    let note = asked.answer.note.as_deref();
    print(
        args.json,
        &Shown::new(&index, &question, &asked.answer, note),
    )
}

/// Like [`run`], for a question that rules answer, so that only the static encoder is loaded.
pub fn run_without_model(archive: &Path, question: &str, json: bool) -> Result<ExitCode> {
    let question = Question::new(question)?;
    let (index, table) = archive::open_cut(archive, Chunking::FUNCTION)?;
    let index = model::with_saved_table(index, table)?;
    let resolved = answer::resolve(&index, &question, &[]);
    let vectors = Vectors::new(1, 0);
    let mut asked = answer::ask(&index, &vectors, &resolved.question, None);
    resolved.said_in(&mut asked.answer);
    let note = asked.answer.note.as_deref();
    print(json, &Shown::new(&index, &question, &asked.answer, note))
}

/// Returns exit status 1 if there is no answer.
fn print(json: bool, shown: &Shown<'_>) -> Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    if json {
        serde_json::to_writer_pretty(&mut out, shown)?;
        writeln!(out)?;
    } else {
        write!(out, "{}", text::page(shown, text::width()))?;
    }
    Ok(match shown.nothing {
        None => ExitCode::SUCCESS,
        Some(_) => ExitCode::from(1),
    })
}

fn ask(args: &Args, index: &Index, question: &Question) -> Result<Asked> {
    if args.no_vectors {
        return Ok(answer::ask(index, &Vectors::new(1, 0), question, None));
    }
    let mut embedder = model::open_from(&args.model_dir).map_err(|error| {
        format!(
            "the embedding model cannot be used: {error}. Name its folder with --model-dir, \
             or compare by words alone with --no-vectors"
        )
    })?;
    let (vectors, embedding) = answer::compare(index, question, embedder.as_mut())?;
    Ok(answer::ask(index, &vectors, question, Some(&embedding)))
}
