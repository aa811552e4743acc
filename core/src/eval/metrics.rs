//! The metrics of one question.

use std::collections::{BTreeMap, BTreeSet};

use super::set::Item;
use crate::lines::LineRange;

/// What was returned for a question.
#[derive(Clone, Debug, Default)]
pub struct Prediction {
    /// Distinct paths, best first.
    pub files: Vec<String>,
    /// The paths claimed to be the whole answer (PathFinder's output); a subset of `files`.
    pub set: Vec<String>,
    /// The probability that each path of `set` belongs to the answer, 0–1; empty if it is not
    /// known.
    pub confidence: Vec<f64>,
    /// Line ranges, best first; they may overlap.
    pub lines: Vec<(String, LineRange)>,
    /// Wall-clock time of the question.
    pub milliseconds: f64,
}

/// Line budgets at which line recall is measured.
pub(crate) const LINE_BUDGETS: [usize; 3] = [200, 400, 800];

/// The metrics of one question, each between 0 and 1 except the time.
#[derive(Clone, Debug, PartialEq)]
pub struct Scores {
    /// 1 if a gold file is among the first 1, 3, 5.
    pub acc: [f64; 3],
    /// 1 / rank of the first gold file within 10, else 0.
    pub mrr10: f64,
    /// Normalised discounted cumulative gain within 10: binary gains, discount 1 / log2(rank + 1),
    /// relative to the best possible order.
    pub ndcg10: f64,
    /// Share of the gold files within 5 and 10.
    pub recall: [f64; 2],
    /// 1 if the predicted set is the gold set (PathFinder's EM).
    pub exact: f64,
    /// Share of the gold files in the predicted set (PathFinder's micro-recall).
    pub micro_recall: f64,
    /// 1 if all gold files are within 10 (Grounded, section 4.2: cross-file completeness); `None`
    /// with fewer than two gold files.
    pub cross_file: Option<f64>,
    /// Share of the gold lines within the best 200, 400, 800 distinct lines; `None` without gold
    /// lines.
    pub line_recall: Option<[f64; 3]>,
    /// How long retrieval took.
    pub milliseconds: f64,
}

/// Scores a prediction against the gold answer.
pub fn score(item: &Item, prediction: &Prediction) -> Scores {
    let gold: BTreeSet<&str> = item.gold_files.iter().map(String::as_str).collect();
    let found: Vec<bool> = prediction
        .files
        .iter()
        .take(10)
        .map(|path| gold.contains(path.as_str()))
        .collect();
    let set: BTreeSet<&str> = prediction.set.iter().map(String::as_str).collect();
    let n_found = |k: usize| found.iter().take(k).filter(|&&hit| hit).count();
    let any = |k: usize| f64::from(u8::from(n_found(k) > 0));
    let share = |n: usize| n as f64 / gold.len().max(1) as f64;
    let first = found.iter().position(|&hit| hit);
    Scores {
        acc: [any(1), any(3), any(5)],
        mrr10: first.map_or(0.0, |at| 1.0 / (at as f64 + 1.0)),
        ndcg10: ndcg(&found, gold.len()),
        recall: [share(n_found(5)), share(n_found(10))],
        exact: f64::from(u8::from(set == gold)),
        micro_recall: share(set.intersection(&gold).count()),
        cross_file: (gold.len() > 1).then(|| f64::from(u8::from(n_found(10) == gold.len()))),
        line_recall: line_recall(item, &prediction.lines),
        milliseconds: prediction.milliseconds,
    }
}

fn ndcg(found: &[bool], n_gold: usize) -> f64 {
    let discount = |at: usize| 1.0 / (at as f64 + 2.0).log2();
    let gain: f64 = (0..found.len())
        .filter(|&at| found.get(at) == Some(&true))
        .map(discount)
        .sum();
    let best: f64 = (0..n_gold.min(10)).map(discount).sum();
    if best > 0.0 { gain / best } else { 0.0 }
}

