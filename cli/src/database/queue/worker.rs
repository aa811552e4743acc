//! Takes jobs one after the other.

use std::time::Duration;

use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::sleep;

use super::{FORMAT, Held, Job, Work};
use crate::database::{Change, Database, Package, Result};

/// How long to wait where there is nothing to do, or where the database does not answer.
const PAUSE: Duration = Duration::from_millis(500);

/// Makes a package from an archive; errors are sentences.
pub type Make = fn(Work) -> std::result::Result<Package, String>;

/// A worker and how it works.
#[derive(Clone)]
pub struct Worker {
    /// Unlike that of every other worker.
    pub name: String,
    /// How long the database waits for a sign of life.
    pub lease: Duration,
    /// The newest format of jobs that it takes.
    pub format: i32,
    /// Whether it ends when there is nothing to do.
    pub until_empty: bool,
    pub make: Make,
}

/// How a job ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    Stored(Change),
    /// The archive cannot be indexed.
    Failed(String),
    /// The lease ran out, so that another worker has the job, or the job was deleted.
    Lost,
    /// The database refused the result.
    Broken(String),
}

impl Worker {
    /// A worker of this version, which makes packages by `make`.
    pub fn new(name: String, make: Make) -> Self {
        Self {
            name,
            lease: Duration::from_secs(60),
            format: FORMAT,
            until_empty: false,
            make,
        }
    }

    /// Works until there is nothing to do, or forever; `tell` hears how each try of a job ended. A
    /// database that is away or busy is waited for; another of its errors ends the work.
    pub async fn work(
        &self,
        database: &Database,
        mut tell: impl FnMut(&str, &Ended),
    ) -> Result<()> {
        loop {
            let taken = database.take(&self.name, self.lease, self.format).await;
            match taken {
                Ok(Some(job)) => {
                    let name = job.work.file_name.clone();
                    tell(&name, &self.carry_out(database, job).await);
                }
                Ok(None) if self.until_empty && self.is_idle(database).await? => return Ok(()),
                Ok(None) => sleep(PAUSE).await,
                Err(error) if error.is_passing() => sleep(PAUSE).await,
                Err(error) => return Err(error),
            }
        }
    }

    /// Whether nobody works and nothing waits that this worker could take.
    async fn is_idle(&self, database: &Database) -> Result<bool> {
        match database.pending(self.format).await {
            Ok(pending) => Ok(pending == 0),
            Err(error) if error.is_passing() => Ok(false),
            Err(error) => Err(error),
        }
    }

    async fn carry_out(&self, database: &Database, job: Job) -> Ended {
        let held = job.held();
        let heart = self.beat(database.clone(), held.clone());
        let make = self.make;
        let made = spawn_blocking(move || make(job.work)).await;
        // A fault of the program ends this job, not the worker.
        let made = made.unwrap_or_else(|fault| Err(format!("indexing failed: {fault}")));
        let ended = match made {
            Ok(package) => self.finish(database, &held, &package).await,
            Err(reason) => self.fail(database, &held, reason).await,
        };
        heart.abort();
        ended
    }

    /// Renews the lease until it is stopped. A single renewal that fails is made up for by the
    /// next.
    fn beat(&self, database: Database, held: Held) -> JoinHandle<()> {
        let lease = self.lease;
        tokio::spawn(async move {
            loop {
                sleep(lease / 4).await;
                let _ = database.renew(&held, lease).await;
            }
        })
    }

    /// Stores the result, however long the database is away: indexing was the expensive part.
    async fn finish(&self, database: &Database, held: &Held, package: &Package) -> Ended {
        loop {
            match database.finish(held, package).await {
                Ok(Some(change)) => return Ended::Stored(change),
                Ok(None) => return Ended::Lost,
                Err(error) if error.is_passing() => sleep(PAUSE).await,
                Err(error) => {
                    let _ = self.fail(database, held, error.to_string()).await;
                    return error.into();
                }
            }
        }
    }

    async fn fail(&self, database: &Database, held: &Held, reason: String) -> Ended {
        loop {
            match database.fail(held, &reason).await {
                Ok(true) => return Ended::Failed(reason),
                Ok(false) => return Ended::Lost,
                Err(error) if error.is_passing() => sleep(PAUSE).await,
                Err(error) => return error.into(),
            }
        }
    }
}
