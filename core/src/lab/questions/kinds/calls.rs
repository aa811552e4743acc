//! Who calls a function: certain calls only, of a name that only one definition has.

use std::collections::BTreeSet;

use super::Kind;
use crate::chunk::metadata::is_function;
use crate::lab::questions::draft::Drafts;
use crate::lab::questions::world::World;
use crate::lang::SymbolId;

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
            drafts.refuse("which definition is called is not certain");
            continue;
        };
        let callers: BTreeSet<SymbolId> = calls
            .iter()
            .filter_map(|call| {
                Some(SymbolId {
                    file: call.file,
                    at: call.caller?.at,
                })
            })
            .filter(|caller| *caller != id && !world.is_test(*caller))
            .collect();
        let has_loose = calls.iter().any(|call| call.caller.is_none());
        if has_loose || callers.is_empty() || callers.len() > MOST {
            drafts.refuse("too many call it, only tests do, or code beside definitions");
            continue;
        }
        let callers: Vec<SymbolId> = callers.into_iter().collect();
        let name = &symbol.name;
        let wordings = [
            format!("Who calls {name}, tests apart?"),
            format!("Which functions call {name} outside of the tests?"),
            format!("Where is {name} called in the code itself, not in tests?"),
        ];
        let gold = callers
            .iter()
            .filter_map(|caller| world.gold(*caller))
            .collect();
        drafts.push(&wordings, gold, world.told_all(&callers));
    }
}
