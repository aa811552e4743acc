//! Measures pushes and questions over many repositories in PostgreSQL:
//! `cargo run --release -p footnote-cli --example bench_database -- ARCHIVES QUESTIONS 10,100`.
//!
//! It starts a server of its own (`cargo xtask services` installs it), pushes every archive in the
//! folder ARCHIVES that a question set in the folder QUESTIONS asks about, then further ones, then
//! made ones until each number of repositories is reached. A made one is a random half of a real
//! one, with its vectors turned a little. At each number it asks the questions of all sets over all
//! repositories, alone and by several clients at once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use footnote_cli::database::catalogue::Repositories;
use footnote_cli::database::{Database, Options, Package, block_on};
use footnote_cli::model;
use footnote_cli::serve::source::{Catalogue, Query, User};
use pgvector::HalfVector;
use xtask::postgres::Postgres;

/// Clients at once.
const CLIENTS: [usize; 4] = [1, 4, 16, 64];
/// Questions that each round asks.
const ASKED: usize = 200;
/// Files that count for nDCG.
const TOP: usize = 10;

/// A question, the repository that it is about, and the files that answer it.
struct Asked {
    question: String,
    repository: String,
    files: BTreeSet<String>,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [archives, questions, sizes] = args.as_slice() else {
        println!("bench_database ARCHIVES QUESTIONS N,N,…");
        return;
    };
    let sizes: Vec<usize> = sizes.split(',').map(|it| it.parse().unwrap()).collect();
    let folder = tempfile::tempdir().unwrap();
    let settings = [
        "shared_buffers=1GB",
        "max_connections=100",
        "max_wal_size=8GB",
    ];
    let server = Postgres::start(folder.path(), &settings).unwrap();
    block_on(measure(
        &server,
        Path::new(archives),
        Path::new(questions),
        &sizes,
    ))
    .unwrap();
}

async fn measure(server: &Postgres, archives: &Path, questions: &Path, sizes: &[usize]) {
    let options = Options {
        connections: 64,
        wait: Duration::from_secs(600),
        statement: Duration::from_secs(600),
    };
    let database = Database::prepare(&server.address("postgres"), options)
        .await
        .unwrap();
    let (asked, mut waiting) = sets(archives, questions);
    let mut real = Vec::new();
    let mut random = Random(1);
    println!("| repositories | chunks | pushed | s / push | chunks / s | database |");
    let mut rounds = Vec::new();
    let mut stored = 0;
    for &size in sizes {
        let (started, mut pushed, mut chunks) = (Instant::now(), 0, 0);
        let mut spent = Duration::ZERO;
        while stored < size {
            let package = match waiting.pop() {
                Some(path) => {
                    let package = Package::read(&path, None, BTreeSet::from(["public".to_owned()]));
                    let package = package.unwrap();
                    real.push(package.clone());
                    package
                }
                None => made(&real[stored % real.len()], stored, &mut random),
            };
            let start = Instant::now();
            database.push(&package).await.unwrap();
            spent += start.elapsed();
            chunks += package.rows.chunks.len();
            (pushed, stored) = (pushed + 1, stored + 1);
        }
        let bytes = size_of(server).await;
        let all: usize = total(&database).await;
        println!(
            "| {size} | {all} | {pushed} | {:.1} | {:.0} | {} MB |",
            spent.as_secs_f64() / f64::from(pushed.max(1)),
            chunks as f64 / spent.as_secs_f64(),
            bytes >> 20
        );
        println!(
            "<!-- {:.0} s with indexing -->",
            started.elapsed().as_secs_f64()
        );
        rounds.push((size, round(&database, &asked).await));
    }
    println!("\n| repositories | clients | p50 ms | p95 ms | questions / s |");
    for (size, (times, _)) in &rounds {
        for (clients, p50, p95, rate) in times {
            println!("| {size} | {clients} | {p50:.0} | {p95:.0} | {rate:.0} |");
        }
    }
    println!(
        "\n| repositories | questions | right repository first | nDCG@{TOP} of repository and file |"
    );
    for (size, (_, (count, first, ndcg))) in &rounds {
        println!("| {size} | {count} | {first:.3} | {ndcg:.3} |");
    }
}

/// The questions whose answers are lines, and the archives in the order in which they are popped:
/// those with questions first.
fn sets(archives: &Path, questions: &Path) -> (Vec<Asked>, Vec<PathBuf>) {
    let mut asked = Vec::new();
    let mut sets = listed(questions);
    sets.retain(|path| path.extension().is_some_and(|it| it == "jsonl"));
    for path in sets {
        let text = std::fs::read_to_string(path).unwrap();
        asked.extend(text.lines().filter_map(asked_in));
    }
    let repositories: BTreeSet<&str> = asked.iter().map(|it| it.repository.as_str()).collect();
    let (wanted, mut waiting): (Vec<PathBuf>, Vec<PathBuf>) =
        listed(archives).into_iter().partition(|path| {
            let name = path.file_name().unwrap().to_string_lossy();
            repositories.iter().any(|it| name.starts_with(*it))
        });
    waiting.extend(wanted);
    (asked, waiting)
}

/// The question of a line of a set, if files are known that answer it.
fn asked_in(line: &str) -> Option<Asked> {
    let item: serde_json::Value = serde_json::from_str(line).ok()?;
    let files = item["gold"]["lines"].as_array()?.iter();
    Some(Asked {
        question: item["question"].as_str()?.to_owned(),
        repository: item["repo"].as_str()?.to_owned(),
        files: files
            .filter_map(|it| Some(it["path"].as_str()?.to_owned()))
            .collect(),
    })
}

fn listed(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    paths.sort();
    paths
}

