//! Archives that wait for a worker, in the database that will hold their repositories.
//!
//! A worker holds a job by a lease that it renews. If the lease runs out, the worker has died or
//! is cut off, and another may take the job; what the first then still brings is refused, since the
//! number of attempts has changed. The end of a job and the repository that it made become visible
//! in one transaction, so that a kill at any moment loses nothing and doubles nothing.

mod worker;

use std::collections::BTreeSet;
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::{Change, Database, Error, Package, Result, write};
pub use worker::{Ended, Worker};

/// The format of jobs that this program writes, and the newest that it takes.
pub const FORMAT: i32 = 1;

/// A job that killed this many workers is not taken again.
const MAX_DEATHS: i32 = 3;
/// A job that failed this often is not tried again.
const MAX_FAILURES: i32 = 3;

/// An archive to be queued.
pub struct Work {
    /// What its repository will be listed as.
    pub name: String,
    /// The archive's file name.
    pub file_name: String,
    pub groups: BTreeSet<String>,
    pub archive: Vec<u8>,
}

/// A job that this worker holds.
pub struct Job {
    id: i64,
    attempt: i32,
    worker: String,
    pub work: Work,
}

/// How many jobs are in each state, and why some ended badly.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    pub waiting: i64,
    pub running: i64,
    pub done: i64,
    /// Those that failed or were poisoned: file name, state, why.
    pub bad: Vec<(String, String, String)>,
}

impl Work {
    /// Equal for work with the same result.
    fn key(&self) -> [u8; 32] {
        let mut hasher = Sha256::new();
        let texts = [self.name.as_str(), &self.file_name].into_iter();
        for text in texts.chain(self.groups.iter().map(String::as_str)) {
            hasher.update((text.len() as u64).to_le_bytes());
            hasher.update(text);
        }
        hasher.update([0xff; 8]);
        hasher.update(&self.archive);
        hasher.finalize().into()
    }
}

impl Database {
    /// Queues an archive; returns false if the same already waits or runs.
    pub async fn enqueue(&self, work: &Work) -> Result<bool> {
        let mut client = self.client().await?;
        let transaction = self.writing(&mut client).await?;
        let (key, groups) = (work.key(), work.groups.iter().collect::<Vec<_>>());
        // Done once is not done forever: another version may have replaced it since.
        transaction
            .execute(
                "DELETE FROM footnote.jobs
                 WHERE key = $1 AND state IN ('done', 'failed', 'poisoned')",
                &[&key.as_slice()],
            )
            .await?;
        let queued = transaction
            .execute(
                "INSERT INTO footnote.jobs (key, name, file_name, groups, archive, format)
                 VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (key) DO NOTHING",
                &[
                    &key.as_slice(),
                    &work.name,
                    &work.file_name,
                    &groups,
                    &work.archive,
                    &FORMAT,
                ],
            )
            .await?;
        transaction.commit().await?;
        Ok(queued > 0)
    }

    /// The state of the queue.
    pub async fn status(&self) -> Result<Status> {
        let mut client = self.client().await?;
        let transaction = self.writing(&mut client).await?;
        let counts = transaction
            .query_one(
                "SELECT count(*) FILTER (WHERE state = 'waiting'),
                     count(*) FILTER (WHERE state = 'running'),
                     count(*) FILTER (WHERE state = 'done') FROM footnote.jobs",
                &[],
            )
            .await?;
        let bad = transaction
            .query(
                "SELECT file_name, state, coalesce(error, '') FROM footnote.jobs
                 WHERE state IN ('failed', 'poisoned') ORDER BY id",
                &[],
            )
            .await?;
        transaction.commit().await?;
        let bad = bad.iter().map(|row| (row.get(0), row.get(1), row.get(2)));
        Ok(Status {
            waiting: counts.get(0),
            running: counts.get(1),
            done: counts.get(2),
            bad: bad.collect(),
        })
    }

    /// The number of jobs that run, or wait and have a format up to `format`.
    pub async fn pending(&self, format: i32) -> Result<i64> {
        let mut client = self.client().await?;
        let transaction = self.writing(&mut client).await?;
        let row = transaction
            .query_one(
                "SELECT count(*) FROM footnote.jobs
                 WHERE state IN ('waiting', 'running') AND format <= $1",
                &[&format],
            )
            .await?;
        transaction.commit().await?;
        Ok(row.get(0))
    }

    /// Takes the oldest job of a format up to `format`; `None` if there is nothing to do now.
    pub async fn take(&self, worker: &str, lease: Duration, format: i32) -> Result<Option<Job>> {
        let mut client = self.client().await?;
        let transaction = self.writing(&mut client).await?;
        transaction
            .execute(REAP, &[&MAX_DEATHS, &MAX_DEATHS.to_string()])
            .await?;
        let row = transaction
            .query_opt(TAKE, &[&worker, &lease.as_secs_f64(), &format])
            .await?;
        transaction.commit().await?;
        Ok(row.map(|row| Job {
            id: row.get(0),
            attempt: row.get(1),
            worker: worker.to_owned(),
            work: Work {
                name: row.get(2),
                file_name: row.get(3),
                groups: row.get::<_, Vec<String>>(4).into_iter().collect(),
                archive: row.get::<_, Option<Vec<u8>>>(5).unwrap_or_default(),
            },
        }))
    }

