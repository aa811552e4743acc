//! Finds definitions by name alone, if scope leads to none.

use super::{Calls, Resolved};
use crate::index::graph::SymbolId;
use crate::lang::family::Family;
use crate::lang::resolve::names::digest;
use crate::lang::{Role, SymbolKind};
use crate::source::FileId;

/// Maximum number of candidates that a call keeps. Above it, the name carries no information.
const MAX_CANDIDATES: usize = 6;

impl Calls<'_> {
    /// Finds a definition whose written owner is the receiver: `Store::open`, `notes::open`.
    pub(super) fn by_owner(
        &self,
        family: &'static Family,
        receiver: &str,
        name: &str,
    ) -> Option<Resolved> {
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

    /// Returns all definitions of a name that could be meant; `on_object` is set for calls on an
    /// unknown object.
    pub(super) fn by_name(
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
            // `get` on an unknown object may belong to any library.
            [only] if on_object && !is_telling(name) => Resolved::Ambiguous(vec![*only], 0.5),
            _ => self.candidates(found, !on_object || is_telling(name)),
        }
    }

    /// Keeps declarations only if nothing is defined: C and C++ declare in headers.
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

    pub(super) fn candidates(&self, mut found: Vec<SymbolId>, is_telling: bool) -> Resolved {
        // Copies for examples are not meant if an original exists.
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
}

/// Whether a name is unlikely to be that of a language's own methods too.
fn is_telling(name: &str) -> bool {
    let dunder = name.starts_with("__") && name.ends_with("__");
    let inner = name.trim_start_matches('_');
    !dunder
        && (name.contains('_')
            || inner.chars().skip(1).any(char::is_uppercase)
            || name.chars().count() > 8)
}
