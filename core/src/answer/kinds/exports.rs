//! What a file re-exports from others: names in `__all__` that it does not define, `export … from`,
//! `export { imported }`, `pub use`.

use std::collections::BTreeSet;

use super::export_list::Listed;
use super::listing::parsed;
use super::public::Publics;
use super::teller::Teller;
use super::texts::words;
use crate::answer::notes::{Entry, Source};
use crate::index::graph::Target;
use crate::lines::{Line, LineIndex, LineRange};
use crate::source::FileId;

/// Returns what a file re-exports: names in `__all__` that it does not define, and `export … from`.
pub(super) fn passed_on(teller: &Teller<'_, '_>, file: FileId, known: &[Entry]) -> Vec<Entry> {
    let mut found: Vec<Entry> = Vec::new();
    let publics = Publics::new(teller, file);
    if let Some(publics) = &publics {
        found.extend(listed(teller, file, &publics.exported, known));
    }
    if let Some(list) = publics.and_then(|publics| publics.all) {
        let is_new = |it: &Listed| known.iter().all(|known| known.name != it.name);
        let new = list.names.into_iter().filter(is_new);
        found.extend(new.map(|it| {
            let mut entry = passed(file, it.lines, it.name);
            entry.source.quotes = vec![it.quote];
            entry
        }));
    }
    if found.is_empty() && teller.path(file).ends_with("__init__.py") {
        found.extend(brought_in(teller, file));
    }
    found.extend(required(teller, file, known));
    let text = teller.file_text(file);
    let lines = LineIndex::new(text);
    let imports = parsed(teller, file).map_or(&[][..], |parsed| &parsed.imports);
    for import in imports {
        let written = lines
            .slice(text, import.lines)
            .unwrap_or_default()
            .trim_start();
        let is_passed = written.starts_with("export ")
            || written.starts_with("pub use ") && !import.names.is_empty();
        for name in import.names.iter().filter(|_| is_passed) {
            let shown = match (&name.alias, name.name.as_str()) {
                (Some(alias), _) => alias.clone(),
                (None, "*") => import.module.clone(),
                (None, name) => name.to_owned(),
            };
            let mut entry = passed(file, import.lines, shown);
            if name.name == "*" && name.alias.is_none() {
                entry.detail = "all that it exports".to_owned();
            }
            found.push(entry);
        }
    }
    found
}

/// Finds what a file imports under names that its `export { … }` lists.
fn listed(
    teller: &Teller<'_, '_>,
    file: FileId,
    exported: &BTreeSet<String>,
    known: &[Entry],
) -> Vec<Entry> {
    let text = teller.file_text(file);
    let lines = LineIndex::new(text);
    let imports = parsed(teller, file).map_or(&[][..], |parsed| &parsed.imports);
    let names = imports.iter().flat_map(|import| &import.names);
    let names = names.map(|name| name.alias.as_ref().unwrap_or(&name.name));
    let is_new = |name: &&String| known.iter().all(|known| known.name != **name);
    let found = names.filter(|name| exported.contains(*name)).filter(is_new);
    let entry = |name: &String| {
        let start = text.find("export {")?;
        let at = words(text, name).into_iter().find(|at| *at > start)?;
        let line = lines.line_of(at);
        Some(passed(file, LineRange::new(line, line), name.clone()))
    };
    found.filter_map(entry).collect()
}

/// Finds `exports.static = require('serve-static')`: not a definition, but a name that others see.
fn required(teller: &Teller<'_, '_>, file: FileId, known: &[Entry]) -> Vec<Entry> {
    let lines = teller.file_text(file).lines().zip(1u32..);
    let found = lines.filter_map(|(line, at)| {
        let line = line.strip_prefix("module.").unwrap_or(line);
        let (name, value) = line.strip_prefix("exports.")?.split_once('=')?;
        let name = name.trim();
        let is_new = known.iter().all(|known| known.name != name);
        let at = LineRange::new(Line(at), Line(at));
        (is_new && value.trim().starts_with("require(")).then(|| passed(file, at, name.to_owned()))
    });
    found.collect()
}

/// Returns the names that a package's file imports from the package's other files.
fn brought_in(teller: &Teller<'_, '_>, file: FileId) -> Vec<Entry> {
    let imports = parsed(teller, file).map_or(&[][..], |parsed| &parsed.imports);
    let links = teller.index.graph.imports(file).iter();
    let own = links.filter(|link| matches!(link.target, Target::File(_)));
    let names = own.filter_map(|link| {
        let name = imports
            .get(link.import as usize)?
            .names
            .get(link.name? as usize)?;
        let shown = name.alias.as_ref().unwrap_or(&name.name);
        (!shown.starts_with('_') && shown != "*").then(|| passed(file, link.lines, shown.clone()))
    });
    names.collect()
}

fn passed(file: FileId, lines: LineRange, name: String) -> Entry {
    Entry {
        source: Source {
            file,
            lines,
            quotes: vec![name.clone()],
            why: "export".to_owned(),
        },
        name,
        detail: "imported and passed on".to_owned(),
    }
}
