//! Resolves calls to definitions, by scope: the same class and those it inherits from, the same
//! file, imported names, then a name that only one definition of the repository has. What stays
//! ambiguous keeps all candidates, each with an equal share of the weight.

mod members;
mod names;
mod receiver;
mod types;

use super::scope::{Meaning, Scope};
use super::{SymbolId, is_class};
use crate::hash::FastMap;
use crate::lang::family::Family;
use crate::lang::resolve::World;
use crate::lang::{Call, Symbol, SymbolKind};
use crate::source::FileId;
pub(super) use members::Owners;

/// Maximum number of definitions of a name that are examined.
const MAX_DEFINITIONS: usize = 400;

/// What a call resolves to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Resolved {
    Certain(SymbolId),
    /// One of these definitions, each with this weight.
    Ambiguous(Vec<SymbolId>, f32),
    /// Part of a library or of the language.
    External,
    /// Perhaps part of the repository, but it is unclear which.
    Unknown,
}

/// What a name alone resolves to, by name and by the kind of lookup.
pub(super) type ByName = FastMap<(u64, &'static str, bool, bool), Resolved>;

/// Resolves the calls of one repository.
pub(super) struct Calls<'a> {
    pub scope: Scope<'a>,
    pub owners: &'a Owners,
    /// A cache: the same plain names are called thousands of times.
    pub by_name: &'a mut ByName,
}

