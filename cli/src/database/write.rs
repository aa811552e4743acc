//! Storing a repository: its new version replaces the old one in one transaction.

use std::collections::BTreeSet;

use deadpool_postgres::Transaction;
use pgvector::HalfVector;
use tokio_postgres::types::ToSql;

use super::rows::{ChunkRow, ImportRow, Rows, SymbolRow, WordRow};
use super::{Database, Error, Result};

/// Rows in one statement: enough that the way to the server counts little.
const BATCH: usize = 2_000;

/// One version of a repository, ready to be stored.
#[derive(Clone)]
pub struct Package {
    /// What it is listed, replaced and deleted as.
    pub name: String,
    /// Who may read it.
    pub groups: BTreeSet<String>,
    /// Its index file, and the name of that.
    pub file: Vec<u8>,
    pub file_name: String,
    /// SHA-256 of the index file.
    pub content: [u8; 32],
    pub rows: Rows,
}

/// What a push did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It was not there before.
    Added,
    /// It replaced another version, or other groups.
    Replaced,
    /// It was there already.
    Unchanged,
}

/// Who may read a pushed repository.
#[derive(Clone, Copy)]
enum Readers {
    /// The package's groups.
    Given,
    /// Whoever may read the version that is there; the package's groups if there is none.
    Kept,
}

impl Database {
    /// Stores a repository. Readers see the old version or the new one; two pushes of one name run
    /// one after the other.
    pub async fn push(&self, package: &Package) -> Result<Change> {
        self.push_for(package, Readers::Given).await
    }

    /// Like [`push`](Self::push), but a repository that is there already stays with its groups.
    pub async fn push_within_groups(&self, package: &Package) -> Result<Change> {
        self.push_for(package, Readers::Kept).await
    }

    async fn push_for(&self, package: &Package, readers: Readers) -> Result<Change> {
        let given = self.audience(&package.groups).await?;
        let mut client = self.client().await?;
        let transaction = self.writing(&mut client).await?;
        let audience = match readers {
            Readers::Given => given,
            Readers::Kept => kept_audience(&transaction, &package.name)
                .await?
                .unwrap_or(given),
        };
        let change = store(&transaction, package, audience).await?;
        transaction.commit().await?;
        Ok(change)
    }

    /// The number of the groups together. New ones are stored at once, so that the lock for that
    /// is held only for a moment.
    pub(super) async fn audience(&self, groups: &BTreeSet<String>) -> Result<i32> {
        if groups.is_empty() {
            return Err(Error::Refused("a repository needs a group".to_owned()));
        }
        let mut client = self.client().await?;
        let transaction = self.writing(&mut client).await?;
        let groups: Vec<&str> = groups.iter().map(String::as_str).collect();
        let row = transaction
            .query_one("SELECT footnote.audience_of($1)", &[&groups])
            .await?;
        transaction.commit().await?;
        Ok(row.get(0))
    }

    /// Deletes a repository and its jobs, and gives their room back. A worker that is at such a job
    /// loses it. Returns false if there is no repository of this name.
    pub async fn delete(&self, name: &str) -> Result<bool> {
        let mut client = self.client().await?;
        let transaction = self.writing(&mut client).await?;
        lock(&transaction, name).await?;
        let deleted = transaction
            .execute(
                "DELETE FROM footnote.repositories WHERE name = $1",
                &[&name],
            )
            .await?;
        transaction
            .execute("DELETE FROM footnote.jobs WHERE name = $1", &[&name])
            .await?;
        transaction.commit().await?;
        // Until then the deleted rows are still in the files of the database. A reader that has
        // not ended yet may keep them a little longer.
        client.batch_execute(VACUUM).await?;
        Ok(deleted > 0)
    }
}

const VACUUM: &str = "VACUUM footnote.repositories, footnote.index_files, footnote.files,
    footnote.chunks, footnote.words, footnote.symbols, footnote.imports, footnote.jobs";

