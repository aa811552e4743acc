//! What a statement attributes to its citations; the rule is in the [module documentation](super).

use std::ops::Range;

use super::names::{Certainty, path};
use super::scan::{Atom, AtomKind};
use super::vocabulary::{
    COMPANY_CUES, CONTEXT_CUES, LITERALS, OWNERS, PRODUCTS, VALUE_CUES, VALUE_NOUNS,
};

/// Something that a statement says about the lines it cites.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Item {
    /// As the statement writes it.
    pub shown: String,
    /// Its bytes in the text.
    pub at: Range<usize>,
    pub need: Need,
    /// Names that must occur somewhere in the repository: owners, arguments.
    pub known: Vec<String>,
    /// Whether the words before it say that it is defined elsewhere.
    pub is_context: bool,
    /// Whether it may not be a name: then it counts only if the repository knows it.
    pub is_doubtful: bool,
}

/// What the lines must hold.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Need {
    /// Each of these words, or all of this text.
    Words {
        words: Vec<String>,
        verbatim: String,
    },
    /// A file with this name.
    File(String),
    /// These pieces of text, one after another.
    Quote(Vec<String>),
    Number(f64),
}

/// Returns everything attributed in `at` of `text`, in order; `atoms` are those of the range.
pub(crate) fn items(text: &str, at: Range<usize>, atoms: &[Atom]) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut from = at.start;
    for atom in atoms {
        prose_items(text, from..atom.at.start, at.start, &mut items);
        from = atom.at.end;
        let found = match &atom.kind {
            AtomKind::Code(inside) => code_item(slice(text, inside.clone())),
            AtomKind::Quote(inside) => quote_item(slice(text, inside.clone())),
            AtomKind::Claims(_) | AtomKind::Address => None,
        };
        if let Some(item) = found {
            push(
                text,
                at.start,
                Item {
                    at: atom.at.clone(),
                    ..item
                },
                &mut items,
            );
        }
    }
    prose_items(text, from..at.end, at.start, &mut items);
    items
}

fn slice(text: &str, at: Range<usize>) -> &str {
    text.get(at).unwrap_or_default()
}

/// Adds an item, after checking the words before it.
fn push(text: &str, statement: usize, mut item: Item, items: &mut Vec<Item>) {
    let before = slice(text, statement..item.at.start);
    let words = last_words(before);
    let cue = CONTEXT_CUES
        .iter()
        .any(|cue| words == *cue || words.ends_with(&format!(" {cue}")));
    let goes_on = items.last().is_some_and(|last| {
        let between = slice(text, last.at.end..item.at.start);
        last.is_context && matches!(between.trim_matches([' ', ',', '*']), "" | "and" | "or")
    });
    item.is_context = matches!(item.need, Need::Words { .. } | Need::File(_)) && (cue || goes_on);
    items.push(item);
}

/// Returns the last words in lower case, without punctuation and articles.
fn last_words(text: &str) -> String {
    let words = text
        .split_whitespace()
        .rev()
        .map(|word| word.trim_matches(['*', '_', '`', '(', ',', '\u{2014}']));
    let mut words: Vec<String> = words
        .filter(|word| !word.is_empty() && !COMPANY_CUES.contains(&word.to_lowercase().as_str()))
        .take(3)
        .map(str::to_lowercase)
        .collect();
    words.reverse();
    words.join(" ")
}

fn item(shown: &str, need: Need, known: Vec<String>) -> Item {
    Item {
        shown: shown.to_owned(),
        at: 0..0,
        need,
        known,
        is_context: false,
        is_doubtful: false,
    }
}

/// Returns what inline code attributes; `None` for literals and symbols.
fn code_item(code: &str) -> Option<Item> {
    let code = code.trim();
    if let Some(value) = number(code) {
        return (value > 1.0).then(|| item(code, Need::Number(value), Vec::new()));
    }
    if let Some((path, Certainty::File)) = path(code)
        && !code.contains(['(', '=', ' '])
    {
        return Some(item(code, Need::File(path), Vec::new()));
    }
    let mut words: Vec<String> = Vec::new();
    let mut known: Vec<String> = Vec::new();
    match callee(code) {
        Some((names, arguments)) => {
            let (last, owners) = names.split_last()?;
            if is_word(last) {
                words.push((*last).to_owned());
            }
            known.extend(
                owners
                    .iter()
                    .copied()
                    .filter(|owner| is_word(owner))
                    .map(str::to_owned),
            );
            // Strings among the arguments are examples.
            let arguments = without_texts(arguments);
            known.extend(names_in(&arguments).map(str::to_owned));
        }
        None => words.extend(names_in(code).map(str::to_owned)),
    }
    let verbatim = squeezed(code);
    let is_sign = !code.contains(char::is_alphanumeric);
    if is_sign || words.is_empty() && known.is_empty() && !code.starts_with('-') {
        return None;
    }
    Some(item(code, Need::Words { words, verbatim }, known))
}

