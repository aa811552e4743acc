//! Questions over all repositories that a user may read.
//!
//! Words and vectors each rank chunks, and reciprocal ranks join the two lists. The rarity of a
//! word is counted over the rows that the reader may see, in the same statement: it is right as
//! repositories come and go, and says nothing of others.

use std::collections::{BTreeMap, BTreeSet};

use deadpool_postgres::Transaction;
use pgvector::HalfVector;

use super::rows::dotted;
use super::{Database, Result};

/// Chunks that words and vectors each may propose.
const CANDIDATES: i64 = 200;
/// The constant of reciprocal rank fusion, as published.
const RRF: f64 = 60.0;
/// Occurrences of a question's words that are looked at, beyond those of its rarest word. Words
/// such as `src` occur nearly everywhere: they say little and take most of the time.
const OCCURRENCES: i64 = 50_000;
/// Hits of a repository that count for its rank: one that is about the question has several, and a
/// large one that is not has many.
const COUNTED: usize = 3;

/// A question as the database compares it.
pub struct Wanted {
    /// Its words, as `question_tokens` of the engine splits it.
    pub words: Vec<String>,
    /// Its vector by the static encoder; missing if that knows none of its words.
    pub vector: Option<HalfVector>,
    pub limit: usize,
}

/// What was found in all repositories.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The number of repositories that were searched.
    pub searched: usize,
    /// Best first.
    pub repositories: Vec<Ranked>,
    /// Best first.
    pub places: Vec<Place>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    pub repository: String,
    /// The name of its index file.
    pub index: String,
    pub score: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub repository: String,
    /// The name of the repository's index file.
    pub index: String,
    pub path: String,
    pub first: u32,
    pub last: u32,
    /// The definition that the lines belong to; of an exact question, its answer.
    pub symbol: Option<String>,
    pub kind: String,
    pub score: f64,
}

/// A repository and a chunk of it.
type Chunk = (i32, i32);

/// The names of a repository and of its index file.
type Names = (String, String);

impl Database {
    /// The chunks that answer a question best, among those that the groups may read.
    pub async fn search(&self, groups: &BTreeSet<String>, wanted: &Wanted) -> Result<Answer> {
        let mut client = self.client().await?;
        let transaction = self.reading(&mut client, groups).await?;
        let audiences = audiences(&transaction).await?;
        let total = |of: fn(&Audience) -> i64| audiences.iter().map(of).sum::<i64>();
        let chunks = total(|audience| audience.chunks);
        let by_words = by_words(&transaction, &wanted.words, chunks).await?;
        let by_meaning = match &wanted.vector {
            Some(vector) => by_meaning(&transaction, vector, &audiences).await?,
            None => Vec::new(),
        };
        let fused = fuse(&[by_words, by_meaning]);
        let names = names(&transaction, &fused).await?;
        let best: Vec<(Chunk, f64)> = fused.iter().take(wanted.limit).copied().collect();
        let places = places(&transaction, &best).await?;
        transaction.commit().await?;
        Ok(Answer {
            searched: usize::try_from(total(|audience| audience.repositories)).unwrap_or(0),
            repositories: rank(&fused, &names),
            places,
        })
    }
}

/// Repositories that the same groups may read.
struct Audience {
    id: i32,
    repositories: i64,
    chunks: i64,
}

async fn audiences(transaction: &Transaction<'_>) -> Result<Vec<Audience>> {
    let statement = transaction
        .prepare_cached(
            "SELECT audience, count(*), sum(chunks) FROM footnote.repositories
             GROUP BY audience ORDER BY audience",
        )
        .await?;
    let rows = transaction.query(&statement, &[]).await?;
    let audience = |row: &tokio_postgres::Row| Audience {
        id: row.get(0),
        repositories: row.get(1),
        chunks: row.get(2),
    };
    Ok(rows.iter().map(audience).collect())
}

