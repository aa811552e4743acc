//! `footnote changes OLD NEW`: what changed between two versions of a repository, each change with
//! its lines in both; or the answer to a question about the changes.

mod said;
mod shown;
mod text;
mod times;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use footnote_core::answer::{self, Compared};
use footnote_core::changes::{Version, compare};
use footnote_core::chunk::Chunking;
use footnote_core::index::Index;

use crate::{Result, archive};
use shown::Shown;

/// Lists what changed between two versions of a repository, or answers a question about it
#[derive(clap::Args)]
pub struct Args {
    /// The older version: a zip, tar, tar.gz, crate or whl file, or a folder
    old: PathBuf,
    /// The newer version
    new: PathBuf,
    /// The question, such as “what changed in Session.send”
    question: Option<String>,
    /// Prints JSON
    #[arg(long)]
    json: bool,
    /// Lists only changes in this definition, file or folder
    #[arg(long = "in", value_name = "NAME")]
    within: Option<String>,
    /// Also reports how long the newer version takes to index, from scratch and by reusing what the
    /// older one shares
    #[arg(long)]
    time: bool,
}

/// Returns exit status 1 if a question finds nothing.
pub fn run(args: &Args) -> Result<ExitCode> {
    let open = |path| -> Result<Index> {
        archive::index(archive::archive_or_folder(path)?, Chunking::FUNCTION)
    };
    let (old, new) = (Arc::new(open(&args.old)?), open(&args.new)?);
    let changes = compare(&old, &new);
    let compared = Compared {
        old: &old,
        new: &new,
        changes: &changes,
    };
    let mut out = std::io::stdout().lock();
    if let Some(question) = &args.question {
        let answer = answer::changed(compared, question).ok_or_else(|| unread(compared))?;
        let shown = said::Shown::new(compared, question, &answer);
        match args.json {
            true => writeln!(out, "{}", serde_json::to_string_pretty(&shown)?)?,
            false => write!(out, "{}", said::page(&shown))?,
        }
        return Ok(match shown.nothing {
            None => ExitCode::SUCCESS,
            Some(_) => ExitCode::from(1),
        });
    }
    let mut shown = Shown::new(compared, args.within.as_deref());
    if args.time {
        shown.times = Some(times::measure(&old, &new));
    }
    match args.json {
        true => writeln!(out, "{}", serde_json::to_string_pretty(&shown)?)?,
        false => write!(out, "{}", text::page(&shown))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Why a question was not answered.
fn unread(compared: Compared<'_>) -> String {
    let [old, new] = [Version::Old, Version::New].map(|version| compared.name(version));
    format!(
        "this does not ask what changed between {old} and {new}. Ask, for example, “what changed \
         in NAME”, “what is new”, “what was removed” or “was NAME renamed”"
    )
}
