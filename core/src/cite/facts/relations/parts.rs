//! Whether a relation checks everything that a sentence says. What was not checked is not proven.

use super::{Part, last_part};
use crate::cite::attributed::is_owner;
use crate::cite::facts::grammar::{Fact, Thing};
use crate::cite::facts::scene::{Scene, is_kind};
use crate::cite::facts::words::{Modifier, Noun};
use crate::lang::Symbol;

/// Whether its relation reads every part of a fact, or the part holds by itself.
pub(super) fn are_read(scene: &Scene<'_>, fact: &Fact) -> bool {
    let reads = |part: Part| fact.relation.reads.contains(&part);
    let has_count = match fact.count {
        None => true,
        Some(0) => reads(Part::Count) || reads(Part::NoneOfThem),
        Some(_) => reads(Part::Count),
    };
    has_count
        && (fact.with.is_empty() || reads(Part::With))
        && (fact.role.is_none() || reads(Part::Role) || reads(Part::To))
        && (fact.condition.is_none() || reads(Part::Condition))
        && (!fact.is_ordered || reads(Part::Order))
        && fact.places.is_empty()
        && (reads(Part::Place) || is_placed(scene, fact))
        && is_subject(scene, &fact.subject)
        && fact
            .objects
            .iter()
            .all(|object| is_object(scene, fact, object))
        && beside(fact).all(is_bare)
}

/// Returns the things besides subject and objects; they are plain names or values.
fn beside(fact: &Fact) -> impl Iterator<Item = &Thing> {
    fact.with.iter().chain(&fact.role)
}

fn is_bare(thing: &Thing) -> bool {
    thing.term.is_some()
        && thing.owner.is_none()
        && thing.modifiers.is_empty()
        && thing.default.is_none()
        && thing.count.is_none()
}

fn is_subject(scene: &Scene<'_>, thing: &Thing) -> bool {
    let is_file = || !scene.files(thing).is_empty();
    thing.default.is_none()
        && (thing.count.is_none() || thing.term.is_none())
        && (thing.owner.is_none() || !is_file())
        && has_modifiers(scene, thing)
}

fn is_object(scene: &Scene<'_>, fact: &Fact, thing: &Thing) -> bool {
    let reads = |part: Part| fact.relation.reads.contains(&part);
    let is_of_kind = match (thing.noun, &thing.term) {
        _ if reads(Part::Noun) => true,
        (Some(noun), Some(_)) => is_called(scene, thing, noun),
        _ => true,
    };
    let has_path = || {
        let owners = last_part(thing).map_or(Vec::new(), |(_, owners)| owners);
        owners.iter().any(|owner| !is_owner(owner))
    };
    is_of_kind
        && thing.count.is_none()
        && (thing.default.is_none() || reads(Part::Default))
        && (thing.owner.is_none() || reads(Part::Owner))
        && (reads(Part::Path) || reads(Part::Owner) || !has_path())
        && (reads(Part::Modifier) && thing.term.is_none() || has_modifiers(scene, thing))
}

/// Whether a noun fits an object. What the repository does not define can only be called what it is
/// used as.
fn is_called(scene: &Scene<'_>, thing: &Thing, noun: Noun) -> bool {
    let is_defined = last_part(thing).is_some_and(|(name, _)| scene.is_defined(&name));
    match is_defined {
        true => !scene.definitions(thing).is_empty(),
        false => !matches!(
            noun,
            Noun::Constant | Noun::Enum | Noun::Struct | Noun::Variant
        ),
    }
}

/// Whether a thing's declarations show the modifiers before it.
fn has_modifiers(scene: &Scene<'_>, thing: &Thing) -> bool {
    if thing.modifiers.is_empty() {
        return true;
    }
    let found = scene.definitions(thing);
    let symbols = found.iter().filter_map(|id| scene.symbol(*id));
    !found.is_empty()
        && symbols
            .into_iter()
            .all(|symbol| shows(symbol, None, &thing.modifiers))
}

/// Whether a declaration is of a kind and shows these modifiers.
pub(super) fn shows(symbol: &Symbol, noun: Option<Noun>, modifiers: &[Modifier]) -> bool {
    let has = |modifier: &Modifier| {
        let words: &[&str] = match modifier {
            Modifier::Async => &["async"],
            Modifier::Static => &["static"],
            Modifier::Private => &["private"],
            Modifier::Public => &["public", "pub"],
            Modifier::Abstract => &["abstract"],
            Modifier::Exported => &["export", "pub"],
            Modifier::Generator => &["function*"],
        };
        let head = symbol.signature.split('(').next().unwrap_or_default();
        head.split_whitespace().any(|word| words.contains(&word))
    };
    noun.is_none_or(|noun| is_kind(symbol.kind, noun)) && modifiers.iter().all(has)
}

/// Whether a fact's subject stands where the sentence says that it happens.
fn is_placed(scene: &Scene<'_>, fact: &Fact) -> bool {
    let Some(place) = &fact.place else {
        return true;
    };
    let subject = Thing {
        owner: Some(Box::new(place.clone())),
        ..fact.subject.clone()
    };
    !scene.definitions(&subject).is_empty() && fact.subject.owner.is_none()
}
