//! Who calls whom, from the call expressions of the syntax tree.

use std::collections::BTreeMap;

use super::definition::Definition;
use super::notes::Source;
use super::relevance::Asked;
use crate::index::Index;
use crate::lang::Role;
use crate::lines::{Line, LineIndex, LineRange};
use crate::parse::{Call, SymbolKind};
use crate::source::FileId;

/// Calls of one name that are looked up at most: a name such as `get` is called everywhere, and each
/// call may mean something else.
const MAX_LOOKED_UP: usize = 60;

/// A definition and the lines at which another one calls it.
pub(super) struct Related<'i> {
    pub definition: Definition<'i>,
    pub calls: LineRange,
}

/// Whether `caller` calls `called`: a call of that name in it, and no other definition of the same
/// name that is closer.
pub(super) fn between<'i>(
    index: &'i Index,
    caller: &Definition<'i>,
    called: &Definition<'i>,
) -> Option<Related<'i>> {
    let call = caller
        .calls()
        .find(|call| call.name == called.symbol.name)?;
    let resolved = resolve(index, caller.file, call)?;
    resolved.is(called).then_some(Related {
        definition: resolved,
        calls: LineRange::new(call.line, call.line),
    })
}

/// Of the definitions that `caller` calls, the first of `wanted`, else the one whose name and
/// documentation share most with the question.
pub(super) fn best_callee<'i>(
    index: &'i Index,
    caller: &Definition<'i>,
    wanted: &[Definition<'i>],
    asked: &Asked,
) -> Option<Related<'i>> {
    let mut by_name: BTreeMap<&str, &Call> = BTreeMap::new();
    for call in caller.calls() {
        by_name.entry(&call.name).or_insert(call);
    }
    for definition in wanted {
        let call = by_name.get(definition.symbol.name.as_str());
        let related = call.and_then(|_| between(index, caller, definition));
        if related.is_some() && !definition.is(caller) {
            return related;
        }
    }
    let (call, overlap) = by_name
        .values()
        .map(|call| (*call, asked.overlap(&call.name)))
        .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.line.cmp(&a.0.line)))?;
    if overlap <= 0.0 {
        return None;
    }
    let definition = resolve(index, caller.file, call)?;
    (!definition.is(caller)).then_some(Related {
        definition,
        calls: LineRange::new(call.line, call.line),
    })
}

/// Up to three calls of names that the repository defines, those that the question names first.
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
    let mut telling: Vec<&Call> = calls
        .into_iter()
        .take(12)
        .filter(|call| resolve(index, definition.file, call).is_some())
        .take(3)
        .collect();
    telling.sort_by_key(|call| call.line);
    telling
}

/// The caller of `called` outside tests whose name and documentation share most with the question,
/// with the lines of the call and what is shared; of equals a documented one.
pub(super) fn caller_of<'i>(
    index: &'i Index,
    called: &Definition<'i>,
    asked: &Asked,
) -> Option<(Definition<'i>, LineRange, f32)> {
    let mut best: Option<(Definition<'i>, Line, (f32, bool))> = None;
    let mut looked_up = 0;
    for (at, parsed) in index.parsed.iter().enumerate() {
        let file = FileId(at as u32);
        let calls = parsed
            .calls
            .iter()
            .filter(|call| call.name == called.symbol.name);
        for call in calls {
            let Some(caller) = call
                .caller
                .and_then(|caller| Definition::new(index, file, caller))
            else {
                continue;
            };
            let symbol = caller.symbol;
            if Role::of(caller.path) != Role::Source || caller.is(called) || is_test(caller) {
                continue;
            }
            let overlap = asked.overlap(&format!("{} {}", symbol.qualified, symbol.doc));
            let merit = (overlap, !symbol.doc.is_empty());
            if best.is_some_and(|(_, _, known)| known >= merit) || looked_up == MAX_LOOKED_UP {
                continue;
            }
            looked_up += 1;
            if resolve(index, file, call).is_some_and(|found| found.is(called)) {
                best = Some((caller, call.line, merit));
            }
        }
    }
    best.map(|(caller, line, (overlap, _))| (caller, LineRange::new(line, line), overlap))
}

/// Whether a definition stands in a test module inside a source file, as is usual in Rust.
fn is_test(definition: Definition<'_>) -> bool {
    let mut names = definition.symbol.qualified.split(['.', ':']);
    names.any(|name| matches!(name, "test" | "tests") || name.starts_with("test_"))
}

/// How a called definition is spoken of: an error is raised, a class is created, the rest is called.
pub(super) fn passive(
    index: &Index,
    called: &Related<'_>,
    caller: &Definition<'_>,
) -> &'static str {
    let line = index
        .file(caller.file)
        .and_then(|(file, _)| LineIndex::new(&file.text).slice(&file.text, called.calls))
        .unwrap_or_default();
    if line
        .split_whitespace()
        .any(|word| matches!(word, "raise" | "throw"))
    {
        " is raised by "
    } else if called.definition.is_container() {
        " is created by "
    } else {
        " is called by "
    }
}

