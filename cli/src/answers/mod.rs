//! `footnote answers DIR ARCHIVE_DIR`: asks questions with known answers, without a language model,
//! and prints a table of how many were answered right, by kind.
//!
//! Each file `NAME.jsonl` holds questions, each with the archive that it is about;
//! `tests/fixtures/questions/README.md` describes the fields and when an answer counts as right.

mod judge;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use footnote_core::answer::{self, Answer, Fit};
use footnote_core::chunk::Chunking;
use footnote_core::embed::Embedder;
use footnote_core::index::{Index, Vectors};
use footnote_core::search::Question;

use crate::{Result, archive, model};
use judge::{Gold, Judged};

/// Asks questions with known answers and prints how many were answered right, by kind
#[derive(clap::Args)]
pub struct Args {
    /// The folder with the question files, or one of these files
    questions: PathBuf,
    /// The folder with the archives
    archives: PathBuf,
    /// Lists the questions that were answered wrong, with their answers
    #[arg(long)]
    failures: bool,
    /// Compares by words alone, as the page does in its first seconds
    #[arg(long)]
    no_vectors: bool,
    /// Asks again once the transformer has read the best candidates, as the page does
    #[arg(long, conflicts_with = "no_vectors")]
    transformer: bool,
    /// Asks only questions of this kind
    #[arg(long, value_name = "NAME")]
    kind: Option<String>,
}

/// One question.
#[derive(serde::Deserialize)]
struct Case {
    id: String,
    /// The archive's file name without its extension.
    repo: String,
    kind: String,
    question: String,
    /// The earlier questions of the conversation.
    #[serde(default)]
    after: Vec<String>,
    gold: Gold,
}

/// The results for one kind of question.
#[derive(Clone, Copy, Default)]
struct Row {
    n: usize,
    right: usize,
    wrong: usize,
    hedged: usize,
    refused: usize,
    lists: usize,
    precision: f64,
    recall: f64,
    slowest_ms: f64,
}

impl Row {
    fn count(&mut self, judged: &Judged, milliseconds: f64) {
        self.n += 1;
        self.slowest_ms = self.slowest_ms.max(milliseconds);
        match judged.outcome {
            judge::Came::Right => self.right += 1,
            judge::Came::Wrong => self.wrong += 1,
            judge::Came::Hedged => self.hedged += 1,
            judge::Came::Refused => self.refused += 1,
        }
        if let Some((precision, recall)) = judged.list {
            self.lists += 1;
            self.precision += precision;
            self.recall += recall;
        }
    }
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let mut all = Row::default();
    let mut open: Option<(String, Arc<Index>)> = None;
    let mut embedder = match args.transformer {
        true => Some(model::open()?),
        false => None,
    };
    for case in cases(&args.questions)? {
        if args.kind.as_ref().is_some_and(|kind| *kind != case.kind) {
            continue;
        }
        if open.as_ref().is_none_or(|(name, _)| *name != case.repo) {
            open = Some((case.repo.clone(), opened(args, &case.repo)?));
        }
        let Some((_, index)) = &open else { continue };
        let started = Instant::now();
        let answer = asked(index, &case, embedder.as_deref_mut())?;
        let milliseconds = started.elapsed().as_secs_f64() * 1000.0;
        let judged = judge::judge(index, &answer, &case.gold);
        let row = rows.entry(case.kind.clone()).or_default();
        row.count(&judged, milliseconds);
        all.count(&judged, milliseconds);
        if args.failures && judged.outcome != judge::Came::Right {
            writeln!(
                out,
                "{:?} {} [{}] {}",
                judged.outcome, case.id, case.kind, case.question
            )?;
            writeln!(out, "  kind {:?}, {:?}", answer.kind, answer.fit)?;
            for line in judge::said(&answer).lines().take(6) {
                writeln!(out, "  {line}")?;
            }
            writeln!(out, "  {}", judged.reason)?;
        }
    }
    rows.insert("all".to_owned(), all);
    print(&rows, &mut out)?;
    Ok(ExitCode::SUCCESS)
}

/// Indexes an archive; with the static encoder's vectors, unless they are not wanted.
fn opened(args: &Args, name: &str) -> Result<Arc<Index>> {
    let path = archive_of(&args.archives, name)?;
    let (index, table) = archive::open_cut(&path, Chunking::FUNCTION)?;
    match args.no_vectors {
        true => Ok(Arc::new(index)),
        false => model::with_saved_table(index, table),
    }
}

fn asked(
    index: &Index,
    case: &Case,
    embedder: Option<&mut (dyn Embedder + Send + 'static)>,
) -> Result<Answer> {
    let earlier: Vec<&str> = case.after.iter().map(String::as_str).collect();
    let question = Question::new(&case.question)?;
    let resolved = answer::resolve(index, &question, &earlier);
    let mut asked = answer::ask(index, &Vectors::new(1, 0), &resolved.question, None);
    // What rules state does not depend on vectors.
    let embedder = embedder.filter(|_| asked.answer.fit != Fit::Exact);
    if let Some(embedder) = embedder {
        let (vectors, own) = answer::compare(index, &resolved.question, embedder)?;
        asked = answer::ask_again(index, &vectors, &resolved.question, Some(&own), &asked);
    }
    resolved.said_in(&mut asked.answer);
    Ok(asked.answer)
}

fn cases(path: &Path) -> Result<Vec<Case>> {
    let mut paths = Vec::new();
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            paths.push(entry?.path());
        }
    } else {
        paths.push(path.to_owned());
    }
    paths.retain(|path| path.extension().is_some_and(|end| end == "jsonl"));
    paths.sort();
    let mut cases = Vec::new();
    for path in paths {
        for (at, line) in archive::read_text(&path)?.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let case = serde_json::from_str(line)
                .map_err(|error| format!("{}:{}: {error}", path.display(), at + 1))?;
            cases.push(case);
        }
    }
    cases.sort_by(|a: &Case, b| a.repo.cmp(&b.repo));
    Ok(cases)
}

fn archive_of(folder: &Path, name: &str) -> Result<PathBuf> {
    ["tar.gz", "tgz", "crate", "zip", "whl"]
        .iter()
        .map(|end| folder.join(format!("{name}.{end}")))
        .find(|path| path.is_file())
        .ok_or_else(|| format!("there is no archive of {name} in {}", folder.display()).into())
}

fn print(rows: &BTreeMap<String, Row>, out: &mut impl Write) -> Result<()> {
    writeln!(
        out,
        "{:16} {:>4} {:>6} {:>6} {:>7} {:>8} {:>10} {:>7} {:>11}",
        "kind", "n", "right", "wrong", "hedged", "refused", "precision", "recall", "slowest, ms"
    )?;
    for (kind, row) in rows {
        let mean = |sum: f64| match row.lists {
            0 => String::new(),
            n => format!("{:.2}", sum / n as f64),
        };
        writeln!(
            out,
            "{kind:16} {:4} {:6} {:6} {:7} {:8} {:>10} {:>7} {:>11.0}",
            row.n,
            row.right,
            row.wrong,
            row.hedged,
            row.refused,
            mean(row.precision),
            mean(row.recall),
            row.slowest_ms
        )?;
    }
    Ok(())
}
