//! The code of a definition names something.

use super::{Relation, each, last_part};
use crate::cite::facts::grammar::{Fact, Thing};
use crate::cite::facts::scene::Scene;
use crate::cite::facts::{Proof, Truth};
use crate::index::graph::SymbolId;

pub(crate) static USES: Relation = Relation {
    active: &["uses", "use", "references", "refers to", "makes use of"],
    passive: &[
        "used by",
        "used in",
        "referenced by",
        "referenced in",
        "used inside",
    ],
    reads: &[],
    holds,
};

fn holds(scene: &mut Scene<'_>, fact: &Fact) -> Truth {
    let found = scene.definitions(&fact.subject);
    each(scene, fact, |scene, object| {
        let truths: Vec<Truth> = found.iter().map(|id| uses(scene, *id, object)).collect();
        Truth::any(truths)
    })
}

fn uses(scene: &mut Scene<'_>, id: SymbolId, object: &Thing) -> Truth {
    let Some((name, _)) = last_part(object) else {
        return Truth::Unknown;
    };
    let shape = scene.shape(id);
    match shape.names.get(&name) {
        Some(line) => Truth::Yes(vec![Proof::line(id.file, *line, "use")]),
        None if shape.has_body => {
            Truth::No(format!("Its code does not contain the name `{name}`."))
        }
        None => Truth::Unknown,
    }
}
