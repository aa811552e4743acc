//! How often the answer without a model wrongly says that a repository holds nothing on a question,
//! and how often it wrongly answers: `footnote relevance QUESTIONS.jsonl ARCHIVES.json ARCHIVE_DIR
//! [--vectors DIR]`. Each line of the questions has `archive`, `query` and `on_topic`. With
//! `--vectors` every question is compared with its best 50 chunks by words, as in the app, and the
//! vectors are stored in that folder; without it, words alone decide.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use footnote_core::answer::relevance::{Relevance, relevance};
use footnote_core::answer::{self, Asked, Outcome};
use footnote_core::eval::set::{self, Archives};
use footnote_core::index::{Index, Vectors};
use footnote_core::search::Question;

use crate::{Result, archive, model, vectors};

/// Counts wrong answers and wrong refusals: answers to off-topic questions, and the reverse
#[derive(clap::Args)]
pub struct Args {
    /// Objects with archive, query and on_topic, one per line
    questions: PathBuf,
    /// The list of archives, as JSON
    archives: PathBuf,
    /// The folder with the archives
    archive_dir: PathBuf,
    /// Compares by meaning too, and keeps the vectors in this folder
    #[arg(long, value_name = "DIR")]
    vectors: Option<PathBuf>,
}

#[derive(serde::Deserialize)]
struct Case {
    archive: String,
    query: String,
    on_topic: bool,
}

/// A repository and, if meaning is compared, its vectors.
struct Opened {
    index: Index,
    dense: Option<vectors::Dense>,
}

impl Opened {
    fn open(args: &Args, archives: &Archives, name: &str) -> Result<Self> {
        let known = archives.get(name);
        let known = known.ok_or_else(|| format!("the list of archives does not contain {name}"))?;
        let index = archive::open(&args.archive_dir.join(&known.file))?;
        let options = args.vectors.as_ref().map(|folder| vectors::Options {
            folder: Some(folder.clone()),
            open: model::open,
            embed_limit: 0,
            compare: answer::CANDIDATES,
        });
        let dense = options.map(|options| vectors::Dense::open(&options, &index));
        let dense = dense.transpose()?;
        Ok(Self { index, dense })
    }

    fn ask(&mut self, question: &Question) -> Result<Asked> {
        let index = &self.index;
        let Some(dense) = &mut self.dense else {
            return Ok(answer::ask(index, &Vectors::new(1, 0), question, None));
        };
        dense.prepare(index, question)?;
        let embedding = dense.embed(question)?;
        Ok(answer::ask(
            index,
            dense.vectors(),
            question,
            Some(&embedding),
        ))
    }
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let archives = set::parse_archives(&archive::read_text(&args.archives)?)?;
    let mut opened: BTreeMap<String, Opened> = BTreeMap::new();
    // For each archive, on and off topic: how many questions, and how many of them went wrong.
    let mut counts: BTreeMap<(String, bool), (u32, u32)> = BTreeMap::new();
    let mut out = std::io::stdout();
    for line in archive::read_text(&args.questions)?.lines() {
        let case: Case = serde_json::from_str(line)?;
        let repository = match opened.entry(case.archive.clone()) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(Opened::open(args, &archives, &case.archive)?),
        };
        let question = Question::new(&case.query)?;
        let asked = repository.ask(&question)?;
        let measured = relevance(&repository.index, &question, &asked.hits);
        let is_wrong = tell(&mut out, &case, &measured, asked.answer.outcome)?;
        let count = counts.entry((case.archive, case.on_topic)).or_default();
        count.0 += 1;
        count.1 += u32::from(is_wrong);
    }
    for ((archive, on_topic), (n, wrong)) in counts {
        let topic = if on_topic { "on topic" } else { "off topic" };
        writeln!(out, "{archive}, {topic}: {wrong} of {n} wrong")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the result of a question; returns whether it was wrong.
fn tell(out: &mut impl Write, case: &Case, measured: &Relevance, outcome: Outcome) -> Result<bool> {
    let answered = matches!(outcome, Outcome::Found { .. });
    let is_wrong = answered != case.on_topic;
    let cosine = measured
        .cosine
        .map_or("–".to_owned(), |cosine| format!("{cosine:.2}"));
    let mark = if is_wrong { "WRONG" } else { "     " };
    let topic = if case.on_topic { "on " } else { "off" };
    writeln!(
        out,
        "{mark} {topic} words {:.2} cosine {cosine} {} {}",
        measured.words, case.archive, case.query
    )?;
    match outcome {
        Outcome::Found { statements, .. } => {
            for statement in statements {
                writeln!(out, "          · {}", statement.plain())?;
            }
        }
        Outcome::Nothing { why } => writeln!(out, "          ({why})")?,
    }
    Ok(is_wrong)
}
