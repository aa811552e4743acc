//! How much of the answer a context contains.

use std::collections::{BTreeMap, BTreeSet};

use super::set::Item;
use crate::lines::LineRange;

/// The context that a model would see for a question.
#[derive(Clone, Debug, Default)]
pub struct ContextPrediction {
    /// The paths and the lines that are shown, in order.
    pub shown: Vec<(String, Vec<LineRange>)>,
    /// Tokens of the whole context.
    pub tokens: usize,
    /// The budget in tokens.
    pub budget: usize,
}

/// The measures of one context; shares are between 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContextScores {
    /// Share of the gold lines that are shown; `None` without gold lines.
    pub gold_lines: Option<f64>,
    /// Share of the gold files that have lines shown.
    pub gold_files: f64,
    /// 1 if all gold files have lines shown (Grounded, section 4.2: cross-file completeness);
    /// `None` with fewer than two gold files.
    pub complete: Option<f64>,
    /// Number of files that have lines shown.
    pub files: f64,
    /// Share of the budget that is used.
    pub used: f64,
}

/// Scores a context against the gold answer.
pub fn score_context(item: &Item, context: &ContextPrediction) -> ContextScores {
    let mut shown: BTreeMap<&str, Vec<LineRange>> = BTreeMap::new();
    for (path, lines) in &context.shown {
        shown.entry(path).or_default().extend(lines);
    }
    let gold: BTreeSet<&str> = item.gold_files.iter().map(String::as_str).collect();
    let found = gold.iter().filter(|path| shown.contains_key(*path)).count();
    let is_shown = |path: &str, line: u32| {
        let runs = shown.get(path).into_iter().flatten();
        let mut runs = runs.map(|run| run.start().0..=run.end().0);
        runs.any(|run| run.contains(&line))
    };
    let mut lines: BTreeSet<(&str, u32)> = BTreeSet::new();
    for span in &item.gold_spans {
        let own = span.lines();
        lines.extend((own.start().0..=own.end().0).map(|line| (span.file.as_str(), line)));
    }
    let kept = lines
        .iter()
        .filter(|(path, line)| is_shown(path, *line))
        .count();
    ContextScores {
        gold_lines: (!lines.is_empty()).then(|| kept as f64 / lines.len() as f64),
        gold_files: found as f64 / gold.len().max(1) as f64,
        complete: (gold.len() > 1).then(|| f64::from(u8::from(found == gold.len()))),
        files: shown.len() as f64,
        used: context.tokens as f64 / context.budget.max(1) as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::set::GoldSpan;
    use crate::lines::Line;

    fn item(files: &[&str], spans: &[(&str, u32, u32)]) -> Item {
        let span = |&(file, start, end): &(&str, u32, u32)| GoldSpan {
            file: file.to_owned(),
            start,
            end,
        };
        Item {
            id: "q".to_owned(),
            archive: "a".to_owned(),
            query: "q".to_owned(),
            gold_files: files.iter().map(|path| (*path).to_owned()).collect(),
            gold_spans: spans.iter().map(span).collect(),
            category: None,
            reference_answer: None,
            source: None,
        }
    }

    #[test]
    fn lines_and_files_are_counted_once_each() {
        let run = |start, end| LineRange::new(Line(start), Line(end));
        let context = ContextPrediction {
            shown: vec![
                ("a".to_owned(), vec![run(1, 5), run(4, 6)]),
                ("c".to_owned(), vec![run(1, 1)]),
                ("a".to_owned(), vec![run(9, 9)]),
            ],
            tokens: 50,
            budget: 200,
        };
        let scores = score_context(&item(&["a", "b"], &[("a", 5, 10), ("b", 1, 2)]), &context);
        assert_eq!(scores.gold_lines, Some(3.0 / 8.0));
        assert_eq!(scores.gold_files, 0.5);
        assert_eq!(scores.complete, Some(0.0));
        assert_eq!((scores.files, scores.used), (2.0, 0.25));
        let one = score_context(&item(&["a"], &[]), &context);
        assert_eq!((one.gold_lines, one.complete), (None, None));
    }

    #[test]
    fn an_empty_context_holds_nothing() {
        let none = ContextPrediction::default();
        let scores = score_context(&item(&["a", "b"], &[("a", 1, 2)]), &none);
        assert_eq!(scores.gold_lines, Some(0.0));
        assert_eq!((scores.gold_files, scores.complete), (0.0, Some(0.0)));
        assert_eq!((scores.files, scores.used), (0.0, 0.0));
    }
}
