//! What a function does, in order: its calls, what it raises and returns, each with its condition,
//! read from its syntax tree.

use super::Kind;
use super::teller::Teller;
use super::wording::Read;
use crate::answer::Span;
use crate::answer::definition::Definition;
use crate::answer::notes::{Entry, Source, code, text};
use crate::lines::{Line, LineRange};
use crate::parse::shape::{Called, Shape, When};

pub(super) const KIND: Kind = Kind {
    name: "steps",
    wordings: &[
        "what does|do X do in order|sequence",
        "what does|do X do step_by_step|in_detail|internally|exactly",
        "what happens step_by_step in|inside|within|during|when X",
        "what happens in|inside|within X step_by_step?",
        "walk_me|us|through? through X step_by_step?",
        "ASK? steps REL X",
        "explain? step_by_step what X does",
        "explain what X does step_by_step?",
        "in_which|what order does X Y",
        "what does X Y in_which|what order",
        "X step_by_step",
        "what does X check|try|look_at in_which|what order",
    ],
    state,
};

/// Maximum number of steps named in the sentence; all of them can be opened.
const MAX_STEPS: usize = 12;
/// Longest value that is shown.
const MAX_VALUE: usize = 60;

/// One thing that a function does.
struct Step {
    line: Line,
    verb: &'static str,
    name: String,
    when: String,
    /// The inner function that does this, with the words before its name.
    within: Option<(&'static str, String)>,
    quote: String,
}

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let Some((symbols, _)) = teller.symbols(&read.x) else {
        return false;
    };
    // A declaration without a body does nothing.
    let with_body = symbols.iter().filter_map(|id| {
        let definition = teller
            .definition(*id)
            .filter(|found| !found.is_container())?;
        let shape = teller.syntax.shape(&definition);
        shape.has_body.then_some((definition, shape))
    });
    let mut with_body: Vec<_> = with_body
        .map(|(definition, shape)| (steps(&definition, &shape), definition))
        .collect();
    // Overloads have empty bodies.
    with_body.retain(|(steps, _)| steps.len() > 1);
    let [(steps, definition)] = with_body.as_slice() else {
        return false;
    };
    document(teller, definition);
    let entries: Vec<Entry> = steps.iter().map(|step| entry(definition, step)).collect();
    let mut lead = vec![
        text("In the order of its lines, "),
        code(&definition.symbol.qualified),
        text(" "),
    ];
    lead.extend(told(steps));
    let whole = Source {
        file: definition.file,
        lines: definition.symbol.lines,
        quotes: vec![definition.symbol.name.clone()],
        why: "definition".to_owned(),
    };
    teller.notes.list_below(lead, &[whole], entries)
}

/// States what the documentation says, which comes first.
fn document(teller: &mut Teller<'_, '_>, definition: &Definition<'_>) {
    let Some(quote) = teller.syntax.quote(definition) else {
        return;
    };
    let lines = definition.symbol.lines;
    let start = quote.lines.start().min(definition.symbol.name_line);
    let end = quote.lines.end().max(definition.symbol.name_line);
    let mut quotes = quote.words();
    quotes.push(definition.symbol.name.clone());
    let mut spans = vec![
        code(&definition.symbol.qualified),
        text(" in "),
        code(definition.path),
        text(" is documented as "),
    ];
    spans.extend(quote.in_quotes());
    let source = Source {
        file: definition.file,
        lines: LineRange::new(start.max(lines.start()), end.min(lines.end())),
        quotes,
        why: "definition, with the quoted words".to_owned(),
    };
    teller.say(spans, &[source]);
}

/// Returns its calls and exits by line; a call that is part of an exit is not listed again.
fn steps(definition: &Definition<'_>, shape: &Shape) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let exits = |exits: &[crate::parse::shape::Exit], verb: &'static str, steps: &mut Vec<Step>| {
        for exit in exits {
            let value = first_line(&exit.value.text);
            steps.push(Step {
                line: exit.value.line,
                verb,
                quote: value.trim_end_matches('…').trim().to_owned(),
                name: value,
                when: condition(&exit.when),
                within: None,
            });
        }
    };
    steps.extend(shape.called.iter().map(|it| called(it, None)));
    let passed = |to: &str| Some(("in the function passed to ", to.to_owned()));
    let all = shape.passed.iter();
    steps.extend(all.map(|it| called(&it.called, passed(&it.to))));
    // For some languages the shape does not contain the calls.
    for call in definition.calls().filter(|_| shape.called.is_empty()) {
        let receiver = call
            .receiver
            .as_deref()
            .filter(|receiver| receiver.len() < MAX_VALUE);
        let receiver = receiver.filter(|receiver| !receiver.contains(['(', '\n']));
        steps.push(Step {
            line: call.line,
            verb: "calls",
            name: match receiver {
                Some(receiver) => format!("{receiver}.{}", call.name),
                None => call.name.clone(),
            },
            when: String::new(),
            within: inner_function(definition, call.caller),
            quote: call.name.clone(),
        });
    }
    exits(&shape.raised, "raises", &mut steps);
    exits(&shape.returned, "returns", &mut steps);
    steps.sort_by_key(|step| step.line);
    inner_first(&mut steps);
    let mut kept: Vec<Step> = Vec::new();
    for step in steps {
        let is_told = kept.iter().any(|known| {
            known.line == step.line && known.verb != "calls" && known.name.contains(&step.name)
                || known.name == step.name && known.when == step.when && known.within == step.within
        });
        if step.verb != "calls" {
            // `return f(x)` contains the call of `f` on its line.
            kept.retain(|known| known.line != step.line || !step.name.contains(&known.name));
        }
        if !is_told && !step.name.contains('\n') {
            kept.push(step);
        }
    }
    kept
}

