//! Repositories and their index files, as far as a user may read them.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{Database, Result};

/// A repository that the user may read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    pub name: String,
    /// The name of its index file.
    pub file_name: String,
    /// Bytes of its index file.
    pub size: u64,
    pub files: usize,
    pub chunks: usize,
}

impl Database {
    /// The encoder of all vectors; `None` before the first push.
    pub async fn encoder(&self) -> Result<Option<String>> {
        let mut client = self.client().await?;
        let transaction = self.reading(&mut client, &BTreeSet::new()).await?;
        let row = transaction
            .query_opt("SELECT id FROM footnote.encoder", &[])
            .await?;
        transaction.commit().await?;
        Ok(row.map(|row| row.get(0)))
    }

    /// What the groups may read, by name.
    pub async fn list(&self, groups: &BTreeSet<String>) -> Result<Vec<Listed>> {
        let mut client = self.client().await?;
        let transaction = self.reading(&mut client, groups).await?;
        let statement = transaction
            .prepare_cached(
                "SELECT name, file_name, size, files, chunks FROM footnote.repositories
                 ORDER BY name",
            )
            .await?;
        let rows = transaction.query(&statement, &[]).await?;
        transaction.commit().await?;
        let count = |row: &tokio_postgres::Row, at: usize| {
            usize::try_from(row.get::<_, i32>(at)).unwrap_or(0)
        };
        let listed = |row: &tokio_postgres::Row| Listed {
            name: row.get(0),
            file_name: row.get(1),
            size: u64::try_from(row.get::<_, i64>(2)).unwrap_or(0),
            files: count(row, 3),
            chunks: count(row, 4),
        };
        Ok(rows.iter().map(listed).collect())
    }

    /// The size and the SHA-256 of an index file.
    pub async fn index_file(
        &self,
        groups: &BTreeSet<String>,
        file_name: &str,
    ) -> Result<Option<(u64, Vec<u8>)>> {
        if file_name.contains('\0') {
            return Ok(None);
        }
        let mut client = self.client().await?;
        let transaction = self.reading(&mut client, groups).await?;
        let statement = transaction
            .prepare_cached(
                "SELECT size, content FROM footnote.repositories
                 WHERE file_name = $1
                 ORDER BY name LIMIT 1",
            )
            .await?;
        let row = transaction.query_opt(&statement, &[&file_name]).await?;
        transaction.commit().await?;
        let size = |row: &tokio_postgres::Row| u64::try_from(row.get::<_, i64>(0)).unwrap_or(0);
        Ok(row.map(|row| (size(&row), row.get(1))))
    }

    /// A range of an index file; `None` if this version is no longer there.
    pub async fn read_file(
        &self,
        groups: &BTreeSet<String>,
        file_name: &str,
        content: &[u8],
        range: Range<u64>,
    ) -> Result<Option<Vec<u8>>> {
        // PostgreSQL counts bytes from 1, and keeps at most 1 GB in a value.
        let from = i32::try_from(range.start.saturating_add(1)).unwrap_or(i32::MAX);
        let length = range.end.saturating_sub(range.start);
        let length = i32::try_from(length).unwrap_or(i32::MAX);
        let mut client = self.client().await?;
        let transaction = self.reading(&mut client, groups).await?;
        let statement = transaction
            .prepare_cached(
                "SELECT substring(f.bytes FROM $3 FOR $4)
                 FROM footnote.repositories AS r
                 JOIN footnote.index_files AS f ON f.repository = r.id
                 WHERE r.file_name = $1 AND r.content = $2
                 ORDER BY r.name LIMIT 1",
            )
            .await?;
        let row = transaction
            .query_opt(&statement, &[&file_name, &content, &from, &length])
            .await?;
        transaction.commit().await?;
        Ok(row.map(|row| row.get(0)))
    }
}
