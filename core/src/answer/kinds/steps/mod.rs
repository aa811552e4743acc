//! What a function does, in order: its calls, what it sets, raises and returns, each with its
//! conditions, read from its syntax tree.

mod around;
mod read;
mod words;

pub(in crate::answer) use around::{Around, steps_around};
use read::{Step, steps};
use words::{entry, in_words};

use super::Kind;
use super::teller::Teller;
use super::wording::Read;
use crate::answer::definition::Definition;
use crate::answer::notes::{Entry, Source, code, text};
use crate::lines::LineRange;

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

/// Most steps that the sentence itself names; more are introduced by it and follow as a list.
const MAX_IN_SENTENCE: usize = 6;

/// A function with its steps.
struct Function<'d> {
    definition: Definition<'d>,
    steps: Vec<Step>,
    /// Whether it is known under which conditions the calls happen.
    has_conditions: bool,
}

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let Some((symbols, _)) = teller.symbols(&read.x) else {
        return false;
    };
    let functions = symbols.iter().filter_map(|id| {
        let definition = teller
            .definition(*id)
            .filter(|found| !found.is_container())?;
        let shape = teller.syntax.shape(&definition);
        // A declaration without a body does nothing.
        shape.has_body.then(|| Function {
            steps: steps(&definition, &shape),
            // Calls that are only recorded come without what is around them.
            has_conditions: !shape.called.is_empty() || definition.calls().next().is_none(),
            definition,
        })
    });
    // Overloads have empty bodies.
    let functions: Vec<_> = functions.filter(|it| it.steps.len() > 1).collect();
    let [function] = functions.as_slice() else {
        return false;
    };
    document(teller, &function.definition);
    list(teller, function)
}

/// States the steps: a few in the sentence, more as a list that it introduces.
fn list(teller: &mut Teller<'_, '_>, function: &Function<'_>) -> bool {
    let Function {
        definition, steps, ..
    } = function;
    let entries: Vec<Entry> = steps.iter().map(|step| entry(definition, step)).collect();
    let whole = Source {
        file: definition.file,
        lines: definition.symbol.lines,
        quotes: vec![definition.symbol.name.clone()],
        why: "definition".to_owned(),
    };
    let name = code(&definition.symbol.qualified);
    let unknown = match function.has_conditions {
        true => "",
        false => " (the conditions of its calls were not read)",
    };
    if steps.len() <= MAX_IN_SENTENCE {
        let mut lead = vec![text("In the order of its lines, "), name, text(" ")];
        lead.extend(in_words(steps));
        lead.push(text(unknown));
        teller.notes.list_below(lead, &[whole], entries)
    } else {
        let count = steps.len();
        let count = format!(" does {count} things in the order of its lines{unknown}");
        let lead = vec![name, text(count)];
        teller.notes.introduce(lead, &[whole], entries)
    }
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
