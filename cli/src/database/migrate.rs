//! Versions of the tables: numbered files, each applied once, in one transaction.

use tokio_postgres::{Client, GenericClient};

use super::{Error, Result};

/// The tables' versions in order; the first is version 1.
pub const ALL: &[&str] = &[
    include_str!("../../migrations/0001_repositories.sql"),
    include_str!("../../migrations/0002_queue.sql"),
];

/// Any number: it keeps two programs from applying the same version at once.
const LOCK: i64 = 0x666f_6f74_6e6f_7465;

/// Brings the tables to the newest of these versions. A version that is interrupted leaves the
/// one before it; later versions are refused.
pub async fn apply(client: &mut Client, versions: &[&str]) -> Result<()> {
    loop {
        let transaction = client.transaction().await?;
        transaction
            .execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK])
            .await?;
        let found = match is_there(&transaction).await? {
            true => version(&transaction).await?,
            false => {
                transaction.batch_execute(FIRST).await?;
                0
            }
        };
        let known = number(versions.len());
        if found > known {
            return Err(Error::Newer { found, known });
        }
        let Some(next) = versions.get(usize::try_from(found).unwrap_or(0)) else {
            return Ok(());
        };
        transaction.batch_execute(next).await?;
        transaction
            .execute(
                "INSERT INTO footnote.migrations (version) VALUES ($1)",
                &[&(found + 1)],
            )
            .await?;
        transaction.commit().await?;
    }
}

/// Fails unless the tables have exactly the version that this program knows.
pub async fn check(client: &impl GenericClient) -> Result<()> {
    if !is_there(client).await? {
        return Err(Error::Missing);
    }
    let (found, known) = (version(client).await?, number(ALL.len()));
    match found.cmp(&known) {
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Greater => Err(Error::Newer { found, known }),
        std::cmp::Ordering::Less => Err(Error::Refused(format!(
            "the database has version {found} of Footnote's tables, and this program needs \
             version {known}. `footnote push --to ADDRESS` brings them up to date, even without \
             a file"
        ))),
    }
}

fn number(versions: usize) -> i32 {
    i32::try_from(versions).unwrap_or(i32::MAX)
}

async fn is_there(client: &impl GenericClient) -> Result<bool> {
    let row = client
        .query_one("SELECT to_regclass('footnote.migrations') IS NOT NULL", &[])
        .await?;
    Ok(row.get(0))
}

async fn version(client: &impl GenericClient) -> Result<i32> {
    let row = client
        .query_one(
            "SELECT coalesce(max(version), 0) FROM footnote.migrations",
            &[],
        )
        .await?;
    Ok(row.get(0))
}

const FIRST: &str = "
CREATE SCHEMA footnote;
CREATE TABLE footnote.migrations (
    version int PRIMARY KEY,
    applied_at timestamptz NOT NULL DEFAULT now()
)";