/// Holds off other changes of the same repository until the transaction ends.
pub(super) async fn lock(transaction: &Transaction<'_>, name: &str) -> Result<()> {
    transaction
        .execute(
            "SELECT pg_advisory_xact_lock(hashtextextended('footnote ' || $1::text, 0))",
            &[&name],
        )
        .await?;
    Ok(())
}

/// The audience of a repository that is there; it stays so until the transaction ends.
async fn kept_audience(transaction: &Transaction<'_>, name: &str) -> Result<Option<i32>> {
    lock(transaction, name).await?;
    let row = transaction
        .query_opt(
            "SELECT audience FROM footnote.repositories WHERE name = $1",
            &[&name],
        )
        .await?;
    Ok(row.map(|row| row.get(0)))
}

/// Stores a repository as a part of the transaction.
pub(super) async fn store(
    transaction: &Transaction<'_>,
    package: &Package,
    audience: i32,
) -> Result<Change> {
    lock(transaction, &package.name).await?;
    use_encoder(transaction, &package.rows.encoder).await?;
    let old = transaction
        .query_opt(
            "SELECT content = $2 AND audience = $3 FROM footnote.repositories WHERE name = $1",
            &[&package.name, &package.content.as_slice(), &audience],
        )
        .await?;
    let change = match old.map(|row| row.get::<_, bool>(0)) {
        Some(true) => return Ok(Change::Unchanged),
        Some(false) => Change::Replaced,
        None => Change::Added,
    };
    transaction
        .execute(
            "DELETE FROM footnote.repositories WHERE name = $1",
            &[&package.name],
        )
        .await?;
    let target = Target {
        transaction,
        repository: insert_repository(transaction, package, audience).await?,
        audience,
    };
    target.insert_files(&package.rows.files).await?;
    target.insert_chunks(&package.rows.chunks).await?;
    target.insert_words(&package.rows.words).await?;
    target.insert_symbols(&package.rows.symbols).await?;
    target.insert_imports(&package.rows.imports).await?;
    Ok(change)
}

/// The first push decides on the encoder.
async fn use_encoder(transaction: &Transaction<'_>, given: &str) -> Result<()> {
    transaction
        .execute(
            "INSERT INTO footnote.encoder (id) VALUES ($1) ON CONFLICT DO NOTHING",
            &[&given],
        )
        .await?;
    let row = transaction
        .query_one("SELECT id FROM footnote.encoder", &[])
        .await?;
    let found: String = row.get(0);
    match found == given {
        true => Ok(()),
        false => Err(Error::OtherEncoder {
            found,
            given: given.to_owned(),
        }),
    }
}

async fn insert_repository(
    transaction: &Transaction<'_>,
    package: &Package,
    audience: i32,
) -> Result<i32> {
    let row = transaction
        .query_one(
            "INSERT INTO footnote.repositories (name, audience, content, size, files, chunks,
                 file_name)
             VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id",
            &[
                &package.name,
                &audience,
                &package.content.as_slice(),
                &i64::try_from(package.file.len()).unwrap_or(i64::MAX),
                &count(&package.rows.files),
                &count(&package.rows.chunks),
                &package.file_name,
            ],
        )
        .await?;
    let repository: i32 = row.get(0);
    transaction
        .execute(
            "INSERT INTO footnote.index_files (repository, audience, bytes) VALUES ($1, $2, $3)",
            &[&repository, &audience, &package.file],
        )
        .await?;
    Ok(repository)
}

fn count<T>(rows: &[T]) -> i32 {
    i32::try_from(rows.len()).unwrap_or(i32::MAX)
}

/// Where rows go.
struct Target<'t> {
    transaction: &'t Transaction<'t>,
    repository: i32,
    audience: i32,
}

/// The values of one column of some rows.
macro_rules! column {
    ($rows:expr, $of:expr) => {
        $rows.iter().map($of).collect::<Vec<_>>()
    };
}

