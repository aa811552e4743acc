//! `--pipeline`: what each pipeline would show a model, compared with the gold files and lines of
//! question sets.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use footnote_core::chunk::Chunking;
use footnote_core::eval::{ContextScores, Item, Scores};
use footnote_core::index::Index;
use footnote_core::lab::runs::{self, Run, RunMeta};
use footnote_core::pipeline::{self, Budget, Keep, Made, Pipeline};
use footnote_core::search::Question;

use super::Settings;
use crate::ask::{recut, with_changes};
use crate::reading::{Native, at_once};
use crate::{Result, archive, vectors};

/// The pipelines with their budgets, one row of the table each.
pub struct Options {
    pub runs: Vec<Pipeline>,
}

impl Options {
    /// Parses `names`, presets joined by commas. Each runs with each budget, and with each value of
    /// each sweep.
    pub fn new(
        names: &str,
        budgets: &[usize],
        changes: &[String],
        sweeps: &[(String, Vec<f32>)],
    ) -> Result<Self> {
        let mut runs = Vec::new();
        for name in names.split(',').map(str::trim) {
            let own = with_changes(name, changes)?;
            let mut all = vec![own.clone()];
            for (setting, values) in sweeps {
                for value in values {
                    let mut swept = own.clone();
                    swept.set(setting, &value.to_string())?;
                    swept.name = format!("{name} {setting}={value}");
                    all.push(swept);
                }
            }
            for pipeline in all {
                runs.extend(at_budgets(pipeline, budgets));
            }
        }
        Ok(Self { runs })
    }
}

fn at_budgets(pipeline: Pipeline, budgets: &[usize]) -> Vec<Pipeline> {
    if budgets.is_empty() {
        return vec![pipeline];
    }
    let at = |&tokens: &usize| Pipeline {
        budget: Budget::Tokens(tokens),
        ..pipeline.clone()
    };
    budgets.iter().map(at).collect()
}

/// One question under one run.
struct Row {
    set: usize,
    run: usize,
    item: Item,
    scored: runs::Row,
    neighbours: f64,
    /// By stage, in order.
    milliseconds: Vec<f64>,
}

impl Row {
    fn context(&self) -> Option<&ContextScores> {
        self.scored.context.as_ref()
    }

    fn files(&self) -> Option<&Scores> {
        self.scored.scores.as_ref()
    }
}

/// Measures all questions under all pipelines.
pub fn run(
    settings: &Settings,
    options: &Options,
    archives: impl IntoIterator<Item = (PathBuf, Vec<(usize, Item)>)>,
) -> Result<()> {
    let mut rows = Vec::new();
    for (archive, items) in archives {
        evaluate(settings, options, &archive, &items, &mut rows)?;
    }
    print(settings, options, &rows)
}

fn evaluate(
    settings: &Settings,
    options: &Options,
    archive: &Path,
    items: &[(usize, Item)],
    rows: &mut Vec<Row>,
) -> Result<()> {
    let whole = settings.open(archive, Chunking::FUNCTION)?;
    writeln!(
        std::io::stderr(),
        "{}: {} questions",
        whole.repo.name,
        items.len()
    )?;
    // Runs with the same chunking share an index and its vectors.
    let mut by_cut: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, pipeline) in options.runs.iter().enumerate() {
        let cut = format!("{:?}", pipeline.cut);
        by_cut.entry(cut).or_default().push(at);
    }
    for runs in by_cut.into_values() {
        let Some(first) = runs.first().and_then(|&at| options.runs.get(at)) else {
            continue;
        };
        let own = recut(&whole, first.cut);
        let index = own.as_ref().unwrap_or(&whole);
        let dense = settings
            .transformer
            .then(|| vectors::Dense::open(&settings.vectors, index))
            .transpose()?;
        let reader = Native::new(index, dense, Some(settings.folder.clone()));
        let reader = reader.code_on_gpu(settings.gpu);
        for (set, item) in items {
            let question = Question::new(&item.query)?;
            for &run in &runs {
                let Some(pipeline) = options.runs.get(run) else {
                    continue;
                };
                let made = at_once(pipeline::run(pipeline, index, &question, &reader))?;
                if let Some(why) = reader.trouble() {
                    return Err(why.into());
                }
                rows.push(row((*set, run), item, index, pipeline, &made));
            }
        }
    }
    Ok(())
}

fn row(
    (set, run): (usize, usize),
    item: &Item,
    index: &Index,
    pipeline: &Pipeline,
    made: &Made,
) -> Row {
    Row {
        set,
        run,
        item: item.clone(),
        scored: runs::Row::of_pipeline(item, index, pipeline, made),
        neighbours: neighbours(index, made) as f64,
        milliseconds: made.stages.iter().map(|it| it.milliseconds).collect(),
    }
}

/// How many files gained score through imports.
fn neighbours(index: &Index, made: &Made) -> usize {
    let gained = made
        .hits
        .iter()
        .filter(|hit| hit.raw("expansion").is_some());
    let files = gained.filter_map(|hit| Some(index.chunk(hit.chunk)?.file));
    files.collect::<std::collections::BTreeSet<_>>().len()
}

