//! Comparisons of made-up runs.

mod files;

use serde_json::json;

use super::*;
use crate::eval::{ContextPrediction, GoldSpan, Interval, Item, Prediction, summarize};
use crate::lines::{Line, LineRange};
use crate::random::Random;

fn item(id: usize, gold: &[&str]) -> Item {
    Item {
        id: format!("q{id}"),
        archive: "a".to_owned(),
        query: format!("=question {id}"),
        gold_files: gold.iter().map(|path| (*path).to_owned()).collect(),
        gold_spans: vec![GoldSpan {
            file: "gold.py".to_owned(),
            start: 1,
            end: 10,
        }],
        category: Some("S1".to_owned()),
        reference_answer: None,
        source: None,
    }
}

fn set(n: usize) -> Vec<Item> {
    let gold = |id| {
        if id % 4 == 0 {
            &["gold.py", "also.py"][..]
        } else {
            &["gold.py"][..]
        }
    };
    (0..n).map(|id| item(id, gold(id))).collect()
}

/// A prediction with the gold file at `rank`, from 1; with 0 it is not found.
fn found_at(rank: usize) -> Prediction {
    let name = |at| {
        if at == rank {
            "gold.py".to_owned()
        } else {
            format!("x{at}.py")
        }
    };
    let files: Vec<String> = (1..=12).map(name).collect();
    Prediction {
        set: files.iter().take(1).cloned().collect(),
        lines: files
            .iter()
            .map(|path| (path.clone(), LineRange::new(Line(1), Line(90))))
            .collect(),
        files,
        confidence: Vec::new(),
        milliseconds: 5.0 + rank as f64,
    }
}

fn shown() -> ContextPrediction {
    ContextPrediction {
        shown: vec![(
            "gold.py".to_owned(),
            vec![LineRange::new(Line(6), Line(20))],
        )],
        tokens: 300,
        budget: 400,
    }
}

/// A run with a row for each question that `rank` returns a rank for.
fn run(name: &str, items: &[Item], rank: impl Fn(usize) -> Option<usize>) -> Run {
    let rows = items.iter().enumerate().filter_map(|(at, item)| {
        let row = Row::new(item, found_at(rank(at)?), Some(shown()));
        Some((item.id.clone(), row))
    });
    Run {
        name: name.to_owned(),
        rows: rows.collect(),
        ..Run::default()
    }
}

fn of(key: &str) -> &'static Metric {
    metric(key).unwrap()
}

fn refs(items: &[Item]) -> Vec<&Item> {
    items.iter().collect()
}

fn holds(interval: Interval, value: f64) -> bool {
    interval.low <= value && value <= interval.high
}

/// A rank between 1 and 4 for each question.
fn noise(seed: u64, n: usize) -> Vec<usize> {
    let mut random = Random::new(seed);
    (0..n).map(|_| 1 + random.below(4)).collect()
}

#[test]
fn metrics_have_one_key_each_and_the_values_of_the_scores() {
    let keys: std::collections::BTreeSet<&str> = METRICS.iter().map(|it| it.key).collect();
    assert_eq!(keys.len(), METRICS.len());
    let item = item(0, &["gold.py", "also.py"]);
    let mut row = Row::new(&item, found_at(1), Some(shown()));
    row.more.insert("citation_accuracy".to_owned(), 0.75);
    for (key, expected) in [
        ("em", Some(0.0)),
        ("recall", Some(1.0)),
        ("micro_recall", Some(0.5)),
        ("acc@1", Some(1.0)),
        ("mrr@10", Some(1.0)),
        ("recall@5", Some(0.5)),
        ("recall@10", Some(0.5)),
        ("cross_file", Some(0.0)),
        ("line_recall@200", Some(1.0)),
        ("gold_lines", Some(0.5)),
        ("citation_accuracy", Some(0.75)),
        ("auto_citation", None),
        ("files", Some(1.0)),
        ("tokens", Some(300.0)),
        ("ms", Some(6.0)),
    ] {
        assert_eq!((of(key).value)(&row), expected, "{key}");
    }
    assert!(metric("em2").is_none());
}

#[test]
fn equal_runs_do_not_differ() {
    let items = set(80);
    let ranks = noise(1, 80);
    let a = run("a", &items, |at| Some(ranks[at]));
    for metric in &METRICS {
        let Some(it) = difference(&a, &a.clone(), &refs(&items), metric) else {
            assert!(metric.key.contains("citation"), "{}", metric.key);
            continue;
        };
        assert_eq!(
            (it.mean, it.p, it.unshared),
            (0.0, 1.0, 0),
            "{}",
            metric.key
        );
        assert!(holds(it.interval, 0.0));
        assert!(regressions(&a, &a, &refs(&items), metric).is_empty());
    }
}

