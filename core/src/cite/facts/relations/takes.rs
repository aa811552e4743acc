//! A function takes a parameter.

use super::{Part, Relation, last_part};
use crate::cite::facts::grammar::{Fact, Thing};
use crate::cite::facts::names::is_same;
use crate::cite::facts::scene::Scene;
use crate::cite::facts::{Proof, Truth};
use crate::index::graph::SymbolId;
use crate::lines::LineRange;
use crate::parse::shape::Parameter;

pub(crate) static TAKES: Relation = Relation {
    active: &[
        "takes", "take", "accepts", "accept", "expects", "receives", "is given",
    ],
    passive: &["taken by", "accepted by"],
    reads: &[Part::Count, Part::Order, Part::Default, Part::Noun],
    holds,
};

fn holds(scene: &mut Scene<'_>, fact: &Fact) -> Truth {
    let functions = functions(scene, &fact.subject);
    let truths: Vec<Truth> = functions
        .into_iter()
        .map(|function| takes(scene, fact, function))
        .collect();
    Truth::any(truths)
}

/// Returns the functions that a thing means; for a class, its constructor.
pub(super) fn functions(scene: &Scene<'_>, thing: &Thing) -> Vec<SymbolId> {
    let found = scene.definitions(thing);
    let function = |id: SymbolId| match scene.symbol(id) {
        Some(symbol) if symbol.kind.is_container() => scene.constructor(id),
        _ => Some(id),
    };
    found.into_iter().filter_map(function).collect()
}

/// Returns the lines of the parameters, where another would stand.
pub(super) fn heads(scene: &mut Scene<'_>, thing: &Thing) -> Truth {
    let functions = functions(scene, thing);
    let heads: Vec<Truth> = functions
        .into_iter()
        .map(|function| {
            let parameters = scene.shape(function).parameters.unwrap_or_default();
            let Some(symbol) = scene.symbol(function) else {
                return Truth::Unknown;
            };
            let last = parameters.last().map_or(symbol.name_line, |last| last.line);
            Truth::Yes(vec![Proof {
                file: function.file,
                lines: LineRange::new(symbol.name_line, last),
                what: "parameters",
            }])
        })
        .collect();
    Truth::all(heads)
}

fn takes(scene: &mut Scene<'_>, fact: &Fact, function: SymbolId) -> Truth {
    let shape = scene.shape(function);
    let (Some(parameters), Some(symbol)) = (&shape.parameters, scene.symbol(function)) else {
        return Truth::Unknown;
    };
    let mut truth = Truth::Yes(Vec::new());
    if let Some(count) = fact.count {
        let names: Vec<&str> = parameters
            .iter()
            .map(|parameter| parameter.name.as_str())
            .collect();
        if count as usize != parameters.len() {
            return Truth::No(match names.is_empty() {
                true => "It takes no parameters.".to_owned(),
                false => format!("It takes {}: {}.", names.len(), names.join(", ")),
            });
        }
        let head = parameters.iter().map(|parameter| parameter.line);
        let head = head.chain([symbol.name_line]);
        truth = Truth::Yes(
            head.map(|line| Proof::line(function.file, line, "parameters"))
                .collect(),
        );
    } else if fact.objects.is_empty() {
        return Truth::Unknown;
    }
    let mut last = 0;
    for object in &fact.objects {
        let found = named(parameters, object);
        let Some((at, parameter)) = found else {
            return denied(parameters, object);
        };
        if fact.is_ordered && at < last {
            return Truth::No("It takes them in another order.".to_owned());
        }
        last = at;
        if let Some(default) = &object.default {
            match &parameter.default {
                Some(value) if is_same(value, &default.text) => {}
                Some(value) => return Truth::No(format!("Its default is `{value}`.")),
                None => return Truth::Unknown,
            }
        }
        truth = truth.and(Truth::Yes(vec![Proof::line(
            function.file,
            parameter.line,
            "parameter",
        )]));
    }
    truth
}

/// Returns the parameter with this name.
pub(super) fn named<'p>(
    parameters: &'p [Parameter],
    object: &Thing,
) -> Option<(usize, &'p Parameter)> {
    let (name, _) = last_part(object)?;
    let name = name.trim_start_matches('*');
    parameters
        .iter()
        .enumerate()
        .find(|(_, parameter)| parameter.name == name)
}

fn denied(parameters: &[Parameter], object: &Thing) -> Truth {
    let Some((name, _)) = last_part(object) else {
        return Truth::Unknown;
    };
    // A sentence may name a parameter by its type.
    let is_type = parameters.iter().any(|parameter| {
        parameter
            .written
            .as_deref()
            .is_none_or(|written| written.contains(&name))
    });
    match is_type {
        true => Truth::Unknown,
        false => {
            let names: Vec<&str> = parameters
                .iter()
                .map(|parameter| parameter.name.as_str())
                .collect();
            Truth::No(format!("It takes {}.", names.join(", ")))
        }
    }
}
