//! `footnote worker --queue postgres://…`: indexes archives that `footnote enqueue` queued.

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use crate::Result;
use crate::database::queue::{Ended, Worker};
use crate::database::{self, Database, Options, Package};
use crate::hex;

/// Indexes queued archives into their database; run as many, on as many machines, as you like
#[derive(clap::Args)]
pub struct Args {
    /// The address of the database: postgres://USER:PASSWORD@HOST/DATABASE
    #[arg(long, value_name = "ADDRESS", env = database::ADDRESS, hide_env_values = true)]
    queue: String,
    /// How long a worker may be silent before another takes its job
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    lease: Duration,
    /// Ends when there is nothing left to do
    #[arg(long)]
    until_empty: bool,
}

fn seconds(given: &str) -> std::result::Result<Duration, String> {
    let seconds: f64 = given.parse().map_err(|_| "give a number".to_owned())?;
    match (0.5..=86_400.0).contains(&seconds) {
        true => Ok(Duration::from_secs_f64(seconds)),
        false => Err("give 0.5 to 86400".to_owned()),
    }
}

/// Works until it is stopped.
pub fn run(args: &Args) -> Result<ExitCode> {
    let worker = Worker {
        lease: args.lease,
        until_empty: args.until_empty,
        ..Worker::new(hex::random()?, Package::of_work)
    };
    database::block_on(async {
        let database = Database::prepare(&args.queue, Options::default()).await?;
        worker.work(&database, tell).await?;
        Ok(ExitCode::SUCCESS)
    })?
}

fn tell(file: &str, ended: &Ended) {
    let said = match ended {
        Ended::Stored(_) => "stored".to_owned(),
        Ended::Failed(reason) => format!("failed: {reason}"),
        Ended::Lost => "lost: another worker has it, or it was deleted".to_owned(),
        Ended::Broken(reason) => format!("not stored: {reason}"),
    };
    // Without an output there is nobody to tell.
    let _ = writeln!(std::io::stdout(), "{file}: {said}");
}
