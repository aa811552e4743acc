//! `X` is something: a value, a kind of definition, a part of another. The noun decides which.

use super::{Part, Relation, as_one_of, contains, equals, inherits, parts, returns, takes};
use crate::cite::facts::grammar::{Fact, Thing};
use crate::cite::facts::scene::Scene;
use crate::cite::facts::words::{Modifier, Noun};
use crate::cite::facts::{Proof, Truth};
use crate::index::graph::SymbolId;

pub(crate) static IS: Relation = Relation {
    active: &[],
    passive: &[],
    reads: &[
        Part::Place,
        Part::Owner,
        Part::Noun,
        Part::Path,
        Part::Modifier,
    ],
    holds,
};

fn holds(scene: &mut Scene<'_>, fact: &Fact) -> Truth {
    if let Some(turned) = part_of_subject(fact) {
        return as_one_of(scene, &turned, turned.relation);
    }
    match fact.objects.as_slice() {
        [object] if object.term.is_none() => of_kind(scene, fact, object),
        _ => as_one_of(scene, fact, &equals::EQUALS),
    }
}

/// Reads `the variants of X are a and b` and `the base of X is Y`, which are about a part of X.
fn part_of_subject(fact: &Fact) -> Option<Fact> {
    let owner = fact.subject.owner.as_deref()?;
    if fact.subject.term.is_some() {
        return None;
    }
    let relation = match fact.subject.noun? {
        Noun::Parameter => &takes::TAKES,
        Noun::Base => &inherits::INHERITS,
        Noun::ReturnType => &returns::RETURNS,
        Noun::Default | Noun::Value => return None,
        _ => &contains::CONTAINS,
    };
    Some(Fact {
        relation,
        subject: owner.clone(),
        noun: fact.subject.noun,
        // `the variants are a and b` names all of them.
        count: fact.subject.count.or(Some(fact.objects.len() as u32)),
        ..fact.clone()
    })
}

/// Checks `X is an async method of Y`, `X is static`, `X is a subclass of Y`.
fn of_kind(scene: &mut Scene<'_>, fact: &Fact, object: &Thing) -> Truth {
    match object.noun {
        Some(Noun::Subclass) => {
            let objects = object.owner.iter().map(|owner| (**owner).clone()).collect();
            let fact = Fact {
                objects,
                ..fact.clone()
            };
            as_one_of(scene, &fact, &inherits::INHERITS)
        }
        // That it is not is shown by the other class, whose lines `absence` does not ask for.
        Some(Noun::Base) if fact.is_negated => Truth::Unknown,
        Some(Noun::Base) => {
            let Some(class) = object.owner.as_deref() else {
                return Truth::Unknown;
            };
            let fact = Fact {
                subject: class.clone(),
                objects: vec![fact.subject.clone()],
                ..fact.clone()
            };
            as_one_of(scene, &fact, &inherits::INHERITS)
        }
        Some(Noun::Parameter) => {
            let Some(function) = object.owner.as_deref() else {
                return Truth::Unknown;
            };
            let fact = Fact {
                subject: function.clone(),
                objects: vec![fact.subject.clone()],
                ..fact.clone()
            };
            as_one_of(scene, &fact, &takes::TAKES)
        }
        noun => {
            // Two owners cannot both be checked.
            if object.owner.is_some() && (fact.subject.owner.is_some() || fact.place.is_some()) {
                return Truth::Unknown;
            }
            let owner = object.owner.clone().or_else(|| fact.subject.owner.clone());
            let wanted = Thing {
                owner: owner.or_else(|| fact.place.clone().map(Box::new)),
                ..fact.subject.clone()
            };
            let found = scene.definitions(&wanted);
            let truths: Vec<Truth> = found
                .into_iter()
                .map(|id| shows(scene, id, noun, &object.modifiers))
                .collect();
            Truth::any(truths)
        }
    }
}

fn shows(scene: &Scene<'_>, id: SymbolId, noun: Option<Noun>, modifiers: &[Modifier]) -> Truth {
    let is_nothing = noun.is_none() && modifiers.is_empty();
    match scene.symbol(id) {
        // No declaration says what counts as an exception.
        Some(symbol)
            if !is_nothing
                && noun != Some(Noun::Exception)
                && parts::shows(symbol, noun, modifiers) =>
        {
            Truth::Yes(vec![Proof::line(id.file, symbol.name_line, "definition")])
        }
        _ => Truth::Unknown,
    }
}
