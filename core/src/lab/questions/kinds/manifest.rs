//! What the topmost manifests of the repository state: licence, versions, dependencies.

use std::collections::BTreeMap;

use super::Kind;
use crate::lab::questions::draft::{Drafts, Gold};
use crate::lab::questions::world::World;
use crate::lang::Role;
use crate::lang::manifest::{Fact, FactKind, facts};
use crate::lang::resolve::names::file_name;
use crate::lines::{Line, LineRange};
use crate::source::FileId;

/// How many rows above a fact its heading is looked for.
const ABOVE: usize = 8;

pub(super) const KIND: Kind = Kind {
    name: "manifest",
    title: "What does the manifest state: licence, versions, dependencies?",
    draft,
};

fn draft(world: &World<'_>, drafts: &mut Drafts) {
    let files: Vec<_> = world.files(Role::Manifest).collect();
    let depth = |path: &str| path.matches('/').count();
    let Some(top) = files.iter().map(|file| depth(world.path(*file))).min() else {
        return;
    };
    // If several manifests state the same, each of them answers.
    let mut stated: BTreeMap<(FactKind, String), Vec<(Gold, Fact)>> = BTreeMap::new();
    for file in files {
        let Some((source, _)) = world
            .index
            .file(file)
            .filter(|(it, _)| depth(&it.path) == top)
        else {
            continue;
        };
        let lines: Vec<&str> = source.text.lines().collect();
        for fact in facts(&source.path, &source.text) {
            if let Some(key) = key(&fact) {
                let what = what(&source.path, fact.what);
                let place = with_heading(&lines, fact.lines, &key);
                stated
                    .entry((what, key))
                    .or_default()
                    .push(((file, place), fact));
            }
        }
    }
    let mut ways: BTreeMap<String, u32> = BTreeMap::new();
    for (what, key) in stated.keys() {
        if is_dependency(*what) {
            *ways.entry(key.clone()).or_default() += 1;
        }
    }
    for ((what, key), places) in stated {
        if is_dependency(what) && ways.get(&key) > Some(&1) {
            drafts.refuse("it is a dependency in several ways");
            continue;
        }
        let mut gold: Vec<Gold> = places.iter().map(|(gold, _)| *gold).collect();
        if what == FactKind::License {
            gold.extend(licences(world));
        }
        let values: Vec<&str> = places.iter().map(|(_, fact)| fact.value.as_str()).collect();
        let answer = format!(
            "The manifest states the {}: {}.",
            what.label(),
            values.join("; ")
        );
        drafts.push(&wordings(what, &key), gold, answer);
    }
}

/// The last line of the table around a line.
fn table_end(rows: &[&str], from: Line) -> Line {
    let rest = rows.iter().skip(from.0 as usize);
    let own = rest.take_while(|row| !row.trim().is_empty() && !row.trim_start().starts_with('['));
    Line(from.0 + own.count() as u32)
}

/// The first lines of licence files at the top of the repository: they state its licence too.
fn licences(world: &World<'_>) -> impl Iterator<Item = Gold> {
    let files = (0..).map(FileId).zip(&world.index.repo.files);
    let at_top = files.filter(|(_, file)| {
        let lower = file.path.to_lowercase();
        !lower.contains('/') && (lower.starts_with("licen") || lower.starts_with("copying"))
    });
    at_top.map(|(id, file)| {
        let last = file.text.lines().take(3).count().max(1) as u32;
        (id, LineRange::new(Line(1), Line(last)))
    })
}

fn is_dependency(what: FactKind) -> bool {
    use FactKind::{Dependency, DevDependency, OptionalDependency};
    matches!(what, Dependency | DevDependency | OptionalDependency)
}

/// The lines of a fact, starting at the heading that names its subject: `[dependencies.serde]`.
fn with_heading(rows: &[&str], lines: LineRange, key: &str) -> LineRange {
    let first = lines.start().0 as usize;
    for at in (first.saturating_sub(ABOVE)..first).rev() {
        let row = rows.get(at.wrapping_sub(1)).map_or("", |row| row.trim());
        if row.starts_with('[') {
            let is_named = row.trim_end_matches([']', '"']).ends_with(key);
            return match is_named {
                true => LineRange::new(Line(at as u32), table_end(rows, lines.end())),
                false => lines,
            };
        }
    }
    lines
}

/// The kind of a fact; `requirements-dev.txt` lists dependencies for development.
fn what(path: &str, what: FactKind) -> FactKind {
    const FOR_DEVELOPERS: [&str; 6] = ["dev", "test", "doc", "lint", "typing", "ci"];
    let name = file_name(path).to_lowercase();
    let mut words = name.split(|it: char| !it.is_alphanumeric());
    let is_for_them = words.any(|it| FOR_DEVELOPERS.contains(&it.trim_end_matches('s')));
    match what {
        FactKind::Dependency if is_for_them => FactKind::DevDependency,
        _ => what,
    }
}

/// What distinguishes a fact from others of its kind; `None` if there is no question about it.
fn key(fact: &Fact) -> Option<String> {
    let first = |text: &str| {
        let end = text.find(|it: char| !(it.is_alphanumeric() || "-_.@/".contains(it)));
        text.get(..end.unwrap_or(text.len()))
            .unwrap_or(text)
            .to_owned()
    };
    if fact.value.contains('*') && !is_dependency(fact.what) {
        return None;
    }
    match fact.what {
        FactKind::Version | FactKind::License | FactKind::RequiresLanguage => Some(String::new()),
        FactKind::Dependency | FactKind::DevDependency | FactKind::OptionalDependency => {
            Some(first(&fact.value)).filter(|name| name.len() > 1)
        }
        FactKind::Script | FactKind::EntryPoint => {
            Some(first(&fact.value)).filter(|name| name.len() > 1)
        }
        _ => None,
    }
}

fn wordings(what: FactKind, key: &str) -> Vec<String> {
    match what {
        FactKind::Version => vec![
            "Which version of the project is this?".to_owned(),
            "Where is the project's version written?".to_owned(),
        ],
        FactKind::License => vec![
            "Under which licence is the project published?".to_owned(),
            "What licence does the manifest name?".to_owned(),
        ],
        FactKind::RequiresLanguage => vec![
            "Which version of the language does the project need?".to_owned(),
            "What is the oldest supported version of the language?".to_owned(),
        ],
        FactKind::DevDependency => vec![
            format!("Which version of {key} is needed to develop the project?"),
            format!("Is {key} a development dependency?"),
        ],
        FactKind::OptionalDependency => vec![
            format!("Which extra brings in {key}?"),
            format!("Is {key} an optional dependency?"),
        ],
        FactKind::Script => vec![format!("What does the script {key} run?")],
        FactKind::EntryPoint => vec![format!("What does the entry point {key} lead to?")],
        _ => vec![
            format!("Which version of {key} does the project require?"),
            format!("Does the project depend on {key}?"),
        ],
    }
}
