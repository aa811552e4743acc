//! Looks up definitions of any kind by name, constants and variables included.

use super::built;
use super::listing::parsed;
use super::paths;
use super::subject;
use super::teller::Teller;
use crate::index::Index;
use crate::lang::{Role, Symbol, SymbolId, SymbolKind};
use crate::source::FileId;

/// Returns the definitions that the words name, those in sources before those in tests. Ignores
/// case only if nothing matches as written. Empty if the words are not a name.
pub(super) fn definitions(teller: &Teller<'_, '_>, words: &str) -> Vec<SymbolId> {
    let found = named(teller, words);
    let Some((what, place)) = subject::scope(words).filter(|_| found.is_empty()) else {
        return found;
    };
    match paths::scope(teller.index, place) {
        Some(files) => {
            let found = named(teller, what).into_iter();
            found.filter(|id| files.contains(&id.file)).collect()
        }
        None => {
            let (owner, name) = (subject::bare(place).0, subject::bare(what).0);
            named(teller, &format!("{owner}.{name}"))
        }
    }
}

fn named(teller: &Teller<'_, '_>, words: &str) -> Vec<SymbolId> {
    let (name, _) = subject::bare(words);
    let name = name.replace("::", ".").replace('#', ".");
    let name = name.trim_start_matches("self.").trim_start_matches('.');
    if name.is_empty() || name.contains(char::is_whitespace) {
        return Vec::new();
    }
    let exact = |symbol: &Symbol| has_name(symbol, name);
    let found = all(teller, &exact);
    if !found.is_empty() || name.contains(char::is_uppercase) {
        return found;
    }
    let lower = name.to_lowercase();
    all(teller, &|symbol: &Symbol| {
        symbol.name.to_lowercase() == lower || symbol.qualified.to_lowercase() == lower
    })
}

fn has_name(symbol: &Symbol, name: &str) -> bool {
    let by_end = || {
        let owner = symbol.qualified.strip_suffix(name);
        owner.is_some_and(|owner| owner.ends_with('.'))
    };
    symbol.name == name || symbol.qualified == name || name.contains('.') && by_end()
}

fn all(teller: &Teller<'_, '_>, fits: &dyn Fn(&Symbol) -> bool) -> Vec<SymbolId> {
    let files = (0..teller.index.parsed.len() as u32).map(FileId);
    let of_code =
        files.filter(|file| parsed(teller, *file).is_some_and(|parsed| parsed.language.is_code()));
    let mut found: Vec<(bool, SymbolId)> = of_code
        .flat_map(|file| teller.defined_in(file))
        .filter(|(_, symbol)| !matches!(symbol.kind, SymbolKind::Section | SymbolKind::Key))
        .filter(|(_, symbol)| fits(symbol))
        .map(|(id, _)| (Role::of(teller.path(id.file)) != Role::Source, id))
        .collect();
    let is_own = |(_, id): &(bool, SymbolId)| !built::is_built(teller.index, id.file);
    if found.iter().any(is_own) {
        found.retain(is_own);
    }
    found.sort_unstable();
    let found: Vec<SymbolId> = found.into_iter().map(|(_, id)| id).collect();
    without_constructors(teller.index, &found)
}

/// Removes constructors whose class is also found and that are called like the class: they add
/// nothing.
pub(super) fn without_constructors(index: &Index, found: &[SymbolId]) -> Vec<SymbolId> {
    let symbols: Vec<&Symbol> = found.iter().filter_map(|id| index.symbol(*id)).collect();
    let is_constructor = |symbol: &Symbol| {
        let owner = symbol.qualified.rsplit_once('.').map(|(owner, _)| owner);
        symbols.iter().any(|class| {
            let is_owner = Some(class.qualified.as_str()) == owner;
            is_owner && class.kind.is_container() && class.name == symbol.name
        })
    };
    let is_said = |id: &SymbolId| {
        index
            .symbol(*id)
            .is_some_and(|symbol| !is_constructor(symbol))
    };
    found.iter().copied().filter(is_said).collect()
}
