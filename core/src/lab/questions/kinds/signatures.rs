//! Which parameters a function takes.

use super::Kind;
use crate::chunk::metadata::is_function;
use crate::lab::questions::draft::Drafts;
use crate::lab::questions::world::World;

pub(super) const KIND: Kind = Kind {
    name: "signatures",
    title: "What does a function take?",
    draft,
};

fn draft(world: &World<'_>, drafts: &mut Drafts) {
    for (id, symbol) in world.definitions() {
        if !is_function(symbol.kind) || !takes_something(&symbol.signature) {
            continue;
        }
        let Some(name) = world.name(symbol) else {
            drafts.refuse("other definitions are called the same");
            continue;
        };
        let wordings = [
            format!("Which parameters does {name} take?"),
            format!("What arguments can be passed to {name}?"),
            format!("What is the signature of {name}?"),
        ];
        let answer = format!(
            "{} Its signature is `{}`.",
            world.told(id),
            symbol.signature
        );
        drafts.push(&wordings, world.gold(id).into_iter().collect(), answer);
    }
}

/// Whether the signature's parentheses have a parameter other than the object itself.
fn takes_something(signature: &str) -> bool {
    let inner = signature.split_once('(').map_or("", |(_, rest)| rest);
    let inner = inner.split(')').next().unwrap_or_default();
    let mut parameters = inner.split(',').map(str::trim);
    parameters.any(|it| {
        !matches!(
            it,
            "" | "self" | "&self" | "&mut self" | "mut self" | "cls" | "void"
        )
    })
}
