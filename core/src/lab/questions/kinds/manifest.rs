//! What the topmost manifests of the repository state: licence, versions, dependencies.

use std::collections::BTreeMap;

use super::Kind;
use crate::lab::questions::draft::{Drafts, Gold};
use crate::lab::questions::world::World;
use crate::lang::Role;
use crate::lang::manifest::{Fact, FactKind, facts};
use crate::lines::{Line, LineRange};

/// How many rows above a fact its heading is looked for.
const ABOVE: usize = 8;

pub(super) const KIND: Kind = Kind {
    name: "manifest",
    title: "What does the manifest state: licence, versions, dependencies?",
    draft,
};

fn draft(world: &World<'_>, drafts: &mut Drafts) {
    let stated = stated(world);
    let mut ways: BTreeMap<&str, u32> = BTreeMap::new();
    for (_, key) in stated.keys().filter(|(what, _)| is_dependency(*what)) {
        *ways.entry(key).or_default() += 1;
    }
    for ((what, key), places) in &stated {
        if is_dependency(*what) && ways.get(key.as_str()) > Some(&1) {
            drafts.refuse("it is a dependency in several ways");
            continue;
        }
        let gold: Vec<Gold> = places.iter().map(|(gold, _)| *gold).collect();
        let asked = Asked {
            what: *what,
            key,
            values: places.iter().map(|(_, fact)| fact.value.as_str()).collect(),
        };
        drafts.push(&asked.wordings(), gold, asked.answer());
    }
}

/// What the topmost manifests state, by kind and subject, with the places. If several manifests
/// state the same, each of them answers.
fn stated(world: &World<'_>) -> BTreeMap<(FactKind, String), Vec<(Gold, Fact)>> {
    let mut stated: BTreeMap<(FactKind, String), Vec<(Gold, Fact)>> = BTreeMap::new();
    let files: Vec<_> = world.files(Role::Manifest).collect();
    let depth = |path: &str| path.matches('/').count();
    let top = files.iter().map(|file| depth(world.path(*file))).min();
    for file in files {
        let Some((source, _)) = world
            .index
            .file(file)
            .filter(|(it, _)| Some(depth(&it.path)) == top)
        else {
            continue;
        };
        let lines: Vec<&str> = source.text.lines().collect();
        for fact in facts(&source.path, &source.text) {
            let row = lines.get((fact.lines.start().0 as usize).saturating_sub(1));
            // `{include-group = "tests"}` names no package.
            let is_group = row.is_some_and(|row| row.contains("include-group"));
            let Some(key) = key(&fact).filter(|_| !is_group) else {
                continue;
            };
            let place = with_heading(&lines, fact.lines, &key);
            let what = match is_optional(&lines, place) {
                true => FactKind::OptionalDependency,
                false => fact.what,
            };
            let places = stated.entry((what, key)).or_default();
            places.push(((file, place), fact));
        }
    }
    stated
}

/// The last line of the table around a line.
fn table_end(rows: &[&str], from: Line) -> Line {
    let rest = rows.iter().skip(from.0 as usize);
    let own = rest.take_while(|row| !row.trim().is_empty() && !row.trim_start().starts_with('['));
    Line(from.0 + own.count() as u32)
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
            let heading = row.trim_end_matches([']', '"']);
            let is_named = !key.is_empty() && heading.ends_with(key);
            return match is_named {
                true => LineRange::new(Line(at as u32), table_end(rows, lines.end())),
                false => lines,
            };
        }
    }
    lines
}

/// Whether a table of Cargo.toml says of itself that its dependency is optional.
fn is_optional(rows: &[&str], lines: LineRange) -> bool {
    let (from, to) = (lines.start().0 as usize, lines.end().0 as usize);
    let rows = rows.get(from.saturating_sub(1)..to).unwrap_or_default();
    rows.iter().any(|row| row.trim() == "optional = true")
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
        // `test:unit: mocha`: the name may hold a colon itself.
        FactKind::Script => named(&fact.value, ": "),
        FactKind::EntryPoint => named(&fact.value, " = "),
        _ => None,
    }
}

fn named(value: &str, sign: &str) -> Option<String> {
    let (name, _) = value.split_once(sign)?;
    (name.len() > 1 && !name.contains(' ')).then(|| name.to_owned())
}

/// A fact that is asked about.
struct Asked<'a> {
    what: FactKind,
    key: &'a str,
    /// What the manifests state, one for each place.
    values: Vec<&'a str>,
}

impl Asked<'_> {
    fn wordings(&self) -> Vec<String> {
        let key = self.key;
        match self.what {
            FactKind::Version => vec![
                "Which version of the project does the manifest state?".to_owned(),
                "What is the project's version according to its manifest?".to_owned(),
            ],
            FactKind::License => vec![
                "Which licence does the manifest name?".to_owned(),
                "What is the project's licence according to its manifest?".to_owned(),
            ],
            FactKind::RequiresLanguage => {
                let language = self.values.first().and_then(|it| it.split(' ').next());
                let language = language.unwrap_or("the language");
                vec![
                    format!("Which version of {language} does the manifest require?"),
                    format!("What does the manifest say about the version of {language}?"),
                ]
            }
            FactKind::Script => vec![format!("What does the script {key} run?")],
            FactKind::EntryPoint => vec![format!("What does the entry point {key} lead to?")],
            _ => {
                let need = self.need();
                let mut all = vec![format!("Does the manifest list {key} as {need}?")];
                if self.has_version() {
                    all.push(format!(
                        "Which version of {key} does the manifest ask for, as {need}?"
                    ));
                }
                all
            }
        }
    }

    /// As a kind of dependency, with its article.
    fn need(&self) -> &'static str {
        match self.what {
            FactKind::DevDependency => "a development dependency",
            FactKind::OptionalDependency => "an optional dependency",
            _ => "a dependency",
        }
    }

    /// Whether every place states a version: `click>=8`, not `colorama; platform_system == …`.
    fn has_version(&self) -> bool {
        self.values.iter().all(|value| {
            let stated = value.split([';', '(']).next().unwrap_or_default();
            let stated = stated.get(self.key.len()..).unwrap_or_default();
            stated.chars().any(|it| it.is_ascii_digit())
        })
    }

    fn answer(&self) -> String {
        let values: Vec<String> = self.values.iter().map(|it| format!("`{it}`")).collect();
        let values = values.join(", ");
        match self.what {
            what if is_dependency(what) => {
                format!(
                    "The manifest lists `{}` as {}: {values}.",
                    self.key,
                    self.need()
                )
            }
            what => format!("The manifest states the {}: {values}.", what.label()),
        }
    }
}
