//! A file exports a definition.

use super::{Part, Relation, each, last_part};
use crate::cite::facts::grammar::{Fact, Thing};
use crate::cite::facts::scene::Scene;
use crate::cite::facts::{Proof, Truth};
use crate::index::tokens::identifiers;
use crate::lines::Line;
use crate::source::FileId;

pub(crate) static EXPORTS: Relation = Relation {
    active: &["exports", "export", "re-exports"],
    passive: &[
        "exported by",
        "exported from",
        "re-exported by",
        "re-exported from",
    ],
    reads: &[Part::Count],
    holds,
};

fn holds(scene: &mut Scene<'_>, fact: &Fact) -> Truth {
    let files = scene.files(&fact.subject);
    let [file] = files.as_slice() else {
        return Truth::Unknown;
    };
    let file = *file;
    let named = each(scene, fact, |scene, object| exports(scene, file, object));
    match fact.count {
        Some(wanted) if count(scene, file) != Some(wanted) => Truth::Unknown,
        _ => named,
    }
}

fn exports(scene: &Scene<'_>, file: FileId, object: &Thing) -> Truth {
    let Some((name, _)) = last_part(object) else {
        return Truth::Unknown;
    };
    let all = all(scene, file);
    match all.iter().find(|(known, _)| *known == name) {
        Some((_, line)) => Truth::Yes(vec![Proof::line(file, *line, "export")]),
        None => Truth::Unknown,
    }
}

/// Returns how many names a file exports; `None` if it also exports without naming, or several
/// names at once.
fn count(scene: &Scene<'_>, file: FileId) -> Option<u32> {
    let text = &scene.index.repo.file(file)?.text;
    let mut all = all(scene, file);
    all.sort_unstable();
    all.dedup_by_key(|(name, _)| *name);
    let is_export =
        |line: &&str| identifiers(line).any(|word| matches!(word, "export" | "exports"));
    let lines = text.lines().filter(is_export).count();
    (lines == all.len()).then_some(all.len() as u32)
}

/// Returns the names that a file exports one by one, each with its line: `export class A`,
/// `exports.a = …`, `pub fn a`.
fn all<'a>(scene: &Scene<'a>, file: FileId) -> Vec<(&'a str, Line)> {
    let Some((source, parsed)) = scene.index.file(file) else {
        return Vec::new();
    };
    let mut found: Vec<(&str, Line)> = Vec::new();
    for symbol in parsed
        .symbols
        .iter()
        .filter(|symbol| symbol.parent.is_none())
    {
        let head = source
            .text
            .lines()
            .nth(symbol.name_line.0 as usize - 1)
            .unwrap_or_default();
        if head.starts_with("export ") || head.starts_with("pub ") {
            found.push((&symbol.name, symbol.name_line));
        }
    }
    for (at, line) in (1..).zip(source.text.lines()) {
        let target = line
            .strip_prefix("module.")
            .unwrap_or(line)
            .strip_prefix("exports.");
        let name = target.and_then(|target| identifiers(target).next());
        found.extend(name.map(|name| (name, Line(at))));
    }
    found
}
