//! The smallest or largest value that something takes, as its documentation says.

use super::Kind;
use super::listing::named;
use super::lookup::definitions;
use super::teller::Teller;
use super::wording::Read;
use crate::answer::notes::{DEFINITION_QUOTED, QUOTED, Source, text};
use crate::answer::prose::{quote, sentences};
use crate::lang::SymbolId;

/// Words for bounds.
macro_rules! bounds {
    () => {
        "@smallest|minimum|minimal|min|lowest|least|shortest|largest|maximum|maximal|max|biggest|highest|greatest|longest"
    };
}

/// What has bounds.
macro_rules! things {
    () => {
        "value|values|size|number|length|amount|setting"
    };
}

pub(super) const KIND: Kind = Kind {
    name: "bounds",
    wordings: &[
        concat!(
            "ASK? ",
            bounds!(),
            " allowed|valid|possible? ",
            things!(),
            "? that|which? X accepts|allows|takes|supports|permits|can_have|can_be|may_be|may_have|can_take"
        ),
        concat!(
            "ASK? ",
            bounds!(),
            " allowed|valid|possible? ",
            things!(),
            " allowed|accepted? of|for|in|by X"
        ),
        "how @small|low|short|large|big|high|long can|may X be|get",
    ],
    state,
};

/// Words of sentences that give the lower bound, and the upper one.
const LOWER: [&str; 7] = [
    "minimum", "minimal", "smallest", "least", "lowest", "shortest", "min",
];
const UPPER: [&str; 9] = [
    "maximum", "maximal", "largest", "most", "highest", "biggest", "greatest", "longest", "max",
];

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let is_low = LOWER.contains(&read.word.as_str())
        || matches!(read.word.as_str(), "small" | "low" | "short");
    let words: &[&str] = if is_low { &LOWER } else { &UPPER };
    let found = definitions(teller, &read.x);
    let said = found.into_iter().map(|id| of_definition(teller, id, words));
    said.take(4).filter(|said| *said).count() > 0
}

fn of_definition(teller: &mut Teller<'_, '_>, id: SymbolId, words: &[&str]) -> bool {
    let Some(definition) = teller.definition(id) else {
        return false;
    };
    let Some(documentation) = teller.syntax.shape(&definition).documentation else {
        return false;
    };
    let all = sentences(&documentation.text.join("\n"), documentation.lines.start());
    let gives = |sentence: &str| {
        let lower = sentence.to_lowercase();
        let mut parts = lower.split(|c: char| !c.is_alphanumeric());
        let has_number = sentence.contains(|c: char| c.is_ascii_digit());
        has_number && parts.any(|part| words.contains(&part))
    };
    let at = all.iter().position(|sentence| gives(&sentence.text));
    let Some(quote) = at.and_then(|at| quote(&all, at)) else {
        return false;
    };
    let near = Source {
        file: id.file,
        lines: quote.lines,
        quotes: quote.words(),
        why: QUOTED.to_owned(),
    };
    let source = match teller.notes.check(&near) {
        Some(_) => Some(near),
        None => definition.source(teller.notes, &quote.words(), DEFINITION_QUOTED),
    };
    let mut spans = named(teller, id);
    spans.push(text(" is documented as "));
    spans.extend(quote.in_quotes());
    source.is_some_and(|source| teller.say(spans, &[source]))
}
