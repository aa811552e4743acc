//! `--calibrate`: fits the confidence of files (`core/src/search/files/confidence.rs`) on the
//! questions of all sets, and measures how well it works on repositories left out of the fit.

mod fit;
mod rules;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use footnote_core::eval::Item;
use footnote_core::index::Index;
use footnote_core::search::files::confidence::{self, Features, NAMES};
use footnote_core::search::{FileHit, Question};

use super::{Settings, folds};
use crate::Result;
use rules::Rule;

/// A question, with what the model sees of its best files.
pub struct Case {
    set: usize,
    repository: String,
    /// The number of gold files, found or not.
    gold: usize,
    /// The best files in order: score, features and whether it is a gold file.
    files: Vec<(f32, Features, bool)>,
}

impl Case {
    pub fn new(
        set: usize,
        item: &Item,
        index: &Index,
        question: &Question,
        ranked: &[FileHit],
    ) -> Self {
        let gold: BTreeSet<&str> = item.gold_files.iter().map(String::as_str).collect();
        let is_gold = |file: &FileHit| {
            let path = index.repo.file(file.file).map(|file| file.path.as_str());
            path.is_some_and(|path| gold.contains(path))
        };
        let features = confidence::features(index, question, ranked);
        let files = ranked.iter().zip(features);
        Self {
            set,
            repository: folds::repository(&item.archive),
            gold: gold.len(),
            files: files
                .map(|(file, features)| (file.score, features, is_gold(file)))
                .collect(),
        }
    }
}

/// A case, with the confidences given to its files by a model fitted on all other repositories.
struct Judged<'a> {
    case: &'a Case,
    confidences: Vec<f64>,
}

pub fn report(settings: &Settings, cases: &[Case]) -> Result<()> {
    let judged = judge(cases);
    let mut out = std::io::stdout();
    for (at, set) in settings.sets.iter().enumerate() {
        let name = set.file_stem().unwrap_or_default().to_string_lossy();
        let of_set: Vec<&Judged> = judged
            .iter()
            .filter(|judged| judged.case.set == at)
            .collect();
        write!(out, "\n## {name} ({})\n\n{}", of_set.len(), table(&of_set))?;
    }
    let all: Vec<&Judged> = judged.iter().collect();
    write!(out, "\n## all ({})\n\n{}", all.len(), table(&all))?;
    write!(out, "\n## reliability\n\n{}", reliability(&all))?;
    let coefficients = fit::fit(cases.iter().flat_map(|case| &case.files));
    write!(out, "\n## fitted on all\n\n```text\n")?;
    for (value, name) in coefficients.iter().zip(NAMES) {
        writeln!(out, "    {value:.3}, // {name}")?;
    }
    writeln!(out, "```")?;
    Ok(())
}

/// Cross-validation over repositories.
fn judge(cases: &[Case]) -> Vec<Judged<'_>> {
    let repositories: BTreeSet<&str> = cases.iter().map(|case| case.repository.as_str()).collect();
    let models: BTreeMap<&str, Features> = repositories
        .into_iter()
        .map(|held_out| {
            let others = cases.iter().filter(|case| case.repository != held_out);
            (held_out, fit::fit(others.flat_map(|case| &case.files)))
        })
        .collect();
    let judge = |case| {
        let case: &Case = case;
        let model = models.get(case.repository.as_str())?;
        let confidences = case.files.iter();
        Some(Judged {
            case,
            confidences: confidences
                .map(|(_, features, _)| fit::probability(model, features))
                .collect(),
        })
    };
    cases.iter().filter_map(judge).collect()
}

/// Means over the questions, one rule per row.
fn table(judged: &[&Judged]) -> String {
    let mut out =
        "| rule | EM | micro-recall | precision | F1 | files |\n|---|---|---|---|---|---|\n"
            .to_owned();
    let n = judged.len().max(1) as f64;
    for rule in Rule::ALL {
        let mut sums = [0.0; 5];
        for judged in judged {
            let values = score(judged.case, &rule.choose(judged));
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum += value / n;
            }
        }
        let [em, recall, precision, f1, size] = sums;
        out +=
            &format!("| {rule} | {em:.3} | {recall:.3} | {precision:.3} | {f1:.3} | {size:.2} |\n");
    }
    out
}

/// EM, micro-recall, precision, F1 and size of a set of files, given by their ranks.
fn score(case: &Case, chosen: &[usize]) -> [f64; 5] {
    let is_gold = |at: &&usize| case.files.get(**at).is_some_and(|&(_, _, gold)| gold);
    let found = chosen.iter().filter(is_gold).count() as f64;
    let (gold, size) = (case.gold as f64, chosen.len() as f64);
    let exact = found == gold && found == size;
    [
        f64::from(u8::from(exact)),
        found / gold.max(1.0),
        found / size.max(1.0),
        2.0 * found / (gold + size).max(1.0),
        size,
    ]
}

/// Predicted against observed shares, over all files of all questions, by tenths of confidence.
fn reliability(judged: &[&Judged]) -> String {
    let mut bins = [(0usize, 0.0, 0usize); 10];
    let mut error = 0.0;
    for judged in judged {
        for (&confidence, &(_, _, is_gold)) in judged.confidences.iter().zip(&judged.case.files) {
            let at = ((confidence * 10.0) as usize).min(9);
            if let Some((n, sum, gold)) = bins.get_mut(at) {
                *n += 1;
                *sum += confidence;
                *gold += usize::from(is_gold);
            }
        }
    }
    let total: usize = bins.iter().map(|(n, _, _)| n).sum();
    let mut out = "| confidence | files | predicted | observed |\n|---|---|---|---|\n".to_owned();
    for (at, (n, sum, gold)) in bins.into_iter().enumerate().filter(|(_, (n, _, _))| *n > 0) {
        let (predicted, observed) = (sum / n as f64, gold as f64 / n as f64);
        error += n as f64 / total as f64 * (predicted - observed).abs();
        out += &format!(
            "| {:.1}–{:.1} | {n} | {predicted:.3} | {observed:.3} |\n",
            at as f64 / 10.0,
            (at + 1) as f64 / 10.0
        );
    }
    out + &format!("\nExpected calibration error {error:.4}.\n")
}
