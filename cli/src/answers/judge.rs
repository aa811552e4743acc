//! Judges whether an answer is right.

use std::collections::BTreeSet;

use footnote_core::answer::{Answer, Fit, Outcome, Span, Statement};
use footnote_core::index::Index;

/// A list is right if its precision and its recall both reach this share.
const ENOUGH: f64 = 0.9;

/// What the right answer is.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gold {
    /// All entries of the complete list.
    list: Option<Vec<String>>,
    /// Entries that the list may contain or not.
    #[serde(default)]
    also: Vec<String>,
    yes: Option<bool>,
    /// Paths of which any one is right.
    paths: Option<Vec<Vec<String>>>,
    lines: Option<Vec<Place>>,
    /// Words of which the answer must contain two thirds.
    says: Option<Vec<String>>,
    /// Whether the repository holds nothing on the subject.
    #[serde(default)]
    nothing: bool,
    subject: Option<String>,
    /// The possible meanings of an ambiguous subject.
    ask: Option<Vec<String>>,
}

#[derive(Debug, serde::Deserialize)]
struct Place {
    path: String,
    start: u32,
    end: u32,
}

/// The result of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Came {
    Right,
    /// Wrong, and presented as an answer.
    Wrong,
    /// Wrong, but presented only as the closest match.
    Hedged,
    Refused,
}

pub struct Judged {
    pub outcome: Came,
    /// The precision and recall of a list.
    pub list: Option<(f64, f64)>,
    /// What is missing or superfluous.
    pub reason: String,
}

/// The text of an answer, one statement per line.
pub fn said(answer: &Answer) -> String {
    let note = answer.note.iter().cloned();
    match &answer.outcome {
        Outcome::Nothing { why } => why.clone(),
        Outcome::Found { statements, .. } => note
            .chain(statements.iter().map(Statement::plain))
            .collect::<Vec<_>>()
            .join("\n"),
    }
}

pub fn judge(index: &Index, answer: &Answer, gold: &Gold) -> Judged {
    let (is_right, list, reason) = if gold.nothing {
        (says_nothing(answer, gold), None, String::new())
    } else if let Some(wanted) = &gold.list {
        // Some answers separate what was asked from what goes beyond it, such as indirect users:
        // the first list alone may be right.
        let all = listed(index, answer, wanted, &gold.also, false);
        match all.0 {
            true => all,
            false => {
                let first = listed(index, answer, wanted, &gold.also, true);
                if first.0 { first } else { all }
            }
        }
    } else if let Some(yes) = gold.yes {
        let first = said_statements(answer)
            .into_iter()
            .next()
            .unwrap_or_default();
        let word = if yes { "Yes" } else { "No" };
        let begins = |line: &str| line.starts_with(word) && !line.starts_with("Nothing");
        (begins(&first), None, format!("expected {word}"))
    } else if let Some(paths) = &gold.paths {
        let is_there = paths.iter().any(|path| is_path(answer, path));
        (is_there, None, format!("expected {paths:?}"))
    } else if let Some(which) = &gold.ask {
        let all = everything(index, answer);
        let named = which.iter().all(|name| all.contains(name.as_str()));
        (named, None, format!("expected {which:?}"))
    } else {
        cited_or_said(index, answer, gold)
    };
    let outcome = match (&answer.outcome, answer.fit) {
        _ if is_right => Came::Right,
        (Outcome::Nothing { .. }, _) => Came::Refused,
        (_, Fit::Closest) => Came::Hedged,
        _ => Came::Wrong,
    };
    Judged {
        outcome,
        list,
        reason,
    }
}

fn says_nothing(answer: &Answer, gold: &Gold) -> bool {
    let text = match &answer.outcome {
        Outcome::Nothing { why } => why.clone(),
        Outcome::Found { .. } => answer.note.clone().unwrap_or_default(),
    };
    let statements = said_statements(answer);
    let first = statements
        .first()
        .map(String::as_str)
        .unwrap_or_default()
        .to_lowercase();
    let denies = [" no ", "no.", "nothing", "none"]
        .iter()
        .any(|no| first.contains(no));
    if denies && answer.fit == Fit::Exact {
        return first.contains(&gold.subject.clone().unwrap_or_default().to_lowercase());
    }
    let is_found = matches!(answer.outcome, Outcome::Found { .. });
    let subject = gold.subject.clone().unwrap_or_default().to_lowercase();
    let names = text.to_lowercase().contains(&subject);
    names && (!is_found || answer.fit == Fit::Closest)
}

/// The names in an answer's lists, or in its sentences if it has no lists.
fn names(index: &Index, answer: &Answer, first_only: bool) -> Vec<BTreeSet<String>> {
    let Outcome::Found {
        statements,
        footnotes,
    } = &answer.outcome
    else {
        return Vec::new();
    };
    let path_of = |number: u32| {
        let note = footnotes.iter().find(|note| note.number == number)?;
        Some(index.repo.file(note.source.file())?.path.clone())
    };
    let lists = statements
        .iter()
        .filter(|statement| !statement.items.is_empty());
    let items: Vec<BTreeSet<String>> = lists
        .take(if first_only { 1 } else { usize::MAX })
        .flat_map(|statement| &statement.items)
        .map(|item| {
            let path = path_of(item.footnote);
            path.into_iter().chain([item.name.clone()]).collect()
        })
        .collect();
    if !items.is_empty() {
        return items;
    }
    // In a sentence without a list, the first name is its subject.
    let names = statements.iter().flat_map(|statement| {
        let names = statement.spans.iter().filter_map(|span| match span {
            Span::Code(code) => Some(code),
            Span::Text(_) => None,
        });
        let names: Vec<&String> = names.collect();
        let skipped = usize::from(names.len() > 1);
        names.into_iter().skip(skipped)
    });
    names.map(|name| BTreeSet::from([name.clone()])).collect()
}

