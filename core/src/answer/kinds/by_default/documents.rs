//! Defaults that documentation states: of a definition, of a parameter, of an option with a section
//! of its own, or of what a section is about.

use std::sync::LazyLock;

use regex::Regex;

use super::wanted::Wanted;
use super::{Claim, Fit};
use crate::answer::Span;
use crate::answer::definition::Definition;
use crate::answer::kinds::listing::{is_in_tests, named, slice};
use crate::answer::kinds::sections::{Section, sections};
use crate::answer::kinds::teller::Teller;
use crate::answer::notes::{DEFINITION, DEFINITION_QUOTED, QUOTED, Source, code, text, words_of};
use crate::answer::prose::{Quote, Sentence, quote, sentences};
use crate::lang::{Symbol, SymbolId, SymbolKind};
use crate::lines::{Line, LineRange};
use crate::parse::shape::Documentation;
use crate::search::steps::is_changelog;

/// Longest documentation that is read, in lines.
const MAX_LINES: u32 = 400;
/// Maximum number of lines that are cited from a definition's name to what is said of it.
const NEAR_LINES: u32 = 40;
/// Maximum number of lines of an option's section in which its default is looked for.
const NEAR: usize = 12;

/// Matches how documentation describes a parameter: `:param str shell:`, `@param {x} shell`,
/// `shell (str):`.
static PARAMETER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^\s*(?::param\s+(?:[^:\n]*\s)?(?P<field>\w+):|@param\s+(?:\{[^}]*\}\s+)?\[?(?P<tag>\w+)|(?P<item>\w+)(?:\s*\([^)]*\))?:(?:\s|$))").ok()
});

/// Matches a state that holds by default.
static STATE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)\b(?P<state>enabled|disabled|on|off)\s+by\s+default\b").ok());

/// Matches a sentence that tells a default.
static TELLS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)(?:^|[^\w.])(?:defaults?\s+(?:value\s+)?(?:is|are|to)\b|default(?:\s+value)?\s*[:=]|by\s+default\b|is\s+the\s+default\b)").ok()
});

/// Returns the defaults that documentation states and that fit the question.
pub(super) fn claims(teller: &Teller<'_, '_>, wanted: &Wanted) -> Vec<Claim> {
    let mut found = Vec::new();
    for file in teller.own_files("") {
        if !teller.file_text(file).contains("efault") {
            continue;
        }
        for (id, symbol) in teller.defined_in(file) {
            let is_text = matches!(symbol.kind, SymbolKind::Section | SymbolKind::Key);
            if !is_text && !is_in_tests(teller, id) {
                found.extend(of_definition(teller, wanted, id, symbol));
            }
        }
    }
    for section in sections(teller.index) {
        if !is_changelog(section.path) {
            found.extend(of_section(teller, wanted, &section));
            found.extend(of_state(teller, wanted, &section));
        }
    }
    found
}

fn tells(sentence: &str) -> bool {
    TELLS.as_ref().is_some_and(|tells| tells.is_match(sentence))
}

fn of_definition(
    teller: &Teller<'_, '_>,
    wanted: &Wanted,
    id: SymbolId,
    symbol: &Symbol,
) -> Vec<Claim> {
    let end = symbol.lines.end().0.min(symbol.lines.start().0 + MAX_LINES);
    let lines = LineRange::new(symbol.lines.start(), Line(end));
    let told = slice(teller, id.file, lines);
    if !told.contains("efault") || !wanted.may_be_in(told) {
        return Vec::new();
    }
    // The syntax of a file is read only if a name in it can fit.
    let (owner, path) = (symbol.qualified.as_str(), teller.path(id.file));
    let by_name = match wanted.may_be_in(&symbol.name) {
        true => wanted.fit(&symbol.name, owner, &format!("{path} {told}"), 2),
        false => None,
    };
    let describes = [":param", "@param", "Args:", "Arguments", "Parameters"];
    let describes = describes.iter().any(|tag| told.contains(tag));
    let may_describe = || wanted.is_mostly_in(&format!("{path} {owner} {told}"));
    if by_name.is_none() && !(describes && may_describe()) {
        return Vec::new();
    }
    let Some(definition) = teller.definition(id) else {
        return Vec::new();
    };
    let Some(documentation) = teller.syntax.shape(&definition).documentation else {
        return Vec::new();
    };
    let mut found: Vec<Claim> = Vec::new();
    found.extend(of_head(teller, wanted, &definition, &documentation));
    for (name, described) in parameters(&documentation.text, documentation.lines.start()) {
        let context = format!("{path} {}", said(&described));
        let at = described.iter().position(|sentence| tells(&sentence.text));
        let told = at.and_then(|at| Some((quote(&described, at)?, described.get(at)?)));
        let fit = wanted.fit(&name, owner, &context, 2);
        if let (Some(fit), Some((quote, sentence))) = (fit, told) {
            let mut lead = vec![code(name), text(" of ")];
            lead.extend(named(teller, id));
            let value = value_of(&sentence.text);
            found.extend(claim(&definition, lead, (quote, value), fit));
        }
    }
    found.retain(|claim| wanted.accepts(&claim.value));
    found
}