/// Puts each call before those of the same line that are made on its result: `a()` before `a().b`.
fn inner_first(steps: &mut Vec<Step>) {
    for at in 1..steps.len() {
        let is_made_on = |outer: &Step, inner: &Step| {
            outer.line == inner.line
                && outer.verb == inner.verb
                && outer.name.len() > inner.name.len()
                && outer.name.starts_with(&inner.name)
        };
        let before = steps.get(at).and_then(|inner| {
            let mut earlier = steps.iter().take(at);
            earlier.position(|outer| is_made_on(outer, inner))
        });
        if let Some(before) = before {
            let inner = steps.remove(at);
            steps.insert(before, inner);
        }
    }
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
    Step {
        line: call.line,
        verb: "calls",
        name: call.path.clone(),
        when: condition(&call.when),
        within,
        quote: quote.unwrap_or_default().to_owned(),
    }
}

fn first_line(value: &str) -> String {
    let line = value.lines().next().unwrap_or_default().trim();
    match line.char_indices().nth(MAX_VALUE) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or(line)),
        None if value.contains('\n') => format!("{line}…"),
        None => line.to_owned(),
    }
}

fn condition(when: &When) -> String {
    let short = |condition: &str| {
        let line = condition.split_whitespace().collect::<Vec<_>>().join(" ");
        (line.chars().count() <= MAX_VALUE).then_some(line)
    };
    match when {
        When::Always => String::new(),
        When::If(condition) => {
            short(condition).map_or("in a branch".into(), |it| format!("if {it}"))
        }
        When::Unless(condition) => {
            short(condition).map_or("in a branch".into(), |it| format!("unless {it}"))
        }
        When::Sometimes => "in a branch or loop".to_owned(),
    }
}

fn entry(definition: &Definition<'_>, step: &Step) -> Entry {
    let mut detail = match (step.verb, step.when.as_str()) {
        (verb, "") => verb.to_owned(),
        (verb, when) => format!("{verb}, {when}"),
    };
    if let Some((lead, name)) = &step.within {
        detail.push_str(&format!(", {lead}{name}"));
    }
    Entry {
        name: step.name.clone(),
        detail,
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

/// Returns when and where a step happens: ` (if a, in the function passed to b)`.
fn circumstances(step: &Step) -> Vec<Span> {
    let mut spans = Vec::new();
    for word in ["if ", "unless "] {
        if let Some(condition) = step.when.strip_prefix(word) {
            spans.extend([text(word), code(condition)]);
        }
    }
    if let Some((lead, name)) = &step.within {
        let joint = if spans.is_empty() { "" } else { ", " };
        spans.push(text(format!("{joint}{lead}")));
        spans.push(code(name.clone()));
    }
    match spans.is_empty() {
        true => spans,
        false => [vec![text(" (")], spans, vec![text(")")]].concat(),
    }
}

/// Returns the steps as text: `calls a, b (if c), raises D and returns e`.
fn told(steps: &[Step]) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let mut verb = "";
    let shown = steps.len().min(MAX_STEPS);
    for (at, step) in steps.iter().take(MAX_STEPS).enumerate() {
        if at > 0 {
            spans.push(text(match at + 1 == shown && shown == steps.len() {
                true => " and ",
                false => ", ",
            }));
        }
        if step.verb != verb {
            spans.push(text(format!("{} ", step.verb)));
            verb = step.verb;
        }
        match step.name.is_empty() {
            true => spans.push(text("nothing")),
            false => spans.push(code(step.name.clone())),
        }
        spans.extend(circumstances(step));
    }
    if steps.len() > shown {
        spans.push(text(format!(
            " and does {} more things",
            steps.len() - shown
        )));
    }
    spans
}
