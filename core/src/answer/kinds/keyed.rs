//! Values that have no definition of their own: an entry of a table, and what a function without
//! conditions returns.

use regex::Regex;

use super::listing::{MAX_VALUE, is_in_tests, named, one_line, with_value};
use super::teller::Teller;
use crate::answer::notes::{Source, code, text};
use crate::index::tokens::name_parts;
use crate::lang::{Symbol, SymbolId, SymbolKind};
use crate::lines::LineRange;
use crate::parse::shape::When;
use crate::search::stem::stem;

/// Maximum number of tables with such an entry.
const MOST: usize = 4;

/// States an entry of a table: `warn` of `LEVELS` for “the warn level”.
pub(super) fn of_entry(teller: &mut Teller<'_, '_>, words: &str) -> bool {
    let words = words.replace(['`', '"', '\'', '’'], "");
    let all: Vec<&str> = words
        .split_whitespace()
        .filter(|word| *word != "the")
        .collect();
    let (Some((first, rest)), true) = (all.split_first(), (2..=4).contains(&all.len())) else {
        return false;
    };
    // “the warn level”, “the level of warn”
    let split = match rest.iter().position(|word| matches!(*word, "of" | "for")) {
        Some(0) | None => Some((*first, rest.to_vec())),
        Some(at) => {
            let table = all.get(..=at).unwrap_or_default().to_vec();
            rest.get(at + 1).map(|key| (*key, table))
        }
    };
    let Some((key, table)) = split.filter(|(key, _)| key.len() > 1) else {
        return false;
    };
    let table: Vec<String> = table.iter().flat_map(|word| name_parts(word)).collect();
    let table: Vec<String> = table.iter().map(|part| stem(part)).collect();
    let sets = format!(
        r#"(?m)(?:^|[\s{{,(\["'])(?P<entry>{}["'\])]*\s*(?::|=>?)\s*(?P<value>[^,\n{{}}\[\]]+?))\s*(?:[,}}\]]|$)"#,
        regex::escape(key)
    );
    let Ok(sets) = Regex::new(&sets) else {
        return false;
    };
    let found = tables(teller, &table).into_iter();
    let said = found.map(|id| say_entry(teller, id, key, &sets));
    said.filter(|said| *said).take(MOST).count() > 0
}

/// Returns the constants of the project's own code whose names have all these words.
fn tables(teller: &Teller<'_, '_>, words: &[String]) -> Vec<SymbolId> {
    let fits = |symbol: &Symbol| {
        let parts: Vec<String> = name_parts(&symbol.name).iter().map(|it| stem(it)).collect();
        let is_value = matches!(symbol.kind, SymbolKind::Constant | SymbolKind::Variable);
        is_value && !words.is_empty() && words.iter().all(|word| parts.contains(word))
    };
    let own = teller.own_files("").into_iter();
    let all = own.flat_map(|file| teller.defined_in(file));
    let found = all.filter(|(id, symbol)| fits(symbol) && !is_in_tests(teller, *id));
    found.map(|(id, _)| id).collect()
}

fn say_entry(teller: &mut Teller<'_, '_>, id: SymbolId, key: &str, sets: &Regex) -> bool {
    let Some((table, source)) = with_value(teller, id) else {
        return false;
    };
    let Some(found) = sets.captures(&table) else {
        return false;
    };
    let (Some(entry), Some(value)) = (found.name("entry"), found.name("value")) else {
        return false;
    };
    let begins = |c: char| c.is_ascii_digit() || "\"'-".contains(c);
    let is_word = matches!(
        value.as_str(),
        "true" | "false" | "True" | "False" | "null" | "None"
    );
    if !value.as_str().starts_with(begins) && !is_word {
        return false;
    }
    let source = Source {
        quotes: [
            source.quotes.first().cloned().unwrap_or_default(),
            entry.as_str().to_owned(),
        ]
        .to_vec(),
        ..source
    };
    let mut spans = named(teller, id);
    let shown = one_line(value.as_str(), MAX_VALUE);
    spans.extend([text(" sets "), code(key), text(" to "), code(shown)]);
    teller.say(spans, &[source])
}

/// States what a function returns if it does nothing else and always returns the same.
pub(super) fn of_returned(teller: &mut Teller<'_, '_>, found: &[SymbolId]) -> bool {
    let said = found.iter().map(|id| say_returned(teller, *id));
    said.filter(|said| *said).take(MOST).count() > 0
}

fn say_returned(teller: &mut Teller<'_, '_>, id: SymbolId) -> bool {
    let Some(definition) = teller.definition(id) else {
        return false;
    };
    let is_function = matches!(
        definition.symbol.kind,
        SymbolKind::Function | SymbolKind::Method
    );
    let shape = teller.syntax.shape(&definition);
    let ([exit], true) = (shape.returned.as_slice(), is_function && shape.is_only_exit) else {
        return false;
    };
    let value = exit.value.text.as_str();
    let is_literal = value.contains(|c: char| c.is_ascii_digit() || c == '"' || c == '\'');
    if exit.when != When::Always || !is_literal || value.contains('`') {
        return false;
    }
    let mut spans = named(teller, id);
    spans.extend([text(" returns "), code(one_line(value, MAX_VALUE))]);
    let last =
        crate::lines::Line(exit.value.line.0 + value.lines().count().saturating_sub(1) as u32);
    let source = Source {
        file: id.file,
        lines: LineRange::new(definition.symbol.name_line.min(exit.value.line), last),
        quotes: vec![definition.symbol.name.clone(), value.to_owned()],
        why: "returned value".to_owned(),
    };
    teller.say(spans, &[source])
}
