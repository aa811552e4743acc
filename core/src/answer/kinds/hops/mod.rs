//! One hop from a definition to another: a call, an implementation elsewhere, a property that is
//! read.

mod guesses;

use std::sync::LazyLock;

use regex::Regex;

use crate::answer::kinds::evidence::{call_source, definition_source};
use crate::answer::kinds::teller::Teller;
use crate::answer::kinds::texts::{Text, is_callable};
use crate::answer::notes::Source;
use crate::index::graph::SymbolId;
use crate::lang::SymbolKind;
use guesses::guesses;

/// Maximum number of subclasses that are searched for implementations of a method.
const MAX_CLASSES: usize = 40;

/// How one definition leads to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    Calls,
    MayCall,
    IsOverriddenBy,
    Reads,
}

impl How {
    pub(crate) fn verb(self) -> &'static str {
        match self {
            Self::Calls => "calls ",
            Self::MayCall => "may call ",
            Self::IsOverriddenBy => "is implemented by ",
            Self::Reads => "uses ",
        }
    }
}

/// A hop.
#[derive(Clone, Debug)]
pub(super) struct Hop {
    pub from: SymbolId,
    pub to: SymbolId,
    pub how: How,
    pub source: Source,
}

/// Returns the hops from a definition, in line order. `is_loose` includes calls that are not
/// certain.
pub(super) fn hops(
    teller: &Teller<'_, '_>,
    from: SymbolId,
    is_start: bool,
    is_loose: bool,
) -> Vec<Hop> {
    let mut found: Vec<Hop> = Vec::new();
    let own = bodies(teller, from, is_start);
    for id in &own {
        for call in teller.index.graph.callees(*id) {
            let is_certain = call.is_certain();
            let is_known = found.iter().any(|hop| hop.to == call.callee);
            if !(is_certain || is_loose) || is_known || call.callee == from {
                continue;
            }
            found.push(Hop {
                from,
                to: call.callee,
                how: if is_certain { How::Calls } else { How::MayCall },
                source: call_source(teller.index, &call),
            });
        }
    }
    found.sort_by_key(|hop| (hop.how == How::MayCall, hop.source.lines.start()));
    if is_loose {
        found.extend(guesses(teller, from, &own));
        found.extend(overrides(teller, from));
    }
    found.extend(reads(teller, from));
    found
}

/// Returns the definitions whose calls count as those of `id`: for a function, those inside it; for
/// a class, its constructors, or all members if the path starts there.
pub(super) fn bodies(teller: &Teller<'_, '_>, id: SymbolId, is_start: bool) -> Vec<SymbolId> {
    let (Some(definition), Some(symbol)) = (teller.definition(id), teller.index.symbol(id)) else {
        return Vec::new();
    };
    let wanted = |at: &u32| {
        if *at == id.at || is_start || is_callable(symbol.kind) {
            return true;
        }
        let inner = definition.parsed.symbols.get(*at as usize);
        inner.is_some_and(|inner| is_constructor(&inner.name, &symbol.name))
    };
    let inner = definition.inner().filter(wanted);
    inner.map(|at| SymbolId { file: id.file, at }).collect()
}

pub(super) fn is_constructor(name: &str, class: &str) -> bool {
    matches!(
        name,
        "__init__"
            | "__new__"
            | "__post_init__"
            | "constructor"
            | "initialize"
            | "init"
            | "new"
            | "__construct"
    ) || name == class
}

/// Returns the hops to overriding methods in the classes that inherit from the method's class.
fn overrides(teller: &Teller<'_, '_>, id: SymbolId) -> Vec<Hop> {
    let Some(symbol) = teller.method(id) else {
        return Vec::new();
    };
    let Some(class) = symbol.parent else {
        return Vec::new();
    };
    let mut classes = vec![SymbolId {
        file: id.file,
        at: class,
    }];
    let mut at = 0;
    while let Some(class) = classes.get(at).copied().filter(|_| at < MAX_CLASSES) {
        for (below, _) in teller.index.graph.subclasses(class) {
            if !classes.contains(&below) {
                classes.push(below);
            }
        }
        at += 1;
    }
    let mut found = Vec::new();
    for class in classes.into_iter().skip(1) {
        let member = teller
            .defined_in(class.file)
            .find(|(_, member)| member.parent == Some(class.at) && member.name == symbol.name);
        let source = member.and_then(|(to, _)| definition_source(teller.index, to));
        if let Some(((to, _), source)) = member.zip(source) {
            found.push(Hop {
                from: id,
                to,
                how: How::IsOverriddenBy,
                source,
            });
        }
    }
    found
}

/// Returns the members of its own object that a method names without calling them: properties.
fn reads(teller: &Teller<'_, '_>, id: SymbolId) -> Vec<Hop> {
    let Some(symbol) = teller.method(id) else {
        return Vec::new();
    };
    static OWN: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"\b(?:self|this|cls)\.([A-Za-z_]\w*)\b").ok());
    let (Some(text), Some(pattern)) = (Text::plain(teller.index, id.file), OWN.as_ref()) else {
        return Vec::new();
    };
    let range = text.lines.bytes(symbol.lines).unwrap_or_default();
    let body = text.text.get(range.clone()).unwrap_or_default();
    let mut marked: Option<Option<Text<'_>>> = None;
    let mut found: Vec<Hop> = Vec::new();
    for captures in pattern.captures_iter(body) {
        let Some(name) = captures.get(1) else {
            continue;
        };
        let at = range.start + name.start();
        let behind = body.get(name.end()..).unwrap_or_default();
        let is_known = |to: SymbolId| to == id || found.iter().any(|hop| hop.to == to);
        let member = sibling(teller, id, name.as_str());
        let Some(to) = member.filter(|to| !is_known(*to) && !behind.starts_with('(')) else {
            continue;
        };
        // Distinguishes comments from code only if that decides something.
        let marked = marked.get_or_insert_with(|| Text::new(teller.index, id.file));
        if marked.as_ref().is_some_and(|text| text.is_code(at)) {
            let entry = text.entry(text.line(at), String::new(), String::new(), name.as_str());
            found.push(Hop {
                from: id,
                to,
                how: How::Reads,
                source: entry.source,
            });
        }
    }
    found
}

/// Returns the method with that name in the class of `id`.
fn sibling(teller: &Teller<'_, '_>, id: SymbolId, name: &str) -> Option<SymbolId> {
    let parent = teller.index.symbol(id)?.parent;
    let mut members = teller.defined_in(id.file);
    let member = members.find(|(_, member)| {
        member.parent == parent && member.name == name && member.kind == SymbolKind::Method
    });
    member.map(|(member, _)| member)
}
