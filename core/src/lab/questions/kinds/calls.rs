//! Who calls a function: certain calls only, of a name that only one definition has.

use std::collections::BTreeSet;

use super::Kind;
use crate::chunk::metadata::is_function;
use crate::index::graph::CallLink;
use crate::lab::questions::draft::Drafts;
use crate::lab::questions::world::World;
use crate::lang::{Role, SymbolId};

pub(super) const KIND: Kind = Kind {
    name: "calls",
    title: "Which functions call a function?",
    draft,
};

/// Most callers in an answer: a longer list is not a good answer.
const MOST: usize = 6;

fn draft(world: &World<'_>, drafts: &mut Drafts) {
    for (id, symbol) in world.definitions().filter(|(_, it)| is_function(it.kind)) {
        if world.index.graph.callers(id).is_empty() {
            continue;
        }
        let Some(calls) = world.all_calls(id, symbol) else {
            drafts.refuse("it is not certain which definition is called");
            continue;
        };
        let Some(callers) = callers(world, id, &calls) else {
            drafts.refuse("too many call it, only tests do, or code outside definitions does");
            continue;
        };
        let called = world.called(id, symbol);
        let wordings = [
            format!("Which functions call {called}, tests and examples apart?"),
            format!("Where is {called} called, tests and examples apart?"),
        ];
        let gold = callers
            .iter()
            .filter_map(|caller| world.gold(*caller))
            .collect();
        drafts.push(&wordings, gold, world.told_all(&callers));
    }
}

/// The callers in the project's own code, without tests and examples; `None` if a good answer
/// cannot list them.
fn callers(world: &World<'_>, id: SymbolId, calls: &[CallLink]) -> Option<Vec<SymbolId>> {
    let mut callers: BTreeSet<SymbolId> = BTreeSet::new();
    for call in calls {
        if world.role(call.file) == Role::Source {
            callers.insert(call.caller?);
        }
    }
    callers.retain(|caller| !world.is_test(*caller));
    // A function that calls itself belongs to the answer, but is none alone.
    let has_other = callers.iter().any(|caller| *caller != id);
    let is_list = has_other && callers.len() <= MOST;
    is_list.then(|| callers.into_iter().collect())
}
