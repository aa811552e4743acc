//! How steps are worded: `calls a, b (if c), raises D and returns e`.

use super::read::Step;
use crate::answer::Span;
use crate::answer::definition::Definition;
use crate::answer::notes::{Entry, Source, code, text};
use crate::lines::LineRange;
use crate::parse::shape::Turn;

/// Longest condition that is shown, in characters.
const MAX_CONDITION: usize = 60;

/// Returns the steps as text.
pub(super) fn in_words(steps: &[Step]) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let mut verb = "";
    for (at, step) in steps.iter().enumerate() {
        if at > 0 {
            let is_last = at + 1 == steps.len();
            spans.push(text(if is_last { " and " } else { ", " }));
        }
        if step.verb != verb {
            spans.push(text(format!("{} ", step.verb)));
            verb = step.verb;
        }
        match step.name.is_empty() {
            true => spans.push(text("nothing")),
            false => spans.push(code(step.name.clone())),
        }
        let around = circumstances(step);
        if !around.is_empty() {
            spans.push(text(" ("));
            spans.extend(around);
            spans.push(text(")"));
        }
    }
    spans
}

/// Returns a step as an entry of the list, with when it happens as its detail.
pub(super) fn entry(definition: &Definition<'_>, step: &Step) -> Entry {
    let around = circumstances(step).into_iter();
    let around: String = around
        .map(|span| match span {
            Span::Text(text) | Span::Code(text) => text,
        })
        .collect();
    let (name, done) = listed(step);
    let detail = [done, &around].into_iter().filter(|part| !part.is_empty());
    Entry {
        name,
        detail: detail.collect::<Vec<_>>().join(", "),
        source: Source {
            file: definition.file,
            lines: LineRange::new(step.line, step.line),
            quotes: Some(step.quote.clone())
                .filter(|quote| !quote.is_empty())
                .into_iter()
                .collect(),
            why: "step".to_owned(),
        },
    }
}

/// Returns a step as a list shows it, and what is done with it: `close(…)`, or `Lost(url)` raised.
fn listed(step: &Step) -> (String, &'static str) {
    let name = &step.name;
    match step.verb {
        "raises" if name.is_empty() => ("raise".to_owned(), ""),
        "returns" if name.is_empty() => ("return".to_owned(), ""),
        "raises" => (name.clone(), "raised"),
        "returns" => (name.clone(), "returned"),
        "sets" => (name.clone(), "set"),
        _ => (format!("{name}{}", step.arguments), ""),
    }
}

/// Returns when and where a step happens: `if a, in a loop, in the function passed to b`.
fn circumstances(step: &Step) -> Vec<Span> {
    let mut parts: Vec<Vec<Span>> = Vec::new();
    for turn in &step.turns {
        let part = of_turn(turn);
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    if let Some((lead, name)) = &step.within {
        parts.push(vec![text(*lead), code(name.clone())]);
    }
    parts.join(&text(", "))
}

fn of_turn(turn: &Turn) -> Vec<Span> {
    match turn {
        Turn::If(condition) => on_condition("if ", condition, "in a branch"),
        Turn::Unless(condition) => on_condition("unless ", condition, "in a branch"),
        Turn::Case(label) => on_condition("in the case ", label, "in a case"),
        Turn::Loop => vec![text("in a loop")],
        Turn::Handler => vec![text("if an error is caught")],
        Turn::Branch => vec![text("in a branch")],
    }
}

/// Returns a condition on one line; `instead` if it is too long, or has comments between its lines.
fn on_condition(lead: &str, condition: &str, instead: &str) -> Vec<Span> {
    let line = condition.split_whitespace().collect::<Vec<_>>().join(" ");
    let has_comment =
        condition.contains('\n') && ["//", "/*", "#"].iter().any(|it| line.contains(it));
    match line.chars().count() <= MAX_CONDITION && !has_comment {
        true => vec![text(lead), code(line)],
        false => vec![text(instead)],
    }
}
