//! Other ways to rank by words in PostgreSQL, against the table `words`: a text index (`tsvector`
//! with `ts_rank`), and complete BM25 weights as `sparsevec`, by its graph and by a scan.
//!
//! Both get what the table holds: a text index each word as often as its frequency in BM25F, a
//! `sparsevec` the impacts times the rarity. They run without row-level security, so their times
//! are the lowest possible; the table's are those of a reader. The text index runs once more as a
//! reader: PostgreSQL then does not use it, because `@@` may leak what it compares.

use std::collections::BTreeMap;
use std::time::Instant;

use footnote_cli::Result;
use footnote_cli::database::Database;
use footnote_cli::database::catalogue::Repositories;
use footnote_cli::serve::source::{Catalogue, Query, User};
use footnote_core::index::question_tokens;
use tokio_postgres::Client;
use xtask::postgres::Postgres;

use crate::load::quantile;
use crate::questions::Asked;

/// The most weights of a `sparsevec` in a graph of pgvector.
const MOST_WEIGHTS: usize = 1_000;

const TEXT: &str = "
    CREATE TABLE by_text AS
    SELECT repository, audience, chunk,
        string_agg(quoted || ':' || positions, ' ')::tsvector AS words
    FROM (
        SELECT repository, audience, chunk,
            '''' || replace(replace(term, '\\', '\\\\'), '''', '''''') || '''' AS quoted,
            left('1,2,3,4,5,6,7,8,9',
                2 * least(9, greatest(1, round(1.2 * impact / greatest(0.1, 2.2 - impact))))::int
                - 1) AS positions
        FROM footnote.words, unnest(chunks, impacts) AS parts (chunk, impact)
        WHERE octet_length(term) < 2000
    ) AS each GROUP BY repository, audience, chunk;
    CREATE INDEX ON by_text USING gin (words);
    CREATE INDEX ON by_text (audience);
    ANALYZE by_text";

/// The rights of a reader, as all tables that are searched have them.
const RIGHTS: &str = "
    ALTER TABLE by_text ENABLE ROW LEVEL SECURITY;
    CREATE POLICY reading ON by_text FOR SELECT TO footnote_reader
        USING (audience = ANY ((SELECT footnote.readable())::int[]));
    GRANT SELECT ON by_text TO footnote_reader;
    SET role = footnote_reader;
    SET footnote.groups = '{public}'";

const SPARSE: &str = "
    CREATE TABLE vocabulary AS
    SELECT term, row_number() OVER (ORDER BY term)::int AS id,
        ln(1 + ((SELECT count(*) FROM footnote.chunks) - n + 0.5) / (n + 0.5)) AS rarity
    FROM (
        SELECT term, sum(cardinality(chunks))::float8 AS n FROM footnote.words GROUP BY term
    ) AS terms;
    CREATE INDEX ON vocabulary (term);
    ANALYZE vocabulary;
    CREATE TABLE by_weights AS
    SELECT repository, chunk, count(*) AS weights,
        ('{' || string_agg(id || ':' || (rarity * impact)::real, ',' ORDER BY id) || '}/'
            || (SELECT max(id) FROM vocabulary))::sparsevec AS words
    FROM footnote.words JOIN vocabulary USING (term),
        unnest(chunks, impacts) AS parts (chunk, impact)
    GROUP BY repository, chunk";

/// A table with the size, the time and the quality of each way.
pub async fn compare(server: &Postgres, database: &Database, asked: &[Asked]) -> Result<String> {
    let client = crate::superuser(server).await?;
    // What is read first is read again later: each way is asked once before it is timed.
    own(database, asked).await?;
    let own = own(database, asked).await?;
    let own_size = size(&client, "footnote.words").await?;
    let mut rows = vec![Row::new("table `words`", own_size, 0.0, own)];

    let built = Instant::now();
    client.batch_execute(TEXT).await?;
    let built = built.elapsed().as_secs_f64();
    let found = by_text(&client, asked).await?;
    let bytes = size(&client, "by_text").await?;
    rows.push(Row::new("`tsvector`, GIN, `ts_rank`", bytes, built, found));

    client.batch_execute(RIGHTS).await?;
    let found = by_text(&client, asked).await?;
    client.batch_execute("RESET role").await?;
    rows.push(Row::new("the same as a reader", bytes, built, found));

    let started = Instant::now();
    client.batch_execute(SPARSE).await?;
    let built = started.elapsed().as_secs_f64();
    let found = by_weights(&client, asked).await?;
    let bytes = size(&client, "by_weights").await?;
    rows.push(Row::new("`sparsevec`, scan", bytes, built, found));

    let too_long = client
        .execute(
            "DELETE FROM by_weights WHERE weights > $1",
            &[&(MOST_WEIGHTS as i64)],
        )
        .await?;
    let dimensions = dimensions(&client).await?;
    let graph = format!(
        "ALTER TABLE by_weights ALTER words TYPE sparsevec({dimensions});
         CREATE INDEX ON by_weights USING hnsw (words sparsevec_ip_ops);
         SET hnsw.ef_search = 200"
    );
    client.batch_execute(&graph).await?;
    let built = started.elapsed().as_secs_f64();
    let found = by_weights(&client, asked).await?;
    let bytes = size(&client, "by_weights").await?;
    rows.push(Row::new("`sparsevec`, HNSW", bytes, built, found));
    client
        .batch_execute("DROP TABLE by_text, by_weights, vocabulary")
        .await?;

    let rows: Vec<String> = rows.iter().map(Row::line).collect();
    Ok(format!(
        "\n| words by | size | built in s | p50 ms | p95 ms | nDCG@10 |\n\
         |---|---:|---:|---:|---:|---:|\n{}\n{too_long} parts have more weights than a graph takes\n",
        rows.join("\n")
    ))
}

