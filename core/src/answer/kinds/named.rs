//! Definitions as people name them: `send`, `Session.send`, `send in sessions.py`, `requests.get`.

use super::subject::Subject;
use super::teller::Teller;
use crate::index::graph::SymbolId;
use crate::lang::{Role, Symbol};
use crate::lines::LineRange;
use crate::source::FileId;

use super::texts::is_callable;

/// Words that accompany a definition's name.
const AROUND: [&str; 11] = [
    "the", "a", "function", "method", "class", "type", "macro", "helper", "test", "tests",
    "constant",
];

/// Returns the definitions that the words name, and the name to show.
pub(super) fn symbols(teller: &Teller<'_, '_>, words: &str) -> Option<(Vec<SymbolId>, String)> {
    let words = bare(words);
    if let Some(found) = teller.symbols(&words) {
        return Some(found);
    }
    let parts: Vec<&str> = words.split_whitespace().collect();
    if let [name, "in" | "of" | "from", file @ ..] = parts.as_slice() {
        return in_files(teller, name, &file.join(" "));
    }
    let name = words.replace("::", ".");
    let (module, name) = name.split_once('.')?;
    let files = match teller.subject(module)? {
        Subject::Files(files, _) => Some(files),
        Subject::Project => None,
        _ => return None,
    };
    let is_there = |file: FileId| files.as_ref().is_none_or(|files| files.contains(&file));
    let found = at_top(teller, name, is_there);
    (!found.is_empty() && found.len() <= 4).then(|| (found, name.to_owned()))
}

/// Removes the words that only say what is named.
pub(super) fn bare(words: &str) -> String {
    let plain = words
        .replace(['`', '"', '“', '”', ','], " ")
        .replace("()", "");
    let kept = plain
        .split_whitespace()
        .filter(|word| !AROUND.contains(&word.to_lowercase().as_str()));
    kept.collect::<Vec<_>>().join(" ")
}

fn in_files(teller: &Teller<'_, '_>, name: &str, file: &str) -> Option<(Vec<SymbolId>, String)> {
    let Some(Subject::Files(files, _)) = teller.subject(file) else {
        let (owners, owner) = teller.symbols(file)?;
        owners.first()?;
        return teller.symbols(&format!("{owner}.{name}"));
    };
    let mut found: Vec<(SymbolId, &Symbol)> = files
        .iter()
        .flat_map(|file| teller.defined_in(*file))
        .filter(|(_, symbol)| symbol.name == name || symbol.qualified == name)
        .collect();
    if found.iter().any(|(_, symbol)| is_callable(symbol.kind)) {
        found.retain(|(_, symbol)| is_callable(symbol.kind));
    }
    let shown = found.first().map(|(_, symbol)| symbol.qualified.clone())?;
    Some((found.into_iter().map(|(id, _)| id).collect(), shown))
}

fn at_top(teller: &Teller<'_, '_>, name: &str, is_there: impl Fn(FileId) -> bool) -> Vec<SymbolId> {
    let files = (0..).map(FileId).zip(&teller.index.repo.files);
    let own = files.filter(|(id, file)| Role::of(&file.path) == Role::Source && is_there(*id));
    own.flat_map(|(id, _)| teller.defined_in(id))
        .filter(|(_, symbol)| {
            symbol.qualified == name && (is_callable(symbol.kind) || symbol.kind.is_container())
        })
        .map(|(id, _)| id)
        .collect()
}

/// Returns the outermost function that contains a definition, itself included: what an inner
/// function does counts as done by the outer one.
pub(super) fn outermost(teller: &Teller<'_, '_>, id: SymbolId) -> SymbolId {
    let mut best = id;
    let mut at = id;
    while let Some(parent) = teller.index.symbol(at).and_then(|symbol| symbol.parent) {
        at = SymbolId {
            file: id.file,
            at: parent,
        };
        if teller
            .index
            .symbol(at)
            .is_some_and(|symbol| is_callable(symbol.kind))
        {
            best = at;
        }
    }
    best
}

/// Returns the lines of the definitions.
pub(super) fn lines(teller: &Teller<'_, '_>, ids: &[SymbolId]) -> Vec<(FileId, LineRange)> {
    let lines = ids.iter().filter_map(|id| {
        let symbol = teller.index.symbol(*id)?;
        Some((id.file, symbol.lines))
    });
    lines.collect()
}