/// Goes through the returned ranges, best first, and counts each distinct line once against the
/// budgets. Of a range that crosses a budget, the first lines count.
fn line_recall(item: &Item, returned: &[(String, LineRange)]) -> Option<[f64; 3]> {
    let mut gold: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    for span in &item.gold_spans {
        let lines = span.lines();
        gold.entry(&span.file)
            .or_default()
            .extend(lines.start().0..=lines.end().0);
    }
    let total: usize = gold.values().map(BTreeSet::len).sum();
    if total == 0 {
        return None;
    }
    let largest = LINE_BUDGETS.into_iter().max().unwrap_or(0);
    let mut seen: BTreeSet<(&str, u32)> = BTreeSet::new();
    let mut hits = [0_usize; 3];
    'ranges: for (path, lines) in returned {
        for line in lines.start().0..=lines.end().0 {
            if seen.len() >= largest {
                break 'ranges;
            }
            if !seen.insert((path, line)) {
                continue;
            }
            if gold.get(path.as_str()).is_some_and(|g| g.contains(&line)) {
                for (hit, budget) in hits.iter_mut().zip(LINE_BUDGETS) {
                    *hit += usize::from(seen.len() <= budget);
                }
            }
        }
    }
    Some(hits.map(|hit| hit as f64 / total as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::set::GoldSpan;
    use crate::lines::Line;

    fn item(gold: &[&str], spans: &[(&str, u32, u32)]) -> Item {
        Item {
            id: "q".into(),
            archive: "a".into(),
            query: "q".into(),
            gold_files: gold.iter().map(|path| path.to_string()).collect(),
            gold_spans: spans
                .iter()
                .map(|&(file, start, end)| GoldSpan {
                    file: file.into(),
                    start,
                    end,
                })
                .collect(),
            category: None,
            reference_answer: None,
            source: None,
        }
    }

    fn files(paths: &[&str]) -> Prediction {
        Prediction {
            files: paths.iter().map(|path| path.to_string()).collect(),
            ..Prediction::default()
        }
    }

    #[test]
    fn file_metrics_follow_their_definitions() {
        for (gold, returned, acc, mrr, ndcg, recall) in [
            (vec!["a"], vec!["a", "b"], [1.0; 3], 1.0, 1.0, [1.0, 1.0]),
            (
                vec!["a"],
                vec!["x", "a"],
                [0.0, 1.0, 1.0],
                0.5,
                1.0 / 3f64.log2(),
                [1.0, 1.0],
            ),
            (
                vec!["a", "b"],
                vec!["a", "x", "y", "z", "w", "b"],
                [1.0; 3],
                1.0,
                (1.0 + 1.0 / 7f64.log2()) / (1.0 + 1.0 / 3f64.log2()),
                [0.5, 1.0],
            ),
            (vec!["a"], vec!["x"], [0.0; 3], 0.0, 0.0, [0.0, 0.0]),
            (vec!["a"], vec![], [0.0; 3], 0.0, 0.0, [0.0, 0.0]),
        ] {
            let scores = score(&item(&gold, &[]), &files(&returned));
            assert_eq!(scores.acc, acc, "{returned:?}");
            assert!((scores.mrr10 - mrr).abs() < 1e-12, "{returned:?}");
            assert!((scores.ndcg10 - ndcg).abs() < 1e-12, "{returned:?}");
            assert_eq!(scores.recall, recall, "{returned:?}");
            assert_eq!(scores.line_recall, None);
        }
    }

    #[test]
    fn a_question_over_several_files_is_complete_when_all_are_within_ten() {
        let far: Vec<String> = ["a"]
            .into_iter()
            .map(str::to_owned)
            .chain((0..9).map(|n| format!("x{n}")))
            .chain(["b".to_owned()])
            .collect();
        let far: Vec<&str> = far.iter().map(String::as_str).collect();
        for (gold, returned, expected) in [
            (vec!["a"], vec!["a"], None),
            (vec!["a", "b"], vec!["x", "b", "a"], Some(1.0)),
            (vec!["a", "b"], vec!["a"], Some(0.0)),
            (vec!["a", "b"], far, Some(0.0)),
        ] {
            let scores = score(&item(&gold, &[]), &files(&returned));
            assert_eq!(scores.cross_file, expected, "{returned:?}");
        }
    }

    #[test]
    fn a_file_at_rank_eleven_counts_nowhere() {
        let mut paths: Vec<String> = (0..10).map(|n| format!("x{n}")).collect();
        paths.push("a".into());
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let scores = score(&item(&["a"], &[]), &files(&paths));
        assert_eq!(
            (scores.mrr10, scores.ndcg10, scores.recall[1]),
            (0.0, 0.0, 0.0)
        );
    }

    #[test]
    fn exact_match_compares_sets_and_micro_recall_counts_what_was_found() {
        for (gold, set, exact, micro) in [
            (vec!["a", "b"], vec!["b", "a"], 1.0, 1.0),
            (vec!["a", "b"], vec!["a"], 0.0, 0.5),
            (vec!["a"], vec!["a", "b"], 0.0, 1.0),
            (vec!["a"], vec![], 0.0, 0.0),
        ] {
            let prediction = Prediction {
                set: set.iter().map(|path| path.to_string()).collect(),
                ..Prediction::default()
            };
            let scores = score(&item(&gold, &[]), &prediction);
            assert_eq!(
                (scores.exact, scores.micro_recall),
                (exact, micro),
                "{set:?}"
            );
        }
    }

    #[test]
    fn line_recall_counts_distinct_lines_within_the_budget() {
        let range = |start, end| LineRange::new(Line(start), Line(end));
        let item = item(&["a"], &[("a", 1, 10), ("a", 5, 12), ("b", 1, 4)]);
        let prediction = Prediction {
            lines: vec![
                ("a".into(), range(1, 8)),
                ("a".into(), range(1, 8)),
                ("c".into(), range(1, 188)),
                ("a".into(), range(9, 12)),
                ("b".into(), range(1, 2)),
            ],
            ..Prediction::default()
        };
        // 8 + 188 lines come first, so lines 9–12 end the first budget and b starts the second.
        let recall = score(&item, &prediction).line_recall.unwrap();
        assert_eq!(recall, [12.0 / 16.0, 14.0 / 16.0, 14.0 / 16.0]);
    }
}
