//! `footnote questions ARCHIVE`: a question set made from the repository, by code or by a language
//! model that the user names.

mod written;

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use footnote_core::eval::Item;
use footnote_core::eval::set::write_set;
use footnote_core::job::run_to_end;
use footnote_core::lab::questions::{Count, KINDS, Made, MakeQuestions, Order, STRATEGIES};

use crate::{Result, archive, model, service};

/// Makes questions from a repository, with the lines that answer them
#[derive(clap::Args)]
pub struct Args {
    /// A zip, tar, tar.gz, crate or whl file, or a folder
    #[arg(required_unless_present = "list")]
    archive: Option<PathBuf>,
    /// How many questions to make
    #[arg(long, default_value_t = 200)]
    count: usize,
    /// Seed of the draw; a different seed draws different questions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Kinds of questions, joined by commas; all by default
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        conflicts_with = "service"
    )]
    kinds: Vec<String>,
    /// Strategies for a model that writes questions, joined by commas; all by default
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        requires = "service"
    )]
    strategies: Vec<String>,
    /// Prints the kinds, and the strategies for a model
    #[arg(long)]
    list: bool,
    /// Writes the set to this file, one JSON object per line, instead of to standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Drops a question whose cosine with another that shares its gold is at least this
    #[arg(long, default_value_t = 0.9)]
    near: f32,
    /// Keeps the model's replies in this file, and reuses those already in it
    #[arg(long, value_name = "FILE.jsonl", requires = "service")]
    cache: Option<PathBuf>,
    /// Maximum tokens in one prompt, not counting the answer
    #[arg(long, value_name = "N", requires = "service")]
    window: Option<usize>,
    #[command(flatten)]
    service: service::Args,
}

/// Returns exit status 1 if the repository yields no question.
pub fn run(args: &Args) -> Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    if args.list {
        for kind in KINDS {
            writeln!(out, "{:<14} {}", kind.name, kind.title)?;
        }
        writeln!(out, "\nwith --service:")?;
        for strategy in STRATEGIES {
            writeln!(out, "{:<14} {}", strategy.name, strategy.title)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let archive = args.archive.as_ref().ok_or("name an archive")?;
    let index = archive::index(archive::archive_or_folder(archive)?, Order::CHUNKING)?;
    if args.service.is_given() {
        return written::run(args, index, &mut out);
    }
    let order = Order {
        count: args.count,
        seed: args.seed,
        kinds: args.kinds.clone(),
        near: args.near,
        ..Order::new(&index.repo.name)
    };
    if let Some(name) = order.unknown().next() {
        let known: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        return Err(format!(
            "there is no kind {name}; the kinds are {}",
            known.join(", ")
        )
        .into());
    }
    let Ok(made) = run_to_end(MakeQuestions::new(model::with_table(index)?, order));
    write(args, &made.items, &mut out)?;
    report(&made)?;
    Ok(match made.items.is_empty() {
        true => ExitCode::from(1),
        false => ExitCode::SUCCESS,
    })
}

/// Writes the set to its file or to standard output.
fn write(args: &Args, items: &[Item], out: &mut impl Write) -> Result<()> {
    let set = write_set(items);
    match &args.out {
        Some(path) => fs::write(path, set)
            .map_err(|error| format!("cannot write {}: {error}", path.display()).into()),
        None => Ok(out.write_all(set.as_bytes())?),
    }
}

/// Goes to the error output, so that the set can be piped.
fn report(made: &Made) -> Result<()> {
    let mut err = std::io::stderr().lock();
    writeln!(err, "{:<14} {:>6} {:>6}  dropped", "kind", "made", "kept")?;
    for Count {
        kind,
        made,
        kept,
        dropped,
    } in &made.counts
    {
        let why: Vec<String> = dropped
            .iter()
            .map(|(why, n)| format!("{n}: {why}"))
            .collect();
        writeln!(err, "{kind:<14} {made:>6} {kept:>6}  {}", why.join("; "))?;
    }
    writeln!(err, "{} questions", made.items.len())?;
    if let Some(short) = &made.short {
        writeln!(err, "{short}")?;
    }
    Ok(())
}
