//! What a test asserts, and which tests call a function, by certain calls.

use std::collections::BTreeSet;

use super::Kind;
use crate::chunk::metadata::is_function;
use crate::index::graph::CallLink;
use crate::lab::questions::asserted::assertions;
use crate::lab::questions::draft::{Drafts, Gold};
use crate::lab::questions::world::World;
use crate::lang::{Role, SymbolId};
use crate::lines::LineRange;

pub(super) const KIND: Kind = Kind {
    name: "tests",
    title: "What does a test assert, and which tests call a function?",
    draft,
};

/// Most tests that call a function.
const MOST: usize = 4;

/// Most assertions of a test: a longer list is not a good answer.
const MOST_ASSERTIONS: usize = 10;

fn draft(world: &World<'_>, drafts: &mut Drafts) {
    let files = world.files(Role::Test).chain(world.files(Role::Source));
    for (test, _) in files.flat_map(|file| world.symbols(file)) {
        if world.is_test_function(test) {
            what_it_asserts(world, drafts, test);
        }
    }
    let functions = world.definitions().filter(|(_, it)| is_function(it.kind));
    for (callee, _) in functions {
        which_call_it(world, drafts, callee);
    }
}

/// The assertions are the answer, word for word.
fn what_it_asserts(world: &World<'_>, drafts: &mut Drafts, test: SymbolId) {
    let symbol = world.index.symbol(test);
    let Some((symbol, name)) = symbol.and_then(|it| Some((it, world.name(it)?))) else {
        return drafts.refuse("other definitions have the same name");
    };
    let Some((source, _)) = world.index.file(test.file) else {
        return;
    };
    let rows: Vec<&str> = source.text.lines().collect();
    let body = LineRange::new(symbol.name_line, symbol.lines.end());
    let found = assertions(&rows, body);
    if found.is_empty() || found.len() > MOST_ASSERTIONS {
        return drafts.refuse("it has no assertion that code can recognise, or too many");
    }
    // A name that does not say so itself is that of a test only in its file.
    let place = match name.to_lowercase().contains("test") {
        true => String::new(),
        false => format!(" in {}", world.file_called(test.file)),
    };
    let wordings = [
        format!("What does the test {name}{place} assert?"),
        format!("Which assertions does the test {name}{place} make?"),
    ];
    let quoted: Vec<String> = found.iter().map(|lines| quoted(&rows, *lines)).collect();
    let gold: Vec<Gold> = found.into_iter().map(|lines| (test.file, lines)).collect();
    let answer = format!(
        "`{}` in `{}` asserts: {}",
        symbol.qualified,
        source.path,
        quoted.join("; ")
    );
    drafts.push(&wordings, gold, answer);
}

/// Some lines in one, as code.
fn quoted(rows: &[&str], lines: LineRange) -> String {
    let (from, to) = (lines.start().0 as usize, lines.end().0 as usize);
    let rows = rows.get(from.saturating_sub(1)..to).unwrap_or_default();
    let words: Vec<&str> = rows.iter().flat_map(|row| row.split_whitespace()).collect();
    format!("`{}`", words.join(" "))
}

fn which_call_it(world: &World<'_>, drafts: &mut Drafts, callee: SymbolId) {
    let Some(symbol) = world.index.symbol(callee) else {
        return;
    };
    let callers = world.index.graph.callers(callee);
    if !callers.iter().any(|call| is_tested(world, call)) {
        return;
    }
    let calls = world.all_calls(callee, symbol);
    let tests = calls.and_then(|calls| tests(world, &calls));
    let Some(tests) = tests.filter(|tests| tests.len() <= MOST) else {
        return drafts
            .refuse("too many tests call it, a helper does, or the calls are not certain");
    };
    let called = world.called(callee, symbol);
    let wordings = [
        format!("Which tests call {called} directly?"),
        format!("Which tests have a direct call of {called}?"),
    ];
    let gold = tests.iter().filter_map(|test| world.gold(*test)).collect();
    drafts.push(&wordings, gold, world.told_all(&tests));
}

fn is_tested(world: &World<'_>, call: &CallLink) -> bool {
    call.caller.is_some_and(|caller| world.is_test(caller)) || world.role(call.file) == Role::Test
}

/// The tests that call a function; `None` if a test's helper does, so that more tests may reach it.
fn tests(world: &World<'_>, calls: &[CallLink]) -> Option<Vec<SymbolId>> {
    let mut tests: BTreeSet<SymbolId> = BTreeSet::new();
    for call in calls.iter().filter(|call| is_tested(world, call)) {
        tests.insert(world.test_around(call.caller?)?);
    }
    Some(tests.into_iter().collect())
}