#[test]
fn a_run_that_is_better_by_construction_is_found() {
    let items = set(200);
    let ranks = noise(2, 200);
    let base = run("base", &items, |at| Some(ranks[at]));
    // Every third question is right at once.
    let better = run("better", &items, |at| {
        Some(if at % 3 == 0 { 1 } else { ranks[at] })
    });
    let it = difference(&better, &base, &refs(&items), of("mrr@10")).unwrap();
    assert!(
        it.mean > 0.1 && it.interval.low > 0.0 && it.p < 0.001,
        "{it:?}"
    );
    let worse = difference(&base, &better, &refs(&items), of("mrr@10")).unwrap();
    assert_eq!((worse.mean, worse.p), (-it.mean, it.p));
    assert!(regressions(&better, &base, &refs(&items), of("mrr@10")).is_empty());
    let lost = regressions(&base, &better, &refs(&items), of("mrr@10"));
    let expected = (0..200).filter(|at| at % 3 == 0 && ranks[*at] > 1).count();
    assert_eq!(lost.len(), expected);
    assert_eq!((lost[0].rank, lost[0].baseline_rank), (Some(4), Some(1)));
    assert!(lost.windows(2).all(|pair| pair[0].loss >= pair[1].loss));
    // Less time is better: the baseline has the later ranks and needs longer.
    assert_eq!(
        regressions(&base, &better, &refs(&items), of("ms")).len(),
        expected
    );
}

#[test]
fn few_questions_give_a_wide_interval() {
    let width = |n: usize| {
        let items = set(n);
        let a = run("a", &items, |at| Some(1 + at % 2));
        let interval = estimate(&a, &refs(&items), of("acc@1")).interval.unwrap();
        interval.high - interval.low
    };
    assert!(width(8) > 4.0 * width(400), "{} {}", width(8), width(400));
    // 8 questions, half of them right: ± 1.96 · √(.25 / 8) = ± .35.
    assert!((width(8) - 0.7).abs() < 0.1, "{}", width(8));
}

#[test]
fn missing_questions_lower_the_mean_and_never_pass() {
    let mut items = set(40);
    items[3].gold_files.clear();
    let items = items;
    let mut some = run("some", &items, |at| (at >= 10).then_some(1));
    for row in some.rows.values_mut() {
        row.more.insert("citation_accuracy".to_owned(), 1.0);
    }
    let all = refs(&items);
    let acc = estimate(&some, &all, of("acc@1"));
    assert_eq!((acc.n, acc.missing, acc.mean), (40, 10, Some(0.75)));
    // Question 3 has no gold files: an empty set would match it.
    let exact = estimate(&some, &all, of("em"));
    let right = (10..40).filter(|at| at % 4 > 0).count() as f64;
    assert_eq!((exact.missing, exact.mean), (10, Some(right / 40.0)));
    let lines = estimate(&some, &all, of("gold_lines"));
    assert_eq!((lines.n, lines.missing, lines.mean), (40, 10, Some(0.375)));
    let citations = estimate(&some, &all, of("citation_accuracy"));
    assert_eq!((citations.missing, citations.mean), (10, Some(0.75)));
    let cross = estimate(&some, &all, of("cross_file"));
    assert_eq!((cross.n, cross.missing), (10, 3));
    // A missing answer is not a fast answer.
    let ms = estimate(&some, &all, of("ms"));
    assert_eq!((ms.n, ms.missing, ms.mean), (40, 10, Some(6.0)));
    let whole = run("whole", &items, |_| Some(1));
    let lost = regressions(&some, &whole, &all, of("acc@1"));
    assert_eq!(lost.len(), 9, "question 3 has nothing to lose");
    assert!(lost.iter().all(|it| it.is_missing && it.rank.is_none()));
    let it = difference(&some, &whole, &all, of("acc@1")).unwrap();
    assert_eq!((it.n, it.unshared, it.mean), (30, 10, 0.0));
}

