//! Measures pushes and questions over many repositories in PostgreSQL:
//! `cargo run --release -p footnote-cli --example bench_database -- ARCHIVES QUESTIONS 10,100 OUT`.
//!
//! It starts a server of its own (`cargo xtask services` installs it) and pushes repositories until
//! each number of them is reached: first every archive in the folder ARCHIVES that a question set
//! in the folder QUESTIONS asks about, then the other archives, then made ones. A made one is a
//! random half of an archive that no question is about, with its vectors turned a little. At each
//! number it asks the questions of all sets over all repositories, alone and by several clients at
//! once. It prints tables and writes a chart into the folder OUT.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use footnote_cli::database::{Database, Options, PUBLIC, Package, block_on};
use footnote_cli::{Result, model};
use xtask::postgres::Postgres;

mod load;
mod made;
mod plot;
mod questions;
mod words;

use load::Load;
use made::Random;
use questions::{Asked, Quality};

/// The most parts with which the other ways to rank by words are compared.
const COMPARED: usize = 120_000;
const SETTINGS: [&str; 4] = [
    "shared_buffers=2GB",
    "maintenance_work_mem=2GB",
    "max_connections=100",
    "max_wal_size=8GB",
];

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [archives, questions, sizes, out] = args.as_slice() else {
        return Err("bench_database ARCHIVES QUESTIONS N,N,… OUT".into());
    };
    let sizes = sizes.split(',').map(str::parse);
    let sizes: Vec<usize> = sizes.collect::<std::result::Result<_, _>>()?;
    let folder = tempfile::tempdir()?;
    let server = Postgres::start(folder.path(), &SETTINGS)?;
    let (asked, waiting) = questions::sets(Path::new(archives), Path::new(questions))?;
    let rounds = block_on(measure(&server, &asked, waiting, &sizes))??;
    say(&tables(&rounds));
    std::fs::write(Path::new(out).join("postgresql.svg"), plot::chart(&rounds))?;
    Ok(())
}

#[allow(clippy::print_stdout)]
fn say(text: &str) {
    println!("{text}");
}

/// What was measured at one number of repositories.
pub struct Round {
    pub repositories: usize,
    pub chunks: usize,
    pub pushed: usize,
    pub push_seconds: f64,
    pub pushed_chunks: usize,
    pub database_bytes: u64,
    pub quality: Quality,
    pub loads: Vec<Load>,
}

async fn measure(
    server: &Postgres,
    asked: &[Asked],
    waiting: Vec<PathBuf>,
    sizes: &[usize],
) -> Result<Vec<Round>> {
    let alone = questions::alone(server, asked, &waiting).await?;
    say(&format!("each question to its own repository: {alone}"));
    let database = Database::prepare(&server.address("postgres"), options()).await?;
    let mut filling = Filling::new(asked, waiting);
    let mut rounds = Vec::new();
    for &size in sizes {
        let (pushed, pushed_chunks, spent) = filling.until(&database, size).await?;
        let quality = questions::quality(&database, asked).await?;
        let chunks = total(&database).await?;
        let loads = load::all(server, &database, asked).await?;
        rounds.push(Round {
            repositories: size,
            chunks,
            pushed,
            pushed_chunks,
            push_seconds: spent.as_secs_f64(),
            database_bytes: size_of(server).await?,
            quality,
            loads,
        });
        say(&format!("{size} repositories, {chunks} parts: {quality}"));
        if chunks <= COMPARED {
            say(&words::compare(server, &database, asked).await?);
        }
    }
    Ok(rounds)
}

pub fn options() -> Options {
    Options {
        connections: 64,
        wait: Duration::from_secs(600),
        statement: Duration::from_secs(600),
    }
}

/// Fills a database step by step.
struct Filling {
    /// Popped from the end.
    waiting: Vec<PathBuf>,
    /// The names that questions are about; no made repository is like one of them.
    subjects: BTreeSet<String>,
    real: Vec<Package>,
    random: Random,
    stored: usize,
}

impl Filling {
    fn new(asked: &[Asked], waiting: Vec<PathBuf>) -> Self {
        Self {
            waiting,
            subjects: asked.iter().map(|it| it.repository.clone()).collect(),
            real: Vec::new(),
            random: Random(1),
            stored: 0,
        }
    }

    /// Pushes until that many repositories exist. Returns their number, their parts, and the time
    /// of the pushes alone.
    async fn until(
        &mut self,
        database: &Database,
        size: usize,
    ) -> Result<(usize, usize, Duration)> {
        let (mut pushed, mut chunks, mut spent) = (0, 0, Duration::ZERO);
        while self.stored < size {
            let package = self.next()?;
            let start = Instant::now();
            database.push(&package).await?;
            spent += start.elapsed();
            chunks += package.rows.chunks.len();
            (pushed, self.stored) = (pushed + 1, self.stored + 1);
        }
        Ok((pushed, chunks, spent))
    }

    fn next(&mut self) -> Result<Package> {
        let Some(path) = self.waiting.pop() else {
            let like = self.random.below(self.real.len());
            let like = self.real.get(like).ok_or("no archive to make others of")?;
            return Ok(made::like(like, self.stored, &mut self.random));
        };
        let package = Package::read(&path, None, BTreeSet::from([PUBLIC.to_owned()]))?;
        if !self.subjects.contains(&package.name) {
            self.real.push(package.clone());
        }
        Ok(package)
    }
}

async fn total(database: &Database) -> Result<usize> {
    let listed = database.list(&BTreeSet::new()).await?;
    Ok(listed.iter().map(|it| it.chunks).sum())
}

async fn size_of(server: &Postgres) -> Result<u64> {
    let client = superuser(server).await?;
    let size = "SELECT pg_database_size(current_database())";
    let row = client.query_one(size, &[]).await?;
    Ok(row.get::<_, i64>(0).cast_unsigned())
}

/// A connection that rights do not hold back.
pub async fn superuser(server: &Postgres) -> Result<tokio_postgres::Client> {
    let address = server.address("postgres");
    let (client, connection) = tokio_postgres::connect(&address, tokio_postgres::NoTls).await?;
    tokio::spawn(connection);
    Ok(client)
}

fn tables(rounds: &[Round]) -> String {
    let mut text = String::from(
        "\n| repositories | chunks | pushed | s per push | chunks per s | database | nDCG@10 |\n\
         |---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for it in rounds {
        text += &format!(
            "| {} | {} | {} | {:.2} | {:.0} | {} MB | {:.3} |\n",
            it.repositories,
            it.chunks,
            it.pushed,
            it.push_seconds / it.pushed.max(1) as f64,
            it.pushed_chunks as f64 / it.push_seconds.max(1e-9),
            it.database_bytes / 1_000_000,
            it.quality.ndcg,
        );
    }
    text += "\n| repositories | clients | p50 ms | p95 ms | questions per s | memory |\n\
             |---:|---:|---:|---:|---:|---:|\n";
    for (round, load) in rounds
        .iter()
        .flat_map(|it| it.loads.iter().map(move |load| (it, load)))
    {
        text += &format!(
            "| {} | {} | {:.0} | {:.0} | {:.0} | {} MB |\n",
            round.repositories,
            load.clients,
            load.p50,
            load.p95,
            load.rate,
            load.memory_bytes / 1_000_000
        );
    }
    text
}

/// The static encoder, which questions and repositories share.
pub fn encoder() -> Result<std::sync::Arc<footnote_core::embed::TableEncoder>> {
    model::table()
}