/// Reads what documentation says of the definition itself, before it describes parameters.
fn of_head(
    teller: &Teller<'_, '_>,
    wanted: &Wanted,
    definition: &Definition<'_>,
    documentation: &Documentation,
) -> Option<Claim> {
    let symbol = definition.symbol;
    let rows = documentation.text.join("\n");
    let context = format!("{} {rows}", definition.path);
    let fit = wanted.fit(&symbol.name, &symbol.qualified, &context, 2)?;
    let head = documentation.text.iter().map(String::as_str);
    let head: Vec<&str> = head.take_while(|row| parameter(row).is_none()).collect();
    let all = sentences(&head.join("\n"), documentation.lines.start());
    // “This is the default encoder.”
    let is_guess = !wanted.guess.is_empty();
    let states_default = |sentence: &Sentence| {
        tells(&sentence.text) && (!is_guess || sentence.text.contains("is the default"))
    };
    let at = all.iter().position(states_default)?;
    let value = match is_guess {
        true => symbol.name.clone(),
        false => value_of(&all.get(at)?.text),
    };
    let id = SymbolId {
        file: definition.file,
        at: definition.at,
    };
    claim(
        definition,
        named(teller, id),
        (quote(&all, at)?, value),
        fit,
    )
}

fn said(sentences: &[Sentence]) -> String {
    let texts = sentences.iter().map(|sentence| sentence.text.as_str());
    texts.collect::<Vec<_>>().join(" ")
}

/// Whether the text has one of the question's words.
fn mentions(wanted: &Wanted, text: &str) -> bool {
    let lower = text.to_lowercase();
    wanted
        .words
        .iter()
        .any(|word| lower.contains(word.as_str()))
}

fn claim(
    definition: &Definition<'_>,
    mut spans: Vec<Span>,
    (quote, value): (Quote, String),
    fit: Fit,
) -> Option<Claim> {
    let name = definition.symbol.name_line;
    let source = |lines: LineRange, quotes: Vec<String>, why: &str| Source {
        file: definition.file,
        lines,
        quotes,
        why: why.to_owned(),
    };
    let own = vec![definition.symbol.name.clone()];
    let whole = LineRange::new(quote.lines.start().min(name), quote.lines.end().max(name));
    // The name and what is said far from it are cited apart.
    let sources = match whole.count() <= NEAR_LINES {
        true => vec![source(
            whole,
            [own, quote.words()].concat(),
            DEFINITION_QUOTED,
        )],
        false => vec![
            source(LineRange::new(name, name), own, DEFINITION),
            source(quote.lines, quote.words(), QUOTED),
        ],
    };
    spans.push(text(" is documented as "));
    spans.extend(quote.in_quotes());
    Some(Claim::new(fit, value, spans, sources))
}

/// Returns what a sentence says after the word “default”, or the state that it tells.
fn value_of(sentence: &str) -> String {
    if let Some(found) = STATE.as_ref().and_then(|state| state.captures(sentence)) {
        return found["state"].to_lowercase();
    }
    let lower = sentence.to_lowercase();
    let after = lower.find("default").and_then(|at| sentence.get(at + 7..));
    let after = after
        .unwrap_or_default()
        .trim_start_matches(['s', ':', ' ']);
    let after = after.trim_start_matches("is ").trim_start_matches("to ");
    let plain = after.trim_matches(|c: char| c.is_whitespace() || "`*.".contains(c));
    match plain.is_empty() {
        true => sentence.to_owned(),
        false => plain.to_owned(),
    }
}

