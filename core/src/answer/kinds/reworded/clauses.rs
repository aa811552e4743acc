//! The parts of a question that can be asked alone.

use super::super::teller::Teller;
use super::names::{self, Name};

/// Shortest part that is read, in words.
const SHORTEST: usize = 3;

/// Returns the question, and then the parts that ask: the last one, to which the others often only
/// lead up, and those before a question mark. “Which translations are there, list the files in
/// locales”, “I want to change `f`, who calls it”.
pub(super) fn of(teller: &Teller<'_, '_>) -> Vec<String> {
    let question = teller.question.text();
    let mut parts = split(question);
    let last = parts.pop().map(|(part, _)| part);
    let asked = parts.into_iter().filter(|(_, end)| *end == '?');
    let asked = last.into_iter().chain(asked.map(|(part, _)| part));
    let asked: Vec<&str> = asked
        .filter(|part| part.len() < question.trim_end_matches('?').len())
        .filter(|part| part.split_whitespace().count() >= SHORTEST)
        .collect();
    let mut clauses = vec![question.to_owned()];
    if !asked.is_empty() {
        let names = names::find(teller, &names::words(question));
        clauses.extend(asked.iter().map(|part| with_name(part, &names)));
    }
    clauses
}

/// Splits text behind its commas, colons, semicolons and question marks, and before brackets;
/// returns each part with the sign behind it.
fn split(text: &str) -> Vec<(&str, char)> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut before = ' ';
    for (at, sign) in text.char_indices() {
        let end = at + sign.len_utf8();
        let next = text.get(end..).and_then(|rest| rest.chars().next());
        let is_end = match sign {
            '(' => before.is_whitespace(),
            ',' | ':' | ';' | '?' => next.is_none_or(char::is_whitespace),
            _ => false,
        };
        if is_end {
            parts.push((part(text, start, at), sign));
            start = end;
        }
        before = sign;
    }
    parts.push((part(text, start, text.len()), ' '));
    parts.retain(|(part, _)| !part.is_empty());
    parts
}

fn part(text: &str, start: usize, end: usize) -> &str {
    let part = text.get(start..end).unwrap_or_default().trim();
    match part.contains('(') {
        true => part,
        false => part.trim_end_matches(')'),
    }
}

/// Puts the only name that a clause does not have itself in the place of “it”.
fn with_name(clause: &str, names: &[Name]) -> String {
    let mut others = names
        .iter()
        .filter(|name| !clause.contains(name.text.as_str()));
    let (Some(only), None) = (others.next(), others.next()) else {
        return clause.to_owned();
    };
    let words = clause.split_whitespace().map(|word| match word {
        "it" | "them" => only.text.as_str(),
        word => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_split_where_its_parts_end() {
        for (text, parts) in [
            (
                "what is left, list the files in x",
                vec!["what is left", "list the files in x"],
            ),
            (
                "which limits are there (subclasses of A)?",
                vec!["which limits are there", "subclasses of A"],
            ),
            (
                "if I change f what breaks? who uses it",
                vec!["if I change f what breaks", "who uses it"],
            ),
        ] {
            let found: Vec<&str> = split(text).into_iter().map(|(part, _)| part).collect();
            assert_eq!(found, parts, "{text}");
        }
    }
}
