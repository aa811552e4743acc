//! Asks for a definition by what its documentation says, never by its name.

use std::collections::HashMap;

use super::Kind;
use crate::lab::questions::draft::Drafts;
use crate::lab::questions::sentence;
use crate::lab::questions::world::World;
use crate::lang::{Language, Role, Symbol, SymbolId};

pub(super) const KIND: Kind = Kind {
    name: "documentation",
    title: "Which definition does what a sentence of its documentation says?",
    draft,
};

/// Sentences are compared by this many of their first words: two that differ only after them count
/// as the same.
const COMPARED: usize = 6;

fn draft(world: &World<'_>, drafts: &mut Drafts) {
    let said = said(world);
    for (id, symbol) in world.definitions() {
        if symbol.doc.is_empty() {
            continue;
        }
        if is_declared_apart(world, id, symbol) {
            drafts.refuse("its body stands elsewhere");
            continue;
        }
        if said.get(&beginning(&symbol.doc)) != Some(&1) {
            drafts.refuse("other definitions are documented in the same words");
            continue;
        }
        match sentence::questions(&symbol.doc, symbol.kind) {
            Ok(wordings) => drafts.push_hiding(world, id, wordings),
            Err(why) => drafts.refuse(why),
        }
    }
}

/// Whether the documented code may be in another place with the same name, because this is a
/// declaration in a header.
fn is_declared_apart(world: &World<'_>, id: SymbolId, symbol: &Symbol) -> bool {
    let language = world.index.file(id.file).map(|(_, parsed)| parsed.language);
    let has_headers = matches!(language, Some(Language::C | Language::Cpp));
    has_headers && !world.is_only(symbol)
}

/// Number of definitions by the first words of their documentation, tests and examples included.
fn said(world: &World<'_>) -> HashMap<String, u32> {
    let mut said: HashMap<String, u32> = HashMap::new();
    for role in [Role::Source, Role::Example, Role::Test] {
        for file in world.files(role) {
            for (_, symbol) in world.symbols(file).filter(|(_, it)| !it.doc.is_empty()) {
                *said.entry(beginning(&symbol.doc)).or_default() += 1;
            }
        }
    }
    said
}

fn beginning(sentence: &str) -> String {
    let normal = sentence::normal(sentence);
    let words: Vec<&str> = normal.split(' ').take(COMPARED).collect();
    words.join(" ")
}
