//! A file exports a definition.

use super::{Relation, each, last_part};
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
    leads_to: false,
    has_place: false,
    holds,
};

fn holds(scene: &mut Scene<'_>, fact: &Fact) -> Truth {
    let files = scene.files(&fact.subject);
    let [file] = files.as_slice() else {
        return Truth::Unknown;
    };
    let file = *file;
    let named = each(scene, fact, |scene, object| exports(scene, file, object));
    let count = all(scene, file).len();
    match fact.count {
        Some(wanted) if wanted as usize != count => Truth::Unknown,
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

/// The names that a file exports one by one, each with its line: `export class A`, `exports.a = …`,
/// `pub fn a`.
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
