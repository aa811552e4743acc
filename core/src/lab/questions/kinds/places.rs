//! Where a class is defined.

use super::Kind;
use crate::chunk::metadata::is_class;
use crate::lab::questions::draft::Drafts;
use crate::lab::questions::world::World;

pub(super) const KIND: Kind = Kind {
    name: "places",
    title: "Where is a class defined?",
    draft,
};

fn draft(world: &World<'_>, drafts: &mut Drafts) {
    for (id, symbol) in world.definitions().filter(|(_, it)| is_class(it.kind)) {
        let noun = symbol.kind.name();
        let Some(name) = world.name(symbol) else {
            drafts.refuse("other definitions have the same name");
            continue;
        };
        let wordings = [
            format!("Where is {name} defined?"),
            format!("Which file defines the {noun} {name}?"),
            format!("Where in the code is the {noun} {name}?"),
        ];
        drafts.push(
            &wordings,
            world.gold(id).into_iter().collect(),
            world.told(id),
        );
    }
}
