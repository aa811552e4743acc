//! How often the answer without a model wrongly says that a repository holds nothing on a question, and
//! how often it wrongly answers: `footnote relevance QUESTIONS.jsonl ARCHIVES.json ARCHIVE_DIR [--vectors DIR]`.
//! Each line of the questions has `archive`, `query` and `on_topic`. With `--vectors` every question is
//! compared with its best 50 chunks by words, as the app does, and what is computed is kept in that
//! folder; without, words decide alone.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use footnote_core::answer::{self, Outcome, relevance::relevance};
use footnote_core::eval::set;
use footnote_core::index::{Index, Vectors};
use footnote_core::search::Question;

use crate::{Result, archive, model, vectors};

/// Counts how often an answer is made where none should be, and the other way round
#[derive(clap::Args)]
pub struct Args {
    /// Objects with archive, query and on_topic, one a line
    questions: PathBuf,
    /// The list of archives, JSON
    archives: PathBuf,
    /// Where the archives lie
    archive_dir: PathBuf,
    /// Compare by meaning too, and keep the vectors in this folder
    #[arg(long, value_name = "DIR")]
    vectors: Option<PathBuf>,
}

#[derive(serde::Deserialize)]
struct Case {
    archive: String,
    query: String,
    on_topic: bool,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let options = args.vectors.as_ref().map(|folder| vectors::Options {
        folder: folder.clone(),
        open: model::open,
        embed_limit: 0,
        compare: answer::CANDIDATES,
    });
    let archives = set::parse_archives(&archive::read_text(&args.archives)?)?;
    let mut opened: BTreeMap<String, (Index, Option<vectors::Dense>)> = BTreeMap::new();
    let mut counts: BTreeMap<(String, bool), (u32, u32)> = BTreeMap::new();
    let mut out = std::io::stdout();
    for line in archive::read_text(&args.questions)?.lines() {
        let case: Case = serde_json::from_str(line)?;
        if !opened.contains_key(&case.archive) {
            let known = archives.get(&case.archive);
            let known =
                known.ok_or_else(|| format!("the list of archives lacks {}", case.archive))?;
            let index = archive::open(&args.archive_dir.join(&known.file))?;
            let dense = options
                .as_ref()
                .map(|options| vectors::Dense::open(options, &index))
                .transpose()?;
            opened.insert(case.archive.clone(), (index, dense));
        }
        let Some((index, dense)) = opened.get_mut(&case.archive) else {
            continue;
        };
        let question = Question::new(&case.query)?;
        let asked = match dense {
            Some(dense) => {
                dense.prepare(index, &question)?;
                let embedding = dense.embed(&question)?;
                answer::ask(index, dense.vectors(), &question, Some(&embedding))
            }
            None => answer::ask(index, &Vectors::new(1, 0), &question, None),
        };
        let measured = relevance(index, &question, &asked.hits);
        let answer = asked.answer;
        let answered = matches!(answer.outcome, Outcome::Found { .. });
        let is_wrong = answered != case.on_topic;
        let count = counts
            .entry((case.archive.clone(), case.on_topic))
            .or_default();
        count.0 += 1;
        count.1 += u32::from(is_wrong);
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
        match answer.outcome {
            Outcome::Found { statements, .. } => {
                for statement in statements {
                    writeln!(out, "          · {}", statement.plain())?;
                }
            }
            Outcome::Nothing { why } => writeln!(out, "          ({why})")?,
        }
    }
    for ((archive, on_topic), (n, wrong)) in counts {
        let topic = if on_topic { "on topic" } else { "off topic" };
        writeln!(out, "{archive}, {topic}: {wrong} of {n} wrong")?;
    }
    Ok(ExitCode::SUCCESS)
}
