//! Whether a package installs programs.

use super::super::notes::{Entry, Notes, Source, code, text, tidy};
use super::{Manifest, manifests, named, sources, whole};
use crate::index::Index;
use crate::lang::manifest::{Fact, FactKind};
use crate::lines::{Line, LineIndex, LineRange};
use crate::source::FileId;

/// States whether the package installs programs, by the manifests at the root and by where Cargo
/// looks for programs. Says no only if a manifest that would name them names none.
pub(in crate::answer) fn state_programs(index: &Index, notes: &mut Notes<'_>) -> bool {
    let manifests = manifests(index);
    let at_root: Vec<&Manifest<'_>> = manifests.iter().filter(|it| is_at_root(it)).collect();
    let mut entries: Vec<Entry> = Vec::new();
    for manifest in &at_root {
        let programs = manifest.facts.iter().filter(|it| is_program(manifest, it));
        entries.extend(programs.filter_map(|it| entry(manifest, it)));
    }
    let by_path_too = |it: &&&Manifest<'_>| {
        it.path == "Cargo.toml" && !squeezed(it.text).contains("autobins=false")
    };
    if entries.is_empty()
        && let Some(cargo) = at_root.iter().find(by_path_too)
    {
        entries = by_path(index, cargo);
    }
    let Some(manifest) = at_root.first() else {
        return false;
    };
    if !entries.is_empty() {
        return notes.list(vec![text("Yes. The package installs ")], entries);
    }
    if at_root.iter().any(|it| may_name_elsewhere(it)) {
        return false;
    }
    let spans = vec![
        text("No. "),
        code(manifest.path),
        text(" names no program to install."),
    ];
    notes.state(tidy(spans), &[whole(manifest)])
}

fn is_at_root(manifest: &Manifest<'_>) -> bool {
    [
        "package.json",
        "Cargo.toml",
        "pyproject.toml",
        "setup.cfg",
        "setup.py",
    ]
    .contains(&manifest.path)
}

/// Whether programs can be named where they are not read: in code, by members of a workspace, or by
/// the files of a folder.
fn may_name_elsewhere(manifest: &Manifest<'_>) -> bool {
    const MARKS: [&str; 8] = [
        "[workspace]",
        "\"workspaces\"",
        "\"directories\"",
        "dynamic=",
        "entry_points",
        "entry-points",
        "scripts=",
        "gui-scripts",
    ];
    let text = squeezed(manifest.text);
    MARKS.iter().any(|mark| text.contains(mark)) || manifest.path == "setup.py"
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Whether an entry point is a program: all of Cargo's are, and in other manifests those that have
/// a name to run, or stand under `bin`.
fn is_program(manifest: &Manifest<'_>, fact: &Fact) -> bool {
    let written = LineIndex::new(manifest.text)
        .slice(manifest.text, fact.lines)
        .unwrap_or_default()
        .trim_start();
    fact.what == FactKind::EntryPoint
        && (manifest.path == "Cargo.toml"
            || fact.value.contains(" = ")
            || written.starts_with("\"bin\""))
}

fn entry(manifest: &Manifest<'_>, fact: &Fact) -> Option<Entry> {
    let (name, detail) = match fact.value.split_once(" = ") {
        Some((name, leads_to)) => (name, leads_to),
        None => named(fact.what, &fact.value),
    };
    Some(Entry {
        name: name.to_owned(),
        detail: detail.to_owned(),
        source: sources(manifest, &[fact]).pop()?,
    })
}

/// The programs that Cargo finds by their paths.
fn by_path(index: &Index, manifest: &Manifest<'_>) -> Vec<Entry> {
    let package = manifest
        .facts
        .iter()
        .find(|fact| fact.what == FactKind::Name);
    let package = package.map_or("src/main.rs", |fact| fact.value.as_str());
    let files = (0..).map(FileId).zip(&index.repo.files);
    let programs = files.filter(|(_, file)| {
        let inside = file.path.strip_prefix("src/bin/");
        file.path == "src/main.rs"
            || inside.is_some_and(|rest| match rest.split_once('/') {
                Some((_, rest)) => rest == "main.rs",
                None => rest.ends_with(".rs"),
            })
    });
    let entry = |(file, source): (FileId, &crate::source::SourceFile)| Entry {
        name: match source.path.strip_prefix("src/bin/") {
            Some(inside) => {
                let name = inside.strip_suffix("/main.rs").unwrap_or(inside);
                name.strip_suffix(".rs").unwrap_or(name).to_owned()
            }
            None => package.to_owned(),
        },
        detail: source.path.clone(),
        source: Source {
            file,
            lines: LineRange::new(Line(1), Line(1)),
            quotes: Vec::new(),
            why: "program".to_owned(),
        },
    };
    programs.map(entry).collect()
}