/// Returns the name of the parameter that a row begins to describe.
fn parameter(row: &str) -> Option<String> {
    let found = PARAMETER.as_ref()?.captures(row)?;
    let name = ["field", "tag", "item"]
        .iter()
        .find_map(|it| found.name(it))?;
    let is_label =
        found.name("item").is_some() && name.as_str().starts_with(|c: char| c.is_uppercase());
    (!is_label).then(|| name.as_str().to_owned())
}

/// Returns the described parameters, each with the sentences about it.
fn parameters(rows: &[String], first: Line) -> Vec<(String, Vec<Sentence>)> {
    let mut found: Vec<(String, usize, Vec<String>)> = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        if let Some(name) = parameter(row) {
            let rest = PARAMETER
                .as_ref()
                .map_or(row.clone(), |tag| tag.replace(row, "").into_owned());
            found.push((name, at, vec![rest.trim_start().to_owned()]));
        } else if row.trim_start().starts_with([':', '@']) {
            found.push((String::new(), at, Vec::new()));
        } else if let Some((.., described)) = found.last_mut() {
            described.push(row.trim_start().to_owned());
        }
    }
    let described = found.into_iter().filter(|(name, ..)| !name.is_empty());
    described
        .map(|(name, at, rows)| {
            let start = Line(first.0 + at as u32);
            (name, sentences(&rows.join("\n"), start))
        })
        .collect()
}

/// Reads the section of an option: its heading names it, and it says “Default: 5”.
fn of_section(teller: &Teller<'_, '_>, wanted: &Wanted, section: &Section<'_>) -> Option<Claim> {
    let name = section.symbol.name.as_str();
    let (body, first) = section.body(teller.index);
    if !body.contains("efault") || !wanted.may_be_in(name) {
        return None;
    }
    let context = format!("{} {body}", section.path);
    let fit = wanted.fit(name.split('(').next()?, "", &context, 3)?;
    let mut rows = body.lines().take(NEAR).enumerate();
    let (at, row) = rows.find(|(_, row)| tells(row))?;
    let all = sentences(row.trim(), Line(first.0 + at as u32));
    let at = all.iter().position(|sentence| tells(&sentence.text))?;
    let value = value_of(row.trim());
    let is_answer = !wanted.is_yes_or_no || wanted.answer(&value).is_some();
    match is_answer {
        true => claim_of_section(section, &quote(&all, at)?, value, fit),
        false => None,
    }
}

/// Reads “it is disabled by default on the server” in a section about what is asked.
fn of_state(teller: &Teller<'_, '_>, wanted: &Wanted, section: &Section<'_>) -> Option<Claim> {
    let (body, first) = section.body(teller.index);
    let asks_state = wanted.is_yes_or_no && wanted.guess.is_empty();
    if !asks_state || !body.contains("by default") && !body.contains("by\ndefault") {
        return None;
    }
    let all = sentences(body, first);
    let told = |sentence: &Sentence| {
        let parts = sentence.text.split([';', ',']);
        let parts = parts.flat_map(|part| part.split(" and "));
        let mut parts = parts.flat_map(|part| part.split(" but "));
        parts.find_map(|part| {
            let state = STATE.as_ref()?.captures(part)?.name("state")?.as_str();
            mentions(wanted, part).then(|| state.to_lowercase())
        })
    };
    let mut numbered = all.iter().enumerate();
    let (at, value) = numbered.find_map(|(at, sentence)| Some((at, told(sentence)?)))?;
    // The sentence speaks of “it”: the section must be about all that is asked.
    let whole = format!("{} {body} {}", section.symbol.name, section.path);
    let fit = wanted.covered(&whole, 3)?;
    claim_of_section(section, &quote(&all, at)?, value, fit)
}

fn claim_of_section(
    section: &Section<'_>,
    quote: &Quote,
    value: String,
    fit: Fit,
) -> Option<Claim> {
    let name = &section.symbol.name;
    let mut quotes = quote.words();
    quotes.extend(words_of(&[text(name)]));
    let mut spans = vec![code(section.path), text(format!(" says under “{name}”: "))];
    spans.extend(quote.in_quotes());
    Some(Claim {
        fit,
        value,
        spans,
        sources: vec![Source {
            file: section.file,
            lines: LineRange::new(section.symbol.name_line, quote.lines.end()),
            quotes,
            why: QUOTED.to_owned(),
        }],
        entries: Vec::new(),
    })
}
