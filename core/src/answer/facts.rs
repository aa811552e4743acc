//! Facts from manifests: licence, version, dependencies … They are exact, read from the manifest's
//! own structure, and stated only if the question asks for them and for little else.

use std::collections::BTreeSet;

mod asked;
mod depends;
mod features;
mod licence;
mod none;
mod programs;
mod versions;

use asked::asked;
use depends::DEPENDENCIES;
pub(super) use depends::{asks_when_needed, names_in_code};
pub(super) use features::state_features;
pub(super) use none::state_any_dependency;
pub(super) use programs::state_programs;

use super::notes::{Entry, Notes, SEARCHED, Source, code, text, tidy};
use super::prose::code_list;
use crate::index::Index;
use crate::lang::Role;
use crate::lang::manifest::{self, Fact, FactKind};
use crate::lines::{Line, LineIndex, LineRange};
use crate::search::Question;
use crate::source::FileId;

/// Maximum number of names in one statement.
const MAX_NAMES: usize = 12;

/// A manifest outside tests and examples, with the facts it states.
struct Manifest<'i> {
    file: FileId,
    path: &'i str,
    text: &'i str,
    facts: Vec<Fact>,
}

/// States the facts in the repository's manifests that the question asks for, and the closest other
/// ones until there are two statements.
pub(super) fn state(index: &Index, question: &Question, notes: &mut Notes<'_>) {
    let manifests = manifests(index);
    if versions::state(index, &manifests, question, notes) {
        return;
    }
    let (asked, subjects) = asked(index, question);
    if asked.is_empty() {
        return;
    }
    for &kind in &asked {
        match (kind, subjects.first()) {
            (kind, Some(name)) if DEPENDENCIES.contains(&kind) => {
                depends::state(&manifests, question.text(), name, notes);
            }
            (_, Some(_)) => {}
            _ => state_kind(&manifests, kind, notes),
        }
        if kind == FactKind::License && subjects.is_empty() {
            licence::state_file(index, notes);
        }
    }
    // Who asks about one thing wants nothing beside it.
    if notes.statements.is_empty() || !subjects.is_empty() {
        return;
    }
    let others = match asked.contains(&FactKind::Dependency) {
        true => &[FactKind::OptionalDependency, FactKind::PeerDependency][..],
        false => &[],
    };
    for &kind in others {
        state_kind(&manifests, kind, notes);
    }
    for kind in [
        FactKind::Description,
        FactKind::Version,
        FactKind::RequiresLanguage,
        FactKind::License,
    ] {
        if notes.statements.len() < 2 && !asked.contains(&kind) {
            state_kind(&manifests, kind, notes);
        }
    }
}

/// States the facts of one kind from the manifest nearest to the root.
pub(super) fn state_one(index: &Index, kind: FactKind, notes: &mut Notes<'_>) {
    state_kind(&manifests(index), kind, notes);
}

/// Returns the paths by which an npm package is imported, as its manifest at the root writes them
/// without `./`.
pub(super) fn entry_paths(index: &Index) -> Vec<String> {
    let manifests = manifests(index);
    let own = manifests.iter().find(|it| it.path == "package.json");
    let facts = own.into_iter().flat_map(|it| &it.facts);
    let entries = facts.filter(|it| it.what == FactKind::EntryPoint);
    let paths = entries.map(|it| it.value.trim_start_matches("./"));
    paths
        .filter(|path| !path.contains(" = ") && path.contains('.'))
        .map(str::to_owned)
        .collect()
}

/// Returns the manifests, root ones first, then by how much their format tells.
fn manifests(index: &Index) -> Vec<Manifest<'_>> {
    const ORDER: [&str; 6] = [
        "pyproject.toml",
        "setup.cfg",
        "setup.py",
        "package.json",
        "Cargo.toml",
        "go.mod",
    ];
    let mut found: Vec<(usize, usize, Manifest<'_>)> = index
        .repo
        .files
        .iter()
        .enumerate()
        // A role takes longer to tell than a name, and there may be 200,000 files.
        .filter(|(_, file)| manifest::is_read(&file.path))
        .filter(|(_, file)| Role::of(&file.path) == Role::Manifest)
        .map(|(at, file)| {
            let name = file.path.rsplit('/').next().unwrap_or(&file.path);
            let order = ORDER
                .iter()
                .position(|known| *known == name)
                .unwrap_or(ORDER.len());
            let manifest = Manifest {
                file: FileId(at as u32),
                path: &file.path,
                text: &file.text,
                facts: manifest::facts(&file.path, &file.text),
            };
            (file.path.matches('/').count(), order, manifest)
        })
        .filter(|(_, _, manifest)| !manifest.facts.is_empty())
        .collect();
    found.sort_by_key(|(depth, order, _)| (*depth, *order));
    found.into_iter().map(|(_, _, manifest)| manifest).collect()
}

/// Returns the facts of a kind from the first manifest that states any.
fn of_kind<'m, 'i>(
    manifests: &'m [Manifest<'i>],
    kind: FactKind,
) -> Option<(&'m Manifest<'i>, Vec<&'m Fact>)> {
    manifests.iter().find_map(|manifest| {
        let facts: Vec<&Fact> = manifest
            .facts
            .iter()
            .filter(|fact| fact.what == kind)
            .collect();
        (!facts.is_empty()).then_some((manifest, facts))
    })
}

/// Returns a description without the line breaks that its manifest writes as `\n`.
fn first_line(description: &str) -> &str {
    description
        .split("\\n")
        .next()
        .unwrap_or(description)
        .trim()
}

