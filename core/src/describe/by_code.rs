//! Describes a chunk in plain words, from the syntax tree, its documentation and the graph.
//!
//! Claims of the documentation are quoted as its claims.

use crate::chunk::ChunkId;
use crate::index::Index;
use crate::index::graph::SymbolId;
use crate::lang::resolve::names::{file_name, folder};
use crate::lang::{Symbol, SymbolKind};
use crate::lines::LineRange;
use crate::source::FileId;

/// Approximate number of characters of a text (Code2Text, table 1: “around 500 characters”).
pub const CHARACTERS: usize = 500;

/// Most names of one kind that are listed.
const MAX_NAMES: usize = 6;

/// What the chunk does, in words; empty if the index does not have the chunk.
pub fn describe(index: &Index, chunk: ChunkId) -> String {
    let Some(it) = index.chunk(chunk) else {
        return String::new();
    };
    let at = it.symbol.map(|at| SymbolId { file: it.file, at });
    let described = at.and_then(|id| of_symbol(index, id, it.lines, None));
    joined(described.unwrap_or_else(|| of_lines(index, it.file, chunk)))
}

/// What a definition does, in words; empty if the index does not have it. Callers in the file
/// `without` are left out, for measurements on that file.
pub fn describe_definition(index: &Index, id: SymbolId, without: Option<FileId>) -> String {
    let lines = index.symbol(id).map(|symbol| symbol.lines);
    let described = lines.and_then(|lines| of_symbol(index, id, lines, without));
    joined(described.unwrap_or_default())
}

