//! Highlights data formats: keys, table headers, strings, numbers, comments. One scanner per
//! format, over characters or rows; none needs the whole grammar.

use super::{HighlightClass, Span};

/// Scans `text` from left to right.
struct Scanner<'t> {
    text: &'t str,
    at: usize,
    spans: Vec<Span>,
}

impl<'t> Scanner<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            spans: Vec::new(),
        }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// Highlights `length` bytes as `class`.
    fn take(&mut self, length: usize, class: HighlightClass) {
        let end = (self.at + length).min(self.text.len());
        self.spans.push(Span::new(self.at..end, class));
        self.at = end;
    }

    /// Highlights a string, as a key if one of `marks` follows it.
    fn take_string(&mut self, length: usize, marks: &[char]) {
        let after = self.rest().get(length..).unwrap_or("");
        let is_key = after.trim_start_matches([' ', '\t']).starts_with(marks);
        let class = if is_key {
            HighlightClass::Keyword
        } else {
            HighlightClass::String
        };
        self.take(length, class);
    }

    /// Highlights a bare word: a key, a number, a word of the format, or plain.
    fn take_word(&mut self, marks: &[char]) {
        let rest = self.rest();
        let is_part =
            |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '-' | '.' | '+' | '$');
        let length = rest.find(|sign| !is_part(sign)).unwrap_or(rest.len());
        let word = rest.get(..length).unwrap_or("");
        let after = rest.get(length..).unwrap_or("");
        if length == 0 {
            self.at += rest.chars().next().map_or(1, char::len_utf8);
        } else if !marks.is_empty() && after.trim_start_matches([' ', '\t']).starts_with(marks) {
            self.take(length, HighlightClass::Keyword);
        } else if is_number(word) {
            self.take(length, HighlightClass::Number);
        } else if is_constant(word) {
            self.take(length, HighlightClass::Keyword);
        } else {
            self.at += length;
        }
    }
}

fn is_number(word: &str) -> bool {
    let digits = word.trim_start_matches(['-', '+', '.']);
    digits.starts_with(|sign: char| sign.is_ascii_digit())
}

fn is_constant(word: &str) -> bool {
    matches!(
        word,
        "true" | "false" | "null" | "True" | "False" | "inf" | "nan" | "yes" | "no"
    )
}

