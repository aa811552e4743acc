//! `footnote evaluate SET.jsonl… ARCHIVE_DIR`: question sets in, metrics out; [`Args`] lists the
//! options.
//!
//! `archives.json` is in the same folder as the sets. A strategy is a list of candidates and its
//! steps, such as `bm25`, `hybrid+rules+fold`, `default~stem`. `--set` changes numbers of the
//! rules, `--sweep` adds a run for each value of one, `--random` adds that many runs with every
//! swept value drawn, and `--ablate` adds one run without each step. With several runs the table
//! also has "cross-validated": each repository's questions under the run that is best on all other
//! repositories. `--indexes` stores built indexes.
//!
//! Strategies that compare vectors embed every chunk of an archive with the committed model, on two
//! threads, and store the vectors under `--vectors`, so that a second run is fast. Archives of more
//! than `--embed-limit` chunks are compared on demand instead: each question with its best
//! `--compare` chunks by words, as the app does before its vectors are complete. `--no-vectors`
//! ranks by words alone under every strategy, as the app does where no model can run.
//! `--vectors-from` chooses between the static encoder, which gives every chunk a vector, and the
//! transformer. With `--gpu`, chunks and questions are embedded on the first Vulkan GPU, whose
//! vectors are stored separately; vectors of tokens and lines still come from the processor.
//! `--calibrate` fits the confidence of files under the first run instead of measuring the runs.
//!
//! `--compress` measures instead how many gold lines the strategies of `core::compress` keep (`all`
//! for every one) of each `--keep` share of the tokens, with blocks cut by `--blocks` (`blank-6`,
//! `lines`); `--per-query` writes every block with its scores.
//!
//! `--pipeline` measures instead what whole pipelines would show a model, each within each
//! `--budget` of tokens; `--set` and `--sweep` change their settings, and `--runs` stores what each
//! found for each question.

mod calibrate;
mod compress;
mod folds;
mod indexes;
mod late;
mod on_gpu;
mod parts;
mod pipelines;
mod report;
mod settings;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use footnote_core::eval::{self, Item, Prediction, Scores, set};
use footnote_core::index::{Index, Vectors};
use footnote_core::search::{
    Context, FileHit, Hit, LateScores, Question, files, late as late_steps,
};
use settings::{Archives, Run, Settings};

pub use settings::Args;

use crate::{Result, archive, vectors};

/// How many hits a question returns: enough to fill 800 lines.
const LIMIT: usize = 100;
/// How many files and lines of a prediction are reported.
const REPORTED: usize = 10;

/// One question of a set under one run, both given by position in the settings.
pub struct Row {
    pub set: usize,
    pub run: usize,
    pub item: Item,
    pub prediction: Prediction,
    pub scores: Scores,
}

