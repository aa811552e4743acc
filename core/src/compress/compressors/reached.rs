//! The results of each compressor in the recorded run.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// One line for each compressor: its name, the row of the run's results that stands for it, the
/// file with that row, and its figures.
const TABLE: &str = include_str!("../../../benches/runs/2026-11-compress/reached.tsv");

/// By name.
static REACHED: LazyLock<BTreeMap<&str, Reached>> = LazyLock::new(|| {
    let lines = TABLE.lines().skip(1);
    lines.filter_map(read).collect()
});

/// The measured results of a compressor: see `benches/runs/2026-11-compress`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reached {
    /// The share of the lines that answer a question that were in a context of 4,000 tokens, 0–1.
    pub gold_lines: f32,
    /// Number of questions it was measured on.
    pub questions: u32,
}

pub(super) fn of(name: &str) -> Option<Reached> {
    REACHED.get(name).copied()
}

fn read(line: &'static str) -> Option<(&'static str, Reached)> {
    let cells: Vec<&str> = line.split('\t').collect();
    let &[name, _, _, questions, gold_lines] = cells.as_slice() else {
        return None;
    };
    let reached = Reached {
        gold_lines: gold_lines.parse().ok()?,
        questions: questions.parse().ok()?,
    };
    Some((name, reached))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::compress::Compressor;

    /// The files of the run that the table names.
    const RUN: [(&str, &str); 2] = [
        (
            "blank-3.json",
            include_str!("../../../benches/runs/2026-11-compress/blank-3.json"),
        ),
        (
            "ami-perplexity.json",
            include_str!("../../../benches/runs/2026-11-compress/ami-perplexity.json"),
        ),
    ];

    /// The run's figures for a row, in a context of 4,000 tokens, over all questions.
    fn recorded(file: &str, row: &str) -> Option<(Value, Value)> {
        let (_, text) = RUN.iter().find(|(name, _)| *name == file)?;
        let results: Vec<Value> = serde_json::from_str(text).unwrap();
        let is_it = |result: &&Value| {
            result["strategy"] == row
                && result["pool"] == "context"
                && result["keep"] == 4000.0
                && result["set"] == "all"
        };
        let found = results.iter().find(is_it)?;
        Some((found["n"].clone(), found["gold_lines_kept"].clone()))
    }

    #[test]
    fn every_compressor_is_in_the_table_and_every_number_in_the_run() {
        for compressor in Compressor::all() {
            assert!(compressor.reached().is_some(), "{compressor:?} is missing");
        }
        for line in TABLE.lines().skip(1) {
            let cells: Vec<&str> = line.split('\t').collect();
            let &[name, row, file, questions, gold_lines] = cells.as_slice() else {
                panic!("five cells: {line}");
            };
            assert!(Compressor::from_name(name).is_some(), "{line}");
            let (n, share) = recorded(file, row).unwrap_or_else(|| panic!("no such row: {line}"));
            assert_eq!(
                (questions, gold_lines),
                (&*n.to_string(), &*share.to_string())
            );
        }
    }

    #[test]
    fn the_default_is_what_reached_most() {
        let share = |compressor: &Compressor| compressor.reached().unwrap().gold_lines;
        let best = Compressor::all().max_by(|a, b| share(a).total_cmp(&share(b)));
        assert_eq!(best, Some(Compressor::default()));
    }
}
