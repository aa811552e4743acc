//! `footnote describe ARCHIVE`: a description of each chunk of a repository, put together by code
//! or written by a language model that the user names.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use footnote_core::chunk::{ChunkId, Chunking};
use footnote_core::describe::{self, Describe, Written, WrittenText};
use footnote_core::index::Index;
use footnote_core::job::run_to_end;
use footnote_core::lab::describing::{DescribeOrder, Describing, PROMPTS, Prompt, Scope};

use crate::service::{self, Came};
use crate::{Result, archive, model};

/// Describes in words what each part of a repository does
#[derive(clap::Args)]
pub struct Args {
    /// A zip, tar, tar.gz, crate or whl file, or a folder
    archive: PathBuf,
    /// Writes the descriptions to this file, one JSON object per line, instead of to standard
    /// output. Descriptions by a language model that are already in it are not requested again
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Has the model describe only this folder or file
    #[arg(long, value_name = "PATH", requires = "service")]
    folder: Option<String>,
    /// The prompt for the model: human or auto
    #[arg(long, value_name = "NAME", default_value = "human", value_parser = prompt)]
    prompt: &'static Prompt,
    /// Maximum tokens in one prompt, not counting the answer
    #[arg(long, value_name = "N", default_value_t = 6_000, requires = "service")]
    window: usize,
    /// Keeps the model's replies in this file, and reuses those already in it
    #[arg(long, value_name = "FILE.jsonl", requires = "service")]
    cache: Option<PathBuf>,
    #[command(flatten)]
    service: service::Args,
}

fn prompt(name: &str) -> std::result::Result<&'static Prompt, String> {
    let known: Vec<&str> = PROMPTS.iter().map(|prompt| prompt.name).collect();
    Prompt::from_name(name).ok_or_else(|| format!("choose one of {}", known.join(", ")))
}

/// Returns exit status 2 if the model stopped answering; what it wrote until then is kept.
pub fn run(args: &Args) -> Result<ExitCode> {
    let repo = archive::archive_or_folder(&args.archive)?;
    let index = model::with_table(archive::index(repo, Chunking::FUNCTION)?)?;
    let before = match args.out.as_deref().filter(|path| path.exists()) {
        Some(path) => read(path)?,
        None => Written::default(),
    };
    let (written, end) = match args.service.is_given() {
        true => by_model(args, &index, before)?,
        false => (before, Ok(())),
    };
    let Ok(texts) = run_to_end(Describe::new(Arc::clone(&index), written));
    let lines = describe::export(&index, &texts);
    match &args.out {
        Some(path) => fs::write(path, lines)
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?,
        None => std::io::stdout().lock().write_all(lines.as_bytes())?,
    }
    end?;
    Ok(ExitCode::SUCCESS)
}

/// What the model wrote, and why it stopped if it did.
fn by_model(args: &Args, index: &Arc<Index>, before: Written) -> Result<(Written, Result<()>)> {
    let mut asker = args.service.open(args.cache.as_deref())?;
    let scope = args.folder.clone().map_or(Scope::All, Scope::Folder);
    let order = DescribeOrder {
        scope,
        prompt: args.prompt,
        window: args.window,
    };
    let mut run = Describing::new(Arc::clone(index), order, before);
    let most = asker.confirm_run(&args.service, &run.estimate())?;
    run.allow(most);
    let name = args.service.model.as_deref().unwrap_or_default();
    let mut end = asker.ask_all(|came| {
        match came {
            Some(Came::Said(reply)) => run.answer(reply.read()),
            Some(Came::Failed(why)) => run.fail(why),
            None => {}
        }
        let ask = run.request(name)?;
        Some((ask.key, ask.chat))
    });
    report(&run)?;
    if let Some(why) = run.failure() {
        end = Err(format!("several requests in a row failed, the last one because {why}").into());
    }
    Ok((run.written().clone(), end))
}

fn report(run: &Describing) -> Result<()> {
    let ((done, wanted), (doubtful, lost)) = (run.progress(), run.troubles());
    let mut err = std::io::stderr().lock();
    writeln!(
        err,
        "{done} of {wanted} parts are described; new descriptions that are doubtful: {doubtful}, \
         that failed: {lost}"
    )?;
    if run.is_spent() {
        writeln!(
            err,
            "the limit you set is reached; repeat the command to continue"
        )?;
    }
    Ok(())
}

fn read(path: &Path) -> Result<Written> {
    let written = describe::read(&archive::read_text(path)?);
    written.map_err(|error| format!("{}: {error}", path.display()).into())
}

/// Gives the chunks of an index their descriptions: those in the file, and code's for the rest.
pub fn texts(index: &Arc<Index>, path: Option<&Path>) -> Result<()> {
    let written = path.map(read).transpose()?.unwrap_or_default();
    take(index, written);
    Ok(())
}

/// A control: gives each chunk the description that code wrote for another one.
pub fn texts_of_others(index: &Arc<Index>) {
    let chunks: Vec<ChunkId> = index.chunk_ids().map(|(chunk, _)| chunk).collect();
    let others = chunks.iter().cycle().skip(chunks.len() / 2 + 1);
    let written = chunks.iter().zip(others).map(|(own, other)| {
        let text = describe::describe(index, *other);
        let model = "another chunk".to_owned();
        (describe::key(index, *own), WrittenText { text, model })
    });
    take(index, Written(written.collect()));
}

fn take(index: &Arc<Index>, written: Written) {
    let Ok(texts) = run_to_end(Describe::new(Arc::clone(index), written));
    index.set_texts(Some(Arc::new(texts)));
}