impl<'a> Calls<'a> {
    fn world(&self) -> World<'a> {
        self.scope.world
    }

    /// Returns the definitions of a name anywhere, up to the limit.
    fn defined<'s>(&'s self, name: &'s str) -> impl Iterator<Item = (SymbolId, &'s Symbol)> {
        let world = self.world();
        world
            .facts
            .names
            .of(world.parsed, name)
            .take(MAX_DEFINITIONS)
    }

    /// Returns those of them that a call in a file of `family` can mean.
    fn callables<'s>(
        &'s self,
        family: &'static Family,
        name: &'s str,
    ) -> impl Iterator<Item = (SymbolId, &'s Symbol)> {
        self.defined(name).filter(move |(id, symbol)| {
            is_callable(symbol.kind) && self.world().family(id.file) == family
        })
    }

    fn symbol(&self, id: SymbolId) -> Option<&'a Symbol> {
        self.world().parsed(id.file)?.symbols.get(id.at as usize)
    }

    /// Resolves `call` in `file`.
    pub(crate) fn resolve(&mut self, file: FileId, call: &Call) -> Resolved {
        let family = self.world().family(file);
        let caller = call.caller.map(|at| SymbolId { file, at });
        self.scope = self.scope.in_code(caller, Some(call.line));
        let Some(receiver) = call.receiver.as_deref() else {
            return self.bare(file, family, caller, &call.name);
        };
        let class = caller.and_then(|caller| self.enclosing_class(caller));
        if is_super(receiver) {
            return self.inherited(file, class, &call.name);
        }
        if family.self_words.contains(&receiver) {
            return match class.and_then(|class| self.member(class, &call.name)) {
                Some(found) => Resolved::Certain(found),
                None => self.by_name(file, family, &call.name, true),
            };
        }
        self.on(file, family, caller, receiver, call)
    }

    /// Resolves a call without a receiver.
    fn bare(
        &mut self,
        file: FileId,
        family: &'static Family,
        caller: Option<SymbolId>,
        name: &str,
    ) -> Resolved {
        let class = caller.and_then(|caller| self.enclosing_class(caller));
        if name == "super" && family.is_super_an_object {
            return Resolved::External;
        }
        if matches!(name, "super" | "this") {
            return self.constructor(class, caller, family, name);
        }
        if let Some(local) = self.local(file, family, caller, name) {
            return local;
        }
        if family.has_implicit_self
            && let Some(found) = class.and_then(|class| self.member(class, name))
        {
            return Resolved::Certain(found);
        }
        if !family.includes_files {
            match self.scope.meaning(file, name) {
                Some(Meaning::Symbol(symbol)) => return self.callable(symbol),
                Some(Meaning::Outside) => return Resolved::External,
                Some(Meaning::Unclear) => return Resolved::Unknown,
                Some(Meaning::File(target)) => {
                    if let Some(found) = self.exported_whole(target) {
                        return self.callable(found);
                    }
                }
                None => {}
            }
        }
        if let Some(found) = self.of_package(file, name) {
            return found;
        }
        if family.sees_everything {
            return self.by_name(file, family, name, false);
        }
        Resolved::External
    }

    /// Returns a definition around or beside the caller: nested functions first, then what the
    /// caller itself imports, then functions of the file. A variable or parameter hides what is
    /// further out, unless the language calls a member without naming its object: there, functions
    /// have names of their own.
    fn local(
        &self,
        file: FileId,
        family: &'static Family,
        caller: Option<SymbolId>,
        name: &str,
    ) -> Option<Resolved> {
        let parsed = self.world().parsed(file)?;
        let symbols = &parsed.symbols;
        let parent = |at: u32| symbols.get(at as usize).and_then(|symbol| symbol.parent);
        let names = &self.world().facts.names;
        let named = names.in_file(self.world().parsed, file, name);
        let named: Vec<(SymbolId, &Symbol)> = named.collect();
        let is_function =
            |symbol: &Symbol| is_callable(symbol.kind) && symbol.kind != SymbolKind::Method;
        let mut around = caller.map(|caller| caller.at);
        while let Some(at) = around {
            // Members of an enclosing class are not in the scope of its methods.
            let holds = symbols
                .get(at as usize)
                .is_some_and(|symbol| !is_class(symbol.kind));
            let mut inside = named.iter().rev();
            let inside = inside.find(|(_, symbol)| {
                holds
                    && symbol.parent == Some(at)
                    && (is_function(symbol) || !family.has_implicit_self && is_value(symbol.kind))
            });
            match inside {
                Some((id, symbol)) if is_function(symbol) => return Some(Resolved::Certain(*id)),
                Some(_) => return Some(Resolved::Unknown),
                None => {}
            }
            if holds && !family.has_implicit_self && parsed.type_of(at, name).is_some() {
                return Some(Resolved::Unknown);
            }
            around = parent(at);
        }
        match self.scope.in_function(file, name) {
            Some(Meaning::Symbol(found)) => return Some(self.callable(found)),
            Some(Meaning::Outside) => return Some(Resolved::External),
            Some(Meaning::Unclear) => return Some(Resolved::Unknown),
            Some(Meaning::File(_)) | None => {}
        }
        let is_top = |symbol: &Symbol| {
            symbol
                .parent
                .and_then(|at| symbols.get(at as usize))
                .is_none_or(|outer| {
                    outer.kind == SymbolKind::Module
                        || is_class(symbol.kind) && is_class(outer.kind)
                })
        };
        let mut top = named.iter().rev();
        let top = top.find(|(_, symbol)| is_function(symbol) && is_top(symbol));
        top.map(|(id, _)| Resolved::Certain(*id))
    }

    /// Returns a definition in the same package, which needs no import.
    fn of_package(&self, file: FileId, name: &str) -> Option<Resolved> {
        let world = self.world();
        let package = world.package(file)?;
        let of_package = |id: &SymbolId| id.file != file && world.package(id.file) == Some(package);
        let found = self.defined(name);
        let found: Vec<SymbolId> = found
            .filter(|(id, symbol)| {
                of_package(id)
                    && is_callable(symbol.kind)
                    && symbol.kind != SymbolKind::Method
                    && (world.is_test(file) || !world.is_test(id.file))
            })
            .map(|(id, _)| id)
            .collect();
        (!found.is_empty()).then(|| self.candidates(found, true))
    }

    /// Returns the function or class that a module is as a whole: `module.exports = Store`.
    fn exported_whole(&self, target: FileId) -> Option<SymbolId> {
        let world = self.world();
        let name = world.facts.wholes.get(&target)?;
        let found = world.facts.names.top(world.parsed, target, name);
        found.filter(|id| self.symbol(*id).is_some_and(|it| is_callable(it.kind)))
    }

    fn callable(&self, symbol: SymbolId) -> Resolved {
        match self.symbol(symbol) {
            Some(found) if is_callable(found.kind) => Resolved::Certain(symbol),
            // A variable may hold anything.
            Some(_) => Resolved::Unknown,
            None => Resolved::External,
        }
    }
}

fn is_super(receiver: &str) -> bool {
    matches!(receiver, "super" | "super()" | "parent" | "base") || receiver.starts_with("super(")
}

/// Whether a definition is a value, which may be a function.
fn is_value(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Constant | SymbolKind::Variable)
}

fn is_callable(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Function
            | SymbolKind::Method
            | SymbolKind::Macro
            | SymbolKind::Class
            | SymbolKind::Struct
            | SymbolKind::Enum
            | SymbolKind::Interface
            | SymbolKind::Type
            | SymbolKind::Union
    )
}
