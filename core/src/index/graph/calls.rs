//! Calls → definitions, by scope: the same class and those it inherits from, the same file, imported
//! names, then a name that one definition of the repository has. What stays ambiguous keeps all
//! candidates, each with an equal share of the weight.

use super::scope::{Meaning, Scope};
use super::{SymbolId, is_class};
use crate::hash::FastMap;
use crate::lang::Role;
use crate::lang::family::{Family, WalkPath};
use crate::lang::resolve::World;
use crate::lang::resolve::names::digest;
use crate::lang::{Call, Symbol, SymbolKind};
use crate::source::FileId;

/// Most candidates that a call keeps. Beyond, the name says nothing about what is called.
const MAX_CANDIDATES: usize = 6;

/// Definitions of a name that are looked at.
const MAX_DEFINITIONS: usize = 400;

/// Classes looked at above one.
const MAX_BASES: usize = 32;

/// What a call came to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Resolved {
    Certain(SymbolId),
    /// Each with this weight.
    Ambiguous(Vec<SymbolId>, f32),
    /// Of a library or the language.
    External,
    /// Of the repository perhaps, but of which part cannot be told.
    Unknown,
}

/// Who owns and inherits what: made before calls are followed.
#[derive(Default)]
pub(super) struct Owners {
    pub class_of: FastMap<(u32, u32), SymbolId>,
    pub bases: FastMap<(u32, u32), Vec<SymbolId>>,
}

impl Owners {
    pub(crate) fn class_of(&self, symbol: SymbolId) -> Option<SymbolId> {
        self.class_of.get(&(symbol.file.0, symbol.at)).copied()
    }

    /// A class and all above it, nearest first.
    fn with_bases(&self, class: SymbolId) -> Vec<SymbolId> {
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

/// What a name alone came to, by what is asked of it.
pub(super) type ByName = FastMap<(u64, &'static str, bool, bool), Resolved>;

/// Follows calls of one repository.
pub(super) struct Calls<'a> {
    pub scope: Scope<'a>,
    pub owners: &'a Owners,
    /// The same plain names are called thousands of times.
    pub by_name: &'a mut ByName,
}

impl<'a> Calls<'a> {
    fn world(&self) -> World<'a> {
        self.scope.world
    }

    /// The definitions of a name anywhere, so many as are looked at.
    fn defined<'s>(&'s self, name: &'s str) -> impl Iterator<Item = (SymbolId, &'s Symbol)> {
        let world = self.world();
        world
            .facts
            .names
            .of(world.parsed, name)
            .take(MAX_DEFINITIONS)
    }

    /// Those of them that a call in a file of `family` can mean.
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