pub fn run(args: Args) -> Result<ExitCode> {
    let settings = Settings::new(args)?;
    let mut by_archive: BTreeMap<PathBuf, Vec<(usize, Item)>> = BTreeMap::new();
    for (at, set) in settings.sets.iter().enumerate() {
        let items = set::parse_set(&archive::read_text(set)?)?;
        let folder = match &settings.archives {
            Archives::One(path) => {
                let items = items.into_iter().map(|item| (at, item));
                by_archive.entry(path.clone()).or_default().extend(items);
                continue;
            }
            Archives::In(folder) => folder,
        };
        let list = set.with_file_name("archives.json");
        let archives = set::parse_archives(&archive::read_text(&list)?)?;
        for item in items {
            let archive = archives
                .get(&item.archive)
                .ok_or_else(|| format!("archives.json does not list {}", item.archive))?;
            let path = folder.join(&archive.file);
            by_archive.entry(path).or_default().push((at, item));
        }
    }
    if let Some(options) = &settings.compress {
        compress::run(&settings, options, by_archive)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(options) = &settings.pipelines {
        pipelines::run(&settings, options, by_archive)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut measured = Measured::default();
    for (archive, items) in by_archive {
        evaluate(&settings, &archive, &items, &mut measured)?;
    }
    if let Some(path) = &settings.parts {
        std::fs::write(path, measured.parts.join("\n") + "\n")?;
    }
    match settings.calibrate {
        true => calibrate::report(&settings, &measured.cases)?,
        false => report::print(&settings, &measured.rows)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The results of all questions: rows, or cases to fit the confidence of files on.
#[derive(Default)]
struct Measured {
    rows: Vec<Row>,
    cases: Vec<calibrate::Case>,
    /// JSON lines of [`parts`].
    parts: Vec<String>,
}

fn evaluate(
    settings: &Settings,
    archive: &Path,
    items: &[(usize, Item)],
    measured: &mut Measured,
) -> Result<()> {
    let started = Instant::now();
    let index = settings.open(archive, settings.chunking)?;
    let mut line = std::io::stderr();
    let uses_vectors = |run: &Run| run.strategy.uses_vectors();
    let wants_vectors = settings.transformer && settings.runs.iter().any(uses_vectors);
    writeln!(
        line,
        "{}: {} files, {} chunks, ready in {:.1} s",
        index.repo.name,
        index.repo.files.len(),
        index.chunks.len(),
        started.elapsed().as_secs_f64()
    )?;
    let mut dense = wants_vectors
        .then(|| vectors::Dense::open(&settings.vectors, &index))
        .transpose()?;
    let wants_tokens = |run: &Run| run.strategy.uses_token_vectors();
    let mut late = (dense.is_some() && settings.runs.iter().any(wants_tokens))
        .then(|| late::LateCache::open(&settings.folder))
        .transpose()?;
    for (set, item) in items {
        let question = Question::new(&item.query)?;
        if let Some(dense) = &mut dense {
            dense.prepare(&index, &question)?;
        }
        for (at, run) in settings.runs.iter().enumerate() {
            let scores = match (&mut dense, &mut late) {
                (Some(dense), Some(late)) => late_scores(&index, dense, late, &question, run)?,
                _ => LateScores::new(),
            };
            let (prediction, ranked, hits) =
                predict(&index, dense.as_mut(), scores, &question, run)?;
            if settings.parts.is_some() {
                let parts = parts::line(run, item, &index, &hits, &ranked);
                measured.parts.push(parts.to_string());
            }
            if settings.calibrate && at == 0 {
                let case = calibrate::Case::new(*set, item, &index, &question, &ranked);
                measured.cases.push(case);
            }
            measured.rows.push(row(*set, at, item, prediction));
        }
    }
    Ok(())
}

fn row(set: usize, run: usize, item: &Item, mut prediction: Prediction) -> Row {
    let scores = eval::score(item, &prediction);
    prediction.files.truncate(REPORTED);
    prediction.lines.truncate(REPORTED);
    Row {
        set,
        run,
        item: item.clone(),
        scores,
        prediction,
    }
}

/// Token-by-token scores of the candidates, for strategies that need them.
fn late_scores(
    index: &Index,
    dense: &mut vectors::Dense,
    late: &mut late::LateCache,
    question: &Question,
    run: &Run,
) -> Result<LateScores> {
    let embedding = dense.embed(question)?;
    let mut context = Context::new(index, dense.vectors(), question, Some(&embedding));
    context.params = run.params.clone();
    let Some(side) = run.strategy.compares() else {
        return Ok(LateScores::new());
    };
    let chunks = late_steps::candidates(&context, &run.strategy);
    late.scores(index, question, (side, &chunks))
}

/// Searches for one question. The time is that of a warm question: its own embedding and the
/// search, without embedding chunks and their tokens.
fn predict(
    index: &Index,
    dense: Option<&mut vectors::Dense>,
    late: LateScores,
    question: &Question,
    run: &Run,
) -> Result<(Prediction, Vec<FileHit>, Vec<Hit>)> {
    let started = Instant::now();
    let none = Vectors::new(1, 0);
    let dense = dense.filter(|_| run.strategy.uses_vectors());
    let (vectors, embedding) = match dense {
        Some(dense) => {
            let embedding = dense.embed(question)?;
            (dense.vectors(), Some(embedding))
        }
        None => (&none, None),
    };
    let mut context = Context::new(index, vectors, question, embedding.as_ref());
    context.params = run.params.clone();
    context.late = late;
    let hits = context.run(&run.strategy, LIMIT);
    let ranked = files::ranked(index, question, &hits, &run.params);
    let answer = files::answer_files(&ranked);
    let milliseconds = started.elapsed().as_secs_f64() * 1_000.0;
    let path = |file| index.repo.file(file).map(|file| file.path.clone());
    let prediction = Prediction {
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
        confidence: Vec::new(),
    };
    Ok((prediction, ranked, hits))
}
