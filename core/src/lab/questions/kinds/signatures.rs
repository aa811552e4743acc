//! Which parameters a function takes.

use super::Kind;
use crate::chunk::metadata::is_function;
use crate::lab::questions::draft::Drafts;
use crate::lab::questions::world::World;
use crate::lang::{Symbol, SymbolId};

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
        if let Err(why) = is_asked(world, id, symbol) {
            drafts.refuse(why);
            continue;
        }
        let Some(name) = world.name(symbol) else {
            drafts.refuse("other definitions have the same name");
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

/// A signature is stored up to this many characters.
const LONGEST: usize = 290;

/// A method that this many classes have takes what their common base or caller prescribes.
const SHARED: u32 = 4;

/// Methods whose parameters a trait or the language prescribes, whatever they belong to.
const PRESCRIBED: [&str; 17] = [
    "as_ref",
    "clone",
    "cmp",
    "deref",
    "drop",
    "eq",
    "fmt",
    "from",
    "from_str",
    "hash",
    "index",
    "into",
    "next",
    "partial_cmp",
    "poll",
    "poll_ready",
    "try_from",
];

/// Why nobody would ask for the parameters of a function.
fn is_asked(world: &World<'_>, id: SymbolId, symbol: &Symbol) -> Result<(), &'static str> {
    let is_inner = world
        .parent(id)
        .is_some_and(|(_, owner)| is_function(owner.kind));
    let name = symbol.name.as_str();
    let is_special = name.starts_with("__") && name.ends_with("__");
    let is_prescribed = is_special && !matches!(name, "__init__" | "__call__" | "__new__");
    if is_inner || symbol.qualified.starts_with("_.") {
        return Err("it is inside another function, or its owner has no name");
    }
    let is_shared = name != "__init__" && world.n_named(name) >= SHARED;
    if is_prescribed || is_shared || PRESCRIBED.contains(&name) {
        return Err("the language prescribes its parameters");
    }
    // `const read = map((it)`: what a call gives, cut off.
    let is_whole = symbol.signature.matches('(').count() == symbol.signature.matches(')').count();
    if !is_whole {
        return Err("its signature is not that of a function");
    }
    if symbol.signature.chars().count() >= LONGEST {
        return Err("its signature is too long to be quoted");
    }
    Ok(())
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
