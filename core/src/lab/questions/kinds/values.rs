//! The value of a constant.

use super::Kind;
use crate::chunk::metadata::is_function;
use crate::index::tokens::identifiers;
use crate::lab::questions::draft::Drafts;
use crate::lab::questions::world::World;
use crate::lang::SymbolKind;

pub(super) const KIND: Kind = Kind {
    name: "values",
    title: "What is a constant set to?",
    draft,
};

fn draft(world: &World<'_>, drafts: &mut Drafts) {
    for (id, symbol) in world.definitions() {
        let is_value = matches!(symbol.kind, SymbolKind::Constant | SymbolKind::Variable);
        if !is_value || !is_shouted(&symbol.name) {
            continue;
        }
        let Some(name) = world.owned_name(symbol) else {
            drafts.refuse("other definitions have the same name");
            continue;
        };
        let owner = world.parent(id);
        let is_inner = owner.is_some_and(|(_, owner)| is_function(owner.kind));
        if is_inner || !is_literal(&symbol.signature) {
            drafts.refuse("its value is not written out");
            continue;
        }
        let wordings = [
            format!("What is the value of {name}?"),
            format!("What is {name} set to?"),
        ];
        let answer = format!("{} It is written `{}`.", world.told(id), symbol.signature);
        drafts.push(&wordings, world.gold(id).into_iter().collect(), answer);
    }
}

/// Whether the right-hand side is the value itself: neither an expression over other constants, nor
/// a function, nor an empty value that other code fills, nor cut off.
fn is_literal(signature: &str) -> bool {
    let value = signature
        .split_once('=')
        .map_or("", |(_, value)| value.trim());
    let begins = value.starts_with(|it: char| it.is_ascii_digit() || "\"'[{(-".contains(it));
    let is_whole = [('(', ')'), ('[', ']'), ('{', '}')]
        .iter()
        .all(|(open, close)| value.matches(*open).count() == value.matches(*close).count());
    let is_computed = value.contains("=>") || identifiers(value).any(|it| is_named(value, it));
    let is_empty = matches!(value, "[]" | "{}" | "()");
    let is_word = ["true", "false", "True", "False"].contains(&value);
    is_word || (begins && is_whole && !is_computed && !is_empty)
}

/// Whether a word of a value names something else: it is neither a key, nor in a string, nor a word
/// of the language.
fn is_named(value: &str, word: &str) -> bool {
    const WORDS: [&str; 8] = [
        "true", "false", "True", "False", "None", "null", "as", "const",
    ];
    let (before, after) = value.split_once(word).unwrap_or_default();
    let is_quoted = ['"', '\'']
        .iter()
        .any(|it| before.matches(*it).count() % 2 == 1);
    let is_key = after.trim_start().starts_with([':', '=']);
    let is_word = word.starts_with(|it: char| it.is_alphabetic() || it == '_');
    is_word && !is_quoted && !is_key && !WORDS.contains(&word)
}

/// `MAX_SIZE`: the usual spelling of constants.
fn is_shouted(name: &str) -> bool {
    name.len() > 3
        && name
            .chars()
            .all(|it| it.is_ascii_uppercase() || it.is_ascii_digit() || it == '_')
        && name.starts_with(|it: char| it.is_ascii_uppercase())
}
