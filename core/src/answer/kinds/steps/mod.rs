//! What a function does, in order: its calls, what it sets, raises and returns, each with its
//! conditions, read from its syntax tree.

mod read;
mod words;

use read::steps;
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
    let whole = Source {
        file: definition.file,
        lines: definition.symbol.lines,
        quotes: vec![definition.symbol.name.clone()],
        why: "definition".to_owned(),
    };
    let name = code(&definition.symbol.qualified);
    match steps.len() <= MAX_IN_SENTENCE {
        true => {
            let mut lead = vec![text("In the order of its lines, "), name, text(" ")];
            lead.extend(in_words(steps));
            teller.notes.list_below(lead, &[whole], entries)
        }
        false => {
            let count = format!(" does {} things in the order of its lines", steps.len());
            let lead = vec![name, text(count)];
            teller.notes.introduce(lead, &[whole], entries)
        }
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
