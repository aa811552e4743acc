//! Which classes override a method, which methods of a class are overridden, and which it
//! overrides.

use super::Kind;
use super::inheritance::{Class, Kin, ancestors, descendants, last};
use super::listing::{members, n_of, named};
use super::overloads::may_override;
use super::subject;
use super::teller::{Teller, counted};
use super::texts::is_polar;
use super::wording::Read;
use crate::answer::notes::{Entry, SEARCHED, code, text};
use crate::lang::{SymbolId, SymbolKind};

pub(super) const KIND: Kind = Kind {
    name: "overrides",
    wordings: &[
        "what|who|which classes|class|types|type|subclasses|subclass|structs|methods|implementations? override|overrides|redefine|redefines|overwrite|overwrites X",
        "ASK? classes|types|subclasses|structs|methods that|which override|overrides|redefine|redefines X",
        "ASK? classes|types|subclasses overriding|redefining X",
        "ASK? overrides|overriding_methods|overriding_classes|redefinitions|overridden_versions of|for|to X",
        "where is|are X overridden|redefined",
        "is|are X overridden|redefined anywhere|by_subclasses|in_subclasses|by_any_class?",
        "by|in what|which classes|class|subclasses? is X overridden|redefined",
        "how_many classes|types|subclasses override|overrides|redefine X",
        "X overrides",
        "ASK? @implementations|implementors|implementers REL X are_there|exist?",
        "what|which classes|types|structs @implement|implements ASK? X",
        "@which|what methods REL X are|is overridden|redefined by_subclasses|in_subclasses?",
        "ASK? @overridden|redefined methods|functions REL X",
        "@which|what methods|functions of|in X do|does? subclasses|others override|redefine",
        "what|which methods|functions of|from Y does|do X @override|redefine|overwrite",
        "what|which methods|functions? does|do X @override|redefine|overwrite",
        "ASK? methods|functions X @overrides|redefines",
        "ASK? methods|functions that|which X @overrides|redefines",
        "what|which methods|functions of|from Y does|do X @override|redefine|overwrite in ANY",
        "does|do X @override|redefine|overwrite Y",
        "ASK? types|classes|structs|subclasses bring|brings|have|has|define|defines|provide|provides their|its own X",
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let (ids, _) = teller.symbols(&read.x).unwrap_or_default();
    let is_class = |id: &SymbolId| {
        let kind = teller.index.symbol(*id).map(|symbol| symbol.kind);
        kind.is_some_and(|kind| kind.is_container() && kind != SymbolKind::Module)
    };
    if ids.is_empty() {
        return of_outside(teller, &read.x);
    }
    let of_class = match read.word.as_str() {
        "" | "which" | "what" | "overridden" | "redefined" => overridden,
        _ => overriding,
    };
    let asks_methods = read.word.starts_with("implement");
    let (classes, methods): (Vec<SymbolId>, Vec<SymbolId>) = ids.into_iter().partition(is_class);
    if !classes.is_empty() && asks_methods {
        return false;
    }
    if let (true, Some(method)) = (is_polar(teller), &read.y) {
        let (method, _) = subject::bare(method);
        let said = classes.iter().map(|id| whether(teller, *id, &method));
        return said.filter(|said| *said).count() > 0;
    }
    if !classes.is_empty() {
        let of = read.y.as_ref().map(|words| subject::bare(words).0);
        let said = classes
            .iter()
            .map(|id| of_class(teller, *id, of.as_deref()));
        return said.filter(|said| *said).count() > 0;
    }
    let owned = methods
        .iter()
        .filter_map(|id| Some((*id, owner(teller, *id)?)));
    let owned: Vec<(SymbolId, SymbolId)> = owned.collect();
    let found: Vec<(SymbolId, Vec<Entry>)> = owned
        .iter()
        .map(|(id, owner)| (*id, overriders(teller, *owner, *id)))
        .collect();
    let has_some = found.iter().any(|(_, entries)| !entries.is_empty());
    let mut said = false;
    for (id, entries) in found {
        said |= match entries.is_empty() {
            true => !has_some && none(teller, id),
            false => list(teller, id, entries),
        };
    }
    said
}

/// States whether a class overrides a method: both it and a class that it inherits from have a
/// method with the name.
fn whether(teller: &mut Teller<'_, '_>, class: SymbolId, method: &str) -> bool {
    let name = last(method);
    let of = |id: SymbolId| {
        let own = members(teller, id).into_iter();
        own.filter(|id| teller.method(*id).is_some_and(|symbol| symbol.name == name))
            .collect::<Vec<SymbolId>>()
    };
    let family = ancestors(teller, class);
    let (own, above) = (
        of(class),
        family.iter().filter_map(|kin| kin.id).flat_map(of),
    );
    let above: Vec<SymbolId> = above.collect();
    let overridden = above.iter().find_map(|above| {
        let own = own.iter().find(|own| may_override(teller, *above, **own))?;
        Some((*own, *above))
    });
    let (own, above) = match overridden {
        Some((own, above)) => (Some(own), Some(above)),
        None => (own.first().copied(), above.first().copied()),
    };
    let (own, above) = (
        own.and_then(|id| teller.defined(id)),
        above.and_then(|id| teller.defined(id)),
    );
    let show = named(teller, class);
    match (own, above) {
        (Some(own), Some(above)) if overridden.is_some() => {
            let lead = [
                text("Yes. "),
                code(own.name),
                text(" overrides "),
                code(above.name),
            ];
            teller.say(lead.into(), &[own.source, above.source])
        }
        (Some(own), above) if family.iter().all(|kin| kin.id.is_some()) => {
            let why = match above {
                Some(_) => "the methods with its name above take other parameters",
                None => "no class that it inherits from has such a method",
            };
            let why = format!(" overrides nothing: {why}");
            teller.say(vec![text("No. "), code(own.name), text(why)], &[own.source])
        }
        (None, above) => {
            let mut lead = vec![text("No. ")];
            lead.extend(show);
            lead.push(text(" has no method "));
            lead.push(code(name));
            if let Some(above) = &above {
                lead.extend([text("; it inherits "), code(above.name.clone())]);
            }
            say_of(teller, class, lead)
        }
        _ => false,
    }
}

/// States what overrides a method of a class that the repository does not define:
/// `IntoResponse.into_response`.
fn of_outside(teller: &mut Teller<'_, '_>, words: &str) -> bool {
    let name = subject::bare(words).0.replace("::", ".").replace('#', ".");
    let Some((class, method)) = name.rsplit_once('.') else {
        return false;
    };
    let family = descendants(teller, &Class::Outside(class.to_owned()));
    let mut entries = of_family(teller, &family, method, None);
    let lead = vec![
        code(name.clone()),
        text(", which the repository does not define, is overridden by "),
    ];
    let n = n_of(teller, &mut entries, "method", "methods");
    let lead = lead.into_iter().chain([text(format!("{n}: "))]).collect();
    !entries.is_empty() && teller.list(lead, entries)
}

/// Returns the class that a method belongs to: the enclosing one, else the only one with its name.
fn owner(teller: &Teller<'_, '_>, id: SymbolId) -> Option<SymbolId> {
    let symbol = teller.index.symbol(id)?;
    let (class, _) = symbol.qualified.rsplit_once('.')?;
    let is_class = |kind: SymbolKind| kind.is_container() && kind != SymbolKind::Module;
    let own = teller.defined_in(id.file);
    let mut own = own.filter(|(_, other)| other.qualified == class && is_class(other.kind));
    own.next().map(|(id, _)| id)
}

/// Returns the methods with the same name in classes that inherit from this one.
fn overriders(teller: &Teller<'_, '_>, class: SymbolId, method: SymbolId) -> Vec<Entry> {
    let Some(name) = teller
        .index
        .symbol(method)
        .map(|symbol| symbol.name.clone())
    else {
        return Vec::new();
    };
    of_family(
        teller,
        &descendants(teller, &Class::Own(class)),
        &name,
        Some(method),
    )
}

fn of_family(
    teller: &Teller<'_, '_>,
    family: &[Kin],
    name: &str,
    not: Option<SymbolId>,
) -> Vec<Entry> {
    let mut found: Vec<Entry> = Vec::new();
    for kin in family {
        for id in methods_of(teller, kin, name)
            .into_iter()
            .filter(|id| not.is_none_or(|not| *id != not && may_override(teller, not, *id)))
        {
            let Some(mut entry) = teller.defined(id) else {
                continue;
            };
            if let Some(through) = &kin.through {
                entry.detail = format!("indirect, through {through}");
            }
            let is_new = found.iter().all(|known| {
                (known.source.file, known.source.lines) != (entry.source.file, entry.source.lines)
            });
            if is_new {
                found.push(entry);
            }
        }
    }
    found
}

/// Returns the methods with this name; for an implementation written apart, those in its lines.
fn methods_of(teller: &Teller<'_, '_>, kin: &Kin, name: &str) -> Vec<SymbolId> {
    let is_method = |kind: SymbolKind| matches!(kind, SymbolKind::Method | SymbolKind::Function);
    if let Some(lines) = kin.lines {
        let own = teller.defined_in(kin.entry.source.file);
        let inside = own.filter(|(_, symbol)| {
            symbol.name == name && is_method(symbol.kind) && lines.encloses(symbol.lines)
        });
        return inside.map(|(id, _)| id).collect();
    }
    let of_class = kin.id.map(|id| members(teller, id)).unwrap_or_default();
    let named = of_class.into_iter().filter(|id| {
        let symbol = teller.index.symbol(*id);
        symbol.is_some_and(|symbol| symbol.name == name && is_method(symbol.kind))
    });
    named.collect()
}

fn list(teller: &mut Teller<'_, '_>, method: SymbolId, mut entries: Vec<Entry>) -> bool {
    let mut lead = named(teller, method);
    let n = n_of(teller, &mut entries, "method", "methods");
    lead.push(text(format!(" is overridden by {n}: ")));
    teller.list(lead, entries)
}

fn none(teller: &mut Teller<'_, '_>, method: SymbolId) -> bool {
    let mut lead = named(teller, method);
    lead.push(text(
        " is overridden by no class that says that it inherits from it",
    ));
    say_of(teller, method, lead)
}

fn say_of(teller: &mut Teller<'_, '_>, id: SymbolId, lead: Vec<crate::answer::Span>) -> bool {
    let definition = teller.definition(id);
    let source = definition.and_then(|definition| definition.source(teller.notes, &[], SEARCHED));
    teller.say(lead, &source.into_iter().collect::<Vec<_>>())
}

/// States which methods of a class others override.
fn overridden(teller: &mut Teller<'_, '_>, class: SymbolId, _: Option<&str>) -> bool {
    let family = descendants(teller, &Class::Own(class));
    let mut entries: Vec<Entry> = Vec::new();
    for id in members(teller, class) {
        let Some(symbol) = teller.method(id) else {
            continue;
        };
        let by = of_family(teller, &family, &symbol.name, Some(id));
        if let (Some(first), Some(mut entry)) = (by.first(), teller.defined(id)) {
            entry.detail = match by.len() {
                1 => format!("by {}", first.name),
                n => format!(
                    "by {} and {}",
                    first.name,
                    counted(n - 1, "other", "others")
                ),
            };
            entries.push(entry);
        }
    }
    let mut lead = named(teller, class);
    if entries.is_empty() {
        lead.push(text(
            " has no method that is overridden by a class that says it inherits from it",
        ));
        return say_of(teller, class, lead);
    }
    let n = n_of(
        teller,
        &mut entries,
        "overridden method",
        "overridden methods",
    );
    lead.push(text(format!(" has {n}: ")));
    teller.list(lead, entries)
}

/// States which methods a class overrides, of all its bases or of the one that is named.
fn overriding(teller: &mut Teller<'_, '_>, class: SymbolId, of: Option<&str>) -> bool {
    let mut family = ancestors(teller, class);
    family.retain(|kin| of.is_none_or(|of| last(&kin.entry.name) == last(of)));
    let outside: Vec<&str> = family
        .iter()
        .filter(|kin| kin.id.is_none())
        .map(|kin| kin.entry.name.as_str())
        .collect();
    let mut entries: Vec<Entry> = Vec::new();
    for id in members(teller, class) {
        let Some(symbol) = teller.method(id) else {
            continue;
        };
        let of_base = |kin: &&Kin| {
            let own = kin.id.map(|id| members(teller, id)).unwrap_or_default();
            own.iter().any(|other| {
                let other_symbol = teller.index.symbol(*other);
                *other != id
                    && other_symbol.is_some_and(|other| other.name == symbol.name)
                    && may_override(teller, *other, id)
            })
        };
        if let (Some(base), Some(mut entry)) = (family.iter().find(of_base), teller.defined(id)) {
            entry.detail = format!("of {}", base.entry.name);
            entries.push(entry);
        }
    }
    let mut lead = named(teller, class);
    let unseen = match outside.as_slice() {
        [] => String::new(),
        names => format!(" (what {} has is not in the repository)", names.join(", ")),
    };
    if entries.is_empty() {
        lead.push(text(format!(
            " overrides no method that the repository defines{unseen}"
        )));
        return say_of(teller, class, lead);
    }
    let n = n_of(teller, &mut entries, "method", "methods");
    lead.push(text(format!(" overrides {n}{unseen}: ")));
    teller.list(lead, entries)
}
