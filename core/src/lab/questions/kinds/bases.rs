//! Which classes inherit from a class of the repository.

use super::Kind;
use crate::chunk::metadata::is_class;
use crate::lab::questions::draft::Drafts;
use crate::lab::questions::world::World;
use crate::lang::{Role, SymbolId, SymbolKind};

pub(super) const KIND: Kind = Kind {
    name: "inheritance",
    title: "Which classes inherit from a class?",
    draft,
};

/// Most classes in an answer.
const MOST: usize = 8;

fn draft(world: &World<'_>, drafts: &mut Drafts) {
    for (id, symbol) in world.definitions().filter(|(_, it)| is_class(it.kind)) {
        let below = world.index.graph.subclasses(id);
        let mut below: Vec<SymbolId> = below.into_iter().map(|(class, _)| class).collect();
        below.retain(|class| world.role(class.file) == Role::Source && !world.is_test(*class));
        if below.is_empty() {
            continue;
        }
        // The graph does not say which types implement a Rust trait.
        if symbol.kind == SymbolKind::Trait {
            drafts.refuse("the implementations of a trait are not known");
            continue;
        }
        if below.len() > MOST || !world.is_only(symbol) {
            drafts.refuse("too many inherit, or others have the same name");
            continue;
        }
        let gold = below
            .iter()
            .filter_map(|class| world.gold(*class))
            .collect();
        drafts.push(
            &wordings(symbol.kind, &symbol.name),
            gold,
            world.told_all(&below),
        );
    }
}

fn wordings(kind: SymbolKind, name: &str) -> Vec<String> {
    match kind {
        SymbolKind::Interface => vec![
            format!("What directly extends or implements {name}, tests and examples apart?"),
            format!("Which types extend or implement {name} directly, tests and examples apart?"),
        ],
        _ => vec![
            format!("Which classes inherit directly from {name}, tests and examples apart?"),
            format!("What are the direct subclasses of {name}, tests and examples apart?"),
        ],
    }
}
