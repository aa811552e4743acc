//! Whether one class inherits from another: a yes with the declarations in between; a no, which is
//! never more than a guess, with what the class inherits from instead.

use super::Kind;
use super::inheritance::{Kin, chain, is_class, last};
use super::listing::named;
use super::subject;
use super::teller::Teller;
use super::wording::Read;
use crate::answer::Span;
use crate::answer::notes::{Source, code, text};
use crate::lang::SymbolId;

macro_rules! verbs {
    () => {
        "extend|extends|inherit|inherits|implement|implements|derive|derives|subclass|subclasses|descend|descends"
    };
}

pub(super) const KIND: Kind = Kind {
    name: "inherits",
    wordings: &[
        "is|are X a|an? direct? subclass|child|child_class|descendant|kind|subtype|implementation of Y",
        "is|are X derived|inherited|descended|extended from Y",
        concat!("does|do X directly? ", verbs!(), " from? Y"),
        concat!("X ", verbs!(), " from? Y"),
        concat!("does|do X ", verbs!(), " from? Y like|as|or|and ANY"),
        concat!("X ", verbs!(), " from? Y like|as ANY"),
    ],
    state,
};

/// Maximum number of classes with one name that are answered about.
const MOST: usize = 3;

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let Some(base) = &read.y else {
        return false;
    };
    let (own, bases) = (classes(teller, &read.x), classes(teller, base));
    let name = subject::bare(base).0;
    let is_word = name.is_empty() || name.contains(char::is_whitespace);
    if is_word || own.is_empty() || own.len() > MOST {
        return false;
    }
    let is_base = |kin: &Kin| match (kin.id, bases.is_empty()) {
        (Some(id), false) => bases.contains(&id),
        (None, true) => last(&kin.entry.name) == last(&name),
        _ => false,
    };
    let found: Vec<(SymbolId, Vec<Kin>, Vec<Kin>)> = own
        .iter()
        .filter(|class| !bases.contains(class))
        .map(|class| {
            let (steps, all) = chain(teller, *class, &is_base);
            (*class, steps, all)
        })
        .collect();
    let is_yes = found.iter().any(|(_, steps, _)| !steps.is_empty());
    // Of classes with one name, some may inherit from it and others not.
    if found.iter().any(|(_, steps, _)| steps.is_empty() == is_yes) {
        return false;
    }
    // What an outside class inherits from is not known, nor which class an unresolved name means. A
    // trait of a library brings no other trait with it.
    let is_open = |all: &[Kin]| {
        let mut outside = all
            .iter()
            .filter(|kin| kin.id.is_none() && !kin.is_implemented());
        outside.any(|kin| bases.is_empty() || last(&kin.entry.name) == last(&name))
    };
    let said = found.into_iter().map(|(class, steps, all)| match is_yes {
        true => yes(teller, class, &steps),
        false => !is_open(&all) && no(teller, class, &name, &all),
    });
    said.filter(|said| *said).count() > 0
}

fn classes(teller: &Teller<'_, '_>, words: &str) -> Vec<SymbolId> {
    let (ids, _) = teller.symbols(words).unwrap_or_default();
    let is_class = |id: &SymbolId| teller.index.symbol(*id).is_some_and(is_class);
    ids.into_iter().filter(is_class).collect()
}

fn yes(teller: &mut Teller<'_, '_>, class: SymbolId, steps: &[Kin]) -> bool {
    let mut spans = vec![text("Yes. ")];
    spans.extend(named(teller, class));
    for (at, step) in steps.iter().enumerate() {
        let verb = match step.is_implemented() {
            true => " implements ",
            false => " inherits from ",
        };
        let joint = if at == 0 { "" } else { ", which" };
        spans.push(text(format!("{joint}{verb}")));
        spans.push(code(last(&step.entry.name)));
    }
    let sources: Vec<Source> = steps.iter().map(|it| it.entry.source.clone()).collect();
    teller.say(spans, &sources)
}

fn no(teller: &mut Teller<'_, '_>, class: SymbolId, name: &str, all: &[Kin]) -> bool {
    let mut spans: Vec<Span> = vec![text("No. ")];
    spans.extend(named(teller, class));
    let direct: Vec<&Kin> = all.iter().filter(|kin| kin.through.is_none()).collect();
    // A base can be computed, or be mixed in elsewhere.
    if direct.is_empty() {
        return false;
    }
    teller.is_guess = true;
    for (at, kin) in direct.iter().enumerate() {
        spans.push(text(match at {
            0 if kin.is_implemented() => " implements ",
            0 => " inherits from ",
            _ if at + 1 == direct.len() => " and ",
            _ => ", ",
        }));
        spans.push(code(last(&kin.entry.name)));
    }
    spans.extend([
        text(", and no declaration leads from there to "),
        code(name),
    ]);
    let sources: Vec<Source> = all.iter().map(|kin| kin.entry.source.clone()).collect();
    teller.say(spans, &sources)
}

#[cfg(test)]
mod tests {
    use crate::answer::tests::says;
    use crate::index::tests::index;

    #[test]
    fn derived_and_implemented_traits_are_told_from_bases() {
        let code = "pub trait Backoff {}\n\n#[derive(Debug, Clone)]\npub struct Zero {}\n\nimpl Backoff for \
                    Zero {}\n\n#[derive(Debug)]\npub struct Stop {}\n\nimpl Backoff for Stop {}\n";
        let index = index(&[("src/lib.rs", code)]);
        says(
            &index,
            &[
                (
                    "does Zero implement Backoff?",
                    "Yes. `Zero` in `src/lib.rs` implements `Backoff`.",
                ),
                (
                    "does Zero implement Clone?",
                    "Yes. `Zero` in `src/lib.rs` implements `Clone`.",
                ),
                (
                    "does Stop implement Clone?",
                    "No. `Stop` in `src/lib.rs` implements ",
                ),
            ],
        );
    }
}