fn listed(
    index: &Index,
    answer: &Answer,
    wanted: &[String],
    also: &[String],
    first_only: bool,
) -> (bool, Option<(f64, f64)>, String) {
    let got = names(index, answer, first_only);
    // A path stands for an entry inside it only if paths are asked for. A name may be preceded by
    // owners (a namespace, a module), and a crate has `-` where code has `_`.
    let is_in = |entry: &BTreeSet<String>, name: &str| {
        let is_same = |got: &String| {
            let name = name.strip_prefix("node:").unwrap_or(name);
            got == name
                || got
                    .strip_suffix(name)
                    .is_some_and(|owner| owner.ends_with(['.', '/']))
                || got.replace('-', "_") == name.replace('-', "_")
        };
        entry.iter().any(is_same)
    };
    let paths = wanted.iter().chain(also).any(|name| name.contains('/'));
    let got: Vec<BTreeSet<String>> = match paths {
        true => got,
        false => got.into_iter().map(without_paths).collect(),
    };
    let beside_list = named_beside(answer, first_only);
    let is_listed = |name: &str| got.iter().any(|entry| is_in(entry, name));
    let missing: Vec<&String> = wanted
        .iter()
        .filter(|name| !is_listed(name) && !beside_list.contains(name.as_str()))
        .collect();
    let beside: Vec<&BTreeSet<String>> = got
        .iter()
        .filter(|entry| !wanted.iter().chain(also).any(|name| is_in(entry, name)))
        .collect();
    let share = |part: usize, all: usize| match all {
        0 => 1.0,
        all => 1.0 - part as f64 / all as f64,
    };
    let recall = share(missing.len(), wanted.len());
    let precision = share(beside.len(), got.len());
    let is_right = recall >= ENOUGH && precision >= ENOUGH;
    let shown: Vec<_> = beside.iter().take(8).collect();
    let reason = format!("missing {missing:?}, beside {shown:?}");
    (is_right, Some((precision, recall)), reason)
}

/// The names in the sentences above lists: files without a line, which nothing can cite, are named
/// there.
fn named_beside(answer: &Answer, first_only: bool) -> BTreeSet<&str> {
    let Outcome::Found { statements, .. } = &answer.outcome else {
        return BTreeSet::new();
    };
    let lists = statements.iter().filter(|it| !it.items.is_empty());
    let lists = lists.take(if first_only { 1 } else { usize::MAX });
    let spans = lists.flat_map(|statement| &statement.spans);
    let names = spans.filter_map(|span| match span {
        Span::Code(name) => Some(name.as_str()),
        Span::Text(_) => None,
    });
    names.collect()
}

fn without_paths(entry: BTreeSet<String>) -> BTreeSet<String> {
    match entry.len() {
        1 => entry,
        _ => entry
            .into_iter()
            .filter(|name| !name.contains('/'))
            .collect(),
    }
}

fn said_statements(answer: &Answer) -> Vec<String> {
    match &answer.outcome {
        Outcome::Found { statements, .. } => statements.iter().map(Statement::plain).collect(),
        Outcome::Nothing { .. } => Vec::new(),
    }
}

/// Whether a single statement names all of a path, in order.
fn is_path(answer: &Answer, path: &[String]) -> bool {
    said_statements(answer).iter().any(|text| {
        let mut rest = text.as_str();
        path.iter().all(|name| {
            let last = name.rsplit('.').next().unwrap_or(name);
            match rest.find(last) {
                Some(at) => {
                    rest = rest.get(at + last.len()..).unwrap_or_default();
                    true
                }
                None => false,
            }
        })
    })
}

/// The full text of an answer, with the names and places in its lists.
fn everything(index: &Index, answer: &Answer) -> String {
    let mut all = said(answer);
    if let Outcome::Found {
        statements,
        footnotes,
    } = &answer.outcome
    {
        for item in statements.iter().flat_map(|statement| &statement.items) {
            all.push_str(&format!("\n{} {}", item.name, item.detail));
        }
        for note in footnotes {
            let path = index.repo.file(note.source.file());
            all.push_str(&format!("\n{}", path.map_or("", |file| &file.path)));
        }
    }
    all
}

fn cited_or_said(
    index: &Index,
    answer: &Answer,
    gold: &Gold,
) -> (bool, Option<(f64, f64)>, String) {
    let all = everything(index, answer).to_lowercase();
    let says = gold.says.as_ref().is_none_or(|words| {
        let n = words
            .iter()
            .filter(|word| all.contains(&word.to_lowercase()))
            .count();
        3 * n >= 2 * words.len()
    });
    let cites = gold.lines.as_ref().is_none_or(|lines| {
        let Outcome::Found {
            statements,
            footnotes,
        } = &answer.outcome
        else {
            return false;
        };
        let first = statements.iter().take(2);
        let mut numbers = first.flat_map(|statement| {
            let items = statement.items.iter().map(|item| item.footnote);
            statement.footnotes.iter().copied().chain(items)
        });
        numbers.any(|number| {
            let note = footnotes.iter().find(|note| note.number == number);
            note.is_some_and(|note| {
                let path = index.repo.file(note.source.file());
                let (start, end) = (note.source.lines().start().0, note.source.lines().end().0);
                lines.iter().any(|line| {
                    path.is_some_and(|file| file.path == line.path)
                        && start <= line.end
                        && line.start <= end
                })
            })
        })
    });
    let is_found = matches!(answer.outcome, Outcome::Found { .. });
    let reason = format!(
        "says {says}, cites {cites}; {:?} {:?}",
        gold.says, gold.lines
    );
    (is_found && says && cites, None, reason)
}