    /// Renews the lease; returns false if the job is no longer this worker's.
    pub async fn renew(&self, job: &Held, lease: Duration) -> Result<bool> {
        let mut client = self.client().await?;
        let transaction = self.writing(&mut client).await?;
        let renewed = transaction
            .execute(
                "UPDATE footnote.jobs
                 SET lease_until = clock_timestamp() + $4 * interval '1 second'
                 WHERE id = $1 AND attempts = $2 AND worker = $3 AND state = 'running'",
                &[&job.id, &job.attempt, &job.worker, &lease.as_secs_f64()],
            )
            .await?;
        transaction.commit().await?;
        Ok(renewed > 0)
    }

    /// Stores what a job made and ends the job, both or neither; `None` if the job is no longer
    /// this worker's.
    pub async fn finish(&self, job: &Held, package: &Package) -> Result<Option<Change>> {
        let audience = self.audience(&package.groups).await?;
        let mut client = self.client().await?;
        let transaction = self.writing(&mut client).await?;
        // Before the job's row, as a deletion does, so that neither waits for the other forever.
        write::lock(&transaction, &package.name).await?;
        // Before the rest, so that nobody takes the job while this transaction works.
        let ended = transaction
            .execute(
                "UPDATE footnote.jobs SET state = 'done', archive = NULL, error = NULL,
                     lease_until = NULL, ended_at = clock_timestamp()
                 WHERE id = $1 AND attempts = $2 AND worker = $3 AND state = 'running'",
                &[&job.id, &job.attempt, &job.worker],
            )
            .await?;
        if ended == 0 {
            return Ok(None);
        }
        let change = write::store(&transaction, package, audience).await?;
        transaction.commit().await?;
        Ok(Some(change))
    }

    /// Says that a job cannot be done; it is tried again later, a few times. Returns false if the
    /// job is no longer this worker's.
    pub async fn fail(&self, job: &Held, reason: &str) -> Result<bool> {
        let mut client = self.client().await?;
        let transaction = self.writing(&mut client).await?;
        let failed = transaction
            .execute(
                FAIL,
                &[
                    &job.id,
                    &job.attempt,
                    &job.worker,
                    &MAX_FAILURES,
                    &reason.replace('\0', "\u{fffd}"),
                ],
            )
            .await?;
        transaction.commit().await?;
        Ok(failed > 0)
    }
}

/// What identifies a held job, without its archive.
#[derive(Clone, Debug)]
pub struct Held {
    id: i64,
    attempt: i32,
    worker: String,
}

impl Job {
    pub fn held(&self) -> Held {
        Held {
            id: self.id,
            attempt: self.attempt,
            worker: self.worker.clone(),
        }
    }
}

/// Takes back jobs whose lease has run out.
const REAP: &str = "
UPDATE footnote.jobs SET deaths = deaths + 1, worker = NULL, lease_until = NULL,
    state = CASE WHEN deaths + 1 >= $1 THEN 'poisoned' ELSE 'waiting' END,
    ended_at = CASE WHEN deaths + 1 >= $1 THEN clock_timestamp() END,
    error = CASE WHEN deaths + 1 >= $1
        THEN 'its worker went silent ' || $2::text || ' times: it died or was cut off' END
WHERE id IN (
    SELECT id FROM footnote.jobs WHERE state = 'running' AND lease_until < clock_timestamp()
    FOR UPDATE SKIP LOCKED
)";

/// A job waits for the earlier ones of its name.
const TAKE: &str = "
UPDATE footnote.jobs SET state = 'running', attempts = attempts + 1, worker = $1,
    lease_until = clock_timestamp() + $2 * interval '1 second'
WHERE id = (
    SELECT id FROM footnote.jobs AS job
    WHERE state = 'waiting' AND not_before <= clock_timestamp() AND format <= $3
        AND NOT EXISTS (
            SELECT FROM footnote.jobs AS earlier
            WHERE earlier.name = job.name AND earlier.id < job.id
                AND earlier.state IN ('waiting', 'running')
        )
    ORDER BY id FOR UPDATE SKIP LOCKED LIMIT 1
)
RETURNING id, attempts, name, file_name, groups, archive";

/// The pauses between tries grow.
const FAIL: &str = "
UPDATE footnote.jobs SET failures = failures + 1, worker = NULL, lease_until = NULL, error = $5,
    state = CASE WHEN failures + 1 >= $4 THEN 'failed' ELSE 'waiting' END,
    ended_at = CASE WHEN failures + 1 >= $4 THEN clock_timestamp() END,
    not_before = clock_timestamp() + (failures + 1) * interval '1 second'
WHERE id = $1 AND attempts = $2 AND worker = $3 AND state = 'running'";

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            waiting,
            running,
            done,
            bad,
        } = self;
        write!(
            f,
            "{waiting} waiting, {running} running, {done} done, {} bad",
            bad.len()
        )?;
        for (file, state, why) in bad {
            write!(f, "\n{file}: {state}: {why}")?;
        }
        Ok(())
    }
}

impl From<Error> for Ended {
    fn from(error: Error) -> Self {
        Self::Broken(error.to_string())
    }
}
