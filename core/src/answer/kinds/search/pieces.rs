//! Cuts a search into its texts, expressions and words.

/// A piece of a question.
pub(super) enum Piece {
    Literal(String),
    Expression(String, String),
    Word(String),
}

/// Removes `search for` and the like before a text in quotes.
pub(super) fn without_verb(question: &str) -> &str {
    const VERBS: [&str; 8] = [
        "search for ",
        "search ",
        "grep for ",
        "grep ",
        "find ",
        "look for ",
        "please ",
        "rg ",
    ];
    let mut rest = question;
    let starts = |text: &str, verb: &str| {
        let start = text.get(..verb.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(verb))
    };
    while let Some(verb) = VERBS.iter().find(|verb| starts(rest, verb)) {
        rest = rest.get(verb.len()..).unwrap_or_default().trim_start();
    }
    rest
}

/// Returns `None` if a quote or slash is not closed, or if a question mark outside of one ends the
/// question.
pub(super) fn pieces(question: &str) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut rest = question;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else {
            return Some(pieces);
        };
        let close = match first {
            '"' | '`' | '/' => Some(first),
            '“' => Some('”'),
            _ => None,
        };
        let inner = rest.get(first.len_utf8()..).unwrap_or_default();
        let Some(close) = close else {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            let (word, behind) = rest.split_at(end);
            pieces.push(Piece::Word(word.to_owned()));
            rest = behind;
            continue;
        };
        let end = closing(inner, close)?;
        let (body, behind) = inner.split_at(end);
        let behind = behind.get(close.len_utf8()..).unwrap_or_default();
        let end = behind.find(char::is_whitespace).unwrap_or(behind.len());
        let (flags, behind) = behind.split_at(end);
        let is_plain = flags.chars().all(|c| c.is_ascii_lowercase());
        if body.trim().is_empty() || !(is_plain && (close == '/' || flags.is_empty())) {
            return None;
        }
        pieces.push(match close {
            '/' => Piece::Expression(body.replace("\\/", "/"), flags.to_owned()),
            _ => Piece::Literal(body.to_owned()),
        });
        rest = behind;
    }
}

/// Returns where the closing delimiter is; for an expression, the last slash followed only by flags
/// and filters.
fn closing(text: &str, close: char) -> Option<usize> {
    if close != '/' {
        return text.find(close);
    }
    let mut is_escaped = false;
    let mut in_class = false;
    for (at, sign) in text.char_indices() {
        match sign {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            '/' if !in_class => return Some(at),
            _ => {}
        }
    }
    None
}
