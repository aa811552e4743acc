//! What a test checks, and which tests check a function, by certain calls.

use std::collections::BTreeMap;

use super::Kind;
use crate::chunk::metadata::is_function;
use crate::lab::questions::draft::Drafts;
use crate::lab::questions::world::World;
use crate::lang::{Role, SymbolId};

pub(super) const KIND: Kind = Kind {
    name: "tests",
    title: "What does a test check, and which tests check a function?",
    draft,
};

/// Most functions of the project that are named with a test, and most tests that call a function.
const MOST: usize = 4;

fn draft(world: &World<'_>, drafts: &mut Drafts) {
    let mut by_callee: BTreeMap<SymbolId, Vec<SymbolId>> = BTreeMap::new();
    let files = world.files(Role::Test).chain(world.files(Role::Source));
    for (test, _) in files.flat_map(|file| world.symbols(file)) {
        if !world.is_test_function(test) {
            continue;
        }
        let callees = callees(world, test);
        for callee in &callees {
            by_callee.entry(*callee).or_default().push(test);
        }
        what_it_checks(world, drafts, test, &callees);
    }
    for (callee, tests) in by_callee {
        which_check_it(world, drafts, callee, &tests);
    }
}

/// The functions of the project that a test certainly calls.
fn callees(world: &World<'_>, test: SymbolId) -> Vec<SymbolId> {
    let mut callees: Vec<SymbolId> = Vec::new();
    for call in world.index.graph.callees(test) {
        let is_new = !callees.contains(&call.callee) && !world.is_test(call.callee);
        if is_new && call.is_certain() {
            callees.push(call.callee);
        }
    }
    callees
}

/// The test's own lines are the answer, because some of its other calls may be unknown.
fn what_it_checks(world: &World<'_>, drafts: &mut Drafts, test: SymbolId, callees: &[SymbolId]) {
    let symbol = world.index.symbol(test);
    let Some(name) = symbol.and_then(|symbol| world.name(symbol)) else {
        return drafts.refuse("other definitions are called the same");
    };
    let wordings = [
        format!("What does {name} check?"),
        format!("What does the test {name} assert?"),
    ];
    let called = match callees.len() {
        1..=MOST => format!(" It calls: {}", world.told_all(callees)),
        _ => String::new(),
    };
    let answer = world.told(test) + &called;
    drafts.push(&wordings, world.gold(test).into_iter().collect(), answer);
}

fn which_check_it(world: &World<'_>, drafts: &mut Drafts, callee: SymbolId, tests: &[SymbolId]) {
    let Some(symbol) = world.index.symbol(callee).filter(|it| is_function(it.kind)) else {
        return;
    };
    if tests.len() > MOST || world.all_calls(callee, symbol).is_none() {
        return drafts
            .refuse("too many tests call it, or which definition they call is not certain");
    }
    let name = &symbol.name;
    let wordings = [
        format!("Which tests call {name}?"),
        format!("Where is {name} tested?"),
        format!("Which tests cover {name} directly?"),
    ];
    let gold = tests.iter().filter_map(|test| world.gold(*test)).collect();
    drafts.push(&wordings, gold, world.told_all(tests));
}
