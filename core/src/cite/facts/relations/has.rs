//! `X` has something: a parameter, a member, a base, a value. The noun and the subject decide
//! which.

use super::{Part, Relation, as_one_of, contains, equals, inherits, returns, takes};
use crate::cite::facts::Truth;
use crate::cite::facts::grammar::{Fact, Thing};
use crate::cite::facts::scene::Scene;
use crate::cite::facts::words::Noun;

pub(crate) static HAS: Relation = Relation {
    active: &["has", "have"],
    passive: &[],
    reads: &[
        Part::Count,
        Part::Order,
        Part::Default,
        Part::Owner,
        Part::Noun,
        Part::Place,
        Part::Path,
    ],
    holds,
};

fn holds(scene: &mut Scene<'_>, fact: &Fact) -> Truth {
    let noun = fact
        .noun
        .or_else(|| fact.objects.first().and_then(|object| object.noun));
    match noun {
        Some(Noun::Parameter) => as_one_of(scene, fact, &takes::TAKES),
        Some(Noun::Base) => as_one_of(scene, fact, &inherits::INHERITS),
        Some(Noun::Default | Noun::Value) => as_one_of(scene, &valued(fact), &equals::EQUALS),
        Some(Noun::ReturnType) => as_one_of(scene, &valued(fact), &returns::RETURNS),
        Some(_) => as_one_of(scene, fact, &contains::CONTAINS),
        None if fact.place.is_none() && fact.objects.iter().any(is_setting) => {
            equals::holds_settings(scene, fact)
        }
        None => {
            let is_function = !takes::functions(scene, &fact.subject).is_empty();
            let taken = match is_function {
                true => as_one_of(scene, fact, &takes::TAKES),
                false => Truth::Unknown,
            };
            match taken {
                Truth::Yes(_) => taken,
                _ => as_one_of(scene, fact, &contains::CONTAINS),
            }
        }
    }
}

/// Whether an object is a setting: `has `a=1``.
fn is_setting(object: &Thing) -> bool {
    object
        .term
        .as_ref()
        .is_some_and(|term| term.text.contains('='))
}

/// Rewrites `has a default of `x``: the value stands where the noun's owner would.
fn valued(fact: &Fact) -> Fact {
    let value = |object: &Thing| match (&object.term, &object.owner) {
        (None, Some(owner)) => (**owner).clone(),
        _ => Thing {
            noun: None,
            ..object.clone()
        },
    };
    Fact {
        noun: None,
        objects: fact.objects.iter().map(value).collect(),
        ..fact.clone()
    }
}
