//! Constants that belong together: those that hold defaults of something, and those that stand
//! beside a named one.

use std::collections::BTreeSet;

use super::Kind;
use super::listing::{MAX_VALUE, is_in_tests, one_line, with_value};
use super::teller::{Teller, counted};
use super::wording::Read;
use crate::answer::notes::{Entry, code, text};
use crate::index::tokens::{identifiers, is_stop_word, name_parts};
use crate::lang::{Symbol, SymbolId, SymbolKind};
use crate::search::stem::stem;
use crate::source::FileId;

pub(super) const KIND: Kind = Kind {
    name: "constants",
    wordings: &[
        "ASK? @default constants|values of|for|in X",
        "ASK? constants with|holding|for|that_hold the? @default|defaults|default_values for|of|in X",
        "ASK? ANY constants ANY",
    ],
    state,
};

/// Maximum number of lines between constants that stand together.
const GAP: u32 = 2;

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    match read.word.is_empty() {
        true => beside(teller),
        false => with_defaults(teller, &read.x),
    }
}

/// Lists constants with “default” in their names in the file whose path the words describe; one of
/// several words may say something else.
fn with_defaults(teller: &mut Teller<'_, '_>, words: &str) -> bool {
    let parts = name_parts(words).into_iter();
    let parts = parts.filter(|part| !is_stop_word(part));
    let words: BTreeSet<String> = parts.map(|part| stem(&part)).collect();
    let mut found: Vec<(usize, FileId, Vec<SymbolId>)> = Vec::new();
    for file in teller.own_files("") {
        let path = name_parts(teller.path(file));
        let path: BTreeSet<String> = path.iter().map(|part| stem(part)).collect();
        let missing = words.difference(&path).count();
        let holds = |symbol: &Symbol| {
            let mut parts = name_parts(&symbol.name).into_iter();
            is_constant(symbol) && parts.any(|part| part.starts_with("default"))
        };
        let constants = teller.defined_in(file);
        let constants = constants.filter(|(id, it)| holds(it) && !is_in_tests(teller, *id));
        let constants: Vec<SymbolId> = constants.map(|(id, _)| id).collect();
        if missing < words.len() && missing <= 1 && !constants.is_empty() {
            found.push((missing, file, constants));
        }
    }
    found.sort_by_key(|(missing, file, _)| (*missing, *file));
    let Some(least) = found.first().map(|(missing, ..)| *missing) else {
        return false;
    };
    found.retain(|(missing, ..)| *missing == least);
    let said = found.into_iter().map(|(_, file, constants)| {
        let entries = entries(teller, &constants);
        let n = counted(entries.len(), "constant", "constants");
        let lead = format!(" has {n} named after defaults: ");
        !entries.is_empty() && teller.list(vec![code(teller.path(file)), text(lead)], entries)
    });
    said.take(4).filter(|said| *said).count() > 0
}

/// Lists the constants that stand together with the one that the question names.
fn beside(teller: &mut Teller<'_, '_>) -> bool {
    let is_name = |word: &&str| {
        word.len() > 2
            && word
                .chars()
                .all(|c| c.is_uppercase() || c.is_numeric() || c == '_')
    };
    let asked = teller.question.text();
    let named: Vec<&str> = identifiers(asked).filter(is_name).collect();
    let [name] = named.as_slice() else {
        return false;
    };
    let known: Vec<SymbolId> = teller.by_name(name);
    let files = teller.own_files("");
    let own = known.into_iter().filter(|id| {
        let is_value = teller.index.symbol(*id).is_some_and(is_constant);
        is_value && files.contains(&id.file)
    });
    let own: Vec<SymbolId> = own.collect();
    let [id] = own.as_slice() else {
        return false;
    };
    let group = group(teller, *id);
    let entries = entries(teller, &group);
    if entries.len() < 2 {
        return false;
    }
    let n = counted(entries.len(), "constant", "constants");
    let lead = vec![
        code(teller.path(id.file)),
        text(format!(" defines {n} together: ")),
    ];
    teller.list(lead, entries)
}

/// Returns the constants of a file from the first to the last that no other line parts from `id`.
fn group(teller: &Teller<'_, '_>, id: SymbolId) -> Vec<SymbolId> {
    let owner = |symbol: &Symbol| symbol.parent;
    let Some(own) = teller.index.symbol(id) else {
        return Vec::new();
    };
    let same = teller.defined_in(id.file);
    let same = same.filter(|(_, symbol)| is_constant(symbol) && owner(symbol) == owner(own));
    let mut groups: Vec<Vec<(SymbolId, u32)>> = Vec::new();
    for (other, symbol) in same {
        let (start, end) = (symbol.lines.start().0, symbol.lines.end().0);
        let last = groups.last_mut().filter(|group| {
            let before = group.last().map_or(0, |(_, end)| *end);
            start <= before + GAP
        });
        match last {
            Some(group) => group.push((other, end)),
            None => groups.push(vec![(other, end)]),
        }
    }
    let found = groups
        .into_iter()
        .find(|group| group.iter().any(|(other, _)| *other == id));
    found
        .unwrap_or_default()
        .into_iter()
        .map(|(id, _)| id)
        .collect()
}

fn entries(teller: &Teller<'_, '_>, constants: &[SymbolId]) -> Vec<Entry> {
    let entry = |id: &SymbolId| {
        let symbol = teller.index.symbol(*id)?;
        let (value, source) = with_value(teller, *id)?;
        Some(Entry {
            name: symbol.qualified.clone(),
            detail: one_line(&value, MAX_VALUE),
            source,
        })
    };
    constants.iter().filter_map(entry).collect()
}

fn is_constant(symbol: &Symbol) -> bool {
    matches!(symbol.kind, SymbolKind::Constant | SymbolKind::Variable)
}