#[test]
fn a_metric_that_no_row_measures_has_no_mean() {
    let items = set(5);
    let mut ranking = run("ranking", &items, |at| (at > 0).then_some(1));
    for row in ranking.rows.values_mut() {
        (row.shown, row.context) = (None, None);
    }
    assert!(
        regressions(
            &ranking,
            &run("all", &items, |_| Some(1)),
            &refs(&items),
            of("gold_lines")
        )
        .is_empty()
    );
    for key in ["gold_lines", "tokens", "citation_accuracy"] {
        let it = estimate(&ranking, &refs(&items), of(key));
        assert_eq!((it.n, it.mean, it.interval), (0, None, None), "{key}");
    }
    let nothing = Run::default();
    let it = estimate(&nothing, &refs(&items), of("em"));
    assert_eq!((it.n, it.missing, it.mean), (5, 5, Some(0.0)));
    assert_eq!(estimate(&nothing, &refs(&items), of("ms")).mean, None);
    assert_eq!(estimate(&nothing, &[], of("em")).mean, None);
    assert!(difference(&nothing, &ranking, &refs(&items), of("em")).is_none());
}

#[test]
fn p_of_runs_that_differ_by_chance_is_about_uniform() {
    const RUNS: usize = 120;
    let items = set(20);
    let mut below = [0; 3];
    for seed in 0..RUNS as u64 {
        let (one, two) = (noise(2 * seed + 100, 20), noise(2 * seed + 101, 20));
        let a = run("a", &items, |at| Some(one[at]));
        let b = run("b", &items, |at| Some(two[at]));
        let p = difference(&a, &b, &refs(&items), of("mrr@10")).unwrap().p;
        for (n, limit) in below.iter_mut().zip([0.05, 0.25, 0.5]) {
            *n += usize::from(p <= limit);
        }
    }
    // Three standard deviations of a share of that many runs.
    for (n, limit) in below.iter().zip([0.05, 0.25, 0.5]) {
        let share = *n as f64 / RUNS as f64;
        let slack = 3.0 * (limit * (1.0 - limit) / RUNS as f64).sqrt();
        assert!((share - limit).abs() < slack, "{share} of {limit}");
    }
}

#[test]
fn the_kept_part_of_a_prediction_scores_as_the_whole_did() {
    let mut random = Random::new(7);
    for _ in 0..200 {
        let lines = (0..60).map(|_| {
            let start = 1 + random.below(4000) as u32;
            let end = start + random.below(120) as u32;
            let path = if random.below(3) == 0 {
                "gold.py"
            } else {
                "x.py"
            };
            (path.to_owned(), LineRange::new(Line(start), Line(end)))
        });
        let prediction = Prediction {
            lines: lines.collect(),
            ..found_at(1 + random.below(12))
        };
        let mut item = item(0, &["gold.py"]);
        item.gold_spans[0].end = 3000;
        let row = Row::new(&item, prediction, None);
        let mut again = row.clone();
        again.rescore(&item);
        assert_eq!(again.scores, row.scores);
        assert!(row.prediction.lines.len() < 60 && row.prediction.files.len() == 10);
    }
    let endless = Prediction {
        lines: vec![
            (
                "gold.py".to_owned(),
                LineRange::new(Line(1), Line(u32::MAX))
            );
            3
        ],
        ..Prediction::default()
    };
    assert_eq!(
        Row::new(&item(0, &["gold.py"]), endless, None)
            .prediction
            .lines
            .len(),
        1
    );
}

#[test]
fn the_json_of_a_comparison_has_the_figures_of_evaluate() {
    let items = set(60);
    let ranks = noise(3, 60);
    let a = run("a", &items, |at| Some(ranks[at]));
    let b = run("b", &items, |at| (at > 5).then_some(1));
    let json = compare(&[&a, &b], &refs(&items), Some(0)).to_json();
    let scores: Vec<_> = items
        .iter()
        .map(|it| a.rows[&it.id].scores.clone().unwrap())
        .collect();
    for (key, value) in summarize("a", &scores).to_json().as_object().unwrap() {
        assert_eq!(json[0][key], *value, "{key}");
    }
    assert!(json[0].get("difference").is_none());
    assert_eq!(
        (&json[1]["n"], &json[1]["missing"]),
        (&json!(60), &json!(6))
    );
    assert_eq!(json[1]["acc@1"], json!(0.9));
    assert_eq!(json[1]["ms_p50"], json!(6.0));
    assert_eq!(json[1]["missing_cross_file"], json!(2));
    let difference = &json[1]["difference"];
    assert_eq!(difference["baseline"], "a");
    assert_eq!(
        (&difference["acc@1"]["n"], &difference["acc@1"]["unshared"]),
        (&json!(54), &json!(6))
    );
    assert!(difference["acc@1"]["p"].as_f64().unwrap() < 0.01);
    assert!(json[1]["run_meta"]["settings"].is_null() && json[1]["run_meta"]["seed"] == 0);
}

