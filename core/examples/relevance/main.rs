//! How often the answer without a model wrongly says that a repository holds nothing on a question, and
//! how often it wrongly answers: `relevance QUESTIONS.jsonl ARCHIVES.json ARCHIVE_DIR [--vectors DIR]`.
//! Each line of the questions has `archive`, `query` and `on_topic`. With `--vectors` every question is
//! compared with its best 50 chunks by words, as the app does, and what is computed is kept in that
//! folder; without, words decide alone.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "../evaluate/model.rs"]
mod model;
#[path = "../evaluate/vectors.rs"]
mod vectors;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use footnote_core::answer::{Outcome, answer, relevance::relevance};
use footnote_core::chunk;
use footnote_core::eval::set;
use footnote_core::index::{Index, IndexBuilder, Vectors};
use footnote_core::job::run_to_end;
use footnote_core::search::{Question, Strategy, search};
use footnote_core::source::ArchiveReader;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

#[derive(serde::Deserialize)]
struct Case {
    archive: String,
    query: String,
    on_topic: bool,
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [questions, archives, folder, rest @ ..] = args.as_slice() else {
        return Err(
            "usage: relevance QUESTIONS.jsonl ARCHIVES.json ARCHIVE_DIR [--vectors DIR]".into(),
        );
    };
    let options = match rest {
        [option, folder] if option == "--vectors" => Some(vectors::Options {
            folder: folder.into(),
            open: model::open,
            embed_limit: 0,
            compare: 50,
        }),
        _ => None,
    };
    let archives = set::parse_archives(&std::fs::read_to_string(archives)?)?;
    let mut opened: BTreeMap<String, (Index, Option<vectors::Dense>)> = BTreeMap::new();
    let mut counts: BTreeMap<(String, bool), (u32, u32)> = BTreeMap::new();
    let mut out = std::io::stdout();
    for line in std::fs::read_to_string(questions)?.lines() {
        let case: Case = serde_json::from_str(line)?;
        if !opened.contains_key(&case.archive) {
            let archive = archives.get(&case.archive).ok_or("unknown archive")?;
            let index = open(&Path::new(folder).join(&archive.file))?;
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
        let hits = match dense {
            Some(dense) => {
                dense.prepare(index, &question)?;
                let embedding = dense.embed(&question)?;
                search(
                    index,
                    dense.vectors(),
                    &question,
                    Some(&embedding),
                    &Strategy::default(),
                    50,
                )
            }
            None => search(
                index,
                &Vectors::new(1, 0),
                &question,
                None,
                &Strategy::default(),
                50,
            ),
        };
        let measured = relevance(index, &question, &hits);
        let answer = answer(index, &question, &hits);
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
    Ok(())
}

fn open(archive: &Path) -> Result<Index> {
    let name = archive.file_name().unwrap_or_default().to_string_lossy();
    let repo = run_to_end(ArchiveReader::open(&name, std::fs::read(archive)?)?)?;
    let Ok(index) = run_to_end(IndexBuilder::new(repo, chunk::Strategy::Function));
    Ok(index)
}
