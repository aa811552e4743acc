//! `footnote ask ARCHIVE "question"`: the answer that the page gives without a language model, with the same
//! files kept, the same search and the same comparison by meaning.

mod shown;
mod text;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use footnote_core::answer::{self, Asked};
use footnote_core::chunk::Chunking;
use footnote_core::index::{Index, Vectors};
use footnote_core::search::Question;

use crate::{Result, archive, model};
use shown::Shown;
pub use text::width;

/// Answers a question about a repository, each sentence with the lines that prove it
#[derive(clap::Args)]
pub struct Args {
    /// A zip, tar, tar.gz, crate or whl file, or a folder
    archive: PathBuf,
    /// What to ask about it
    question: String,
    /// Prints the answer as JSON
    #[arg(long)]
    json: bool,
    /// Compares by words alone; quicker, and needs no model
    #[arg(long)]
    no_vectors: bool,
    /// The folder of the embedding model
    #[arg(long, value_name = "DIR", default_value_os_t = model::folder(model::ENCODER))]
    model_dir: PathBuf,
    /// How files are cut: function, sliding-window, fixed-chars
    #[arg(long, value_name = "NAME", default_value = "function", value_parser = archive::chunking)]
    chunk: Chunking,
}

/// Exit status 1 if the repository holds nothing on the question.
pub fn run(args: &Args) -> Result<ExitCode> {
    let question = Question::new(&args.question)?;
    let index = archive::index(archive::archive_or_folder(&args.archive)?, args.chunk)?;
    let resolved = answer::resolve(&index, &question, &[]);
    let mut asked = ask(args, &index, &resolved.question)?;
    resolved.said_in(&mut asked.answer);
    let note = asked.answer.note.as_deref();
    let shown = Shown::new(&index, &question, &asked.answer, note);
    let mut out = std::io::stdout().lock();
    if args.json {
        serde_json::to_writer_pretty(&mut out, &shown)?;
        writeln!(out)?;
    } else {
        write!(out, "{}", text::page(&shown, text::width()))?;
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
