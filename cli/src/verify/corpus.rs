//! `footnote verify --corpus DIR ARCHIVE_DIR`: statements known to be true or false, and how each
//! was shown, as a table by class.
//!
//! Each file `NAME.jsonl` holds the statements about the archive that `archives.json`, in the
//! folder or above it, lists under that name; `tests/fixtures/claims/README.md` describes the
//! fields.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use footnote_core::answer::review::{Progress, Reviewer, Standing};
use footnote_core::cite::Evidence;
use footnote_core::index::Index;
use footnote_core::lines::{Line, LineRange};

use crate::{Result, archive};

/// One statement.
#[derive(serde::Deserialize)]
struct Case {
    id: String,
    class: String,
    #[serde(rename = "true")]
    is_true: bool,
    #[serde(rename = "provable")]
    is_provable: bool,
    text: String,
    /// The sentence of `text` that is judged.
    target: String,
    /// `path:first-last`, what the author was shown; empty for everything.
    #[serde(default)]
    sent: Vec<String>,
}

/// How many statements of each row got which verdict.
#[derive(Default)]
struct Table {
    rows: BTreeMap<String, BTreeMap<Standing, usize>>,
}

impl Table {
    fn count(&mut self, row: String, standing: Standing) {
        let count = self
            .rows
            .entry(row)
            .or_default()
            .entry(standing)
            .or_default();
        *count += 1;
    }
}

/// Prints the table. With `lists_failures`, first lists the statements that would mislead a reader.
pub fn run(folder: &Path, archives: &Path, lists_failures: bool) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let files = archive_names(folder)?;
    let mut table = Table::default();
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder)? {
        paths.push(entry?.path());
    }
    paths.retain(|path| path.extension().is_some_and(|end| end == "jsonl"));
    paths.sort();
    for path in &paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let file = files
            .get(&*name)
            .ok_or_else(|| format!("archives.json does not list an archive named {name}"))?;
        let index = archive::open(&archives.join(file))?;
        for line in archive::read_text(path)?
            .lines()
            .filter(|line| !line.trim().is_empty())
        {
            let case: Case = serde_json::from_str(line)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            let standing = standing(&index, &case);
            for row in rows(&case) {
                table.count(row, standing);
            }
            if lists_failures && misleads(&case, standing) {
                let truth = if case.is_true { "true" } else { "false" };
                writeln!(
                    out,
                    "{truth}, {}: {} {}",
                    standing.name(),
                    case.id,
                    case.target
                )?;
            }
        }
    }
    print(&table, &mut out)
}

/// The rows of the table that a statement counts in.
fn rows(case: &Case) -> Vec<String> {
    match (case.is_true, case.is_provable) {
        (true, true) => vec!["true, provable".to_owned(), "true".to_owned()],
        (true, false) => vec!["true".to_owned()],
        (false, _) => vec![format!("false, {}", case.class), "false".to_owned()],
    }
}

fn misleads(case: &Case, standing: Standing) -> bool {
    match standing {
        Standing::Proven | Standing::Supported => !case.is_true,
        Standing::Contradicted | Standing::Rejected => case.is_true,
        _ => false,
    }
}

/// How the judged sentence is shown.
fn standing(index: &Index, case: &Case) -> Standing {
    let evidence = match case.sent.is_empty() {
        true => Evidence::everything(),
        false => Evidence::of(case.sent.iter().filter_map(|sent| {
            let (path, lines) = sent.rsplit_once(':')?;
            let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
            let lines = LineRange::new(Line(first.parse().ok()?), Line(last.parse().ok()?));
            Some((index.repo.find(path)?, lines))
        })),
    };
    let mut reviewer = Reviewer::new();
    let review = reviewer.advance(index, &evidence, &case.text, Progress::Finished);
    let from = case.text.find(&case.target).unwrap_or(0);
    let to = from + case.target.len();
    // The statement that shares most with the judged sentence.
    let shared = |at: &std::ops::Range<usize>| at.end.min(to).saturating_sub(at.start.max(from));
    let best = review
        .statements
        .iter()
        .max_by_key(|statement| shared(&statement.at));
    best.filter(|statement| shared(&statement.at) > 0)
        .map_or(Standing::Uncited, |statement| statement.standing)
}

/// The file name of each archive.
fn archive_names(folder: &Path) -> Result<BTreeMap<String, String>> {
    let beside = folder.join("archives.json");
    let path = match beside.is_file() {
        true => beside,
        false => folder.join("..").join("archives.json"),
    };
    let list: BTreeMap<String, serde_json::Value> = serde_json::from_slice(&archive::read(&path)?)?;
    let text = |value: &serde_json::Value, key: &str| value[key].as_str().map(str::to_owned);
    let pairs = list
        .values()
        .filter_map(|value| text(value, "name").zip(text(value, "file")));
    Ok(pairs.collect())
}

fn print(table: &Table, out: &mut impl Write) -> Result<()> {
    write!(out, "| statements | n |")?;
    for standing in Standing::ALL {
        write!(out, " {} |", standing.name())?;
    }
    writeln!(out, "\n|---|---|{}", "---|".repeat(Standing::ALL.len()))?;
    for (row, counts) in &table.rows {
        write!(out, "| {row} | {} |", counts.values().sum::<usize>())?;
        for standing in Standing::ALL {
            write!(out, " {} |", counts.get(&standing).copied().unwrap_or(0))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
