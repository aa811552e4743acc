//! `X` has something: a parameter, a member, a base, a value. The noun and the subject tell which.

use super::{Relation, contains, equals, inherits, returns, takes};
use crate::cite::facts::Truth;
use crate::cite::facts::grammar::{Fact, Thing};
use crate::cite::facts::scene::Scene;
use crate::cite::facts::words::Noun;

pub(crate) static HAS: Relation = Relation {
    active: &["has", "have"],
    passive: &[],
    leads_to: false,
    has_place: true,
    holds,
};

fn holds(scene: &mut Scene<'_>, fact: &Fact) -> Truth {
    let noun = fact
        .noun
        .or_else(|| fact.objects.first().and_then(|object| object.noun));
    match noun {
        Some(Noun::Parameter) => (takes::TAKES.holds)(scene, fact),
        Some(Noun::Base) => (inherits::INHERITS.holds)(scene, fact),
        Some(Noun::Default | Noun::Value) => equals::holds(scene, &valued(fact)),
        Some(Noun::ReturnType) => returns::holds(scene, &valued(fact)),
        Some(_) => (contains::CONTAINS.holds)(scene, fact),
        None if fact.objects.iter().any(is_setting) => equals::holds_settings(scene, fact),
        None => {
            let is_function = !takes::functions(scene, &fact.subject).is_empty();
            let taken = match is_function {
                true => (takes::TAKES.holds)(scene, fact),
                false => Truth::Unknown,
            };
            match taken {
                Truth::Yes(_) => taken,
                _ => (contains::CONTAINS.holds)(scene, fact),
            }
        }
    }
}

/// `has `a=1``
fn is_setting(object: &Thing) -> bool {
    object
        .term
        .as_ref()
        .is_some_and(|term| term.text.contains('='))
}

/// `has a default of `x``: the value stands as the owner of the noun.
fn valued(fact: &Fact) -> Fact {
    let value = |object: &Thing| match (&object.term, &object.owner) {
        (None, Some(owner)) => (**owner).clone(),
        _ => Thing {
            noun: None,
            ..object.clone()
        },
    };
    Fact {
        objects: fact.objects.iter().map(value).collect(),
        ..fact.clone()
    }
}
