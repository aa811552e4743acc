//! A class overrides a method of one of its base classes.

use super::{Relation, each, last_part};
use crate::cite::facts::grammar::{Fact, Thing};
use crate::cite::facts::scene::Scene;
use crate::cite::facts::{Proof, Truth};
use crate::index::graph::SymbolId;

pub(crate) static OVERRIDES: Relation = Relation {
    active: &["overrides", "override"],
    passive: &["overridden by", "overridden in"],
    reads: &[],
    holds,
};

fn holds(scene: &mut Scene<'_>, fact: &Fact) -> Truth {
    let classes = scene.definitions(&fact.subject);
    each(scene, fact, |scene, object| {
        Truth::any(classes.iter().map(|class| overrides(scene, *class, object)))
    })
}

fn overrides(scene: &Scene<'_>, class: SymbolId, object: &Thing) -> Truth {
    let Some((name, _)) = last_part(object) else {
        return Truth::Unknown;
    };
    let own = scene.members(class).find(|(_, symbol)| symbol.name == name);
    let Some((id, symbol)) = own else {
        return Truth::No(format!("It does not define `{name}`."));
    };
    let above = scene.ancestors(class);
    let is_above = above
        .iter()
        .any(|base| scene.members(*base).any(|(_, symbol)| symbol.name == name));
    match is_above {
        true => Truth::Yes(vec![Proof::line(id.file, symbol.name_line, "override")]),
        false => Truth::Unknown,
    }
}
