//! Asks for a definition by what its documentation says, never by its name.

use std::collections::HashMap;

use super::Kind;
use crate::chunk::metadata::is_function;
use crate::lab::questions::draft::Drafts;
use crate::lab::questions::plain::normal;
use crate::lab::questions::sentence::{self, About};
use crate::lab::questions::world::{World, owner};
use crate::lang::{Language, Role, Symbol, SymbolId};

pub(super) const KIND: Kind = Kind {
    name: "documentation",
    title: "Which definition fits a sentence of its documentation?",
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
            drafts.refuse("its body is elsewhere");
            continue;
        }
        if is_of_a_tag(world, id, symbol) {
            drafts.refuse("its sentence describes a parameter");
            continue;
        }
        if said.get(&beginning(&symbol.doc)) != Some(&1) {
            drafts.refuse("other definitions are documented in the same words");
            continue;
        }
        match about(world, id, symbol).and_then(|about| sentence::questions(&symbol.doc, &about)) {
            Ok(wordings) => drafts.push_hiding(world, id, wordings),
            Err(why) => drafts.refuse(why),
        }
    }
}

/// Whether the sentence stands below a tag (`@param`) of the comment: it says something of a
/// parameter and nothing of the definition.
fn is_of_a_tag(world: &World<'_>, id: SymbolId, symbol: &Symbol) -> bool {
    let Some((source, _)) = world.index.file(id.file) else {
        return false;
    };
    let (start, end) = (symbol.lines.start().0 as usize, symbol.name_line.0 as usize);
    let rows = source.text.lines().skip(start.saturating_sub(1));
    let rows: Vec<&str> = rows
        .take((end + 1).saturating_sub(start))
        .map(|row| row.trim_start_matches([' ', '\t', '/', '*']))
        .collect();
    let begins: Vec<&str> = symbol.doc.split_whitespace().take(2).collect();
    let begins = begins.join(" ");
    let at = rows.iter().position(|row| row.starts_with(&begins));
    let before = at.and_then(|at| rows.get(..at)).unwrap_or_default();
    before.iter().any(|row| row.starts_with('@'))
}

/// What a question says of the definition beside its documentation.
fn about<'i>(
    world: &World<'i>,
    id: SymbolId,
    symbol: &'i Symbol,
) -> Result<About<'i>, &'static str> {
    let owner = owner(symbol);
    if owner.is_some_and(|owner| !owner.contains(char::is_alphabetic)) {
        return Err("its owner has no name");
    }
    let is_inner = world
        .parent(id)
        .is_some_and(|(_, parent)| is_function(parent.kind));
    Ok(About {
        kind: symbol.kind,
        owner,
        is_inner,
        signature: &symbol.signature,
    })
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
    let normal = normal(sentence);
    let words: Vec<&str> = normal.split(' ').take(COMPARED).collect();
    words.join(" ")
}
