//! A definition in plain words, written by rules: what stands in for a text that a language model
//! would write.

use crate::index::Index;
use crate::index::graph::SymbolId;
use crate::index::tokens::name_parts;
use crate::lang::Symbol;
use crate::source::FileId;

/// Most names of a list.
const MAX_NAMES: usize = 8;

/// Most characters of a text, as in Code2Text.
const MAX_CHARS: usize = 500;

/// What a definition is, says of itself, calls and is called by; callers in the file `without` are
/// left out, for a measurement on that file. Empty for what is not there.
pub fn describe(index: &Index, symbol: SymbolId, without: Option<FileId>) -> String {
    let Some(own) = index.symbol(symbol) else {
        return String::new();
    };
    let path = index.repo.file(symbol.file).map_or("", |file| &file.path);
    let words = name_parts(&own.name).join(" ");
    let kind = own.kind.name();
    let mut text = format!(
        "The {kind} {} ({words}) in {path}: {}.",
        own.name, own.signature
    );
    if !own.doc.is_empty() {
        text.push_str(&format!(" {}", own.doc));
    }
    let callees = index.graph.callees(symbol);
    let called = names(index, callees.iter().map(|call| call.callee));
    let calling = index.graph.callers(symbol).into_iter();
    let calling = calling.filter(|call| Some(call.file) != without);
    let callers = names(index, calling.filter_map(|call| call.caller));
    let bases = names(index, index.graph.bases(symbol).into_iter().map(|it| it.0));
    for (lead, named) in [
        ("It extends", bases),
        ("It has", members(index, symbol)),
        ("It calls", called),
        ("It is called by", callers),
    ] {
        if !named.is_empty() {
            text.push_str(&format!(" {lead} {}.", named.join(", ")));
        }
    }
    text.chars().take(MAX_CHARS).collect()
}

/// The members of a class.
fn members(index: &Index, of: SymbolId) -> Vec<String> {
    let parsed = index.parsed.get(of.file.0 as usize);
    let symbols = parsed.map(|parsed| parsed.symbols.as_slice());
    let of_class = |symbol: &&Symbol| symbol.parent == Some(of.at);
    let members = symbols.unwrap_or_default().iter().filter(of_class);
    members.map(|it| it.name.clone()).take(MAX_NAMES).collect()
}

/// The names of definitions, each once.
fn names(index: &Index, symbols: impl Iterator<Item = SymbolId>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for symbol in symbols {
        if let Some(found) = index.symbol(symbol)
            && !names.contains(&found.name)
        {
            names.push(found.name.clone());
        }
        if names.len() >= MAX_NAMES {
            break;
        }
    }
    names
}
