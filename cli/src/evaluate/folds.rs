//! Cross-validation over repositories: what a choice among the runs brings to a repository that had no
//! part in it.

use std::collections::{BTreeMap, BTreeSet};

use super::Row;

/// The run chosen for each repository: the best one on all others.
pub type Choices = BTreeMap<String, usize>;

/// `click` of `pypi:click@8.1.7`: all versions of a repository are one fold.
pub fn repository(archive: &str) -> String {
    let name = archive.split_once(':').map_or(archive, |(_, name)| name);
    let name = name.split_once('@').map_or(name, |(name, _)| name);
    name.to_lowercase()
}

/// What is maximised: acc@1 and nDCG@10 to equal parts.
fn gain(row: &Row) -> f64 {
    (row.scores.acc[0] + row.scores.ndcg10) / 2.0
}

pub fn choose(rows: &[Row], n_runs: usize) -> Choices {
    let repositories: BTreeSet<String> = rows
        .iter()
        .map(|row| repository(&row.item.archive))
        .collect();
    let choose = |held_out: &String| {
        let quality = |run: usize| quality(rows, run, held_out);
        (0..n_runs)
            .max_by(|&a, &b| quality(a).total_cmp(&quality(b)).then(b.cmp(&a)))
            .unwrap_or(0)
    };
    repositories
        .into_iter()
        .map(|name| {
            let run = choose(&name);
            (name, run)
        })
        .collect()
}

/// The mean over sets of the mean over questions of other repositories, each set weighed by the root
/// of its size, so that neither a large nor a small one decides alone.
fn quality(rows: &[Row], run: usize, held_out: &str) -> f64 {
    let mut sums: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.run == run) {
        if repository(&row.item.archive) != held_out {
            let (sum, n) = sums.entry(row.set).or_default();
            *sum += gain(row);
            *n += 1.0;
        }
    }
    let weighted: f64 = sums.values().map(|(sum, n)| sum / n * n.sqrt()).sum();
    weighted / sums.values().map(|(_, n)| n.sqrt()).sum::<f64>().max(1.0)
}