/// Sorted times in milliseconds, and the mean nDCG.
type Found = (Vec<f64>, f64);

struct Row {
    name: &'static str,
    bytes: i64,
    built: f64,
    found: Found,
}

impl Row {
    fn new(name: &'static str, bytes: i64, built: f64, (mut times, ndcg): Found) -> Self {
        times.sort_by(f64::total_cmp);
        let found = (times, ndcg);
        Self {
            name,
            bytes,
            built,
            found,
        }
    }

    fn line(&self) -> String {
        let (times, ndcg) = &self.found;
        let (p50, p95) = (quantile(times, 50), quantile(times, 95));
        let (megabytes, built) = (self.bytes / 1_000_000, self.built);
        let name = self.name;
        format!("| {name} | {megabytes} MB | {built:.0} | {p50:.0} | {p95:.0} | {ndcg:.3} |")
    }
}

async fn size(client: &Client, table: &str) -> Result<i64> {
    let size = "SELECT pg_total_relation_size($1::text::regclass)";
    Ok(client.query_one(size, &[&table]).await?.get(0))
}

/// The table of words, as a reader asks it without a vector.
async fn own(database: &Database, asked: &[Asked]) -> Result<Found> {
    let catalogue = Repositories::new(database.clone(), None).await?;
    let (mut times, mut ndcg) = (Vec::new(), 0.0);
    for it in asked {
        let query = Query {
            question: it.question.clone(),
            limit: 200,
        };
        let start = Instant::now();
        let found = catalogue.search(&User::default(), &query).await?;
        times.push(start.elapsed().as_secs_f64() * 1_000.0);
        let hits = found.hits.iter();
        ndcg += it.judge(hits.map(|it| (it.repository.as_str(), it.path.as_str())));
    }
    Ok((times, ndcg / asked.len().max(1) as f64))
}

async fn by_text(client: &Client, asked: &[Asked]) -> Result<Found> {
    let queries = asked.iter().map(|it| {
        let words = question_tokens(&it.question).into_iter();
        let quoted = words.map(|it| format!("'{}'", it.replace('\\', "\\\\").replace('\'', "''")));
        quoted.collect::<Vec<_>>().join(" | ")
    });
    let statement = ranked(
        "by_text WHERE words @@ $1::text::tsquery",
        "-ts_rank(words, $1::text::tsquery)",
    );
    asks(client, &statement, asked, queries.collect()).await
}

async fn by_weights(client: &Client, asked: &[Asked]) -> Result<Found> {
    let dimensions = dimensions(client).await?;
    let mut queries = Vec::new();
    for it in asked {
        let words = question_tokens(&it.question);
        let known = client
            .query(
                "SELECT term, id FROM vocabulary WHERE term = ANY ($1)",
                &[&words],
            )
            .await?;
        let weights: BTreeMap<i32, usize> = known
            .iter()
            .map(|row| {
                let term: &str = row.get(0);
                (row.get(1), words.iter().filter(|it| *it == term).count())
            })
            .collect();
        let weights: Vec<String> = weights.iter().map(|(id, n)| format!("{id}:{n}")).collect();
        queries.push(format!("{{{}}}/{dimensions}", weights.join(",")));
    }
    let statement = ranked("by_weights", "words <#> $1::text::sparsevec");
    asks(client, &statement, asked, queries).await
}

async fn dimensions(client: &Client) -> Result<i64> {
    let counted = client.query_one("SELECT count(*) FROM vocabulary", &[]);
    Ok(counted.await?.get(0))
}

/// The paths of the best parts of a table.
fn ranked(of: &str, order: &str) -> String {
    format!(
        "WITH best AS MATERIALIZED (
             SELECT repository, chunk, {order} AS distance FROM {of} ORDER BY {order} LIMIT 200
         )
         SELECT r.name, f.path FROM best
         JOIN footnote.chunks AS c ON c.repository = best.repository AND c.id = best.chunk
         JOIN footnote.files AS f ON f.repository = c.repository AND f.id = c.file
         JOIN footnote.repositories AS r ON r.id = c.repository
         ORDER BY distance"
    )
}

async fn asks(
    client: &Client,
    statement: &str,
    asked: &[Asked],
    queries: Vec<String>,
) -> Result<Found> {
    let statement = client.prepare(statement).await?;
    for query in &queries {
        client.query(&statement, &[query]).await?;
    }
    let (mut times, mut ndcg) = (Vec::new(), 0.0);
    for (it, query) in asked.iter().zip(queries) {
        let start = Instant::now();
        let rows = client.query(&statement, &[&query]).await?;
        times.push(start.elapsed().as_secs_f64() * 1_000.0);
        ndcg += it.judge(rows.iter().map(|row| (row.get(0), row.get(1))));
    }
    Ok((times, ndcg / asked.len().max(1) as f64))
}
