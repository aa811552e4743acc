//! Documentation sentences → parts of English sentences. Nothing is invented: words are the
//! documentation's own, only the verb's ending and the first capital change so that the name of the
//! symbol can be the subject.

mod markup;
mod verbs;

use super::Span;

pub(crate) use markup::{code_list, spans};
use verbs::{is_base, third_person, with_s};

/// How a documentation sentence continues a sentence that starts with the symbol's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Clause {
    /// `receives a Response`
    Verb(Vec<Span>),
    /// `a user-created Request object`: follows `is`.
    Noun(Vec<Span>),
    /// Anything else: can only be quoted.
    Quote(Vec<Span>),
}

/// Reads a documentation sentence.
pub(crate) fn clause(doc: &str) -> Clause {
    let sentence = doc.trim().trim_end_matches(['.', ':', ' ']);
    let sentence = after_this(sentence);
    let (first, rest) = split_word(sentence);
    let lower = first.to_lowercase();
    let (second, after_second) = split_word(rest);
    if let Some(verb) = third_person(&lower) {
        return Clause::Verb(spans(&format!("{verb}{}", conjugated_rest(first, rest))));
    }
    if lower.len() > 3
        && lower.ends_with("ly")
        && let Some(verb) = third_person(&second.to_lowercase())
    {
        return Clause::Verb(spans(&format!("{lower} {verb} {after_second}")));
    }
    let has_article = |word: &str| {
        matches!(
            word.to_lowercase().as_str(),
            "a" | "an" | "the" | "any" | "all" | "each" | "this"
        )
    };
    let is_plain = first.chars().all(char::is_alphabetic);
    if is_plain
        && lower.ends_with('s')
        && !lower.ends_with("ss")
        && has_article(second)
        && !has_article(first)
    {
        return Clause::Verb(spans(&format!("{lower} {rest}")));
    }
    if matches!(lower.as_str(), "a" | "an" | "the")
        && first.chars().skip(1).all(char::is_lowercase)
        && !has_main_verb(rest)
    {
        return Clause::Noun(spans(&format!("{lower} {rest}")));
    }
    Clause::Quote(spans(sentence))
}

/// `This class represents …`, `This method will …` → from the verb on, if it is one.
fn after_this(sentence: &str) -> &str {
    let (first, rest) = split_word(sentence);
    if !first.eq_ignore_ascii_case("this") {
        return sentence;
    }
    let (noun, rest) = split_word(rest);
    let (verb, _) = split_word(rest);
    let is_known = matches!(
        noun,
        "class"
            | "function"
            | "method"
            | "module"
            | "type"
            | "struct"
            | "trait"
            | "interface"
            | "macro"
            | "helper"
    );
    let is_verb = verb.ends_with('s') && third_person(verb).is_some();
    if is_known && is_verb { rest } else { sentence }
}

/// Whether a phrase is a whole sentence of its own: it has a verb before any relative pronoun. In
/// doubt it does, as a quotation is never wrong.
fn has_main_verb(rest: &str) -> bool {
    const AUXILIARIES: [&str; 18] = [
        "is", "are", "was", "were", "will", "would", "can", "could", "must", "should", "has",
        "have", "had", "may", "might", "does", "did", "cannot",
    ];
    const BEFORE_NOUNS: [&str; 22] = [
        "of", "for", "with", "to", "in", "on", "by", "from", "and", "or", "the", "a", "an", "all",
        "any", "between", "into", "as", "per", "no", "some", "multiple",
    ];
    let words: Vec<&str> = rest.split_whitespace().collect();
    for (at, word) in words.iter().enumerate() {
        let word = word.trim_end_matches([',', ';']);
        if matches!(word, "that" | "which" | "who" | "where" | "whose" | "when") {
            return false;
        }
        if AUXILIARIES.contains(&word) || (at > 0 && word.len() > 4 && word.ends_with("ed")) {
            return true;
        }
        let before = at
            .checked_sub(1)
            .and_then(|before| words.get(before))
            .copied()
            .unwrap_or("the");
        let is_last = at + 1 == words.len();
        let could_be_verb = word.ends_with('s') && third_person(word).is_some();
        if could_be_verb && !is_last && !BEFORE_NOUNS.contains(&before) {
            return true;
        }
    }
    false
}

/// The rest of the sentence after its first verb; further verbs, as in `Create and return` or `Check
/// it and merge it`, get the same ending.
fn conjugated_rest(first: &str, rest: &str) -> String {
    if !is_base(&first.to_lowercase()) {
        return if rest.is_empty() {
            String::new()
        } else {
            format!(" {rest}")
        };
    }
    let words: Vec<&str> = rest.split_whitespace().collect();
    let mut out = String::new();
    for (at, word) in words.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        let next = words.get(at + 1).copied().unwrap_or_default();
        let follows_and = before.is_some_and(|before| matches!(*before, "and" | "or" | "then"));
        let has_object = at == 1
            || matches!(
                next,
                "it" | "the" | "a" | "an" | "them" | "its" | "this" | "any" | "all"
            );
        let is_verb = is_base(word);
        out.push(' ');
        match follows_and && has_object && is_verb {
            true => out.push_str(&with_s(word)),
            false => out.push_str(word),
        }
    }
    out
}

fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    match text.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim_start()),
        None => (text, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn plain(spans: &[Span]) -> String {
        crate::answer::Statement {
            spans: spans.to_vec(),
            footnotes: Vec::new(),
        }
        .plain()
    }

    #[test]
    fn sentences_that_start_with_a_verb_follow_a_name() {
        for (doc, clause_) in [
            ("Receives a Response. ", "receives a Response"),
            ("Return the best match.", "returns the best match"),
            (
                "Create and return a session",
                "creates and returns a session",
            ),
            ("Try all, then fail", "tries all, then fail"),
            ("Recursively walk the tree.", "recursively walks the tree"),
            ("Munges the URL", "munges the URL"),
            ("Process it", "processes it"),
            ("Do it", "does it"),
            ("This class represents a path.", "represents a path"),
            (
                "Send :class:`Request <requests.Request>` objects",
                "sends `Request` objects",
            ),
            (
                "Parses ``a.b`` and [links](http://x).",
                "parses `a.b` and links",
            ),
        ] {
            match clause(doc) {
                Clause::Verb(spans) => assert_eq!(plain(&spans), clause_, "{doc}"),
                other => panic!("{doc}: {other:?}"),
            }
        }
    }

    #[test]
    fn noun_phrases_follow_is_and_whole_sentences_are_quoted() {
        for doc in [
            "A user-created Request object.",
            "The main session class that is shared",
            "A list of requests and responses",
            "The set of routes",
        ] {
            assert!(matches!(clause(doc), Clause::Noun(_)), "{doc}");
        }
        for doc in [
            "When being redirected we may want to change the method",
            "The default is used.",
            "The context is a special object that holds state.",
            "The CLI runner provides functionality to invoke a script",
            "The request timed out while trying to connect.",
            "HTTP basic authentication",
            "Process-wide state",
            "Address of the server",
            "This is not a verb",
            "",
        ] {
            assert!(
                matches!(clause(doc), Clause::Quote(_)),
                "{doc}: {:?}",
                clause(doc)
            );
        }
    }
}
