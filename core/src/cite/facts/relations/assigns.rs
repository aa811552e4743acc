//! A function sets a variable to a value.

use super::{Part, Relation, is_when};
use crate::cite::facts::grammar::{Fact, Thing};
use crate::cite::facts::names::is_same;
use crate::cite::facts::scene::Scene;
use crate::cite::facts::{Proof, Truth};
use crate::parse::shape::{Assigned, When};

pub(crate) static ASSIGNS: Relation = Relation {
    active: &[
        "sets",
        "set",
        "initialises",
        "initializes",
        "assigns",
        "stores",
    ],
    passive: &[],
    reads: &[Part::To, Part::With, Part::Place, Part::Condition],
    holds,
};

fn holds(scene: &mut Scene<'_>, fact: &Fact) -> Truth {
    let functions = scene.definitions(&fact.subject);
    let ([target], [function]) = (fact.objects.as_slice(), functions.as_slice()) else {
        return Truth::Unknown;
    };
    // `sets x to y`, `initialises x with y`; `stores y in x` names them in the other order.
    let other = fact.role.as_ref().or_else(|| fact.with.first());
    let pairs: Vec<(&Thing, &Thing)> = match (other, &fact.place) {
        (Some(value), _) => vec![(target, value), (value, target)],
        (None, Some(place)) => vec![(place, target)],
        (None, None) => return Truth::Unknown,
    };
    let shape = scene.shape(*function);
    let is_made = |assigned: &&Assigned| {
        let is_then = match fact.condition {
            Some(_) => is_when(fact, &assigned.when),
            None => assigned.when == When::Always,
        };
        let is_pair = |(target, value): &(&Thing, &Thing)| {
            let (Some(target), Some(value)) = (&target.term, &value.term) else {
                return false;
            };
            is_target(&assigned.target, &target.text) && is_same(&assigned.value, &value.text)
        };
        is_then && pairs.iter().any(is_pair)
    };
    let found = shape.assigned.iter().find(is_made);
    found.map_or(Truth::Unknown, |assigned| {
        Truth::Yes(vec![Proof::line(
            function.file,
            assigned.line,
            "assignment",
        )])
    })
}

fn is_target(written: &str, named: &str) -> bool {
    let bare = |text: &str| {
        let text = text.trim();
        let inner = text
            .strip_prefix("self.")
            .or_else(|| text.strip_prefix("this."));
        inner.unwrap_or(text).to_owned()
    };
    bare(written) == bare(named)
}