/// Returns the length of the quoted string at the start of `rest`, at most up to the end of the
/// line.
fn string_length(rest: &str, quote: char, escapes: bool) -> usize {
    let mut escaped = false;
    for (at, sign) in rest.char_indices().skip(1) {
        match sign {
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' if escapes => escaped = true,
            _ if sign == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

fn line_length(rest: &str) -> usize {
    rest.find('\n').unwrap_or(rest.len())
}

pub(crate) fn json(text: &str) -> Vec<Span> {
    let mut scanner = Scanner::new(text);
    while let Some(sign) = scanner.rest().chars().next() {
        let rest = scanner.rest();
        match sign {
            '"' | '\'' => scanner.take_string(string_length(rest, sign, true), &[':']),
            '/' if rest.starts_with("//") => {
                scanner.take(line_length(rest), HighlightClass::Comment)
            }
            '/' if rest.starts_with("/*") => {
                let length = rest.find("*/").map_or(rest.len(), |end| end + 2);
                scanner.take(length, HighlightClass::Comment);
            }
            _ => scanner.take_word(&[':']),
        }
    }
    scanner.spans
}

pub(crate) fn toml(text: &str) -> Vec<Span> {
    let mut scanner = Scanner::new(text);
    let mut starts_row = true;
    // Brackets open a table only outside arrays.
    let mut depth = 0u32;
    while let Some(sign) = scanner.rest().chars().next() {
        let rest = scanner.rest();
        match sign {
            '\n' => {
                starts_row = true;
                scanner.at += 1;
                continue;
            }
            ' ' | '\t' | '\r' => {
                scanner.at += 1;
                continue;
            }
            '#' => scanner.take(line_length(rest), HighlightClass::Comment),
            '[' if starts_row && depth == 0 => {
                let line = rest.get(..line_length(rest)).unwrap_or("");
                let length = line.rfind(']').map_or(line.len(), |end| end + 1);
                scanner.take(length, HighlightClass::Heading);
            }
            '"' | '\'' => {
                let triple = if sign == '"' { "\"\"\"" } else { "'''" };
                if let Some(inside) = rest.strip_prefix(triple) {
                    let length = inside.find(triple).map_or(rest.len(), |end| end + 6);
                    scanner.take(length, HighlightClass::String);
                } else {
                    scanner.take_string(string_length(rest, sign, sign == '"'), &['=']);
                }
            }
            '[' | '{' => {
                depth += 1;
                scanner.at += 1;
            }
            ']' | '}' => {
                depth = depth.saturating_sub(1);
                scanner.at += 1;
            }
            _ => scanner.take_word(&['=']),
        }
        starts_row = false;
    }
    scanner.spans
}

pub(crate) fn yaml(text: &str) -> Vec<Span> {
    let mut scanner = Scanner::new(text);
    // Indentation of the key whose block scalar is open.
    let mut scalar: Option<usize> = None;
    for line in text.split_inclusive('\n') {
        let start = scanner.at;
        let content = line.trim();
        let indent = line.len() - line.trim_start().len();
        let in_scalar = scalar.is_some_and(|open| indent > open || content.is_empty());
        if in_scalar {
            let end = line.trim_end().len();
            scanner.take(end, HighlightClass::String);
        } else {
            scalar = None;
            let last = content.split_whitespace().next_back().unwrap_or("");
            if last.starts_with(['|', '>']) && !content.starts_with('#') {
                scalar = Some(indent);
            }
            yaml_row(&mut scanner, start + line.trim_end().len());
        }
        scanner.at = start + line.len();
    }
    scanner.spans.retain(|span| !span.bytes.is_empty());
    scanner.spans
}

/// Scans one row up to byte `end`.
fn yaml_row(scanner: &mut Scanner<'_>, end: usize) {
    let mut may_be_key = true;
    let mut after_space = true;
    while scanner.at < end {
        let rest = scanner.text.get(scanner.at..end).unwrap_or("");
        let Some(sign) = rest.chars().next() else {
            return;
        };
        match sign {
            ' ' | '\t' | '-' | '?' | '[' | '{' | ',' => {
                may_be_key = may_be_key || matches!(sign, '{' | ',');
                scanner.at += 1;
                after_space = true;
                continue;
            }
            '#' if after_space => {
                scanner.take(rest.len(), HighlightClass::Comment);
                return;
            }
            '"' | '\'' if after_space => {
                let marks: &[char] = if may_be_key { &[':'] } else { &[] };
                let length = string_length(rest, sign, sign == '"').min(rest.len());
                if marks.is_empty() {
                    scanner.take(length, HighlightClass::String);
                } else {
                    scanner.take_string(length, marks);
                }
            }
            _ if may_be_key && after_space && yaml_key_length(rest).is_some() => {
                let length = yaml_key_length(rest).unwrap_or(0);
                scanner.take(length, HighlightClass::Keyword);
            }
            _ if after_space => {
                scanner.take_word(&[]);
            }
            _ => scanner.at += sign.len_utf8(),
        }
        may_be_key = false;
        after_space = false;
    }
}

/// Returns the number of bytes before the `:` that ends a bare key.
fn yaml_key_length(rest: &str) -> Option<usize> {
    let end = rest
        .match_indices([':', '#', '"', '\'', ',', '}'])
        .find(|(at, sign)| {
            *sign != ":"
                || rest
                    .get(at + 1..)
                    .is_none_or(|after| after.is_empty() || after.starts_with([' ', '\t']))
        })
        .filter(|(_, sign)| *sign == ":")
        .map(|(at, _)| at)?;
    (end > 0).then_some(end)
}

pub(crate) fn ini(text: &str) -> Vec<Span> {
    let mut scanner = Scanner::new(text);
    for line in text.split_inclusive('\n') {
        let start = scanner.at;
        let used = line.trim_end().len();
        let content = line.trim();
        scanner.at += line.len() - line.trim_start().len();
        let length = (start + used).saturating_sub(scanner.at);
        if content.starts_with(['#', ';']) {
            scanner.take(length, HighlightClass::Comment);
        } else if content.starts_with('[') && content.ends_with(']') {
            scanner.take(length, HighlightClass::Heading);
        } else if let Some(end) = content
            .find(['=', ':'])
            .filter(|_| !line.starts_with([' ', '\t']))
        {
            let key = content.get(..end).unwrap_or("").trim_end().len();
            scanner.take(key, HighlightClass::Keyword);
        }
        scanner.at = start + line.len();
    }
    scanner.spans.retain(|span| !span.bytes.is_empty());
    scanner.spans
}