fn state_kind(manifests: &[Manifest<'_>], kind: FactKind, notes: &mut Notes<'_>) {
    let Some((manifest, mut facts)) = of_kind(manifests, kind) else {
        return;
    };
    let mut known = BTreeSet::new();
    // One platform can need the same as another.
    facts.retain(|fact| known.insert(fact.value.as_str()));
    let names: Vec<String> = facts
        .iter()
        .take(MAX_NAMES)
        .map(|fact| fact.value.clone())
        .collect();
    let more = facts.len() - names.len();
    let mut spans = vec![
        text("According to "),
        code(manifest.path),
        text(lead(kind, names.len())),
    ];
    if kind == FactKind::Description {
        spans.extend(
            names
                .first()
                .map(|description| text(format!("“{}”", first_line(description)))),
        );
    } else if more > 0 {
        for (at, name) in names.iter().enumerate() {
            if at > 0 {
                spans.push(text(", "));
            }
            spans.push(code(name.clone()));
        }
        spans.push(text(format!(" and {more} more")));
    } else {
        spans.extend(code_list(&names, "and"));
    }
    if kind == FactKind::Description {
        spans.push(text("."));
        let first: Vec<&Fact> = facts.into_iter().take(1).collect();
        notes.state(tidy(spans), &sources(manifest, &first));
        return;
    }
    let entries = facts.iter().filter_map(|fact| {
        let (name, detail) = named(kind, &fact.value);
        Some(Entry {
            name: name.to_owned(),
            detail: detail.to_owned(),
            source: sources(manifest, &[*fact]).pop()?,
        })
    });
    let entries = entries.collect();
    let shown: Vec<&Fact> = facts.into_iter().take(MAX_NAMES).collect();
    notes.list_below(spans, &sources(manifest, &shown), entries);
}

/// Splits a dependency into its name and its versions; other facts stay whole.
pub(super) fn named(kind: FactKind, value: &str) -> (&str, &str) {
    let is_dependency = matches!(
        kind,
        FactKind::Dependency
            | FactKind::OptionalDependency
            | FactKind::PeerDependency
            | FactKind::DevDependency
            | FactKind::BuildDependency
    );
    let end = value.find(|c: char| c.is_whitespace() || "<>=!~^[;(".contains(c));
    match end.filter(|_| is_dependency) {
        Some(end) => {
            let (name, version) = value.split_at(end);
            (name, version.trim())
        }
        None => (value, ""),
    }
}

fn lead(kind: FactKind, count: usize) -> &'static str {
    match (kind, count) {
        (FactKind::License, _) => ", the licence is ",
        (FactKind::Version, _) => ", the version is ",
        (FactKind::Author, 1) => ", the author is ",
        (FactKind::Author, _) => ", the authors are ",
        (FactKind::Url, 1) => ", the address is ",
        (FactKind::Url, _) => ", the addresses are ",
        (FactKind::RequiresLanguage, _) => ", the project needs ",
        (FactKind::Dependency, 1) => ", the only run-time dependency is ",
        (FactKind::Dependency, _) => ", the run-time dependencies are ",
        (FactKind::OptionalDependency, 1) => ", the only optional dependency is ",
        (FactKind::OptionalDependency, _) => ", the optional dependencies are ",
        (FactKind::PeerDependency, 1) => ", the only peer dependency is ",
        (FactKind::PeerDependency, _) => ", the peer dependencies are ",
        (FactKind::DevDependency, 1) => ", the only development dependency is ",
        (FactKind::DevDependency, _) => ", the development dependencies are ",
        (FactKind::BuildDependency, 1) => ", the only build dependency is ",
        (FactKind::BuildDependency, _) => ", the build dependencies are ",
        (FactKind::EntryPoint, 1) => ", the entry point is ",
        (FactKind::EntryPoint, _) => ", the entry points are ",
        (FactKind::Description, _) => ", the project describes itself as ",
        (_, 1) => ", there is ",
        _ => ", there are ",
    }
}

/// Cites a whole manifest, to show that something is missing from it.
fn whole(manifest: &Manifest<'_>) -> Source {
    let end = Line(manifest.text.lines().count().max(1) as u32);
    Source {
        file: manifest.file,
        lines: LineRange::new(Line(1), end),
        quotes: Vec::new(),
        why: SEARCHED.to_owned(),
    }
}

/// Returns one source for facts on neighbouring lines, with the values as quotes, or what of them
/// is written there.
fn sources(manifest: &Manifest<'_>, facts: &[&Fact]) -> Vec<Source> {
    let mut sources: Vec<Source> = Vec::new();
    for fact in facts {
        let quotes = quotes(manifest, fact);
        match sources.last_mut() {
            Some(last) if fact.lines.start().0 <= last.lines.end().0 + 3 => {
                last.lines =
                    LineRange::new(last.lines.start(), fact.lines.end().max(last.lines.end()));
                last.quotes.extend(quotes);
            }
            _ => sources.push(Source {
                file: manifest.file,
                lines: fact.lines,
                quotes,
                why: "entry of the manifest".to_owned(),
            }),
        }
    }
    sources
}

/// Returns the value if it is written as it is, else those of its words that are: `Python >=3.9`
/// and `name [extra]` are put together from several places.
fn quotes(manifest: &Manifest<'_>, fact: &Fact) -> Vec<String> {
    let lines = LineIndex::new(manifest.text);
    let written = lines.slice(manifest.text, fact.lines).unwrap_or_default();
    if written.contains(&fact.value) {
        return vec![fact.value.clone()];
    }
    let words = fact
        .value
        .split(|c: char| c.is_whitespace() || "()[]<>=~^,".contains(c));
    let found: Vec<String> = words
        .filter(|word| !word.is_empty() && written.contains(word))
        .map(str::to_owned)
        .collect();
    // A value that is not written there at all must not be stated: no line can support it.
    if found.is_empty() {
        vec![fact.value.clone()]
    } else {
        found
    }
}
