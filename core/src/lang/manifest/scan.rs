//! Reads quoted strings from TOML and Python values without parsing them completely.

use std::ops::Range;

/// A string literal inside a value.
pub(super) struct Quoted {
    /// Its content.
    pub text: String,
    /// Its first byte.
    pub at: usize,
}

/// Returns every string literal in `text[bytes]`, ignoring `#` comments.
pub(super) fn strings(text: &str, bytes: Range<usize>) -> Vec<Quoted> {
    let mut found = Vec::new();
    let mut at = bytes.start;
    while let Some(rest) = text.get(at..bytes.end) {
        let Some(sign) = rest.chars().next() else {
            break;
        };
        match sign {
            '#' => at += rest.find('\n').unwrap_or(rest.len()),
            '"' | '\'' => {
                let (content, length) = literal(rest, sign);
                found.push(Quoted {
                    text: content.to_string(),
                    at,
                });
                at += length;
            }
            _ => at += sign.len_utf8(),
        }
    }
    found
}

/// Returns the content and total length of the literal at the start of `rest`.
fn literal(rest: &str, quote: char) -> (&str, usize) {
    let triple: String = [quote; 3].iter().collect();
    let sign = if rest.starts_with(&triple) {
        triple
    } else {
        quote.to_string()
    };
    let inside = rest.get(sign.len()..).unwrap_or("");
    let mut from = 0;
    while let Some(end) = inside.get(from..).and_then(|rest| rest.find(&sign)) {
        let end = from + end;
        let before = inside.get(..end).unwrap_or("");
        let slashes = before.len() - before.trim_end_matches('\\').len();
        if slashes.is_multiple_of(2) {
            return (before, end + 2 * sign.len());
        }
        from = end + 1;
    }
    (inside, rest.len())
}

/// Returns a scalar without its quotes: `"1.2"` → `1.2`, `true` → `true`.
pub(super) fn scalar(written: &str) -> &str {
    let written = written.trim();
    match written.chars().next() {
        Some(quote @ ('"' | '\'')) => literal(written, quote).0,
        // A comment may follow a bare value.
        _ => written.split('#').next().unwrap_or("").trim(),
    }
}

/// Returns the string after `key` in an inline table: `version` in
/// `{ version = "1", features = [] }`.
pub(super) fn inline<'t>(written: &'t str, key: &str) -> Option<&'t str> {
    let mut from = 0;
    while let Some(found) = written.get(from..)?.find(key) {
        let start = from + found;
        from = start + key.len();
        let before = written.get(..start)?.chars().next_back();
        let is_whole = before.is_none_or(|sign| !(sign.is_alphanumeric() || "-_".contains(sign)));
        let after = written
            .get(from..)?
            .trim_start_matches(['"', '\''])
            .trim_start();
        if let Some(value) = after.strip_prefix('=').filter(|_| is_whole) {
            let value = value.trim_start();
            return value.starts_with(['"', '\'']).then(|| scalar(value));
        }
    }
    None
}
