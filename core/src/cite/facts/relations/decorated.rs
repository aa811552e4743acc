//! A definition has a decorator or an attribute.

use super::{Part, Relation, each};
use crate::cite::facts::grammar::{Fact, Thing};
use crate::cite::facts::scene::Scene;
use crate::cite::facts::{Proof, Truth};
use crate::index::graph::SymbolId;
use crate::index::tokens::identifiers;

pub(crate) static DECORATED: Relation = Relation {
    active: &[
        "derives",
        "derive",
        "decorated with",
        "annotated with",
        "marked with",
        "marked as",
        "decorated as",
        "carries the decorator",
        "carries the attribute",
        "has the decorator",
        "has the attribute",
        "decorated by",
    ],
    passive: &["derived for", "derived by"],
    reads: &[Part::Path],
    holds,
};

fn holds(scene: &mut Scene<'_>, fact: &Fact) -> Truth {
    let found = scene.definitions(&fact.subject);
    each(scene, fact, |scene, object| {
        let truths: Vec<Truth> = found.iter().map(|id| carries(scene, *id, object)).collect();
        Truth::any(truths)
    })
}

fn carries(scene: &mut Scene<'_>, id: SymbolId, object: &Thing) -> Truth {
    let Some(term) = &object.term else {
        return Truth::Unknown;
    };
    let wanted: Vec<&str> = identifiers(&term.text).collect();
    let shape = scene.shape(id);
    let decorator = shape.decorators.iter().find(|decorator| {
        let known: Vec<&str> = identifiers(&decorator.text).collect();
        !wanted.is_empty() && wanted.iter().all(|word| known.contains(word))
    });
    decorator.map_or(Truth::Unknown, |decorator| {
        Truth::Yes(vec![Proof::line(id.file, decorator.line, "decorator")])
    })
}
