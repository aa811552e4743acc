//! Calls that the graph leaves open, followed by name: `super.send`, `self.store.get` to
//! `Store.get`, and calls inside macros, which no syntax tree covers.

use std::sync::LazyLock;

use regex::Regex;

use super::{Hop, How};
use crate::answer::kinds::scope::is_made;
use crate::answer::kinds::teller::Teller;
use crate::answer::kinds::texts::{Text, is_callable, is_test};
use crate::index::graph::SymbolId;
use crate::lang::Symbol;
use crate::lines::Line;

/// Maximum number of definitions with one name among which an owner may choose.
const MAX_SAME: usize = 40;

/// Matches what looks like a call: a receiver, if there is one, and a name.
const CALL: &str = r"(?:([\w.]+(?:\(\))?)\s*(?:\.|::|->))?\b([A-Za-z_]\w*)\s*\(";

/// A call as it is written.
struct Written {
    line: Line,
    receiver: Option<String>,
    name: String,
}

/// Returns what the calls in `bodies` may mean that the graph does not follow.
pub(super) fn guesses(teller: &Teller<'_, '_>, from: SymbolId, bodies: &[SymbolId]) -> Vec<Hop> {
    let mut found: Vec<Hop> = Vec::new();
    let Some(text) = Text::plain(teller.index, from.file) else {
        return found;
    };
    for call in written(teller, &text, bodies) {
        for to in meant(teller, from, &call) {
            if to != from && !found.iter().any(|hop| hop.to == to) {
                let entry = text.entry(call.line, String::new(), String::new(), &call.name);
                found.push(Hop {
                    from,
                    to,
                    how: How::MayCall,
                    source: entry.source,
                });
            }
        }
    }
    found
}

/// Returns the calls that the graph does not know: from the syntax tree, and from text that looks
/// like a call.
fn written(teller: &Teller<'_, '_>, text: &Text<'_>, bodies: &[SymbolId]) -> Vec<Written> {
    let mut known: Vec<(Line, String)> = Vec::new();
    for id in bodies {
        for call in teller.index.graph.callees(*id) {
            let symbol = teller.index.symbol(call.callee);
            known.extend(symbol.map(|symbol| (call.line, symbol.name.clone())));
        }
    }
    static CALLS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(CALL).ok());
    let Some(pattern) = CALLS.as_ref() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let inner = bodies.iter().filter_map(|id| teller.index.symbol(*id));
    for symbol in inner.filter(|symbol| is_callable(symbol.kind)) {
        for line in (symbol.name_line.0..=symbol.lines.end().0).map(Line) {
            for captures in pattern.captures_iter(text.row(line)) {
                let Some(name) = captures.get(2).map(|name| name.as_str().to_owned()) else {
                    continue;
                };
                let receiver = captures.get(1).map(|receiver| receiver.as_str().to_owned());
                let is_own = line == symbol.name_line && name == symbol.name;
                // A call on `super` is easily mistaken for a call of the definition's own method.
                let is_above = receiver.as_ref().is_some_and(|receiver| is_super(receiver));
                if !is_own && (is_above || !known.contains(&(line, name.clone()))) {
                    found.push(Written {
                        line,
                        receiver,
                        name,
                    });
                }
            }
        }
    }
    found
}

/// Returns the definitions that a call may mean: for `super`, those of the classes above; else
/// those whose owner the receiver is named after, or the only one with that name.
fn meant(teller: &Teller<'_, '_>, from: SymbolId, call: &Written) -> Vec<SymbolId> {
    let Some(receiver) = &call.receiver else {
        let all = named(teller, from, &call.name);
        return match all.as_slice() {
            [only] => vec![only.0],
            _ => Vec::new(),
        };
    };
    let last = last_part(receiver);
    if is_super(receiver) {
        return above(teller, from, &call.name);
    }
    let wanted = plain(last);
    if wanted.len() < 3 {
        return Vec::new();
    }
    let all = named(teller, from, &call.name).into_iter();
    let fits = all.filter(|(_, symbol)| {
        let owner = symbol.qualified.rsplit('.').nth(1).map(plain);
        owner.is_some_and(|owner| owner == wanted || owner.ends_with(&wanted))
    });
    fits.map(|(id, _)| id).collect()
}

fn last_part(receiver: &str) -> &str {
    let parts = receiver.trim_end_matches("()").rsplit('.');
    parts.into_iter().next().unwrap_or_default()
}

fn is_super(receiver: &str) -> bool {
    last_part(receiver) == "super"
}

/// Normalises a name: `mPathRouter`, `path_router` and `PathRouter` → `pathrouter`.
fn plain(name: &str) -> String {
    let name = name.trim_start_matches('_');
    let member = name
        .strip_prefix('m')
        .filter(|rest| rest.starts_with(char::is_uppercase));
    let name = member.unwrap_or(name);
    name.chars()
        .filter(|c| *c != '_')
        .flat_map(char::to_lowercase)
        .collect()
}

/// Returns the functions and classes with this name in files of the same languages; tests only for
/// callers in tests.
fn named<'i>(teller: &Teller<'_, 'i>, from: SymbolId, name: &str) -> Vec<(SymbolId, &'i Symbol)> {
    let index = teller.index;
    let own = index
        .file(from.file)
        .map(|(_, parsed)| parsed.language.spec().family.name);
    let in_tests = index
        .symbol(from)
        .is_some_and(|symbol| is_test(index, from.file, symbol.name_line));
    let mut found = Vec::new();
    for id in teller.by_name(name) {
        let Some((source, parsed)) = index.file(id.file) else {
            continue;
        };
        let Some(symbol) = parsed.symbols.get(id.at as usize) else {
            continue;
        };
        let is_code = is_callable(symbol.kind) || symbol.kind.is_container();
        let is_own = Some(parsed.language.spec().family.name) == own && !is_made(&source.path);
        if is_code && is_own && (in_tests || !is_test(index, id.file, symbol.name_line)) {
            found.push((id, symbol));
        }
        if found.len() > MAX_SAME {
            return Vec::new();
        }
    }
    found
}

/// Returns the member with that name in the nearest class above that has one.
fn above(teller: &Teller<'_, '_>, from: SymbolId, name: &str) -> Vec<SymbolId> {
    let mut class = teller.index.symbol(from).and_then(|symbol| symbol.parent);
    while let Some(at) = class {
        let id = SymbolId {
            file: from.file,
            at,
        };
        let symbol = teller.index.symbol(id);
        if symbol.is_some_and(|symbol| symbol.kind.is_container()) {
            break;
        }
        class = symbol.and_then(|symbol| symbol.parent);
    }
    let Some(at) = class else {
        return Vec::new();
    };
    let mut classes = vec![SymbolId {
        file: from.file,
        at,
    }];
    let mut nth = 0;
    while let Some(class) = classes
        .get(nth)
        .copied()
        .filter(|_| nth < super::MAX_CLASSES)
    {
        for (base, _) in teller.index.graph.bases(class) {
            let mut members = teller.defined_in(base.file);
            let member =
                members.find(|(_, member)| member.parent == Some(base.at) && member.name == name);
            if let Some((id, _)) = member {
                return vec![id];
            }
            if !classes.contains(&base) {
                classes.push(base);
            }
        }
        nth += 1;
    }
    Vec::new()
}