/// BM25 with the engine's formula: the rarity of each word times the impacts that are stored. From
/// the rarest word on, as many words are scored as have [`OCCURRENCES`] together.
async fn by_words(
    transaction: &Transaction<'_>,
    words: &[String],
    chunks: i64,
) -> Result<Vec<Chunk>> {
    let mut times: BTreeMap<&str, f64> = BTreeMap::new();
    for word in words {
        *times.entry(word).or_default() += 1.0;
    }
    let (terms, times): (Vec<&str>, Vec<f64>) = times.into_iter().unzip();
    let statement = transaction
        .prepare_cached(
            "WITH hits AS MATERIALIZED (
                 SELECT term, repository, chunks, impacts
                 FROM footnote.words WHERE term = ANY ($1::text[])
             ), frequencies AS (
                 SELECT term, sum(cardinality(chunks))::float8 AS n FROM hits GROUP BY term
             ), counted AS (
                 SELECT term, n, sum(n) OVER (ORDER BY n, term) AS occurrences,
                     row_number() OVER (ORDER BY n, term) AS place
                 FROM frequencies
             ), gains AS (
                 SELECT term, times * ln(1 + ($3::float8 - n + 0.5) / (n + 0.5)) AS gain
                 FROM counted JOIN unnest($1::text[], $2::float8[]) AS asked (term, times)
                 USING (term)
                 WHERE occurrences <= $5::float8 OR place = 1
             )
             SELECT repository, chunk, sum(gain * impact) AS score
             FROM hits JOIN gains USING (term),
                  unnest(chunks, impacts) AS parts (chunk, impact)
             GROUP BY repository, chunk
             ORDER BY score DESC, repository, chunk LIMIT $4",
        )
        .await?;
    // The sum of all chunks fits into a float without loss for 2^53 of them.
    let rows = transaction
        .query(
            &statement,
            &[
                &terms,
                &times,
                &(chunks as f64),
                &CANDIDATES,
                &(OCCURRENCES as f64),
            ],
        )
        .await?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}

/// The nearest chunks, from the graph of each audience.
async fn by_meaning(
    transaction: &Transaction<'_>,
    vector: &HalfVector,
    audiences: &[Audience],
) -> Result<Vec<Chunk>> {
    let statement = transaction
        .prepare_cached(
            "SELECT repository, id, vector <=> $1 AS distance FROM footnote.chunks
             WHERE audience = $2 ORDER BY vector <=> $1 LIMIT $3",
        )
        .await?;
    let mut found: Vec<(f64, Chunk)> = Vec::new();
    for audience in audiences {
        let rows = transaction
            .query(&statement, &[vector, &audience.id, &CANDIDATES])
            .await?;
        let near = rows.iter();
        found.extend(near.map(|row| (row.get(2), (row.get(0), row.get(1)))));
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let most = usize::try_from(CANDIDATES).unwrap_or(0);
    Ok(found
        .into_iter()
        .take(most)
        .map(|(_, chunk)| chunk)
        .collect())
}

/// Joins ranked lists: each adds 1 / (60 + rank) to what it names.
fn fuse(lists: &[Vec<Chunk>]) -> Vec<(Chunk, f64)> {
    let mut scores: BTreeMap<Chunk, f64> = BTreeMap::new();
    for list in lists {
        for (rank, chunk) in (1..).zip(list) {
            *scores.entry(*chunk).or_default() += 1.0 / (RRF + f64::from(rank));
        }
    }
    let mut fused: Vec<(Chunk, f64)> = scores.into_iter().collect();
    fused.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    fused
}

/// The repositories of ranked chunks, best first.
fn rank(fused: &[(Chunk, f64)], names: &BTreeMap<i32, Names>) -> Vec<Ranked> {
    let mut counted: BTreeMap<i32, (usize, f64)> = BTreeMap::new();
    for ((repository, _), score) in fused {
        let (hits, sum) = counted.entry(*repository).or_default();
        if *hits < COUNTED {
            *hits += 1;
            *sum += score;
        }
    }
    let ranked = counted.into_iter().filter_map(|(id, (_, score))| {
        let (repository, index) = names.get(&id)?.clone();
        Some(Ranked {
            repository,
            index,
            score,
        })
    });
    let mut ranked: Vec<Ranked> = ranked.collect();
    let name = |it: &Ranked| it.repository.clone();
    ranked.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then_with(|| name(a).cmp(&name(b)))
    });
    ranked
}

async fn names(
    transaction: &Transaction<'_>,
    fused: &[(Chunk, f64)],
) -> Result<BTreeMap<i32, Names>> {
    let ids: BTreeSet<i32> = fused
        .iter()
        .map(|((repository, _), _)| *repository)
        .collect();
    let ids: Vec<i32> = ids.into_iter().collect();
    let statement = transaction
        .prepare_cached(
            "SELECT id, name, file_name FROM footnote.repositories WHERE id = ANY ($1::int[])",
        )
        .await?;
    let rows = transaction.query(&statement, &[&ids]).await?;
    let names = rows
        .iter()
        .map(|row| (row.get(0), (row.get(1), row.get(2))));
    Ok(names.collect())
}