/// Joins as many sentences as fit.
fn joined(sentences: Vec<String>) -> String {
    let mut text = String::new();
    for sentence in sentences.iter().filter(|sentence| !sentence.is_empty()) {
        let needed = sentence.chars().count() + 1;
        if !text.is_empty() && text.chars().count() + needed > CHARACTERS {
            continue;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(sentence);
    }
    text
}

/// Describes a definition, and what else is defined in these of its lines.
fn of_symbol(
    index: &Index,
    id: SymbolId,
    lines: LineRange,
    without: Option<FileId>,
) -> Option<Vec<String>> {
    let symbol = index.symbol(id)?;
    let held = held(index, id, lines);
    let own: Vec<SymbolId> = std::iter::once(id).chain(held.iter().copied()).collect();
    Some(vec![
        what(index, id, symbol),
        documentation(symbol),
        documented(index, &held),
        names("It calls", callees(index, &own)),
        names("It is called by", callers(index, &own, without)),
        names("It extends", bases(index, id)),
        names("It is extended by", subclasses(index, id, without)),
        names("It holds", members(index, id)),
        signature(symbol),
    ])
}

/// `send` is a method of `Session` in `sessions` (`src/requests`).
fn what(index: &Index, id: SymbolId, symbol: &Symbol) -> String {
    let file = index.repo.file(id.file);
    let path = file.map_or("", |file| &file.path);
    let owner = match symbol.qualified.rsplit_once('.') {
        Some((owner, _)) => format!(" of {owner}"),
        None => String::new(),
    };
    let place = match folder(path) {
        "" => file_name(path).to_owned(),
        folder => format!("{} in {folder}", file_name(path)),
    };
    match symbol.kind {
        SymbolKind::Section => format!("The section “{}” of {place}.", symbol.qualified),
        kind => format!("{} is a {}{owner}, from {place}.", symbol.name, kind.name()),
    }
}

fn documentation(symbol: &Symbol) -> String {
    let doc = symbol.doc.trim();
    match doc.is_empty() {
        true => String::new(),
        false => format!("Its documentation says: “{}”", doc.trim_end_matches('.')) + ".",
    }
}

/// As it is written, if it is short enough.
fn signature(symbol: &Symbol) -> String {
    match symbol.signature.is_empty() || symbol.kind == SymbolKind::Section {
        true => String::new(),
        false => format!("It is declared as {}", symbol.signature),
    }
}

fn names(lead: &str, mut names: Vec<String>) -> String {
    let mut seen = std::collections::BTreeSet::new();
    names.retain(|name| seen.insert(name.clone()));
    let more = names.len().saturating_sub(MAX_NAMES);
    names.truncate(MAX_NAMES);
    match (names.is_empty(), more) {
        (true, _) => String::new(),
        (_, 0) => format!("{lead} {}.", names.join(", ")),
        (_, more) => format!("{lead} {} and {more} more.", names.join(", ")),
    }
}

fn name_of(index: &Index, id: SymbolId) -> Option<String> {
    index.symbol(id).map(|symbol| symbol.qualified.clone())
}

/// Other definitions in the lines, below their own one: a short class and its methods are one
/// chunk.
fn held(index: &Index, id: SymbolId, lines: LineRange) -> Vec<SymbolId> {
    let parsed = index.parsed.get(id.file.0 as usize);
    let symbols = (0..).zip(parsed.map_or(&[][..], |parsed| &parsed.symbols));
    let inside = symbols.filter(|(at, symbol)| {
        *at != id.at && symbol.kind != SymbolKind::Section && lines.contains(symbol.name_line)
    });
    inside
        .map(|(at, _)| SymbolId { file: id.file, at })
        .collect()
}

/// What the documentation of the definitions says.
fn documented(index: &Index, ids: &[SymbolId]) -> String {
    let symbols = ids.iter().filter_map(|id| index.symbol(*id));
    let documented = symbols.filter(|symbol| !symbol.doc.is_empty());
    let said = documented.map(|symbol| {
        let doc = symbol.doc.trim_end_matches('.');
        format!("Of {} it says: “{doc}”.", symbol.name)
    });
    let said: Vec<String> = said.take(MAX_NAMES).collect();
    said.join(" ")
}

fn callees(index: &Index, own: &[SymbolId]) -> Vec<String> {
    let calls = own.iter().flat_map(|id| index.graph.callees(*id));
    let sure = calls.filter(|call| call.is_certain() && !own.contains(&call.callee));
    sure.filter_map(|call| name_of(index, call.callee))
        .collect()
}

fn callers(index: &Index, own: &[SymbolId], without: Option<FileId>) -> Vec<String> {
    let calls = own.iter().flat_map(|id| index.graph.callers(*id));
    let sure = calls.filter(|call| call.is_certain() && Some(call.file) != without);
    let others = sure.filter_map(|call| call.caller.filter(|it| !own.contains(it)));
    others.filter_map(|id| name_of(index, id)).collect()
}

fn bases(index: &Index, id: SymbolId) -> Vec<String> {
    let bases = index.graph.bases(id);
    let names = bases.iter().filter_map(|(base, _)| name_of(index, *base));
    names.collect()
}

fn subclasses(index: &Index, id: SymbolId, without: Option<FileId>) -> Vec<String> {
    let classes = index.graph.subclasses(id);
    let names = classes
        .iter()
        .filter(|(class, _)| Some(class.file) != without);
    names
        .filter_map(|(class, _)| name_of(index, *class))
        .collect()
}

/// The names of the members that a class or its like declares.
fn members(index: &Index, id: SymbolId) -> Vec<String> {
    let parsed = index.parsed.get(id.file.0 as usize);
    let symbols = parsed.map_or(&[][..], |parsed| &parsed.symbols);
    let own = symbols
        .iter()
        .filter(|symbol| symbol.parent == Some(id.at) && symbol.kind != SymbolKind::Section);
    own.map(|symbol| symbol.name.clone()).collect()
}

/// Describes lines that belong to no definition.
fn of_lines(index: &Index, file: FileId, chunk: ChunkId) -> Vec<String> {
    let path = index.path_of(chunk).unwrap_or_default();
    let defined = index.symbols_in(chunk).map(|symbol| symbol.name.clone());
    let imports = index.graph.imports(file).iter();
    let lines = index.chunk(chunk).map(|chunk| chunk.lines);
    let imports = imports.filter(|link| lines.is_some_and(|lines| lines.overlaps(link.lines)));
    let parsed = index.parsed.get(file.0 as usize);
    let module = |at: u32| Some(parsed?.imports.get(at as usize)?.module.clone());
    let imported = imports.filter_map(|link| module(link.import));
    vec![
        format!("Lines of {path}."),
        names("They define", defined.collect()),
        names("They import", imported.collect()),
        first_words(index.text_of(chunk).unwrap_or_default()),
    ]
}

/// The first words of the lines, without comment markers.
fn first_words(text: &str) -> String {
    let words = text.split_whitespace();
    let words = words.filter(|word| word.chars().any(char::is_alphanumeric));
    let words: Vec<&str> = words.take(40).collect();
    match words.is_empty() {
        true => String::new(),
        false => format!("They begin: “{}”.", words.join(" ")),
    }
}
