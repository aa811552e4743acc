//! Resolves calls on an object, class or module by what stands before the name.

use super::types::Value;
use super::{Calls, Resolved};
use crate::index::graph::scope::{Meaning, Scope};
use crate::index::graph::{SymbolId, is_class};
use crate::lang::family::{Family, WalkPath, Walked};
use crate::lang::{Call, Symbol};
use crate::source::FileId;

impl Calls<'_> {
    /// Resolves a call on an object, class or module.
    pub(super) fn on(
        &mut self,
        file: FileId,
        family: &'static Family,
        caller: Option<SymbolId>,
        receiver: &str,
        call: &Call,
    ) -> Resolved {
        let name = call.name.as_str();
        // A parameter or variable shadows a module with the same name.
        match self.value(file, family, caller, receiver) {
            Some(Value::Of(classes)) => {
                let mut found = classes.iter().filter_map(|class| self.member(*class, name));
                if let Some(found) = found.next() {
                    return Resolved::Certain(found);
                }
            }
            Some(Value::Outside) => return Resolved::External,
            Some(Value::Unknown) => return self.by_name(file, family, name, true),
            None => {}
        }
        let is_global = family.globals.split(' ').any(|global| global == receiver);
        if is_global && !receiver.is_empty() && self.scope.meaning(file, receiver).is_none() {
            return Resolved::External;
        }
        if let Some(walk) = family.walk_path
            && let Some(found) = self.on_path(walk, file, receiver, call)
        {
            return found;
        }
        match self.walk(self.scope, file, family, receiver) {
            Some(Meaning::Outside) => return Resolved::External,
            Some(Meaning::Symbol(class)) => {
                if let Some(found) = self.member(class, name) {
                    return Resolved::Certain(found);
                }
            }
            Some(Meaning::File(target)) => {
                let files = std::iter::once(target).chain(self.scope.files(file, receiver));
                for target in files {
                    match self.scope.outside().meaning(target, name) {
                        Some(Meaning::Symbol(found)) => return self.callable(found),
                        Some(Meaning::Outside) => return Resolved::External,
                        Some(Meaning::File(_) | Meaning::Unclear) | None => {}
                    }
                }
                let whole = self.exported_whole(target);
                let found = whole.and_then(|class| self.member(class, name));
                return found.map_or(Resolved::Unknown, Resolved::Certain);
            }
            Some(Meaning::Unclear) => return self.by_name(file, family, name, true),
            None => {}
        }
        if let Some(found) = self.by_owner(family, receiver, name) {
            return found;
        }
        self.by_name(file, family, name, true)
    }

    /// Resolves `module::f()` and `Type::new()`.
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
        let walked = walk(self.world(), file, call.line, receiver);
        // `http::Method::new()`, where `http` means nothing in the file.
        let is_outside = |first: &str| {
            let meaning = self.scope.meaning(file, first);
            let is_module = first.starts_with(char::is_lowercase);
            is_module && matches!(meaning, None | Some(Meaning::Outside))
        };
        if walked == Some(Walked::Library)
            && receiver
                .split_once("::")
                .is_some_and(|(first, _)| is_outside(first))
        {
            return Some(Resolved::External);
        }
        if let Some(Walked::Module(target, rest)) = walked
            && (rest == 0 || receiver.contains("::"))
        {
            let wanted = if rest == 0 { call.name.as_str() } else { last };
            return match self.scope.outside().meaning(target, wanted)? {
                Meaning::Symbol(found) if rest == 0 => Some(self.callable(found)),
                Meaning::Symbol(class) => self.member(class, &call.name).map(Resolved::Certain),
                Meaning::Outside => Some(Resolved::External),
                Meaning::File(_) | Meaning::Unclear => None,
            };
        }
        None
    }

    /// Returns what a receiver made of names stands for: a module, a class, or a new object of one.
    pub(super) fn walk(
        &self,
        scope: Scope<'_>,
        file: FileId,
        family: &'static Family,
        receiver: &str,
    ) -> Option<Meaning> {
        if scope.in_function(file, receiver).is_none()
            && let Some(found) = scope.path(file, receiver)
        {
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
        let mut found = match scope.meaning(file, first) {
            Some(found) => found,
            None if family.includes_files => return None,
            None => Meaning::Symbol(self.class_of_package(file, first)?),
        };
        for part in parts {
            found = match found {
                Meaning::File(target) => scope.outside().meaning(target, part)?,
                Meaning::Symbol(class) => Meaning::Symbol(self.own_member(class, part)?),
                Meaning::Outside | Meaning::Unclear => return Some(found),
            };
        }
        match found {
            // The result of a function and an object in a variable can be anything.
            Meaning::Symbol(symbol) if !self.is_class(symbol) => None,
            Meaning::File(_) | Meaning::Outside if is_object => None,
            found => Some(found),
        }
    }

    pub(super) fn class_of_package(&self, file: FileId, name: &str) -> Option<SymbolId> {
        let world = self.world();
        let package = world.package(file)?;
        let mut found = self.defined(name);
        let is_it = |(id, symbol): &(SymbolId, &Symbol)| {
            is_class(symbol.kind) && world.package(id.file) == Some(package)
        };
        found.find(is_it).map(|(id, _)| id)
    }
}
