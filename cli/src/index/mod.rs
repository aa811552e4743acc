//! `footnote index ARCHIVE… --out DIR`: makes index files, which a page opens without parsing, and
//! lists them in `DIR/indexes.json`. [`make`] makes one, [`folder`] holds them, [`listing`] is the
//! list, [`shard`] is the share of one machine.

pub mod folder;
pub mod listing;
mod make;
mod shard;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::Result;
use folder::Folder;
use make::{Made, Maker, Outcome};
use shard::Shard;

/// Makes index files, which the page opens without parsing
#[derive(clap::Args)]
pub struct Args {
    /// Zip, tar, tar.gz, crate or whl files, or folders
    #[arg(required = true, value_name = "ARCHIVE")]
    archives: Vec<PathBuf>,
    /// The folder for the index files and their list, indexes.json
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The vectors inside: those of the static encoder (seconds), or also those of the embedding
    /// model (minutes)
    #[arg(long, value_name = "NAME", value_enum, default_value_t = Encoder::Table)]
    encoder: Encoder,
    /// How many archives are indexed at the same time; by default one per core
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// This machine's share, such as 2/5 for the second of five: each machine takes different
    /// archives of the same list, and all may write to one folder
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Leaves the source text out: such a file opens only together with its archive
    #[arg(long)]
    without_text: bool,
}

/// Which vectors a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Encoder {
    Table,
    Full,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let folder = Folder::open(&args.out)?;
    let maker = Maker::new(&folder, args.encoder, !args.without_text)?;
    let own = args.shard.map(|shard| shard.of(&args.archives));
    let archives = own.as_deref().unwrap_or(&args.archives);
    match make_all(&folder, &maker, archives, args.jobs)? {
        0 => Ok(ExitCode::SUCCESS),
        failed => {
            let all = archives.len();
            Err(format!("{failed} of {all} archives were not indexed, see above").into())
        }
    }
}

/// Makes index files with the static encoder's vectors in the folder `out`, and returns how many
/// archives failed. They are named in the output.
pub fn fill(out: &Path, archives: &[PathBuf]) -> Result<usize> {
    let folder = Folder::open(out)?;
    let maker = Maker::new(&folder, Encoder::Table, true)?;
    make_all(&folder, &maker, archives, None)
}

/// Indexes archives on several threads, one a core unless `jobs` says otherwise, and returns how
/// many failed.
fn make_all(
    folder: &Folder,
    maker: &Maker<'_>,
    archives: &[PathBuf],
    jobs: Option<NonZeroUsize>,
) -> Result<usize> {
    let started = Instant::now();
    let jobs = match jobs {
        Some(jobs) => jobs.get(),
        None => std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
    };
    let next = AtomicUsize::new(0);
    let totals = Mutex::new(Totals::default());
    let work = || {
        while let Some(path) = archives.get(next.fetch_add(1, Ordering::Relaxed)) {
            let outcome = maker.make(path);
            let mut totals = totals.lock().unwrap_or_else(PoisonError::into_inner);
            totals.add(&path.display().to_string(), outcome);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(archives.len()) {
            scope.spawn(work);
        }
    });
    let totals = totals.into_inner().unwrap_or_else(PoisonError::into_inner);
    let listed = listing::update(folder)?;
    totals.print(started.elapsed().as_secs_f64(), listed)?;
    Ok(totals.failed)
}

/// What all threads did.
#[derive(Default)]
struct Totals {
    made: usize,
    left: usize,
    failed: usize,
    text_bytes: u64,
}

impl Totals {
    /// Counts and prints what became of an archive. Without an output there is nobody to tell.
    fn add(&mut self, archive: &str, outcome: Result<Outcome>) {
        let _ = match outcome {
            Ok(Outcome::Made(made)) => {
                self.made += 1;
                self.text_bytes += made.about.text_bytes;
                writeln!(std::io::stdout(), "{archive}: {}", said(&made))
            }
            Ok(Outcome::Left(file)) => {
                self.left += 1;
                writeln!(std::io::stdout(), "{archive}: {file} is there already")
            }
            Err(error) => {
                self.failed += 1;
                writeln!(std::io::stderr(), "{archive}: {error}")
            }
        };
    }

    fn print(&self, seconds: f64, listed: usize) -> Result<()> {
        let rate = megabytes(self.text_bytes) / seconds.max(1e-9);
        writeln!(
            std::io::stdout(),
            "{} made, {} there already, {} failed in {seconds:.1} s: {rate:.1} MB/s of text; {} \
             lists {listed}",
            self.made,
            self.left,
            self.failed,
            listing::NAME
        )?;
        Ok(())
    }
}

fn said(made: &Made) -> String {
    let rate = megabytes(made.about.text_bytes) / made.seconds.max(1e-9);
    let replaced = match made.replaced.as_slice() {
        [] => String::new(),
        replaced => format!(", in place of {}", replaced.join(", ")),
    };
    format!(
        "{} ({:.1} MB, {} files, {} chunks, {rate:.1} MB/s{replaced})",
        made.file,
        megabytes(made.bytes),
        made.about.files,
        made.about.chunks
    )
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