#[test]
fn runs_on_other_questions_are_marked_as_such() {
    let items = set(4);
    let a = run("a", &items, |_| Some(1));
    let mut b = a.clone();
    b.meta.set = "other".to_owned();
    b.meta.seed = 3;
    let comparison = compare(&[&b, &a], &refs(&items), Some(1));
    assert_eq!(comparison.columns[0].made_otherwise, ["set", "seed"]);
    assert!(comparison.columns[1].made_otherwise.is_empty());
    let alone = compare(&[&b], &refs(&items), Some(9));
    assert_eq!(
        (alone.baseline, alone.columns[0].differences.len()),
        (None, 0)
    );
}

#[test]
fn tables_have_a_line_for_each_run_and_metric_and_for_each_question() {
    let items = set(4);
    let mut a = run("=a", &items, |_| Some(2));
    a.failed.insert("q1".to_owned(), "time, limit".to_owned());
    a.rows.remove("q1");
    let b = run("b", &items, |_| Some(1));
    let csv = compare(&[&a, &b], &refs(&items), Some(1)).to_csv();
    let lines: Vec<&str> = csv.split_terminator("\r\n").collect();
    assert_eq!(lines.len(), 1 + 2 * METRICS.len());
    let acc = lines
        .iter()
        .find(|line| line.starts_with("'=a,acc@1,"))
        .unwrap();
    assert!(
        acc.starts_with("'=a,acc@1,4,1,0,0,0,0,b,-1,-1,-1,0.25,3,\"{"),
        "{acc}"
    );
    let rows = rows_csv(&[&a, &b], &refs(&items));
    let rows: Vec<&str> = rows.split_terminator("\r\n").collect();
    assert_eq!(rows.len(), 9);
    assert!(
        rows[1].starts_with("'=a,q0,S1,'=question 0,0,,2,0,"),
        "{}",
        rows[1]
    );
    assert!(
        rows[2].starts_with("'=a,q1,S1,'=question 1,1,\"time, limit\",,0,0,"),
        "{}",
        rows[2]
    );
    assert!(
        rows[2].ends_with(",,,,"),
        "a missing question has no costs: {}",
        rows[2]
    );
}

#[test]
fn groups_are_measured_as_sets_are_and_an_id_counts_once() {
    let mut items = set(20);
    items[7].category = Some("S2".to_owned());
    let a = run("a", &items, |at| Some(if at == 7 { 3 } else { 1 }));
    let mut twice = refs(&items);
    twice.extend(refs(&items));
    let groups = grouped(&twice, by_category);
    let acc = |key: &str| estimate(&a, &groups[key], of("acc@1"));
    assert_eq!((acc("S1").n, acc("S1").mean), (19, Some(1.0)));
    assert_eq!((acc("S2").n, acc("S2").mean), (1, Some(0.0)));
    let comparison = compare(&[&a], &twice, None);
    assert_eq!(comparison.columns[0].n, 20);
    assert_eq!(comparison.to_json()[0]["acc@1"], json!(0.95));
}

#[test]
fn a_run_has_a_curve_where_its_answers_say_how_sure_they_are_of_files() {
    let (one, two) = (item(1, &["a.py"]), item(2, &["b.py", "c.py"]));
    let mut run = Run::default();
    let mut answered = |item: &Item, named: &[(&str, f64)]| {
        let prediction = Prediction {
            set: named.iter().map(|(path, _)| (*path).to_owned()).collect(),
            confidence: named.iter().map(|(_, sure)| *sure).collect(),
            ..Prediction::default()
        };
        let row = Row::new(item, prediction, None);
        run.rows.insert(item.id.clone(), row);
    };
    answered(&one, &[("a.py", 0.9), ("x.py", 0.4)]);
    answered(&two, &[("b.py", 0.4)]);
    let points = curve(&run, &[&one, &two]);
    let points: Vec<_> = points.iter().map(|it| (it.precision, it.recall)).collect();
    assert_eq!(points, [(1.0, 1.0 / 3.0), (2.0 / 3.0, 2.0 / 3.0)]);
    assert!(curve(&Run::default(), &[&one]).is_empty());
    let again = Run::from_json(&run.to_json()).unwrap();
    assert_eq!(curve(&again, &[&one, &two]).len(), 2);
}
