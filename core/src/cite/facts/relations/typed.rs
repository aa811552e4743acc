//! A parameter, field or constant has a declared type.

use super::{Part, Relation, contains, each, last_part, returns, takes};
use crate::cite::facts::grammar::{Fact, Thing};
use crate::cite::facts::scene::Scene;
use crate::cite::facts::{Proof, Truth};

pub(crate) static TYPED: Relation = Relation {
    active: &[
        "of type",
        "has the type",
        "has type",
        "typed as",
        "of the type",
        "have the type",
    ],
    passive: &["the type of"],
    reads: &[Part::Place, Part::Path],
    holds,
};

fn holds(scene: &mut Scene<'_>, fact: &Fact) -> Truth {
    let owner = fact
        .subject
        .owner
        .as_deref()
        .or(fact.place.as_ref())
        .cloned();
    let Some((owner, (name, _))) = owner.zip(last_part(&fact.subject)) else {
        return Truth::Unknown;
    };
    let mut declared: Vec<(String, Proof)> = Vec::new();
    for function in takes::functions(scene, &owner) {
        let parameters = scene.shape(function).parameters.unwrap_or_default();
        if let Some((_, parameter)) = takes::named(&parameters, &fact.subject)
            && let Some(written) = &parameter.written
        {
            let proof = Proof::line(function.file, parameter.line, "type");
            declared.push((written.clone(), proof));
        }
    }
    for class in contains::classes(scene, &owner) {
        let members = scene.shape(class).members;
        for member in members.iter().filter(|member| member.name == name) {
            if let Some(written) = &member.written {
                declared.push((
                    written.clone(),
                    Proof::line(class.file, member.line, "type"),
                ));
            }
        }
    }
    each(scene, fact, |_, object: &Thing| {
        let wanted = object.term.as_ref().map_or("", |term| term.text.as_str());
        match declared.as_slice() {
            [(written, proof)] if returns::is_type(written, wanted) => {
                Truth::Yes(vec![proof.clone()])
            }
            _ => Truth::Unknown,
        }
    })
}
