//! A function passes something to another: it calls it with that.

use super::{Relation, calls};
use crate::cite::facts::Truth;
use crate::cite::facts::grammar::Fact;
use crate::cite::facts::scene::Scene;

pub(crate) static PASSES: Relation = Relation {
    active: &["passes", "pass", "hands", "gives"],
    passive: &[],
    leads_to: true,
    has_place: false,
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
    (calls::CALLS.holds)(scene, &call)
}
