//! `footnote enqueue --queue postgres://… ARCHIVE…`: archives for the workers.

use std::fmt::Display;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::database::queue::Work;
use crate::database::{self, Database, Options, access};
use crate::{Result, archive};

/// Queues archives in a database, for `footnote worker` on any machine; without an archive, shows
/// the queue
#[derive(clap::Args)]
pub struct Args {
    /// Zip, tar, tar.gz, crate or whl files
    #[arg(value_name = "ARCHIVE")]
    archives: Vec<PathBuf>,
    /// The address of the database: postgres://USER:PASSWORD@HOST/DATABASE
    #[arg(long, value_name = "ADDRESS", env = database::ADDRESS, hide_env_values = true)]
    queue: String,
    /// A group that may read the repository; without any, everybody may
    #[arg(long = "group", value_name = "NAME")]
    groups: Vec<String>,
    /// The name of the repository, so that its next version replaces this one
    #[arg(long)]
    name: Option<String>,
}

/// Returns exit status 1 if the queue is shown and a job in it ended badly.
pub fn run(args: &Args) -> Result<ExitCode> {
    if args.name.is_some() && args.archives.len() > 1 {
        return Err("--name works with one archive only: several would replace each other".into());
    }
    database::block_on(async {
        let database = Database::prepare(&args.queue, Options::default()).await?;
        match args.archives.as_slice() {
            [] => show(&database).await,
            _ => enqueue(&database, args).await,
        }
    })?
}

async fn enqueue(database: &Database, args: &Args) -> Result<ExitCode> {
    let mut out = std::io::stdout();
    for path in &args.archives {
        let file_name = path.file_name().unwrap_or_default().to_string_lossy();
        let archive = archive::read(path)?;
        let failed = |why: &dyn Display| format!("{}: {why}", path.display());
        database::fits("the archive", archive.len()).map_err(|why| failed(&why))?;
        // Now rather than by a worker, somewhere and later.
        let own = database::name_of(&file_name, archive.clone());
        let own = own.map_err(|error| failed(&error))?;
        let work = Work {
            name: args.name.clone().unwrap_or(own),
            file_name: file_name.into_owned(),
            groups: access::groups(&args.groups),
            archive,
        };
        let did = match database.enqueue(&work).await? {
            true => "queued",
            false => "is queued already",
        };
        writeln!(out, "{}: {did}", work.name)?;
    }
    Ok(ExitCode::SUCCESS)
}

async fn show(database: &Database) -> Result<ExitCode> {
    let status = database.status().await?;
    writeln!(std::io::stdout(), "{status}")?;
    Ok(match status.bad.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(1),
    })
}
