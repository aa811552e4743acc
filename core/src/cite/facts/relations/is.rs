//! `X` is something: a value, a kind of definition, a part of another. The noun tells which.

use super::{Relation, contains, equals, inherits, returns, takes};
use crate::cite::facts::grammar::{Fact, Thing};
use crate::cite::facts::scene::{Scene, is_kind};
use crate::cite::facts::words::{Modifier, Noun, Voice};
use crate::cite::facts::{Proof, Truth};
use crate::index::graph::SymbolId;

pub(crate) static IS: Relation = Relation {
    active: &[],
    passive: &[],
    leads_to: false,
    has_place: true,
    holds,
};

fn holds(scene: &mut Scene<'_>, fact: &Fact) -> Truth {
    if let Some(turned) = part_of_subject(fact) {
        return (turned.relation.holds)(scene, &turned);
    }
    match fact.objects.as_slice() {
        [object] if object.term.is_none() => of_kind(scene, fact, object),
        _ => equals::holds(scene, fact),
    }
}

/// `the variants of X are a and b`, `the base of X is Y`: a part of X is told.
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
        voice: Voice::Active,
        subject: owner.clone(),
        noun: fact.subject.noun,
        // `the variants are a and b` names all of them.
        count: fact.subject.count.or(Some(fact.objects.len() as u32)),
        ..fact.clone()
    })
}

/// `X is an async method of Y`, `X is static`, `X is a subclass of Y`
fn of_kind(scene: &mut Scene<'_>, fact: &Fact, object: &Thing) -> Truth {
    match object.noun {
        Some(Noun::Subclass) => {
            let objects = object.owner.iter().map(|owner| (**owner).clone()).collect();
            let fact = Fact {
                objects,
                ..fact.clone()
            };
            (inherits::INHERITS.holds)(scene, &fact)
        }
        Some(Noun::Base) => {
            let Some(class) = object.owner.as_deref() else {
                return Truth::Unknown;
            };
            let fact = Fact {
                subject: class.clone(),
                objects: vec![fact.subject.clone()],
                ..fact.clone()
            };
            (inherits::INHERITS.holds)(scene, &fact)
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
            (takes::TAKES.holds)(scene, &fact)
        }
        noun => {
            let wanted = Thing {
                owner: object.owner.clone().or_else(|| fact.subject.owner.clone()),
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

fn shows(scene: &mut Scene<'_>, id: SymbolId, noun: Option<Noun>, modifiers: &[Modifier]) -> Truth {
    let Some(symbol) = scene.symbol(id) else {
        return Truth::Unknown;
    };
    if noun.is_none() && modifiers.is_empty() {
        return Truth::Unknown;
    }
    if noun.is_some_and(|noun| !is_kind(symbol.kind, noun) || noun == Noun::Exception) {
        return Truth::Unknown;
    }
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
    match modifiers.iter().all(has) {
        true => Truth::Yes(vec![Proof::line(id.file, symbol.name_line, "definition")]),
        false => Truth::Unknown,
    }
}
