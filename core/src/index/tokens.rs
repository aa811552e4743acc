//! Splits code and questions into words. Identifiers are split at `camelCase`, `snake_case` and
//! digits and are also kept whole; everything is lower-cased.

/// Longer runs of letters and digits are data (hashes, encoded bytes), not names.
const MAX_IDENTIFIER: usize = 100;

/// Returns all tokens of a piece of code or text, in order: for each identifier first the whole,
/// then its parts if there are several. `getHTTPUrl2` gives `gethttpurl2`, `get`, `http`, `url`,
/// `2`.
pub(crate) fn code_tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    for identifier in identifiers(text) {
        identifier_tokens(identifier, |token| tokens.push(token.to_owned()));
    }
    tokens
}

/// Returns the tokens of a question: like [`code_tokens`], without English stop words. A question
/// that consists only of stop words keeps them.
pub fn question_tokens(text: &str) -> Vec<String> {
    let all = code_tokens(text);
    let kept: Vec<String> = all
        .iter()
        .filter(|token| !is_stop_word(token))
        .cloned()
        .collect();
    if kept.is_empty() { all } else { kept }
}

/// Whether a lower-case word says nothing about what a question asks for.
pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// Returns runs of letters, digits and underscores with at least one letter or digit.
pub(crate) fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|run| run.len() <= MAX_IDENTIFIER && run.bytes().any(|byte| byte != b'_'))
}

/// Calls `emit` with the whole identifier and, if there are several, its parts, lower-cased.
pub(crate) fn identifier_tokens(identifier: &str, mut emit: impl FnMut(&str)) {
    let whole = identifier.to_lowercase();
    emit(&whole);
    // Numbers such as `0x1f` are useful only as a whole.
    if identifier.starts_with(|c: char| c.is_numeric()) {
        return;
    }
    each_part(identifier, |part| {
        if part.len() == identifier.len() {
            return;
        }
        if part.is_ascii() && part.bytes().all(|byte| !byte.is_ascii_uppercase()) {
            emit(part);
        } else {
            emit(&part.to_lowercase());
        }
    });
}

/// Returns the parts of an identifier or file name, lower-cased: `PathRouter_v2` gives `path`,
/// `router`, `v`, `2`.
pub(crate) fn name_parts(name: &str) -> Vec<String> {
    let mut parts = Vec::new();
    for identifier in identifiers(name) {
        each_part(identifier, |part| parts.push(part.to_lowercase()));
    }
    parts
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Lower,
    Upper,
    Digit,
    Underscore,
}

fn class(c: char) -> Class {
    if c == '_' {
        Class::Underscore
    } else if c.is_numeric() {
        Class::Digit
    } else if c.is_uppercase() {
        Class::Upper
    } else {
        Class::Lower
    }
}

fn each_part<'t>(identifier: &'t str, mut emit: impl FnMut(&'t str)) {
    let mut start = 0;
    let mut previous = Class::Underscore;
    let mut chars = identifier.char_indices().peekable();
    let mut push = |from: usize, to: usize| {
        let part = identifier
            .get(from..to)
            .unwrap_or_default()
            .trim_matches('_');
        if !part.is_empty() {
            emit(part);
        }
    };
    while let Some((at, c)) = chars.next() {
        let current = class(c);
        let next = chars.peek().map(|&(_, c)| class(c));
        let cut = match (previous, current) {
            (before, now) if before == now => {
                // The last capital of `HTTPServer` starts the next part.
                now == Class::Upper && next == Some(Class::Lower)
            }
            (Class::Upper, Class::Lower) => false,
            _ => true,
        };
        if cut {
            push(start, at);
            start = at;
        }
        previous = current;
    }
    push(start, identifier.len());
}

/// Sorted. Question words and function words; no word that often names something in code.
const STOP_WORDS: [&str; 106] = [
    "a", "about", "after", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be",
    "because", "been", "before", "being", "both", "but", "by", "can", "could", "d", "did", "do",
    "does", "doing", "done", "during", "each", "for", "from", "had", "has", "have", "having", "he",
    "her", "here", "his", "how", "i", "if", "in", "into", "is", "it", "its", "just", "ll", "m",
    "may", "me", "might", "must", "my", "no", "of", "on", "or", "our", "ours", "please", "re", "s",
    "shall", "she", "should", "so", "some", "such", "t", "than", "that", "the", "their", "them",
    "then", "there", "these", "they", "this", "those", "through", "to", "too", "us", "ve", "very",
    "was", "we", "were", "what", "when", "where", "which", "while", "who", "whom", "whose", "why",
    "will", "with", "would", "you", "your",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_split_and_kept_whole() {
        for (text, tokens) in [
            ("send", "send"),
            ("resolve_redirects", "resolve_redirects resolve redirects"),
            ("getHTTPUrl2", "gethttpurl2 get http url 2"),
            ("HTTPServer", "httpserver http server"),
            ("__init__", "__init__ init"),
            ("sha256", "sha256 sha 256"),
            ("SHOUTING_CASE", "shouting_case shouting case"),
            ("Title", "title"),
            ("0x1f + 2", "0x1f 2"),
            ("a.b(c)", "a b c"),
            ("größeÄnderung", "größeänderung größe änderung"),
            ("日本語", "日本語"),
            ("_ __ !?", ""),
            ("", ""),
        ] {
            assert_eq!(code_tokens(text).join(" "), tokens, "{text:?}");
        }
    }

    #[test]
    fn very_long_runs_are_not_tokens() {
        let text = format!("key {}", "A1b2".repeat(1_000));
        assert_eq!(code_tokens(&text), ["key"]);
    }

    #[test]
    fn questions_lose_stop_words_unless_nothing_is_left() {
        for (question, tokens) in [
            (
                "Where are redirects followed and how is the method changed?",
                "redirects followed method changed",
            ),
            ("What is this?", "what is this"),
            ("how does Session.send work", "session send work"),
            ("", ""),
        ] {
            assert_eq!(question_tokens(question).join(" "), tokens, "{question:?}");
        }
    }

    #[test]
    fn code_keeps_its_stop_words() {
        assert_eq!(code_tokens("for x in the"), ["for", "x", "in", "the"]);
    }

    #[test]
    fn stop_words_are_sorted_so_that_they_can_be_searched() {
        assert!(STOP_WORDS.is_sorted());
        assert!(is_stop_word("which") && !is_stop_word("session"));
    }
}
