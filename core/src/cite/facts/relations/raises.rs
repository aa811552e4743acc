//! A function raises an exception.

use super::{Part, Relation, each, is_when, last_part};
use crate::cite::facts::grammar::{Fact, Thing};
use crate::cite::facts::names;
use crate::cite::facts::scene::Scene;
use crate::cite::facts::{Proof, Truth};
use crate::index::graph::SymbolId;

pub(crate) static RAISES: Relation = Relation {
    active: &[
        "raises",
        "raise",
        "throws",
        "throw",
        "fails with",
        "rejects with",
    ],
    passive: &["raised by", "raised in", "thrown by", "thrown in"],
    reads: &[Part::Condition, Part::Path],
    holds,
};

fn holds(scene: &mut Scene<'_>, fact: &Fact) -> Truth {
    let functions = scene.definitions(&fact.subject);
    if fact.count == Some(0) {
        return Truth::Unknown;
    }
    each(scene, fact, |scene, object| {
        let truths: Vec<Truth> = functions
            .iter()
            .map(|function| raises(scene, fact, *function, object))
            .collect();
        Truth::any(truths)
    })
}

fn raises(scene: &mut Scene<'_>, fact: &Fact, function: SymbolId, object: &Thing) -> Truth {
    let Some((name, owners)) = last_part(object) else {
        return Truth::Unknown;
    };
    let shape = scene.shape(function);
    let path: Vec<&str> = owners.iter().chain([&name]).map(String::as_str).collect();
    let is_it = |value: &str| {
        let value = value.strip_prefix("new ").unwrap_or(value);
        let head = value.split('(').next().unwrap_or(value);
        names::ends_with(head.trim(), &path)
    };
    let mut raised = shape.raised.iter();
    let found = raised.find(|exit| is_it(&exit.value.text) && is_when(fact, &exit.when));
    match found {
        Some(exit) => Truth::Yes(vec![Proof::line(function.file, exit.value.line, "raised")]),
        None if fact.condition.is_none() && shape.has_body && !shape.names.contains_key(&name) => {
            let mut others: Vec<&str> = shape
                .raised
                .iter()
                .map(|exit| exit.value.text.as_str())
                .collect();
            others.dedup();
            Truth::No(match others.is_empty() {
                true => "It raises nothing itself.".to_owned(),
                false => format!("It raises `{}`.", others.join("`, `")),
            })
        }
        None => Truth::Unknown,
    }
}
