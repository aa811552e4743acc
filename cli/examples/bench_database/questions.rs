//! The questions, and how well they are answered.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use footnote_cli::Result;
use footnote_cli::database::catalogue::Repositories;
use footnote_cli::database::{Database, PUBLIC, Package};
use footnote_cli::serve::source::{Catalogue, Found, Query, User};
use xtask::postgres::Postgres;

/// Files that count for nDCG.
const TOP: usize = 10;
/// Repositories that the page reads for a question.
const READ: usize = 4;

/// A question, the repository that it is about, and the files that answer it.
pub struct Asked {
    pub question: String,
    pub repository: String,
    files: BTreeSet<String>,
}

impl Asked {
    /// nDCG@10 of the files of a ranked list, each with its repository. A file counts once.
    pub fn judge<'f>(&self, ranked: impl Iterator<Item = (&'f str, &'f str)>) -> f64 {
        let mut files: Vec<(&str, &str)> = Vec::new();
        for file in ranked {
            if !files.contains(&file) {
                files.push(file);
            }
        }
        let is_right = |&(repository, path): &(&str, &str)| {
            repository == self.repository && self.files.contains(path)
        };
        discounted(files.iter().take(TOP).map(is_right), self.files.len())
    }
}

fn discounted(right: impl Iterator<Item = bool>, gold: usize) -> f64 {
    let gain = |at: usize| 1.0 / (at as f64 + 2.0).log2();
    let found = right.enumerate().filter(|(_, is)| *is);
    let found: f64 = found.map(|(at, _)| gain(at)).sum();
    found / (0..gold.min(TOP)).map(gain).sum::<f64>()
}

/// The questions whose answers are lines, and the archives in the order in which they are popped:
/// those with questions first.
pub fn sets(archives: &Path, questions: &Path) -> Result<(Vec<Asked>, Vec<PathBuf>)> {
    let mut asked = Vec::new();
    let mut sets = listed(questions)?;
    sets.retain(|path| path.extension().is_some_and(|it| it == "jsonl"));
    for path in sets {
        let text = std::fs::read_to_string(path)?;
        asked.extend(text.lines().filter_map(asked_in));
    }
    let all = listed(archives)?;
    let name = |path: &Path| {
        path.file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    asked.retain(|it| {
        all.iter()
            .any(|path| name(path).starts_with(&it.repository))
    });
    let is_subject = |path: &PathBuf| {
        let name = name(path);
        asked.iter().any(|it| name.starts_with(&it.repository))
    };
    let (subjects, mut waiting): (Vec<_>, Vec<_>) = all.iter().cloned().partition(is_subject);
    waiting.extend(subjects);
    Ok((asked, waiting))
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

fn listed(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        paths.push(entry?.path());
    }
    paths.retain(|path| path.is_file());
    paths.sort();
    Ok(paths)
}

/// How well questions are answered.
#[derive(Clone, Copy, Default)]
pub struct Quality {
    count: usize,
    /// The share with the right repository first.
    first: f64,
    /// The share with the right repository among those that the page reads.
    read: f64,
    pub ndcg: f64,
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            count,
            first,
            read,
            ndcg,
        } = self;
        write!(
            f,
            "{count} questions, right repository first {first:.3}, among the first {READ} \
             {read:.3}, nDCG@{TOP} of repository and file {ndcg:.3}"
        )
    }
}

pub async fn catalogue(database: &Database) -> Result<Repositories> {
    Ok(Repositories::new(database.clone(), Some(crate::encoder()?)).await?)
}

pub async fn search(catalogue: &Repositories, question: &str) -> Result<Found> {
    let query = Query {
        question: question.to_owned(),
        limit: 50,
    };
    Ok(catalogue.search(&User::default(), &query).await?)
}

/// Asks each question over all repositories that are there.
pub async fn quality(database: &Database, asked: &[Asked]) -> Result<Quality> {
    let catalogue = catalogue(database).await?;
    let mut sum = Quality::default();
    for it in asked {
        let found = search(&catalogue, &it.question).await?;
        let mut best = found.repositories.iter().take(READ);
        let place = best.position(|best| best.repository == it.repository);
        sum.first += f64::from(u8::from(place == Some(0)));
        sum.read += f64::from(u8::from(place.is_some()));
        let hits = found.hits.iter();
        sum.ndcg += it.judge(hits.map(|hit| (hit.repository.as_str(), hit.path.as_str())));
    }
    let count = asked.len().max(1) as f64;
    Ok(Quality {
        count: asked.len(),
        first: sum.first / count,
        read: sum.read / count,
        ndcg: sum.ndcg / count,
    })
}

/// Asks each question where its repository is the only one.
pub async fn alone(server: &Postgres, asked: &[Asked], archives: &[PathBuf]) -> Result<Quality> {
    let client = crate::superuser(server).await?;
    client.batch_execute("CREATE DATABASE alone").await?;
    let database = Database::prepare(&server.address("alone"), crate::options()).await?;
    let catalogue = catalogue(&database).await?;
    let mut sum = Quality {
        first: 1.0,
        read: 1.0,
        ..Quality::default()
    };
    let names: BTreeSet<&str> = asked.iter().map(|it| it.repository.as_str()).collect();
    for name in names {
        let is_its = |path: &&PathBuf| {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            file.starts_with(name)
        };
        let path = archives.iter().find(is_its).ok_or("an archive is gone")?;
        let package = Package::read(path, None, BTreeSet::from([PUBLIC.to_owned()]))?;
        database.push(&package).await?;
        for it in asked.iter().filter(|it| it.repository == name) {
            let found = search(&catalogue, &it.question).await?;
            let hits = found.hits.iter();
            sum.ndcg += it.judge(hits.map(|hit| (hit.repository.as_str(), hit.path.as_str())));
            sum.count += 1;
        }
        database.delete(&package.name).await?;
    }
    sum.ndcg /= sum.count.max(1) as f64;
    Ok(sum)
}
