//! A file or class holds a definition.

use super::{Part, Relation, each, kinds, last_part};
use crate::cite::facts::grammar::{Fact, Thing};
use crate::cite::facts::scene::{Scene, is_kind};
use crate::cite::facts::words::Noun;
use crate::cite::facts::{Proof, Truth};
use crate::index::graph::SymbolId;
use crate::source::FileId;

pub(crate) static CONTAINS: Relation = Relation {
    active: &[
        "contains",
        "contain",
        "defines",
        "define",
        "declares",
        "declare",
        "includes",
        "include",
        "provides",
        "consists of",
        "comprises",
        "lists",
        "exposes",
        "holds",
    ],
    passive: &[
        "defined in",
        "defined by",
        "defined inside",
        "defined within",
        "defined on",
        "defined at",
        "defined",
        "declared in",
        "declared by",
        "declared",
        "located in",
        "found in",
        "contained in",
        "part of",
        "belongs to",
        "belong to",
        "lives in",
        "live in",
        "resides in",
        "implemented in",
    ],
    reads: &[Part::Count, Part::Noun, Part::Path],
    holds,
};

fn holds(scene: &mut Scene<'_>, fact: &Fact) -> Truth {
    // `is defined here`: names no place, but the citation gives one.
    if fact.objects.is_empty() && fact.count.is_none() {
        return is_here(scene, &fact.subject);
    }
    let owners = scene.definitions(&fact.subject);
    let files = scene.files(&fact.subject);
    if fact.count.is_some() {
        let [owner] = owners.as_slice() else {
            return Truth::Unknown;
        };
        let counted = kinds::count(scene, *owner, fact);
        let named = each(scene, fact, |scene, object| {
            in_class(scene, *owner, object, fact.noun)
        });
        return match fact.objects.is_empty() {
            true => counted,
            false => counted.and(named),
        };
    }
    each(scene, fact, |scene, object| {
        let of_class: Vec<Truth> = owners
            .iter()
            .map(|owner| in_class(scene, *owner, object, fact.noun))
            .collect();
        let of_file = files
            .iter()
            .map(|file| in_file(scene, *file, object, fact.noun));
        Truth::any(of_class.into_iter().chain(of_file))
    })
}

/// Returns the classes and similar definitions that a thing means.
pub(super) fn classes(scene: &Scene<'_>, thing: &Thing) -> Vec<SymbolId> {
    let mut found = scene.definitions(thing);
    found.retain(|id| {
        scene
            .symbol(*id)
            .is_some_and(|symbol| symbol.kind.is_container())
    });
    found
}

fn is_here(scene: &Scene<'_>, thing: &Thing) -> Truth {
    let found = scene.definitions(thing);
    let proofs = found.into_iter().filter_map(|id| {
        let line = scene.symbol(id)?.name_line;
        Some(Proof::line(id.file, line, "definition"))
    });
    let proofs: Vec<Proof> = proofs.collect();
    match proofs.first() {
        Some(first) => Truth::Yes(vec![first.clone()]),
        None => Truth::Unknown,
    }
}

/// Whether a class declares this.
pub(super) fn in_class(
    scene: &mut Scene<'_>,
    owner: SymbolId,
    object: &Thing,
    noun: Option<Noun>,
) -> Truth {
    let (Some((name, owners)), Some(class)) = (last_part(object), scene.symbol(owner)) else {
        return Truth::Unknown;
    };
    if owners.last().is_some_and(|owner| *owner != class.name) {
        return Truth::Unknown;
    }
    let noun = object.noun.or(noun);
    let member = scene.members(owner).find(|(_, symbol)| {
        symbol.name == name && noun.is_none_or(|noun| is_kind(symbol.kind, noun))
    });
    if let Some((id, symbol)) = member {
        return Truth::Yes(vec![Proof::line(id.file, symbol.name_line, "definition")]);
    }
    let shape = scene.shape(owner);
    let declared = shape.members.iter().find(|member| {
        member.name == name && noun.is_none_or(|noun| kinds::is_member(member, noun))
    });
    if let Some(member) = declared {
        return Truth::Yes(vec![Proof::line(owner.file, member.line, "definition")]);
    }
    let is_read = !shape.members.is_empty() && !shape.names.contains_key(&name);
    match is_read {
        true => Truth::No(format!(
            "It declares {}.",
            listed(shape.members.iter().map(|member| member.name.as_str()))
        )),
        false => Truth::Unknown,
    }
}

fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<String> = names.take(6).map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// Whether a file defines this.
fn in_file(scene: &Scene<'_>, file: FileId, object: &Thing, noun: Option<Noun>) -> Truth {
    let (Some((name, owners)), Some(parsed)) = (last_part(object), scene.parsed(file)) else {
        return Truth::Unknown;
    };
    let noun = object.noun.or(noun);
    let mut symbols = parsed.symbols.iter().filter(|symbol| {
        let owner = symbol.qualified.rsplit('.').nth(1);
        symbol.name == name
            && noun.is_none_or(|noun| is_kind(symbol.kind, noun))
            && owners
                .last()
                .is_none_or(|wanted| owner == Some(wanted.as_str()))
    });
    match symbols.next() {
        Some(symbol) => Truth::Yes(vec![Proof::line(file, symbol.name_line, "definition")]),
        None if parsed.symbols.iter().any(|symbol| symbol.name == name) => Truth::Unknown,
        None => match scene.definitions(object).first() {
            Some(other) => Truth::No(format!("It is defined in {}.", scene.path(other.file))),
            None => Truth::Unknown,
        },
    }
}
