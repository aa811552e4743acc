//! Who certainly calls what changes, as definitions and as list entries.

use std::collections::{BTreeMap, BTreeSet};

use crate::answer::kinds::evidence::call_source;
use crate::answer::kinds::hops::is_constructor;
use crate::answer::kinds::named::outermost;
use crate::answer::kinds::scope::rank;
use crate::answer::kinds::teller::Teller;
use crate::answer::kinds::texts::{Text, shown};
use crate::answer::notes::Entry;
use crate::index::graph::{CallLink, SymbolId};
use crate::source::FileId;

/// A definition that is affected, and the call that makes it so.
pub(super) struct Affected {
    pub id: Option<SymbolId>,
    call: CallLink,
    /// What it calls.
    through: SymbolId,
}

/// Returns the definitions that certainly call one of `ids` and were not seen before.
pub(super) fn callers(
    teller: &Teller<'_, '_>,
    ids: &[SymbolId],
    seen: &mut BTreeSet<SymbolId>,
) -> Vec<Affected> {
    let mut found: Vec<Affected> = Vec::new();
    for call in calls(teller, ids) {
        let caller = call.caller.map(|caller| outermost(teller, caller));
        let is_new = match caller {
            Some(caller) => !seen.contains(&caller),
            None => found
                .iter()
                .all(|known| known.id.is_some() || known.call.file != call.file),
        };
        if call.is_certain() && is_new {
            seen.extend(caller);
            found.push(Affected {
                id: caller,
                through: call.callee,
                call,
            });
        }
    }
    found.sort_by_key(|found| {
        let path = teller.path(found.call.file);
        (rank(path), found.call.file, found.call.line)
    });
    found
}

/// Returns the definitions that perhaps call one of `ids`, on objects of unknown type.
pub(super) fn possible_callers(teller: &Teller<'_, '_>, ids: &[SymbolId]) -> Vec<Affected> {
    let mut seen = BTreeSet::new();
    let unsure = calls(teller, ids).into_iter();
    let unsure = unsure.filter(|call| !call.is_certain());
    let found = unsure.filter_map(|call| {
        let id = outermost(teller, call.caller?);
        seen.insert(id).then_some(Affected {
            id: Some(id),
            through: call.callee,
            call,
        })
    });
    found.collect()
}

fn calls(teller: &Teller<'_, '_>, ids: &[SymbolId]) -> Vec<CallLink> {
    let called: BTreeSet<SymbolId> = ids.iter().flat_map(|id| called_as(teller, *id)).collect();
    let called: Vec<SymbolId> = called.into_iter().collect();
    teller.index.graph.callers_of_any(&called)
}

/// Returns `id` itself, its class if `id` is the constructor, and its direct members if it is a
/// class.
pub(super) fn called_as(teller: &Teller<'_, '_>, id: SymbolId) -> Vec<SymbolId> {
    let mut ids = vec![id];
    let Some(symbol) = teller.index.symbol(id) else {
        return ids;
    };
    if let Some(parent) = symbol.parent {
        let class = SymbolId {
            file: id.file,
            at: parent,
        };
        let owner = teller.index.symbol(class);
        if owner.is_some_and(|owner| {
            owner.kind.is_container() && is_constructor(&symbol.name, &owner.name)
        }) {
            ids.push(class);
        }
    }
    if symbol.kind.is_container() {
        let members = teller.defined_in(id.file);
        let own = members.filter(|(_, member)| member.parent == Some(id.at));
        ids.extend(own.map(|(member, _)| member));
    }
    ids
}

pub(super) fn entries(teller: &Teller<'_, '_>, found: &[Affected], by_file: bool) -> Vec<Entry> {
    let mut known: BTreeMap<(u8, FileId), Entry> = BTreeMap::new();
    let mut all = Vec::new();
    for affected in found {
        let file = affected.call.file;
        let (path, caller) = (teller.path(file), affected.id);
        let symbol = caller.and_then(|id| teller.index.symbol(id));
        let called = teller.index.symbol(affected.through);
        let called = called.map_or("it", |symbol| &symbol.qualified);
        let row = Text::plain(teller.index, file);
        let row = row.map_or("", |text| text.row(affected.call.line));
        let entry = Entry {
            name: match by_file {
                true => path.to_owned(),
                false => symbol.map_or(path, |symbol| &symbol.qualified).to_owned(),
            },
            detail: format!("calls {called}: {}", shown(row)),
            source: call_source(teller.index, &affected.call),
        };
        match by_file {
            true => {
                known.entry((rank(path), file)).or_insert(entry);
            }
            false => all.push(entry),
        }
    }
    all.extend(known.into_values());
    all
}