/// Where chunks are, in the given order.
async fn places(transaction: &Transaction<'_>, best: &[(Chunk, f64)]) -> Result<Vec<Place>> {
    let repositories: Vec<i32> = best
        .iter()
        .map(|((repository, _), _)| *repository)
        .collect();
    let chunks: Vec<i32> = best.iter().map(|((_, chunk), _)| *chunk).collect();
    let scores: Vec<f64> = best.iter().map(|(_, score)| *score).collect();
    let statement = transaction
        .prepare_cached(
            "SELECT r.name, r.file_name, f.path, c.first_line, c.last_line, c.symbol, 'chunk', wanted.score
             FROM unnest($1::int[], $2::int[], $3::float8[]) WITH ORDINALITY
                 AS wanted (repository, chunk, score, place)
             JOIN footnote.chunks AS c ON c.repository = wanted.repository AND c.id = wanted.chunk
             JOIN footnote.files AS f ON f.repository = c.repository AND f.id = c.file
             JOIN footnote.repositories AS r ON r.id = c.repository
             ORDER BY place",
        )
        .await?;
    let rows = transaction
        .query(&statement, &[&repositories, &chunks, &scores])
        .await?;
    Ok(rows.iter().map(place).collect())
}

fn place(row: &tokio_postgres::Row) -> Place {
    let line = |column: usize| u32::try_from(row.get::<_, i32>(column)).unwrap_or(0);
    Place {
        repository: row.get(0),
        index: row.get(1),
        path: row.get(2),
        first: line(3),
        last: line(4),
        symbol: row.get(5),
        kind: row.get(6),
        score: row.get(7),
    }
}

impl Database {
    /// The definitions of this name, alone or with its owners: how many, and the first by
    /// repository, path and line.
    pub async fn definitions(
        &self,
        groups: &BTreeSet<String>,
        name: &str,
        limit: usize,
    ) -> Result<(usize, Vec<Place>)> {
        self.exact(
            groups,
            name,
            limit,
            "SELECT count(*) FROM footnote.symbols WHERE name = $1 OR qualified = $1",
            "SELECT r.name, r.file_name, f.path, s.first_line, s.last_line, s.qualified, s.kind, 0::float8
             FROM footnote.symbols AS s
             JOIN footnote.files AS f ON f.repository = s.repository AND f.id = s.file
             JOIN footnote.repositories AS r ON r.id = s.repository
             WHERE s.name = $1 OR s.qualified = $1
             ORDER BY r.name, f.path, s.first_line, s.last_line LIMIT $2",
        )
        .await
    }

    /// The imports of this module, or of something in it, however their languages write them.
    pub async fn imports(
        &self,
        groups: &BTreeSet<String>,
        module: &str,
        limit: usize,
    ) -> Result<(usize, Vec<Place>)> {
        self.exact(
            groups,
            &dotted(module),
            limit,
            "SELECT count(*) FROM footnote.imports WHERE target = $1",
            "SELECT r.name, r.file_name, f.path, i.first_line, i.last_line, i.module, 'import', 0::float8
             FROM footnote.imports AS i
             JOIN footnote.files AS f ON f.repository = i.repository AND f.id = i.file
             JOIN footnote.repositories AS r ON r.id = i.repository
             WHERE i.target = $1
             ORDER BY r.name, f.path, i.first_line, i.last_line LIMIT $2",
        )
        .await
    }

    async fn exact(
        &self,
        groups: &BTreeSet<String>,
        name: &str,
        limit: usize,
        counting: &str,
        listing: &str,
    ) -> Result<(usize, Vec<Place>)> {
        // No name contains it, and PostgreSQL takes no text with it.
        if name.contains('\0') {
            return Ok((0, Vec::new()));
        }
        let mut client = self.client().await?;
        let transaction = self.reading(&mut client, groups).await?;
        let statement = transaction.prepare_cached(counting).await?;
        let total: i64 = transaction.query_one(&statement, &[&name]).await?.get(0);
        let statement = transaction.prepare_cached(listing).await?;
        let most = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows = transaction.query(&statement, &[&name, &most]).await?;
        transaction.commit().await?;
        let places = rows.iter().map(place).collect();
        Ok((usize::try_from(total).unwrap_or(0), places))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_of_both_lists_come_before_the_first_of_only_one() {
        let fused = fuse(&[vec![(1, 1), (1, 2)], vec![(2, 1), (1, 2)]]);
        let order: Vec<Chunk> = fused.iter().map(|(chunk, _)| *chunk).collect();
        assert_eq!(order, [(1, 2), (1, 1), (2, 1)]);
    }

    #[test]
    fn a_repository_is_not_better_for_having_many_weak_hits() {
        let named = |id: i32, name: &str| (id, (name.to_owned(), format!("{name}.footnote")));
        let names = BTreeMap::from([named(1, "large"), named(2, "right")]);
        let mut fused: Vec<(Chunk, f64)> = (0..3).map(|at| ((2, at), 0.03)).collect();
        fused.extend((0..100).map(|at| ((1, at), 0.01)));
        let ranked = rank(&fused, &names);
        assert_eq!(
            ranked.first().map(|it| it.repository.as_str()),
            Some("right")
        );
    }
}
