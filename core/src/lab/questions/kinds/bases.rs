//! Which classes inherit from a class of the repository.

use super::Kind;
use crate::chunk::metadata::is_class;
use crate::lab::questions::draft::Drafts;
use crate::lab::questions::world::World;
use crate::lang::{SymbolId, SymbolKind};

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
        let below: Vec<SymbolId> = below.into_iter().map(|(class, _)| class).collect();
        if below.is_empty() {
            continue;
        }
        // The graph does not say which types implement a Rust trait.
        if symbol.kind == SymbolKind::Trait {
            drafts.refuse("what implements a trait is not known");
            continue;
        }
        let in_tests = below.iter().any(|it| world.is_test(*it));
        if in_tests || below.len() > MOST || !world.is_only(symbol) {
            drafts.refuse("too many inherit, tests do, or others are called the same");
            continue;
        }
        let name = &symbol.name;
        let wordings = [
            format!("What extends or implements {name}?"),
            format!("Which classes extend or implement {name}?"),
        ];
        let gold = below
            .iter()
            .filter_map(|class| world.gold(*class))
            .collect();
        drafts.push(&wordings, gold, world.told_all(&below));
    }
}
