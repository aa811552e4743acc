//! Members of classes and of the classes they inherit from.

use super::{Calls, Resolved, is_callable};
use crate::hash::FastMap;
use crate::index::graph::{SymbolId, is_class};
use crate::lang::Symbol;
use crate::lang::family::Family;
use crate::source::FileId;

/// Maximum number of base classes examined for one class.
const MAX_BASES: usize = 32;

/// Who owns and inherits what; computed before calls are followed.
#[derive(Default)]
pub(in crate::index::graph) struct Owners {
    pub class_of: FastMap<(u32, u32), SymbolId>,
    pub bases: FastMap<(u32, u32), Vec<SymbolId>>,
}

impl Owners {
    pub(crate) fn class_of(&self, symbol: SymbolId) -> Option<SymbolId> {
        self.class_of.get(&(symbol.file.0, symbol.at)).copied()
    }

    /// Returns a class and all its bases, nearest first.
    pub(super) fn with_bases(&self, class: SymbolId) -> Vec<SymbolId> {
        let mut all = vec![class];
        let mut next = 0;
        while let Some(class) = all.get(next).copied() {
            next += 1;
            for base in self
                .bases
                .get(&(class.file.0, class.at))
                .into_iter()
                .flatten()
            {
                if all.len() < MAX_BASES && !all.contains(base) {
                    all.push(*base);
                }
            }
        }
        all
    }
}

impl Calls<'_> {
    /// Resolves `super(…)` and `this(…)` to constructors; in Ruby, to the inherited method with the
    /// same name.
    pub(super) fn constructor(
        &self,
        class: Option<SymbolId>,
        caller: Option<SymbolId>,
        family: &'static Family,
        name: &str,
    ) -> Resolved {
        let above = class
            .map(|class| self.owners.with_bases(class))
            .unwrap_or_default();
        if name == "super" && family.calls_methods_bare {
            let own = caller.and_then(|caller| self.symbol(caller));
            let above = above.get(1..).unwrap_or_default();
            let found = own.and_then(|own| {
                above
                    .iter()
                    .find_map(|base| self.own_member(*base, &own.name))
            });
            return found.map_or(Resolved::External, Resolved::Certain);
        }
        let found = above.get(usize::from(name == "super"));
        found.copied().map_or(Resolved::External, Resolved::Certain)
    }

    pub(super) fn is_class(&self, symbol: SymbolId) -> bool {
        self.symbol(symbol)
            .is_some_and(|symbol| is_class(symbol.kind))
    }

    pub(super) fn enclosing_class(&self, symbol: SymbolId) -> Option<SymbolId> {
        if self.is_class(symbol) {
            return Some(symbol);
        }
        self.owners.class_of(symbol)
    }

    /// Returns a member of a class or of one that it inherits from.
    pub(super) fn member(&self, class: SymbolId, name: &str) -> Option<SymbolId> {
        let classes = self.owners.with_bases(class);
        classes
            .into_iter()
            .find_map(|class| self.own_member(class, name))
    }

    pub(super) fn own_member(&self, class: SymbolId, name: &str) -> Option<SymbolId> {
        let world = self.world();
        let is_it = |(id, symbol): &(SymbolId, &Symbol)| {
            (is_callable(symbol.kind) || is_class(symbol.kind))
                && self.owners.class_of(*id) == Some(class)
        };
        let mut own = world.facts.names.in_file(world.parsed, class.file, name);
        if let Some((id, _)) = own.find(is_it) {
            return Some(id);
        }
        // Only some languages define members outside the class's own file.
        if !world.family(class.file).has_members_elsewhere {
            return None;
        }
        let mut all = self.defined(name);
        all.find(is_it).map(|(id, _)| id)
    }

    /// Resolves `super().f()` to a method of a base class.
    pub(super) fn inherited(
        &mut self,
        file: FileId,
        class: Option<SymbolId>,
        name: &str,
    ) -> Resolved {
        let Some(class) = class else {
            return Resolved::External;
        };
        let above = self.owners.with_bases(class);
        let above = above.get(1..).unwrap_or_default();
        let found = above.iter().find_map(|base| self.own_member(*base, name));
        match found {
            Some(found) => Resolved::Certain(found),
            None if name.starts_with("__") => Resolved::External,
            None if above.is_empty() => Resolved::External,
            None => self.by_name(file, self.world().family(file), name, true),
        }
    }
}
