//! `footnote teach ARCHIVE SET.jsonl…`: question sets in, what the repository was taught out, and
//! how well it does on questions that it did not learn from.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use footnote_core::eval::{Item, set};
use footnote_core::index::Index;
use footnote_core::index::taught::{Marks, Report, Taught, Teaching};
use footnote_core::job::run_to_end;
use footnote_core::lab::questions::Order;
use footnote_core::teach::{Examples, Made, Shape, Teach};

use crate::{Result, archive, model};

/// Teaches a repository which files answer questions like those of a set
#[derive(clap::Args)]
pub struct Args {
    /// A zip, tar, tar.gz, crate or whl file, or a folder
    archive: PathBuf,
    /// Question sets, such as those made by `footnote questions`
    #[arg(required = true)]
    sets: Vec<PathBuf>,
    /// Writes what was taught to this file, for `--taught`
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Another seed splits the held-out questions differently
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many numbers each file has of its own
    #[arg(long, default_value_t = Shape::default().rank)]
    rank: usize,
    /// How many times all questions are gone through
    #[arg(long, default_value_t = Shape::default().epochs)]
    epochs: u32,
    /// Learns only the map that all files share
    #[arg(long, conflicts_with = "only_own")]
    only_shared: bool,
    /// Learns only what is specific to each file
    #[arg(long)]
    only_own: bool,
    /// Prints the weights of the gate
    #[arg(long)]
    weights: bool,
}

/// Returns exit status 1 if teaching is not worth it.
pub fn run(args: &Args) -> Result<ExitCode> {
    let repo = archive::archive_or_folder(&args.archive)?;
    let index = model::with_table(archive::index(repo, Order::CHUNKING)?)?;
    let mut items: Vec<Item> = Vec::new();
    for path in &args.sets {
        items.extend(set::parse_set(&archive::read_text(path)?)?);
    }
    let examples = Examples::of(&index, &items);
    let mut err = std::io::stderr().lock();
    if examples.without_files > 0 {
        let n = examples.without_files;
        writeln!(
            err,
            "questions left out because they lead to no file of this archive: {n}"
        )?;
    }
    let shape = Shape {
        rank: args.rank,
        epochs: args.epochs,
        shared: !args.only_own,
        own: !args.only_shared,
        ..Shape::default()
    };
    let started = Instant::now();
    let made = run_to_end(Teach::new(index, examples.all, shape, args.seed)?)?;
    let bytes = made.teaching.to_bytes();
    writeln!(
        err,
        "taught in {:.1} s; {} bytes, {} files",
        started.elapsed().as_secs_f64(),
        bytes.len(),
        made.teaching.files.len()
    )?;
    print(args, &made)?;
    if let Some(path) = &args.out {
        fs::write(path, bytes)
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(match made.teaching.report.is_worth_it() {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(1),
    })
}

/// Reads what was taught and adds it to an index.
pub fn load(path: &Path, index: &Arc<Index>) -> Result<()> {
    let teaching = Teaching::from_bytes(&archive::read(path)?)
        .map_err(|error| format!("{}: {error}", path.display()))?;
    let taught = Taught::new(teaching, index)
        .ok_or("what was taught needs an encoder other than the one that read the repository")?;
    if taught.is_of_another_repository() {
        let why = "was taught to another repository: this one has none of its files";
        return Err(format!("{} {why}", path.display()).into());
    }
    let stale = taught.stale();
    let mut err = std::io::stderr().lock();
    if !stale.changed.is_empty() || !stale.gone.is_empty() {
        writeln!(
            err,
            "files that changed since it was taught: {}, that are gone: {}",
            stale.changed.len(),
            stale.gone.len()
        )?;
    }
    index.set_taught(Some(Arc::new(taught)));
    Ok(())
}

fn print(args: &Args, made: &Made) -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "| epoch | loss | EM learnt | EM left out |\n|---|---|---|---|"
    )?;
    for point in &made.curve {
        writeln!(
            out,
            "| {} | {:.3} | {:.3} | {:.3} |",
            point.epoch, point.loss, point.learnt, point.left_out
        )?;
    }
    let report = &made.teaching.report;
    writeln!(
        out,
        "\n{} questions, {} of them measured, each left out of what answers it:\n",
        report.questions, report.measured
    )?;
    write!(out, "{}", table(report))?;
    if args.weights {
        writeln!(out, "\n| feature | weight |\n|---|---|")?;
        for (name, weight) in &made.weights {
            writeln!(out, "| {name} | {weight:.2} |")?;
        }
        writeln!(out, "\nthreshold {:.2}", made.teaching.gate.threshold)?;
    }
    Ok(())
}

fn table(report: &Report) -> String {
    let row = |name: &str, marks: &Marks| {
        format!(
            "| {name} | {:.3} | {:.3} | {:.3} |\n",
            marks.exact, marks.recall, marks.first
        )
    };
    [
        "| | EM | micro-recall | best file right |\n|---|---|---|---|\n".to_owned(),
        row("untaught", &report.untaught),
        row("how many files alone", &report.calibrated),
        row("taught", &report.taught),
        row("taught shuffled files", &report.shuffled),
    ]
    .concat()
}
