//! The steps of a function: its calls, what it raises, returns and sets, in the order of its lines.

use crate::answer::definition::Definition;
use crate::lines::Line;
use crate::parse::shape::{Assigned, Called, Exit, Shape, Turn};

/// Longest value, receiver or call that is shown, in characters.
const MAX_VALUE: usize = 60;

/// One thing that a function does.
pub(super) struct Step {
    pub line: Line,
    /// Within a line, what ends first happens first: `a()` before `a().b()`.
    pub end: usize,
    pub verb: &'static str,
    /// What it calls, raises, returns or sets, as code.
    pub name: String,
    /// What a list shows after the name of a call: `()`, or `(…)` if it has arguments. Empty if
    /// that is not known.
    pub arguments: &'static str,
    /// Everything around it, outermost first.
    pub turns: Vec<Turn>,
    /// The inner function that does this, with the words before its name.
    pub within: Option<(&'static str, String)>,
    /// A word of its line.
    pub quote: String,
}

/// Returns the steps by line; a call that is part of an exit is not listed again.
pub(super) fn steps(definition: &Definition<'_>, shape: &Shape) -> Vec<Step> {
    let mut steps: Vec<Step> = shape.called.iter().map(|it| called(it, None)).collect();
    let passed = |to: &str| Some(("in the function passed to ", to.to_owned()));
    let all = shape.passed.iter();
    steps.extend(all.map(|it| called(&it.called, passed(&it.to))));
    if shape.called.is_empty() {
        steps.extend(recorded_calls(definition));
    }
    steps.extend(shape.raised.iter().map(|it| exit(it, "raises")));
    steps.extend(shape.returned.iter().map(|it| exit(it, "returns")));
    steps.extend(shape.assigned.iter().filter_map(set));
    steps.sort_by_key(|step| (step.line, step.end));
    without_parts(steps)
}

/// The calls that the parser recorded: for some languages the shape does not contain them.
fn recorded_calls(definition: &Definition<'_>) -> impl Iterator<Item = Step> {
    definition.calls().map(|call| {
        let receiver = call.receiver.as_deref();
        let receiver = receiver.filter(|it| it.len() < MAX_VALUE && !it.contains(['(', '\n']));
        Step {
            line: call.line,
            end: 0,
            verb: "calls",
            name: match receiver {
                Some(receiver) => format!("{receiver}.{}", call.name),
                None => call.name.clone(),
            },
            arguments: "",
            turns: Vec::new(),
            within: inner_function(definition, call.caller),
            quote: call.name.clone(),
        }
    })
}

/// Returns the function inside of a definition that is a call's caller.
fn inner_function(
    definition: &Definition<'_>,
    caller: Option<u32>,
) -> Option<(&'static str, String)> {
    let caller = caller.filter(|at| *at != definition.at)?;
    let symbol = definition.parsed.symbols.get(caller as usize)?;
    Some(("in ", symbol.name.clone()))
}

/// A call, by the definition itself or `within` an inner function.
fn called(call: &Called, within: Option<(&'static str, String)>) -> Step {
    let quote = call.path.rsplit(['.', ':']).next();
    let name = with_literals(call);
    Step {
        line: call.line,
        end: call.end,
        verb: "calls",
        arguments: match call.arguments.is_empty() {
            true => "()",
            false if name == call.path => "(…)",
            false => "",
        },
        name,
        turns: call.turns.clone(),
        within,
        quote: quote.unwrap_or_default().to_owned(),
    }
}

/// The call, with its arguments if one of them is a literal: `this.set('ETag', etag)` says more
/// than `this.set`, and `f(a)` no more than `f`.
fn with_literals(call: &Called) -> String {
    let is_literal = |argument: &String| {
        argument.starts_with(['"', '\'']) || argument.starts_with(|c: char| c.is_ascii_digit())
    };
    let whole = format!("{}({})", call.path, call.arguments.join(", "));
    let is_short = whole.chars().count() <= MAX_VALUE && !whole.contains('\n');
    match is_short && call.arguments.iter().any(is_literal) {
        true => whole,
        false => call.path.clone(),
    }
}

fn exit(exit: &Exit, verb: &'static str) -> Step {
    let value = first_line(&exit.value.text);
    Step {
        line: exit.value.line,
        end: exit.end,
        verb,
        quote: value.trim_end_matches('…').trim().to_owned(),
        name: value,
        arguments: "",
        turns: exit.turns.clone(),
        within: None,
    }
}

/// An assignment to a part of something. A new value for a local variable is no step of its own.
fn set(assigned: &Assigned) -> Option<Step> {
    let target = &assigned.target;
    let is_part = target.contains(['.', '[']) || target.contains("->");
    let is_short = target.chars().count() <= MAX_VALUE && !target.contains('\n');
    (assigned.is_change && is_part && is_short).then(|| Step {
        line: assigned.line,
        end: assigned.end,
        verb: "sets",
        name: target.clone(),
        arguments: "",
        turns: assigned.turns.clone(),
        within: None,
        quote: target.clone(),
    })
}

fn first_line(value: &str) -> String {
    let line = value.lines().next().unwrap_or_default().trim();
    match line.char_indices().nth(MAX_VALUE) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or(line)),
        None if value.contains('\n') => format!("{line}…"),
        None => line.to_owned(),
    }
}

/// Removes repetitions, and steps that another one on their line contains: `return f(x)` contains
/// the call of `f`.
fn without_parts(steps: Vec<Step>) -> Vec<Step> {
    let is_exit = |step: &Step| matches!(step.verb, "raises" | "returns");
    let mut kept: Vec<Step> = Vec::new();
    for step in steps {
        let is_stated = kept.iter().any(|known| {
            known.line == step.line && is_exit(known) && known.name.contains(&step.name)
                || known.name == step.name
                    && known.verb == step.verb
                    && known.turns == step.turns
                    && known.within == step.within
        });
        if is_exit(&step) {
            kept.retain(|known| known.line != step.line || !step.name.contains(&known.name));
        }
        if !is_stated && !step.name.contains('\n') {
            kept.push(step);
        }
    }
    kept
}
