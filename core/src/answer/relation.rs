//! Who calls whom, as far as the graph knows for certain.

use super::definition::Definition;
use super::documented::raised_name;
use super::notes::Source;
use super::relevance::Asked;
use crate::index::Index;
use crate::index::graph::{CallLink, SymbolId};
use crate::lang::Call;
use crate::lang::Role;
use crate::lines::{Line, LineRange};
use crate::parse::shape::Shape;

/// Maximum number of calls of one definition that are examined: what is called from everywhere has
/// no caller worth naming.
const MAX_CALLS: usize = 500;

/// A definition and the lines at which another one calls it.
pub(super) struct Related<'i> {
    pub definition: Definition<'i>,
    pub calls: LineRange,
}

/// Returns whether `caller` certainly calls `called`, and the lines of the first call.
pub(super) fn between<'i>(
    index: &'i Index,
    caller: &Definition<'i>,
    called: &Definition<'i>,
) -> Option<Related<'i>> {
    among(&calls_in(index, caller), caller, called)
}

/// Like [`between`], with the calls of `caller` already at hand.
fn among<'i>(
    calls: &[CallLink],
    caller: &Definition<'i>,
    called: &Definition<'i>,
) -> Option<Related<'i>> {
    let call = calls.iter().find(|call| call.callee == id(called))?;
    // An import may have renamed it: then the line does not contain its name.
    let is_written = caller
        .calls()
        .any(|written| written.line == call.line && written.name == called.symbol.name);
    is_written.then_some(Related {
        definition: *called,
        calls: LineRange::new(call.line, call.line),
    })
}

fn id(definition: &Definition<'_>) -> SymbolId {
    SymbolId {
        file: definition.file,
        at: definition.at,
    }
}

/// Returns the certain calls of a definition and its members, by line.
fn calls_in(index: &Index, definition: &Definition<'_>) -> Vec<CallLink> {
    let file = definition.file;
    let mut calls: Vec<CallLink> = definition
        .inner()
        .flat_map(|at| index.graph.callees(SymbolId { file, at }))
        .filter(CallLink::is_certain)
        .collect();
    calls.sort_by_key(|call| (call.line, call.callee));
    calls
}

/// Returns, of the definitions that `caller` calls, the first of `wanted`, else the one whose name
/// and documentation share most with the question.
pub(super) fn best_callee<'i>(
    index: &'i Index,
    caller: &Definition<'i>,
    wanted: &[Definition<'i>],
    asked: &Asked,
) -> Option<Related<'i>> {
    let calls = calls_in(index, caller);
    for definition in wanted {
        let related = among(&calls, caller, definition);
        if related.is_some() && !definition.is(caller) {
            return related;
        }
    }
    let called = calls.iter().filter_map(|call| {
        let definition = Definition::new(index, call.callee.file, call.callee.at)?;
        let overlap = asked.overlap(&definition.symbol.name);
        Some((definition, call.line, overlap))
    });
    let (definition, _, overlap) = called.max_by(|a, b| a.2.total_cmp(&b.2).then(b.1.cmp(&a.1)))?;
    if overlap <= 0.0 || definition.is(caller) {
        return None;
    }
    among(&calls, caller, &definition)
}

/// Returns up to three calls of names that the repository defines, those named in the question
/// first.
pub(super) fn telling_calls<'i>(
    index: &'i Index,
    definition: &Definition<'i>,
    asked: &Asked,
) -> Vec<&'i Call> {
    let mut calls: Vec<&Call> = Vec::new();
    for call in definition.calls() {
        let is_new = calls.iter().all(|known| known.name != call.name);
        if is_new && call.name != definition.symbol.name {
            calls.push(call);
        }
    }
    calls.sort_by(|a, b| {
        asked
            .overlap(&b.name)
            .total_cmp(&asked.overlap(&a.name))
            .then(a.line.cmp(&b.line))
    });
    let known: Vec<(Line, &str)> = calls_in(index, definition)
        .into_iter()
        .filter_map(|call| {
            let called = Definition::new(index, call.callee.file, call.callee.at)?;
            Some((call.line, called.symbol.name.as_str()))
        })
        .collect();
    let mut telling: Vec<&Call> = calls
        .into_iter()
        .take(12)
        .filter(|call| known.contains(&(call.line, call.name.as_str())))
        .take(3)
        .collect();
    telling.sort_by_key(|call| call.line);
    telling
}

/// Returns the caller of `called` outside tests whose name and documentation share most with the
/// question, with the lines of the call and the score of what is shared. Among equals it prefers a
/// documented one.
pub(super) fn caller_of<'i>(
    index: &'i Index,
    called: &Definition<'i>,
    asked: &Asked,
) -> Option<(Definition<'i>, LineRange, f32)> {
    let mut best: Option<(Definition<'i>, Line, (f32, bool))> = None;
    for call in index.graph.callers(id(called)).into_iter().take(MAX_CALLS) {
        let Some(caller) = call
            .caller
            .filter(|_| call.is_certain())
            .and_then(|caller| Definition::new(index, caller.file, caller.at))
        else {
            continue;
        };
        let is_written = caller
            .calls()
            .any(|written| written.line == call.line && written.name == called.symbol.name);
        let is_source = Role::of(caller.path) == Role::Source;
        if !is_source || !is_written || caller.is(called) || is_test(caller) {
            continue;
        }
        let symbol = caller.symbol;
        let overlap = asked.overlap(&format!("{} {}", symbol.qualified, symbol.doc));
        let merit = (overlap, !symbol.doc.is_empty());
        if best.is_none_or(|(_, _, known)| known < merit) {
            best = Some((caller, call.line, merit));
        }
    }
    best.map(|(caller, line, (overlap, _))| (caller, LineRange::new(line, line), overlap))
}

/// Whether a definition stands in a test module inside a source file, as is usual in Rust.
fn is_test(definition: Definition<'_>) -> bool {
    let mut names = definition.symbol.qualified.split(['.', ':']);
    names.any(|name| matches!(name, "test" | "tests") || name.starts_with("test_"))
}

/// Returns the phrase for a called definition: an error is raised, a class is created, the rest is
/// called.
pub(super) fn passive(called: &Related<'_>, caller: &Shape) -> &'static str {
    let line = called.calls.start();
    let is_raised = caller.raised.iter().any(|exit| {
        let name = raised_name(&exit.value.text);
        exit.value.line == line && name == Some(called.definition.symbol.name.as_str())
    });
    if is_raised {
        " is raised by "
    } else if called.definition.is_container() {
        " is created by "
    } else {
        " is called by "
    }
}

/// Cites the lines of a call, which must contain the called names.
pub(super) fn call_source(
    caller: &Definition<'_>,
    lines: LineRange,
    names: Vec<String>,
    why: &str,
) -> Source {
    Source {
        file: caller.file,
        lines,
        quotes: names,
        why: why.to_owned(),
    }
}
