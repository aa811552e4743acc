//! Cross-validation over repositories: how well choosing among the runs works on repositories left
//! out of the choice.

use std::collections::{BTreeMap, BTreeSet};

use super::Row;

/// The run chosen for each repository: the best one on all others.
pub type Choices = BTreeMap<String, usize>;

/// Packages that share a repository, by how their names begin.
const SHARED: &[(&str, &str)] = &[
    ("ra_ap_", "rust-analyzer"),
    ("grep", "ripgrep"),
    ("ignore", "ripgrep"),
    ("globset", "ripgrep"),
    ("termcolor", "ripgrep"),
    ("wincolor", "ripgrep"),
    ("tantivy", "tantivy"),
    ("serde", "serde"),
    ("@trpc", "trpc"),
];

/// `click` of `pypi:click@8.1.7`: all versions and packages of a repository are one fold.
pub fn repository(archive: &str) -> String {
    let name = archive.split_once(':').map_or(archive, |(_, name)| name);
    // Names on npm may start with `@`.
    let name = name.rsplit_once('@').map_or(name, |(name, _)| name);
    let name = name.to_lowercase();
    let shared = SHARED.iter().find(|(start, _)| name.starts_with(start));
    shared.map_or(name.clone(), |(_, repository)| (*repository).to_owned())
}

/// What is maximised: acc@1 and nDCG@10 in equal parts.
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

/// The mean over the other repositories of the mean over their questions, so that a repository with
/// many questions counts no more than one with few.
fn quality(rows: &[Row], run: usize, held_out: &str) -> f64 {
    let of_run = rows.iter().filter(|row| row.run == run);
    let means = means(of_run, gain);
    let others = means
        .iter()
        .filter(|(repository, _)| *repository != held_out);
    let others: Vec<f64> = others.map(|(_, mean)| *mean).collect();
    others.iter().sum::<f64>() / others.len().max(1) as f64
}

/// The mean of a measure over the questions of each repository.
pub fn means<'r>(
    rows: impl Iterator<Item = &'r Row>,
    measure: impl Fn(&Row) -> f64,
) -> BTreeMap<String, f64> {
    let mut sums: BTreeMap<String, (f64, f64)> = BTreeMap::new();
    for row in rows {
        let (sum, n) = sums.entry(repository(&row.item.archive)).or_default();
        *sum += measure(row);
        *n += 1.0;
    }
    sums.into_iter()
        .map(|(repository, (sum, n))| (repository, sum / n))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_and_packages_of_a_repository_are_one_fold() {
        for (archive, expected) in [
            ("pypi:click@8.1.7", "click"),
            ("npm:@trpc/server@11.0.0", "trpc"),
            ("npm:express@4.0.0", "express"),
            ("crates:ra_ap_hir@0.0.1", "rust-analyzer"),
            ("crates:grep-printer@0.1.6", "ripgrep"),
            ("crates:serde_core@1.0.228", "serde"),
            ("pypi:APScheduler@4.0.0a5", "apscheduler"),
        ] {
            assert_eq!(repository(archive), expected);
        }
    }
}
