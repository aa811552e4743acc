//! A function passes something to another: it calls it with that argument.

use super::{Part, Relation, as_one_of, calls};
use crate::cite::facts::Truth;
use crate::cite::facts::grammar::Fact;
use crate::cite::facts::scene::Scene;

pub(crate) static PASSES: Relation = Relation {
    active: &["passes", "pass", "hands", "gives"],
    passive: &[],
    reads: &[Part::To, Part::Condition, Part::Owner, Part::Path],
    holds,
};

fn holds(scene: &mut Scene<'_>, fact: &Fact) -> Truth {
    let Some(callee) = &fact.role else {
        return Truth::Unknown;
    };
    let call = Fact {
        objects: vec![callee.clone()],
        with: fact.objects.clone(),
        role: None,
        ..fact.clone()
    };
    as_one_of(scene, &call, &calls::CALLS)
}