type Times = Vec<(usize, f64, f64, f64)>;

/// The times by number of clients, and the quality: number of questions, share with the right
/// repository first, nDCG.
async fn round(database: &Database, asked: &[Asked]) -> (Times, (usize, f64, f64)) {
    let encoder = model::table().unwrap();
    let catalogue = Arc::new(
        Repositories::new(database.clone(), Some(encoder))
            .await
            .unwrap(),
    );
    let listed = database.list(&BTreeSet::new()).await.unwrap();
    let names: BTreeSet<String> = listed.into_iter().map(|it| it.name).collect();
    let known: Vec<&Asked> = asked
        .iter()
        .filter(|it| names.contains(&it.repository))
        .collect();
    let (mut first, mut ndcg) = (0.0, 0.0);
    for it in &known {
        let found = search(&catalogue, &it.question).await;
        let name = &it.repository;
        first += f64::from(u8::from(
            found
                .repositories
                .first()
                .is_some_and(|best| best.repository == *name),
        ));
        let mut files: Vec<(&str, &str)> = Vec::new();
        for hit in &found.hits {
            let file = (hit.repository.as_str(), hit.path.as_str());
            if !files.contains(&file) {
                files.push(file);
            }
        }
        let is_right = |file: &(&str, &str)| file.0 == name && it.files.contains(file.1);
        ndcg += discounted(files.iter().take(TOP).map(is_right), it.files.len());
    }
    let count = known.len().max(1) as f64;
    let mut times = Vec::new();
    for clients in CLIENTS {
        times.push(load(&catalogue, &known, clients).await);
    }
    (times, (known.len(), first / count, ndcg / count))
}

fn discounted(right: impl Iterator<Item = bool>, gold: usize) -> f64 {
    let gain = |at: usize| 1.0 / (at as f64 + 2.0).log2();
    let found: f64 = right
        .enumerate()
        .filter(|(_, is)| *is)
        .map(|(at, _)| gain(at))
        .sum();
    found / (0..gold.min(TOP)).map(gain).sum::<f64>()
}

async fn search(catalogue: &Repositories, question: &str) -> footnote_cli::serve::source::Found {
    let query = Query {
        question: question.to_owned(),
        limit: 50,
    };
    catalogue.search(&User::default(), &query).await.unwrap()
}

/// p50 and p95 in milliseconds, and questions per second.
async fn load(
    catalogue: &Arc<Repositories>,
    asked: &[&Asked],
    clients: usize,
) -> (usize, f64, f64, f64) {
    let start = Instant::now();
    let mut running = Vec::new();
    for client in 0..clients {
        let mine = (client..ASKED)
            .step_by(clients)
            .map(|at| asked[at % asked.len()].question.clone());
        let (mine, catalogue) = (mine.collect::<Vec<_>>(), Arc::clone(catalogue));
        running.push(tokio::spawn(async move {
            let mut times = Vec::new();
            for question in mine {
                let start = Instant::now();
                search(&catalogue, &question).await;
                times.push(start.elapsed().as_secs_f64() * 1_000.0);
            }
            times
        }));
    }
    let mut times = Vec::new();
    for client in running {
        times.extend(client.await.unwrap());
    }
    times.sort_by(f64::total_cmp);
    let rate = times.len() as f64 / start.elapsed().as_secs_f64();
    let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)];
    (clients, at(50), at(95), rate)
}

async fn total(database: &Database) -> usize {
    let listed = database.list(&BTreeSet::new()).await.unwrap();
    listed.iter().map(|it| it.chunks).sum()
}

async fn size_of(server: &Postgres) -> u64 {
    let address = server.address("postgres");
    let (client, connection) = tokio_postgres::connect(&address, tokio_postgres::NoTls)
        .await
        .unwrap();
    tokio::spawn(connection);
    let size = "SELECT pg_database_size(current_database())";
    let row = client.query_one(size, &[]).await.unwrap();
    u64::try_from(row.get::<_, i64>(0)).unwrap()
}

/// A repeatable generator, good enough to choose halves.
struct Random(u64);

impl Random {
    /// From 0 to 1.
    fn next(&mut self) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }
}

/// A repository with a random half of another one's chunks and the distributions of all.
fn made(real: &Package, number: usize, random: &mut Random) -> Package {
    let mut package = real.clone();
    package.name = format!("made-{number}");
    package.file_name = format!("made-{number}.footnote");
    package.content[..8].copy_from_slice(&(number as u64).to_le_bytes());
    let rows = &mut package.rows;
    let mut places = BTreeMap::new();
    let mut kept = Vec::new();
    for (at, chunk) in rows.chunks.iter().enumerate() {
        if random.next() < 0.5 {
            places.insert(at as i32, kept.len() as i32);
            let mut chunk = chunk.clone();
            chunk.vector = chunk.vector.map(|vector| turned(&vector, random));
            kept.push(chunk);
        }
    }
    rows.chunks = kept;
    for word in &mut rows.words {
        let pairs = word.chunks.iter().zip(&word.impacts);
        let pairs = pairs.filter_map(|(chunk, impact)| Some((*places.get(chunk)?, *impact)));
        (word.chunks, word.impacts) = pairs.unzip();
    }
    rows.words.retain(|word| !word.chunks.is_empty());
    package
}

fn turned(vector: &HalfVector, random: &mut Random) -> HalfVector {
    let values: Vec<f32> = vector.as_slice().iter().map(|it| it.to_f32()).collect();
    let noise = values
        .iter()
        .map(|value| value + 0.04 * (random.next() - 0.5));
    HalfVector::from_f32_slice(&noise.collect::<Vec<f32>>())
}