/// Splits a call: `a`, `b` and the arguments of `a.b(arguments)`; `None` if the code is more than
/// one name.
fn callee(code: &str) -> Option<(Vec<&str>, &str)> {
    let code = code.trim_start_matches(['@', '$', '&', '*', '.', '#']);
    let end = code.find('(').unwrap_or(code.len());
    let (name, rest) = code.split_at_checked(end)?;
    let arguments = match rest.is_empty() {
        true => "",
        false => rest
            .strip_prefix('(')?
            .trim_end_matches([';', '?', '!'])
            .strip_suffix(')')?,
    };
    let is_name =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '#' | '>' | '!' | '?' | '$');
    let name = name.trim_end_matches(['!', '?']);
    if name.is_empty()
        || !name.chars().all(|c| is_name(c) || c == '-')
        || name.contains('-') && !name.contains("->")
    {
        return None;
    }
    let names: Vec<&str> = name
        .split(['.', ':', '#', '>', '-'])
        .filter(|part| !part.is_empty())
        .collect();
    (!names.is_empty() && !arguments.contains(")(")).then_some((names, arguments))
}

/// Returns code without what stands in quotation marks.
fn without_texts(code: &str) -> String {
    let mut out = String::new();
    let mut open = None;
    for character in code.chars() {
        match open {
            Some(mark) if character == mark => open = None,
            Some(_) => {}
            None if matches!(character, '"' | '\'') => open = Some(character),
            None => out.push(character),
        }
    }
    out
}

/// Returns the names in a snippet: its words without literals and keywords, and without those in
/// longer strings.
fn names_in(code: &str) -> impl Iterator<Item = &str> {
    let mut parts = Vec::new();
    let mut rest = code;
    while let Some(start) = rest.find(['"', '\'']) {
        let quote = rest.get(start..=start).unwrap_or("\"");
        let (before, opened) = rest.split_at_checked(start).unwrap_or((rest, ""));
        let inside = opened.get(1..).unwrap_or_default();
        parts.push(before);
        let Some(end) = inside.find(quote) else {
            rest = inside;
            continue;
        };
        let literal = inside.get(..end).unwrap_or_default();
        if !literal.trim().contains(' ') {
            parts.push(literal);
        }
        rest = inside.get(end + 1..).unwrap_or_default();
    }
    parts.push(rest);
    parts
        .into_iter()
        .flat_map(|part| part.split(|c: char| !(c.is_alphanumeric() || c == '_')))
        .filter(|word| is_word(word) && word.chars().count() > 1)
}

/// Whether a word names something: it is not a number, a literal or a keyword.
fn is_word(word: &str) -> bool {
    !word.is_empty()
        && !word.starts_with(|c: char| c.is_ascii_digit())
        && word.contains(char::is_alphanumeric)
        && LITERALS.binary_search(&word).is_err()
}

/// A quotation of more than two words.
fn quote_item(quote: &str) -> Option<Item> {
    if quote.split_whitespace().count() <= 2 {
        return None;
    }
    let pieces: Vec<String> = quote
        .replace("...", "…")
        .split('…')
        .map(|piece| {
            squeezed_text(piece)
                .trim_matches(['.', ',', ';', ':', ' ', '[', ']'])
                .to_owned()
        })
        .filter(|piece| piece.chars().filter(|c| c.is_alphanumeric()).count() > 2)
        .collect();
    (!pieces.is_empty()).then(|| item(quote, Need::Quote(pieces), Vec::new()))
}

/// Adds words outside code that can only be names, and numbers given as values.
fn prose_items(text: &str, at: Range<usize>, statement: usize, items: &mut Vec<Item>) {
    let gap = slice(text, at.clone());
    let mut from = 0;
    for run in
        gap.split_inclusive(|c: char| c.is_whitespace() || matches!(c, '/' | ',' | '—' | '–' | '|'))
    {
        let start = at.start + from;
        from += run.len();
        let trimmed = run
            .trim_matches(|c: char| c.is_whitespace() || ".,;:!?*\"'“”‘’|/[]{}<>—–…".contains(c));
        let trimmed = trimmed
            .strip_suffix("'s")
            .or_else(|| trimmed.strip_suffix("’s"))
            .unwrap_or(trimmed);
        let skipped = run.find(trimmed).unwrap_or(0);
        let place = start + skipped..start + skipped + trimmed.len();
        let found = prose_name(trimmed)
            .or_else(|| prose_value(slice(text, statement..place.start), trimmed));
        if let Some(item) = found {
            push(text, statement, Item { at: place, ..item }, items);
        }
    }
}

