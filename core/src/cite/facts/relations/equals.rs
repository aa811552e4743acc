//! A constant, a parameter's default or a variable is set to a value.

use super::{Part, Relation, each, last_part, takes};
use crate::cite::attributed::squeezed;
use crate::cite::facts::grammar::{Fact, Thing};
use crate::cite::facts::names::is_same;
use crate::cite::facts::scene::Scene;
use crate::cite::facts::words::Noun;
use crate::cite::facts::{Proof, Truth};
use crate::cite::held::contains_words;
use crate::lines::{Line, LineRange};
use crate::parse::shape::When;
use crate::source::FileId;

pub(crate) static EQUALS: Relation = Relation {
    active: &[
        "equals",
        "equal",
        "set to",
        "defined as",
        "expands to",
        "defaults to",
        "default to",
        "has the value",
        "have the value",
        "has a value of",
        "has a default of",
        "has a default value of",
        "has the default value",
        "initialised to",
        "initialized to",
        "assigned",
        "is worth",
    ],
    passive: &["the value of", "the default of", "the default value of"],
    reads: &[Part::Place, Part::Path],
    holds,
};

fn holds(scene: &mut Scene<'_>, fact: &Fact) -> Truth {
    let subject = match &fact.subject {
        // `the value of X`, `the default of X`
        Thing {
            noun: Some(Noun::Default | Noun::Value),
            term: None,
            owner: Some(owner),
            ..
        } => owner,
        subject => subject,
    };
    let values = values(scene, subject, fact.place.as_ref());
    each(scene, fact, |_, object| {
        let Some(term) = &object.term else {
            return Truth::Unknown;
        };
        match values.as_slice() {
            [(value, proof)] if is_same(value, &term.text) => Truth::Yes(vec![proof.clone()]),
            [(value, _)] if is_literal(value) && is_literal(&term.text) => {
                Truth::No(format!("It is `{value}`."))
            }
            _ => Truth::Unknown,
        }
    })
}

/// Returns all values that a thing is set to, if declarations or the cited lines show them.
fn values(scene: &mut Scene<'_>, thing: &Thing, place: Option<&Thing>) -> Vec<(String, Proof)> {
    // Only one of two owners could be checked.
    if thing.owner.is_some() && place.is_some() {
        return Vec::new();
    }
    let owner = thing.owner.as_deref().or(place);
    // A parameter belongs to a function.
    let functions = owner.map_or(Vec::new(), |owner| takes::functions(scene, owner));
    for function in functions {
        let shape = scene.shape(function);
        let parameters = shape.parameters.unwrap_or_default();
        if let Some((_, parameter)) = takes::named(&parameters, thing) {
            let proof = Proof::line(function.file, parameter.line, "default");
            return parameter
                .default
                .iter()
                .map(|value| (value.clone(), proof.clone()))
                .collect();
        }
    }
    let mut found = Vec::new();
    let placed = Thing {
        owner: owner.cloned().map(Box::new),
        ..thing.clone()
    };
    for id in scene.definitions(&placed) {
        if let Some(value) = scene.shape(id).value {
            found.push((value.text, Proof::line(id.file, value.line, "value")));
        }
    }
    if found.is_empty() {
        found = assigned(scene, thing, owner);
    }
    found
}

/// Returns what the cited lines set a name to.
fn assigned(scene: &mut Scene<'_>, thing: &Thing, owner: Option<&Thing>) -> Vec<(String, Proof)> {
    let Some((name, _)) = last_part(thing) else {
        return Vec::new();
    };
    let owners = owner.map_or(Vec::new(), |owner| scene.definitions(owner));
    if owner.is_some_and(|owner| owner.term.is_some()) && owners.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<(String, Proof)> = Vec::new();
    let mut add = |file: FileId, line: Line, value: &str| {
        let proof = Proof::line(file, line, "value");
        let is_new = !found.iter().any(|(_, known)| *known == proof);
        if is_new {
            found.push((value.to_owned(), proof));
        }
    };
    let mut is_open = false;
    for file in scene.cited_files() {
        let shapes = scene.shapes(file);
        for (at, shape) in (0..).zip(shapes.symbols.iter()) {
            let is_owner =
                owners.is_empty() || owners.iter().any(|id| id.file == file && id.at == at);
            let is_seen = |line: Line| scene.is_cited(file, LineRange::new(line, line));
            if !is_owner {
                continue;
            }
            for assigned in shape
                .assigned
                .iter()
                .filter(|assigned| is_name(&assigned.target, &name))
            {
                if is_seen(assigned.line) {
                    add(file, assigned.line, &assigned.value);
                    is_open |= assigned.when != When::Always;
                }
            }
            for member in shape.members.iter().filter(|member| member.name == name) {
                if let Some(value) = member.value.as_deref().filter(|_| is_seen(member.line)) {
                    add(file, member.line, value);
                }
            }
        }
    }
    match is_open {
        true => Vec::new(),
        false => found,
    }
}

/// Whether an assignment target is the name: `x`, `self.x`, `this.x`, `"x"`.
fn is_name(target: &str, name: &str) -> bool {
    let bare = target.trim_matches(['"', '\'']);
    let bare = bare.strip_prefix("let ").unwrap_or(bare);
    ["", "self.", "this.", "mut ", "cls."]
        .iter()
        .any(|prefix| bare.strip_prefix(prefix) == Some(name))
}

/// Whether a value can be compared with another: a number, a string, a boolean.
pub(super) fn is_literal(code: &str) -> bool {
    let code = code.trim();
    crate::cite::facts::names::number(code).is_some()
        || ["true", "false", "null", "none", "nil", "undefined"]
            .contains(&code.to_lowercase().as_str())
        || code.starts_with(['"', '\'']) && code.len() > 1
}

/// Whether a constant's value contains settings as written: `limit=10`.
pub(super) fn holds_settings(scene: &mut Scene<'_>, fact: &Fact) -> Truth {
    let values = values(scene, &fact.subject, fact.place.as_ref());
    each(scene, fact, |_, object| {
        let wanted: String = object
            .term
            .as_ref()
            .map_or(String::new(), |term| squeezed(&term.text));
        match values.as_slice() {
            [(value, proof)] if contains_words(&squeezed(value), &wanted) => {
                Truth::Yes(vec![proof.clone()])
            }
            _ => Truth::Unknown,
        }
    })
}