/// The lines of a call, which must hold the called names.
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

/// The definition a call means: one in the same file, else the only one of that name outside tests.
/// `None` where several could be meant.
fn resolve<'i>(index: &'i Index, from: FileId, call: &Call) -> Option<Definition<'i>> {
    let name = &call.name;
    let is_telling =
        name.contains('_') || name.chars().any(char::is_uppercase) || name.chars().count() > 7;
    let on_other = call
        .receiver
        .as_deref()
        .is_some_and(|receiver| !is_self(receiver));
    if on_other && !is_telling {
        // `get` of an unknown object may be any library's.
        return None;
    }
    match named(index, from, name).as_slice() {
        [only] => return Definition::new(index, from, *only),
        [] if is_telling => {}
        [] => return None,
        several => return closest(index, from, call, several),
    }
    let mut found = None;
    for (at, file) in index.repo.files.iter().enumerate() {
        let id = FileId(at as u32);
        if id == from {
            continue;
        }
        for symbol in named(index, id, &call.name) {
            if Role::of(&file.path) != Role::Source {
                continue;
            }
            if found.is_some() {
                return None;
            }
            found = Some((id, symbol));
        }
    }
    let (file, at) = found?;
    Definition::new(index, file, at)
}

/// Of several definitions of a name in one file, the one in the caller's own class for a call on
/// `self` or `this`.
fn closest<'i>(
    index: &'i Index,
    file: FileId,
    call: &Call,
    several: &[u32],
) -> Option<Definition<'i>> {
    let on_self = call.receiver.as_deref().is_some_and(is_self);
    let (_, parsed) = index.file(file)?;
    let parent = parsed.symbols.get(call.caller? as usize)?.parent;
    let mut same = several.iter().filter(|&&at| {
        parsed
            .symbols
            .get(at as usize)
            .is_some_and(|symbol| symbol.parent == parent)
    });
    let at = *same.next().filter(|_| on_self)?;
    Definition::new(index, file, at)
}

fn is_self(receiver: &str) -> bool {
    matches!(
        receiver,
        "self" | "this" | "cls" | "Self" | "super" | "super()"
    )
}

fn named(index: &Index, file: FileId, name: &str) -> Vec<u32> {
    let Some((_, parsed)) = index.file(file) else {
        return Vec::new();
    };
    let callable = |kind| {
        matches!(
            kind,
            SymbolKind::Function
                | SymbolKind::Method
                | SymbolKind::Class
                | SymbolKind::Struct
                | SymbolKind::Macro
        )
    };
    parsed
        .symbols
        .iter()
        .enumerate()
        .filter(|(_, symbol)| symbol.name == name && callable(symbol.kind))
        .map(|(at, _)| at as u32)
        .collect()
}