fn print(settings: &Settings, options: &Options, rows: &[Row]) -> Result<()> {
    let mut all = Vec::new();
    let mut out = std::io::stdout();
    for (set, path) in settings.sets.iter().enumerate() {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        write!(out, "\n## {name}\n\n{HEAD}")?;
        for (run, pipeline) in options.runs.iter().enumerate() {
            let own = rows.iter().filter(|row| row.set == set && row.run == run);
            let own: Vec<&Row> = own.collect();
            let summary = Summary::new(pipeline, &own);
            write!(out, "{}", summary.line())?;
            let mut json = compared(settings, path, pipeline, &own)?;
            let own = serde_json::to_value(&summary)?;
            if let (Some(to), Some(from)) = (json.as_object_mut(), own.as_object()) {
                to.extend(from.iter().map(|(key, it)| (key.clone(), it.clone())));
            }
            json["set"] = name.clone().into();
            all.push(json);
        }
    }
    if let Some(path) = &settings.json {
        std::fs::write(path, serde_json::to_string_pretty(&all)? + "\n")?;
    }
    Ok(())
}

/// Every metric of a run with its interval, as in the laboratory; with `--runs` also its rows.
fn compared(
    settings: &Settings,
    set: &Path,
    pipeline: &Pipeline,
    rows: &[&Row],
) -> Result<serde_json::Value> {
    let text = archive::read_text(set)?;
    let versions = [("footnote", env!("CARGO_PKG_VERSION").to_owned())];
    let run = Run {
        name: pipeline.name.clone(),
        meta: RunMeta::of_pipeline(&text, pipeline, versions),
        rows: rows
            .iter()
            .map(|row| (row.item.id.clone(), row.scored.clone()))
            .collect(),
        ..Run::default()
    };
    if let Some(folder) = &settings.save_runs {
        std::fs::create_dir_all(folder)?;
        let stem = set.file_stem().unwrap_or_default().to_string_lossy();
        let file = folder.join(format!("{stem}.{}.json", pipeline.name.replace(' ', "-")));
        std::fs::write(file, run.to_json().to_string() + "\n")?;
    }
    let items: Vec<&Item> = rows.iter().map(|row| &row.item).collect();
    let mut columns = runs::compare(&[&run], &items, None).to_json();
    let first = columns.as_array_mut().and_then(|all| all.pop());
    Ok(first.unwrap_or_default())
}

const HEAD: &str = "\
| pipeline | budget | n | acc@1 | nDCG@10 | gold lines | gold files | cross-file (n) | files | used | neighbours | ms: meaning | search | context |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
";

/// Means over the questions of a set.
#[derive(serde::Serialize)]
struct Summary {
    pipeline: String,
    budget: String,
    n: usize,
    acc_1: f64,
    ndcg_10: f64,
    gold_lines: Option<f64>,
    n_gold_lines: usize,
    gold_files: f64,
    cross_file: Option<f64>,
    n_cross_file: usize,
    files: f64,
    used: f64,
    neighbours: f64,
    /// The medians of `meaning`, `search`, `context`.
    milliseconds: Vec<f64>,
}

impl Summary {
    fn new(pipeline: &Pipeline, rows: &[&Row]) -> Self {
        let of = |value: &dyn Fn(&Row) -> f64| mean(rows.iter().map(|row| value(row)));
        let some = |value: &dyn Fn(&Row) -> Option<f64>| {
            let values: Vec<f64> = rows.iter().filter_map(|row| value(row)).collect();
            let n = values.len();
            ((n > 0).then(|| mean(values.into_iter())), n)
        };
        let (gold_lines, n_gold_lines) = some(&|row| row.context()?.gold_lines);
        let (cross_file, n_cross_file) = some(&|row| row.context()?.complete);
        Self {
            pipeline: pipeline.name.clone(),
            budget: match (&pipeline.keep, pipeline.budget) {
                (Keep::Nothing, _) => "–".to_owned(),
                (_, Budget::Tokens(n)) => n.to_string(),
                (_, Budget::Characters(n)) => format!("{n} characters"),
            },
            n: rows.len(),
            acc_1: of(&|row| row.files().map_or(0.0, |it| it.acc[0])),
            ndcg_10: of(&|row| row.files().map_or(0.0, |it| it.ndcg10)),
            gold_lines,
            n_gold_lines,
            gold_files: of(&|row| row.context().map_or(0.0, |it| it.gold_files)),
            cross_file,
            n_cross_file,
            files: of(&|row| row.context().map_or(0.0, |it| it.files)),
            used: of(&|row| row.context().map_or(0.0, |it| it.used)),
            neighbours: of(&|row| row.neighbours),
            milliseconds: (0..3)
                .map(|at| {
                    median(
                        rows.iter()
                            .filter_map(|row| row.milliseconds.get(at).copied()),
                    )
                })
                .collect(),
        }
    }

    /// A row of the table.
    fn line(&self) -> String {
        let share = |it: Option<f64>| it.map_or("–".to_owned(), |it| format!("{it:.3}"));
        let times: Vec<String> = self
            .milliseconds
            .iter()
            .map(|it| format!("{it:.0}"))
            .collect();
        format!(
            "| {} | {} | {} | {:.3} | {:.3} | {} | {:.3} | {} ({}) | {:.1} | {:.0} % | {:.1} | {} |\n",
            self.pipeline,
            self.budget,
            self.n,
            self.acc_1,
            self.ndcg_10,
            share(self.gold_lines),
            self.gold_files,
            share(self.cross_file),
            self.n_cross_file,
            self.files,
            self.used * 100.0,
            self.neighbours,
            times.join(" | "),
        )
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, n) = values.fold((0.0, 0.0), |(sum, n), value| (sum + value, n + 1.0));
    if n > 0.0 { sum / n } else { 0.0 }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
