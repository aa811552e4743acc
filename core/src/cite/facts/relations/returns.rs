//! A function returns a type or a value.

use super::equals::is_literal;
use super::{Part, Relation, each, is_when};
use crate::cite::facts::grammar::{Fact, Thing};
use crate::cite::facts::names::{ends_with, is_same, parts};
use crate::cite::facts::scene::Scene;
use crate::cite::facts::token::Style;
use crate::cite::facts::words::Noun;
use crate::cite::facts::{Proof, Truth};
use crate::index::graph::SymbolId;
use crate::parse::shape::{Shape, When};

pub(crate) static RETURNS: Relation = Relation {
    active: &[
        "returns",
        "return",
        "returns whether",
        "gives back",
        "returns a value of type",
        "annotated to return",
        "annotated as returning",
        "evaluates to",
    ],
    passive: &["returned by", "returned from"],
    reads: &[Part::Condition, Part::Path],
    holds,
};

fn holds(scene: &mut Scene<'_>, fact: &Fact) -> Truth {
    let functions = match &fact.subject {
        Thing {
            noun: Some(Noun::ReturnType),
            term: None,
            owner: Some(owner),
            ..
        } => scene.definitions(owner),
        subject => scene.definitions(subject),
    };
    each(scene, fact, |scene, object| {
        let truths: Vec<Truth> = functions
            .iter()
            .map(|function| returns(scene, fact, *function, object))
            .collect();
        Truth::any(truths)
    })
}

fn returns(scene: &mut Scene<'_>, fact: &Fact, function: SymbolId, object: &Thing) -> Truth {
    let Some(term) = &object.term else {
        return Truth::Unknown;
    };
    let shape = scene.shape(function);
    if term.style == Style::Quote
        && !shape
            .returned
            .iter()
            .any(|exit| is_literal(&exit.value.text))
    {
        return Truth::Unknown;
    }
    if let Some(result) = &shape.result
        && fact.condition.is_none()
        && is_type(&result.text, &term.text)
    {
        return Truth::Yes(vec![Proof::line(function.file, result.line, "return type")]);
    }
    let path = parts(&term.text);
    let is_it = |value: &str| is_same(value, &term.text) || makes(value, &path);
    if fact.condition.is_some() || fact.is_possible {
        let mut exits = shape.returned.iter();
        let exit = exits.find(|exit| is_it(&exit.value.text) && is_when(fact, &exit.when));
        return exit.map_or(Truth::Unknown, |exit| {
            Truth::Yes(vec![Proof::line(
                function.file,
                exit.value.line,
                "return value",
            )])
        });
    }
    always(&shape, function, is_it, &term.text)
}

/// One branch of several does not prove what a function returns.
fn always(shape: &Shape, function: SymbolId, is_it: impl Fn(&str) -> bool, wanted: &str) -> Truth {
    let last = shape.returned.last();
    let is_sure = last.is_some_and(|exit| exit.when == When::Always);
    if is_sure && shape.returned.iter().all(|exit| is_it(&exit.value.text)) {
        let lines = shape.returned.iter().map(|exit| exit.value.line);
        let proofs = lines.map(|line| Proof::line(function.file, line, "return value"));
        return Truth::Yes(proofs.collect());
    }
    match shape.returned.as_slice() {
        [only] if is_sure && is_literal(&only.value.text) && is_literal(wanted) => {
            Truth::No(format!("It returns `{}`.", only.value.text))
        }
        _ => Truth::Unknown,
    }
}

/// Whether a declared type is the one that a sentence names: `Promise<T>` is a `Promise`.
pub(super) fn is_type(declared: &str, named: &str) -> bool {
    let declared = declared.trim().trim_matches(['"', '\'']);
    let head = declared.split(['<', '[']).next().unwrap_or(declared);
    let name = head.rsplit(['.', ':']).next().unwrap_or(head);
    is_same(declared, named) || is_same(head, named) || is_same(name, named)
}

/// Whether a value is a new object of a class.
fn makes(value: &str, class: &[&str]) -> bool {
    let bare = value.strip_prefix("await ").unwrap_or(value);
    let is_class = class
        .last()
        .is_some_and(|name| name.starts_with(char::is_uppercase));
    let is_new = bare.starts_with("new ") || is_class;
    is_new && bare.ends_with(')') && !class.is_empty() && ends_with(bare, class)
}