pub(super) fn prose_name(word: &str) -> Option<Item> {
    let (name, is_call) = match word.split_once("()") {
        Some((name, "")) => (name.trim_start_matches('('), true),
        _ => (word.trim_matches(['(', ')']), false),
    };
    if let Some((path, Certainty::File)) = path(name)
        && name.contains('.')
    {
        return Some(item(word, Need::File(path), Vec::new()));
    }
    let emphasised = name
        .strip_prefix('_')
        .and_then(|name| name.strip_suffix('_'));
    let name = emphasised
        .filter(|inner| !inner.contains('_'))
        .unwrap_or(name);
    let parts: Vec<&str> = name
        .split(['.', '#'])
        .flat_map(|part| part.split("::"))
        .collect();
    let is_identifier = |part: &&str| {
        part.chars().all(|c| c.is_alphanumeric() || c == '_')
            && part.starts_with(|c: char| c.is_alphabetic() || c == '_')
    };
    let (last, owners) = parts.split_last()?;
    if !parts.iter().all(is_identifier) || !is_word(last) {
        return hyphenated(word);
    }
    let is_dotted = !owners.is_empty() && parts.iter().all(|part| part.len() > 1);
    let is_named =
        is_call || last.trim_matches('_').contains('_') || last.starts_with('_') || is_camel(last);
    if !is_named && !is_dotted || PRODUCTS.contains(&last.to_lowercase().as_str()) {
        return None;
    }
    let known = owners
        .iter()
        .filter(|owner| is_word(owner) && is_named)
        .map(|owner| (*owner).to_owned());
    let need = Need::Words {
        words: vec![(*last).to_owned()],
        verbatim: name.to_owned(),
    };
    let mut found = item(word, need, known.collect());
    found.is_doubtful = !is_named;
    Some(found)
}

/// Finds the part of a hyphenated word that is a name: `PreparedRequest-like`.
fn hyphenated(word: &str) -> Option<Item> {
    let part = word
        .split('-')
        .find(|part| part.len() < word.len() && is_camel(part))?;
    prose_name(part)
}

/// Whether a word is in camel case: `PreparedRequest`, `getUrl`, `HTTPAdapter`. It has a capital
/// after a small letter, or a capital before a small letter inside the word.
fn is_camel(word: &str) -> bool {
    let letters: Vec<char> = word.chars().collect();
    let inner = letters
        .windows(2)
        .any(|pair| matches!(pair, [a, b] if a.is_lowercase() && b.is_uppercase()));
    let acronym = letters.windows(3).any(|three| {
        matches!(three, [a, b, c] if a.is_uppercase() && b.is_uppercase() && c.is_lowercase())
    });
    // The plural of an acronym, `URLs`, is not.
    let is_plural = word
        .strip_suffix('s')
        .is_some_and(|rest| rest.chars().all(|c| c.is_uppercase()));
    (inner || acronym) && !is_plural && letters.iter().all(|c| c.is_alphanumeric() || *c == '_')
}

/// Returns a number given as a value, which the word before it shows.
fn prose_value(before: &str, word: &str) -> Option<Item> {
    let digits = word.trim_start_matches(['(', '$', '~']);
    let end = digits
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '_')))
        .unwrap_or(digits.len());
    let (digits, unit) = digits.split_at_checked(end)?;
    let is_unit = unit.chars().count() <= 3
        && unit
            .chars()
            .all(|c| c.is_alphabetic() || matches!(c, '%' | ')'));
    let value = number(digits.trim_end_matches('.')).filter(|value| *value > 1.0 && is_unit)?;
    let mut words = before.split_whitespace().rev().map(|word| {
        word.trim_matches(|c: char| !c.is_alphanumeric() && c != '=')
            .to_lowercase()
    });
    let (last, second) = (words.next()?, words.next().unwrap_or_default());
    let is_value = VALUE_CUES.contains(&last.as_str())
        || last == "of" && VALUE_NOUNS.contains(&second.as_str())
        || last == "to" && second != "from";
    is_value.then(|| item(digits, Need::Number(value), Vec::new()))
}

/// Returns the value of a number as code writes it.
pub(super) fn number(text: &str) -> Option<f64> {
    let plain = text.replace('_', "");
    let is_number = plain.starts_with(|c: char| c.is_ascii_digit())
        && plain.chars().all(|c| c.is_ascii_digit() || c == '.')
        && plain.matches('.').count() <= 1;
    if is_number { plain.parse().ok() } else { None }
}

/// Removes all white space: how snippets are compared.
pub(super) fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Returns text in lower case, with one space between words, without comment and Markdown marks,
/// and with plain quotation marks: how quotations are compared.
pub(super) fn squeezed_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let line = line
            .trim()
            .trim_start_matches(['#', '/', '*', '>', ';', '!', '-', ' ']);
        for word in line.split_whitespace() {
            if !out.is_empty() {
                out.push(' ');
            }
            for character in word.chars() {
                match character {
                    '`' | '*' | '\\' => {}
                    '‘' | '’' => out.push('\''),
                    '“' | '”' => out.push('"'),
                    other => out.extend(other.to_lowercase()),
                }
            }
        }
    }
    out
}

/// Whether an owner says nothing: `self`, `this`.
pub(super) fn is_owner(word: &str) -> bool {
    OWNERS.contains(&word)
}