    /// What `call` in `file` means.
    pub(crate) fn resolve(&mut self, file: FileId, call: &Call) -> Resolved {
        let family = self.world().family(file);
        let caller = call.caller.map(|at| SymbolId { file, at });
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

    /// A call without a receiver.
    fn bare(
        &mut self,
        file: FileId,
        family: &'static Family,
        caller: Option<SymbolId>,
        name: &str,
    ) -> Resolved {
        let class = caller.and_then(|caller| self.enclosing_class(caller));
        if matches!(name, "super" | "this") {
            return self.constructor(class, caller, family, name);
        }
        if let Some(local) = self.local(file, caller, name) {
            return Resolved::Certain(local);
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
                Some(Meaning::File(_)) | None => {}
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

    /// `super(…)` and `this(…)`: constructors; in Ruby the method of the same name above.
    fn constructor(
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

    /// A definition around or beside the caller: nested functions first, then those of the file.
    fn local(&self, file: FileId, caller: Option<SymbolId>, name: &str) -> Option<SymbolId> {
        let symbols = &self.world().parsed(file)?.symbols;
        let parent = |at: u32| symbols.get(at as usize).and_then(|symbol| symbol.parent);
        let names = &self.world().facts.names;
        let found: Vec<(SymbolId, &Symbol)> = names
            .in_file(self.world().parsed, file, name)
            .filter(|(_, symbol)| is_callable(symbol.kind) && symbol.kind != SymbolKind::Method)
            .collect();
        let mut around = caller.map(|caller| caller.at);
        while let Some(at) = around {
            // Members of a class around are not in the scope of its methods.
            let holds = symbols
                .get(at as usize)
                .is_some_and(|symbol| !is_class(symbol.kind));
            let inner = found
                .iter()
                .rev()
                .find(|(_, symbol)| holds && symbol.parent == Some(at));
            if let Some((id, _)) = inner {
                return Some(*id);
            }
            around = parent(at);
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
        let top = found.iter().rev().find(|(_, symbol)| is_top(symbol));
        top.map(|(id, _)| *id)
    }

    /// A definition of the same package, which needs no import.
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

    /// A call on an object, class or module.
    fn on(
        &mut self,
        file: FileId,
        family: &'static Family,
        caller: Option<SymbolId>,
        receiver: &str,
        call: &Call,
    ) -> Resolved {
        let name = call.name.as_str();
        // A parameter hides a module of the same name.
        if let Some(found) = self.by_type(file, caller, receiver, name) {
            return Resolved::Certain(found);
        }
        if let Some(walk) = family.walk_path
            && let Some(found) = self.on_path(walk, file, receiver, call)
        {
            return found;
        }
        match self.walk(file, family, receiver) {
            Some(Meaning::Outside) => return Resolved::External,
            Some(Meaning::Symbol(class)) => {
                if let Some(found) = self.member(class, name) {
                    return Resolved::Certain(found);
                }
            }
            Some(Meaning::File(target)) => {
                let files = std::iter::once(target).chain(self.scope.files(file, receiver));
                for target in files {
                    match self.scope.meaning(target, name) {
                        Some(Meaning::Symbol(found)) => return self.callable(found),
                        Some(Meaning::Outside) => return Resolved::External,
                        Some(Meaning::File(_)) | None => {}
                    }
                }
                return Resolved::Unknown;
            }
            None => {}
        }
        if let Some(found) = self.by_owner(family, receiver, name) {
            return found;
        }
        self.by_name(file, family, name, true)
    }

    /// `module::f()`, `Type::new()`.
    fn on_path(
        &self,
        walk: WalkPath,
        file: FileId,
        receiver: &str,
        call: &Call,
    ) -> Option<Resolved> {
        let receiver = receiver
            .split('<')
            .next()
            .unwrap_or(receiver)
            .trim_end_matches("::");
        let is_path = receiver
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | ':'));
        if !is_path {
            return None;
        }
        let last = receiver.rsplit("::").next().unwrap_or(receiver);
        if let Some((target, rest)) = walk(self.world(), file, call.line, receiver)
            && (rest == 0 || receiver.contains("::"))
        {
            let wanted = if rest == 0 { call.name.as_str() } else { last };
            return match self.scope.meaning(target, wanted)? {
                Meaning::Symbol(found) if rest == 0 => Some(self.callable(found)),
                Meaning::Symbol(class) => self.member(class, &call.name).map(Resolved::Certain),
                Meaning::Outside => Some(Resolved::External),
                Meaning::File(_) => None,
            };
        }
        None
    }

    /// What a receiver made of names stands for: a module, a class, or a new object of one.
    fn walk(&self, file: FileId, family: &'static Family, receiver: &str) -> Option<Meaning> {
        if let Some(found) = self.scope.path(file, receiver) {
            return Some(found);
        }
        let plain = receiver.trim_start_matches("new ").trim_start_matches('\\');
        let plain = plain.split(['(', '<', '[', '{']).next().unwrap_or(plain);
        let is_object = plain.len() < receiver.len();
        let mut parts = plain
            .split(['.', ':', '\\', '/'])
            .filter(|part| !part.is_empty());
        let first = parts.next()?;
        let is_name = |part: &str| part.chars().all(|c| c.is_alphanumeric() || c == '_');
        if !is_name(first) {
            return None;
        }
        let mut found = match self.scope.meaning(file, first) {
            Some(found) => found,
            None if family.includes_files => return None,
            None => Meaning::Symbol(self.class_of_package(file, first)?),
        };
        for part in parts {
            found = match found {
                Meaning::File(target) => self.scope.meaning(target, part)?,
                Meaning::Symbol(class) => Meaning::Symbol(self.own_member(class, part)?),
                Meaning::Outside => return Some(Meaning::Outside),
            };
        }
        match found {
            // The result of a function, and an object kept in a variable, can be anything.
            Meaning::Symbol(symbol) if !self.is_class(symbol) => None,
            Meaning::File(_) | Meaning::Outside if is_object => None,
            found => Some(found),
        }
    }

    fn class_of_package(&self, file: FileId, name: &str) -> Option<SymbolId> {
        let world = self.world();
        let package = world.package(file)?;
        let mut found = self.defined(name);
        let is_it = |(id, symbol): &(SymbolId, &Symbol)| {
            is_class(symbol.kind) && world.package(id.file) == Some(package)
        };
        found.find(is_it).map(|(id, _)| id)
    }

    /// The method of the class that the caller's declaration gives a parameter.
    fn by_type(
        &self,
        file: FileId,
        caller: Option<SymbolId>,
        receiver: &str,
        name: &str,
    ) -> Option<SymbolId> {
        let written = self.world().parsed(file)?.type_of(caller?.at, receiver)?;
        let words = written.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        // Where a qualified type's module leads: `store.Store`, `models::Note`.
        let mut modules: Vec<FileId> = Vec::new();
        for word in words.filter(|word| !word.is_empty()) {
            let mut within = std::mem::take(&mut modules).into_iter();
            let qualified = within.find_map(|module| self.scope.meaning(module, word));
            let class = match qualified.or_else(|| self.scope.meaning(file, word)) {
                Some(Meaning::Symbol(class)) => Some(class),
                Some(Meaning::File(module)) => {
                    modules.push(module);
                    modules.extend(self.scope.files(file, word));
                    None
                }
                Some(Meaning::Outside) => None,
                None => self.class_of_package(file, word),
            };
            if let Some(found) = class.and_then(|class| self.member(class, name)) {
                return Some(found);
            }
        }
        None
    }

    /// A definition whose written owner is the receiver: `Store::open`, `notes::open`.
    fn by_owner(&self, family: &'static Family, receiver: &str, name: &str) -> Option<Resolved> {
        let owner = receiver
            .rsplit([':', '.', '\\', '>'])
            .next()
            .unwrap_or(receiver);
        let is_type = owner.starts_with(char::is_uppercase) || receiver.contains("::");
        if !(is_type || family.includes_files) || owner.is_empty() {
            return None;
        }
        let found: Vec<SymbolId> = self
            .callables(family, name)
            .filter(|(_, symbol)| {
                let owned = symbol.qualified.strip_suffix(name);
                let owned = owned.and_then(|owned| owned.strip_suffix('.'));
                let ends = owned.and_then(|owned| owned.strip_suffix(owner));
                ends.is_some_and(|before| before.is_empty() || before.ends_with('.'))
            })
            .map(|(id, _)| id)
            .collect();
        (!found.is_empty()).then(|| self.candidates(self.without_prototypes(found), true))
    }

    /// All definitions of a name that could be meant. `on_object`: by a call on something unknown.
    fn by_name(
        &mut self,
        file: FileId,
        family: &'static Family,
        name: &str,
        on_object: bool,
    ) -> Resolved {
        let key = (
            digest(name),
            family.name,
            on_object,
            self.world().is_test(file),
        );
        if let Some(known) = self.by_name.get(&key) {
            return known.clone();
        }
        let found = self.search_name(file, family, name, on_object);
        self.by_name.insert(key, found.clone());
        found
    }

    fn search_name(
        &self,
        file: FileId,
        family: &'static Family,
        name: &str,
        on_object: bool,
    ) -> Resolved {
        let world = self.world();
        let found: Vec<SymbolId> = self
            .callables(family, name)
            .filter(|(id, symbol)| {
                let fits = if on_object {
                    symbol.kind == SymbolKind::Method
                        || family.stores_functions && symbol.kind == SymbolKind::Function
                } else {
                    symbol.kind != SymbolKind::Method || family.calls_methods_bare
                };
                fits && (world.is_test(file) || !world.is_test(id.file))
            })
            .map(|(id, _)| id)
            .collect();
        let found = self.without_prototypes(found);
        match found.as_slice() {
            [] => Resolved::External,
            // `get` of an unknown object may be any library's.
            [only] if on_object && !is_telling(name) => Resolved::Ambiguous(vec![*only], 0.5),
            _ => self.candidates(found, !on_object || is_telling(name)),
        }
    }

    /// Declarations only where nothing is defined: C and C++ declare in headers.
    fn without_prototypes(&self, found: Vec<SymbolId>) -> Vec<SymbolId> {
        let is_header = |id: &SymbolId| {
            let path = self.world().path(id.file);
            [".h", ".hpp", ".hh", ".hxx", ".d.ts", ".pyi"]
                .iter()
                .any(|end| path.ends_with(end))
        };
        if found.len() > 1 && !found.iter().all(is_header) {
            found.into_iter().filter(|id| !is_header(id)).collect()
        } else {
            found
        }
    }

    fn candidates(&self, mut found: Vec<SymbolId>, is_telling: bool) -> Resolved {
        // Copies for examples are not what is meant where there is an original.
        if found.len() > 1 {
            let is_source = |id: &SymbolId| self.world().role(id.file) == Some(Role::Source);
            if found.iter().any(is_source) {
                found.retain(is_source);
            }
        }
        match found.as_slice() {
            [only] if is_telling => Resolved::Certain(*only),
            [] => Resolved::External,
            several if several.len() > MAX_CANDIDATES => Resolved::Unknown,
            several => {
                let share = 1.0 / several.len().max(2) as f32;
                Resolved::Ambiguous(found, share)
            }
        }
    }

    fn callable(&self, symbol: SymbolId) -> Resolved {
        match self.symbol(symbol) {
            Some(found) if is_callable(found.kind) => Resolved::Certain(symbol),
            // A variable may hold anything.
            Some(_) => Resolved::Unknown,
            None => Resolved::External,
        }
    }

    fn is_class(&self, symbol: SymbolId) -> bool {
        self.symbol(symbol)
            .is_some_and(|symbol| is_class(symbol.kind))
    }

    fn enclosing_class(&self, symbol: SymbolId) -> Option<SymbolId> {
        if self.is_class(symbol) {
            return Some(symbol);
        }
        self.owners.class_of(symbol)
    }

    /// A member of a class or of one that it inherits from.
    fn member(&self, class: SymbolId, name: &str) -> Option<SymbolId> {
        let classes = self.owners.with_bases(class);
        classes
            .into_iter()
            .find_map(|class| self.own_member(class, name))
    }

    fn own_member(&self, class: SymbolId, name: &str) -> Option<SymbolId> {
        let world = self.world();
        let is_it = |(id, symbol): &(SymbolId, &Symbol)| {
            (is_callable(symbol.kind) || is_class(symbol.kind))
                && self.owners.class_of(*id) == Some(class)
        };
        let mut own = world.facts.names.in_file(world.parsed, class.file, name);
        if let Some((id, _)) = own.find(is_it) {
            return Some(id);
        }
        // Only some languages define members outside of the class's own file.
        if !world.family(class.file).has_members_elsewhere {
            return None;
        }
        let mut all = self.defined(name);
        all.find(is_it).map(|(id, _)| id)
    }

    /// `super().f()`: a method above the class.
    fn inherited(&mut self, file: FileId, class: Option<SymbolId>, name: &str) -> Resolved {
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

/// Whether a name is unlikely to be that of a language's own methods as well.
fn is_telling(name: &str) -> bool {
    let dunder = name.starts_with("__") && name.ends_with("__");
    let inner = name.trim_start_matches('_');
    !dunder
        && (name.contains('_')
            || inner.chars().skip(1).any(char::is_uppercase)
            || name.chars().count() > 8)
}

fn is_super(receiver: &str) -> bool {
    matches!(receiver, "super" | "super()" | "parent" | "base") || receiver.starts_with("super(")
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
