//! `footnote push --to postgres://… FILE…`: repositories into a database, or out of it.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::Result;
use crate::database::{self, Change, Database, Options, Package, access};

/// Puts archives and index files into a PostgreSQL database, where `footnote serve` finds them
///
/// A repository that is there already is replaced in one step. Without a file, this only makes the
/// tables, or brings them up to date.
#[derive(clap::Args)]
pub struct Args {
    /// Archives, or files that `footnote index` wrote
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The address of the database: postgres://USER:PASSWORD@HOST/DATABASE
    #[arg(long, value_name = "ADDRESS", env = database::ADDRESS, hide_env_values = true)]
    to: String,
    /// A group that may read the repository; without any, everybody may
    #[arg(long = "group", value_name = "NAME")]
    groups: Vec<String>,
    /// The name of the repository, so that its next version replaces this one
    #[arg(long)]
    name: Option<String>,
    /// Deletes the repository of this name completely
    #[arg(long, value_name = "NAME", conflicts_with_all = ["files", "name", "groups"])]
    delete: Option<String>,
}

/// Returns exit status 1 if there was nothing to delete.
pub fn run(args: &Args) -> Result<ExitCode> {
    if args.name.is_some() && args.files.len() > 1 {
        return Err("--name works with one file only: several would replace each other".into());
    }
    database::block_on(async {
        let database = Database::prepare(&args.to, Options::default()).await?;
        match &args.delete {
            Some(name) => delete(&database, name).await,
            None => push(&database, args).await,
        }
    })?
}

async fn push(database: &Database, args: &Args) -> Result<ExitCode> {
    let groups = access::groups(&args.groups);
    let mut out = std::io::stdout();
    for path in &args.files {
        let package = Package::read(path, args.name.as_deref(), groups.clone())?;
        let change = database.push(&package).await?;
        let did = match change {
            Change::Added => "added",
            Change::Replaced => "replaced",
            Change::Unchanged => "unchanged",
        };
        let chunks = package.rows.chunks.len();
        writeln!(out, "{}: {did}, {chunks} parts", package.name)?;
    }
    Ok(ExitCode::SUCCESS)
}

async fn delete(database: &Database, name: &str) -> Result<ExitCode> {
    let mut out = std::io::stdout();
    match database.delete(name).await? {
        true => writeln!(out, "{name}: deleted")?,
        false => {
            writeln!(out, "{name}: there is no repository of this name")?;
            return Ok(ExitCode::from(1));
        }
    }
    Ok(ExitCode::SUCCESS)
}