impl Target<'_> {
    async fn insert(&self, statement: &str, columns: &[&(dyn ToSql + Sync)]) -> Result<()> {
        let statement = self.transaction.prepare_cached(statement).await?;
        let mut values: Vec<&(dyn ToSql + Sync)> = vec![&self.repository, &self.audience];
        values.extend(columns);
        self.transaction.execute(&statement, &values).await?;
        Ok(())
    }

    async fn insert_files(&self, files: &[String]) -> Result<()> {
        let ids: Vec<i32> = (0..).take(files.len()).collect();
        self.insert(
            "INSERT INTO footnote.files (repository, audience, id, path)
             SELECT $1, $2, * FROM unnest($3::int[], $4::text[])",
            &[&ids, &files],
        )
        .await
    }

    async fn insert_chunks(&self, chunks: &[ChunkRow]) -> Result<()> {
        let mut next = 0;
        for rows in chunks.chunks(BATCH) {
            let ids: Vec<i32> = (next..).take(rows.len()).collect();
            next = next.saturating_add(count(rows));
            let vectors: Vec<Option<&HalfVector>> = column!(rows, |row| row.vector.as_ref());
            self.insert(
                "INSERT INTO footnote.chunks (repository, audience, id, file, first_line,
                     last_line, symbol, vector)
                 SELECT $1, $2, * FROM unnest($3::int[], $4::int[], $5::int[], $6::int[],
                     $7::text[], $8::halfvec[])",
                &[
                    &ids,
                    &column!(rows, |row| row.file),
                    &column!(rows, |row| row.first),
                    &column!(rows, |row| row.last),
                    &column!(rows, |row| row.symbol.as_deref()),
                    &vectors,
                ],
            )
            .await?;
        }
        Ok(())
    }

    /// Lists of different lengths cannot form an array of PostgreSQL, so each is sent as a text.
    async fn insert_words(&self, words: &[WordRow]) -> Result<()> {
        for rows in words.chunks(BATCH) {
            self.insert(
                "INSERT INTO footnote.words (repository, audience, term, chunks, impacts)
                 SELECT $1, $2, term, chunks::int[], impacts::real[]
                 FROM unnest($3::text[], $4::text[], $5::text[]) AS row (term, chunks, impacts)",
                &[
                    &column!(rows, |row| row.term.as_str()),
                    &column!(rows, |row| list(&row.chunks)),
                    &column!(rows, |row| list(&row.impacts)),
                ],
            )
            .await?;
        }
        Ok(())
    }

    async fn insert_symbols(&self, symbols: &[SymbolRow]) -> Result<()> {
        for rows in symbols.chunks(BATCH) {
            self.insert(
                "INSERT INTO footnote.symbols (repository, audience, file, name, qualified, kind,
                     first_line, last_line)
                 SELECT $1, $2, * FROM unnest($3::int[], $4::text[], $5::text[], $6::text[],
                     $7::int[], $8::int[])",
                &[
                    &column!(rows, |row| row.file),
                    &column!(rows, |row| row.name.as_str()),
                    &column!(rows, |row| row.qualified.as_str()),
                    &column!(rows, |row| row.kind),
                    &column!(rows, |row| row.first),
                    &column!(rows, |row| row.last),
                ],
            )
            .await?;
        }
        Ok(())
    }

    async fn insert_imports(&self, imports: &[ImportRow]) -> Result<()> {
        for rows in imports.chunks(BATCH) {
            self.insert(
                "INSERT INTO footnote.imports (repository, audience, file, target, module,
                     first_line, last_line)
                 SELECT $1, $2, * FROM unnest($3::int[], $4::text[], $5::text[], $6::int[],
                     $7::int[])",
                &[
                    &column!(rows, |row| row.file),
                    &column!(rows, |row| row.target.as_str()),
                    &column!(rows, |row| row.module.as_str()),
                    &column!(rows, |row| row.first),
                    &column!(rows, |row| row.last),
                ],
            )
            .await?;
        }
        Ok(())
    }
}

/// A list as PostgreSQL writes arrays.
fn list<T: ToString>(values: &[T]) -> String {
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    format!("{{{}}}", values.join(","))
}
