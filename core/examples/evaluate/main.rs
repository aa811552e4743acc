//! Question sets in, metrics out:
//!
//! ```text
//! cargo run --release -p footnote-core --example evaluate -- SET.jsonl ARCHIVE_DIR
//!     [--strategy NAME[,NAME…]] [--json FILE] [--per-query FILE]
//!     [--vectors DIR] [--embed-limit CHUNKS] [--compare N] [--no-vectors]
//! ```
//!
//! `archives.json` lies beside the set. Strategies that compare vectors embed every chunk of an
//! archive with the committed model, on two threads, and keep the vectors under `--vectors` (default
//! `target/vectors`), so that a second run is quick. Archives of more than `--embed-limit` chunks
//! (default 20,000) are compared on demand instead: each question with its best `--compare` (default
//! 50) chunks by words, as the app does before its vectors are complete. `--no-vectors` ranks by words
//! alone under every strategy, as the app does where the model cannot run.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod model;
mod report;
mod vectors;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use footnote_core::chunk;
use footnote_core::eval::{self, Item, Prediction, Scores, set};
use footnote_core::index::{Index, IndexBuilder};
use footnote_core::job::run_to_end;
use footnote_core::search::{self, Question, Strategy};
use footnote_core::source::ArchiveReader;

/// Hits a question returns; enough to fill 800 lines.
const LIMIT: usize = 100;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

pub struct Settings {
    set: PathBuf,
    archives: PathBuf,
    strategies: Vec<Strategy>,
    json: Option<PathBuf>,
    per_query: Option<PathBuf>,
    vectors: vectors::Options,
    no_vectors: bool,
}

/// One question under one strategy.
pub struct Row {
    pub strategy: Strategy,
    pub item: Item,
    pub prediction: Prediction,
    pub scores: Scores,
}

fn main() -> Result<()> {
    let settings = Settings::from_args(std::env::args().skip(1))?;
    let items = set::parse_set(&std::fs::read_to_string(&settings.set)?)?;
    let list = settings.set.with_file_name("archives.json");
    let archives = set::parse_archives(&std::fs::read_to_string(list)?)?;
    let mut by_archive: BTreeMap<&str, Vec<&Item>> = BTreeMap::new();
    for item in &items {
        by_archive.entry(&item.archive).or_default().push(item);
    }
    let mut rows = Vec::new();
    for (key, items) in by_archive {
        let archive = archives
            .get(key)
            .ok_or_else(|| format!("archives.json lacks {key}"))?;
        rows.extend(evaluate(
            &settings,
            &settings.archives.join(&archive.file),
            &items,
        )?);
    }
    report::print(&settings, &rows)
}

fn evaluate(settings: &Settings, archive: &Path, items: &[&Item]) -> Result<Vec<Row>> {
    let started = Instant::now();
    let index = index(archive)?;
    let mut line = std::io::stderr();
    let uses_vectors = |strategy: &Strategy| strategy.uses_vectors();
    let wants_vectors = !settings.no_vectors && settings.strategies.iter().any(uses_vectors);
    writeln!(
        line,
        "{}: {} files, {} chunks, indexed in {:.1} s",
        index.repo.name,
        index.repo.files.len(),
        index.chunks.len(),
        started.elapsed().as_secs_f64()
    )?;
    let mut dense = wants_vectors
        .then(|| vectors::Dense::open(&settings.vectors, &index))
        .transpose()?;
    let mut rows = Vec::new();
    for item in items {
        let question = Question::new(&item.query)?;
        for &strategy in &settings.strategies {
            let prediction = predict(&index, dense.as_mut(), &question, strategy)?;
            rows.push(Row {
                strategy,
                item: (*item).clone(),
                scores: eval::score(item, &prediction),
                prediction,
            });
        }
    }
    Ok(rows)
}

fn index(archive: &Path) -> Result<Index> {
    let name = archive.file_name().unwrap_or_default().to_string_lossy();
    let bytes =
        std::fs::read(archive).map_err(|error| format!("{error}: {}", archive.display()))?;
    let repo = run_to_end(ArchiveReader::open(&name, bytes)?)?;
    let Ok(index) = run_to_end(IndexBuilder::new(repo, chunk::Strategy::Function));
    Ok(index)
}

/// The time is that of a warm question: its own embedding and the search, without the embedding of
/// chunks.
fn predict(
    index: &Index,
    dense: Option<&mut vectors::Dense>,
    question: &Question,
    strategy: Strategy,
) -> Result<Prediction> {
    let empty = footnote_core::index::Vectors::new(1, 0);
    let mut started = Instant::now();
    let hits = match dense {
        Some(dense) if strategy.uses_vectors() => {
            dense.prepare(index, question)?;
            started = Instant::now();
            let embedding = dense.embed(question)?;
            search::search(
                index,
                dense.vectors(),
                question,
                Some(&embedding),
                strategy,
                LIMIT,
            )
        }
        _ => search::search(index, &empty, question, None, strategy, LIMIT),
    };
    let ranked = search::rank_files(index, &hits);
    let answer = search::answer_files(&ranked);
    let milliseconds = started.elapsed().as_secs_f64() * 1_000.0;
    let path = |file| index.repo.file(file).map(|file| file.path.clone());
    Ok(Prediction {
        files: ranked.iter().filter_map(|hit| path(hit.file)).collect(),
        set: answer.into_iter().filter_map(path).collect(),
        lines: hits
            .iter()
            .filter_map(|hit| {
                Some((
                    index.path_of(hit.chunk)?.to_owned(),
                    index.chunk(hit.chunk)?.lines,
                ))
            })
            .collect(),
        milliseconds,
    })
}

impl Settings {
    fn from_args(args: impl Iterator<Item = String>) -> Result<Self> {
        let mut positional = Vec::new();
        let mut settings = Settings {
            set: PathBuf::new(),
            archives: PathBuf::new(),
            strategies: vec![Strategy::Bm25, Strategy::Default],
            json: None,
            per_query: None,
            vectors: vectors::Options {
                folder: PathBuf::from("target/vectors"),
                embed_limit: 20_000,
                compare: 50,
            },
            no_vectors: false,
        };
        let mut args = args;
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
            match arg.as_str() {
                "--strategy" => settings.strategies = strategies(&value()?)?,
                "--json" => settings.json = Some(value()?.into()),
                "--per-query" => settings.per_query = Some(value()?.into()),
                "--vectors" => settings.vectors.folder = value()?.into(),
                "--embed-limit" => settings.vectors.embed_limit = value()?.parse()?,
                "--no-vectors" => settings.no_vectors = true,
                "--compare" => settings.vectors.compare = value()?.parse()?,
                other if other.starts_with("--") => {
                    return Err(format!("unknown option {other}").into());
                }
                _ => positional.push(arg),
            }
        }
        let [set, archives] = positional.as_slice() else {
            return Err("usage: evaluate SET.jsonl ARCHIVE_DIR [--strategy NAME,…] [--json FILE] [--per-query FILE]".into());
        };
        settings.set = set.into();
        settings.archives = archives.into();
        Ok(settings)
    }
}

fn strategies(names: &str) -> Result<Vec<Strategy>> {
    names
        .split(',')
        .map(|name| {
            Strategy::from_name(name.trim()).ok_or_else(|| {
                let known: Vec<&str> = Strategy::ALL.iter().map(|s| s.name()).collect();
                format!(
                    "there is no strategy {name}; known are {}",
                    known.join(", ")
                )
                .into()
            })
        })
        .collect()
}
