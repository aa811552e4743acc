//! The value of a constant.

use super::Kind;
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
            drafts.refuse("other definitions are called the same");
            continue;
        };
        if !is_literal(&symbol.signature) {
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

/// Whether the right-hand side is the value itself, not the name of another constant.
fn is_literal(signature: &str) -> bool {
    let value = signature
        .split_once('=')
        .map_or("", |(_, value)| value.trim());
    let begins = value.starts_with(|it: char| it.is_ascii_digit() || "\"'[{(-".contains(it));
    begins || ["true", "false", "True", "False", "None", "null"].contains(&value)
}

/// `MAX_SIZE`: the usual spelling of constants.
fn is_shouted(name: &str) -> bool {
    name.len() > 3
        && name
            .chars()
            .all(|it| it.is_ascii_uppercase() || it.is_ascii_digit() || it == '_')
        && name.starts_with(|it: char| it.is_ascii_uppercase())
}
