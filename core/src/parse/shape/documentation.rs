//! Reads the documentation of a definition: the string at the start of its body, or the comments
//! above it.

use tree_sitter::Node;

use super::{Source, children};
use crate::lang::Symbol;
use crate::lines::{Line, LineRange};

/// Signs that open a comment line, longest first.
const SIGNS: [&str; 13] = [
    "/**", "/*!", "///", "//!", "--[[", "---", "/*", "//", "--", "##", "#'", "#", "*",
];

/// The documentation of a definition as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Documentation {
    pub lines: LineRange,
    /// The text of each of these lines, without quotes and comment signs, with its indentation.
    pub text: Vec<String>,
}

impl Documentation {
    /// Returns each line of the text with its number.
    pub(crate) fn numbered(&self) -> impl Iterator<Item = (Line, &str)> {
        let first = self.lines.start().0;
        (first..)
            .map(Line)
            .zip(self.text.iter().map(String::as_str))
    }
}

pub(super) fn of(
    source: &Source<'_>,
    root: Node<'_>,
    symbol: &Symbol,
    body: Option<Node<'_>>,
) -> Option<Documentation> {
    body.and_then(|body| inside(source, body))
        .or_else(|| above(source, root, symbol))
}

/// Reads a string at the start of a block.
fn inside(source: &Source<'_>, body: Node<'_>) -> Option<Documentation> {
    let first = children(body)
        .into_iter()
        .find(|node| !source.is_comment(*node))
        .filter(|first| body.kind() == "block" && first.kind() == "expression_statement")?;
    let string = match children(first).as_slice() {
        [only] if only.kind() == "string" => *only,
        _ => return None,
    };
    let text = unquoted(source.slice(string));
    Some(Documentation {
        lines: super::lines_of(string),
        text: dedented(text.lines().map(str::to_owned).collect()),
    })
}

fn unquoted(raw: &str) -> &str {
    let raw = raw.trim_start_matches(|sign: char| "rRuUbBfF".contains(sign));
    let quotes = ["\"\"\"", "'''", "\"", "'"];
    quotes
        .iter()
        .find_map(|quote| raw.strip_prefix(quote)?.strip_suffix(quote))
        .unwrap_or(raw)
}

/// Reads the comment rows above a name, from the first line of the definition on.
fn above(source: &Source<'_>, root: Node<'_>, symbol: &Symbol) -> Option<Documentation> {
    let mut rows: Vec<(Line, String)> = Vec::new();
    for line in (symbol.lines.start().0..symbol.name_line.0).map(Line) {
        let bytes = source.lines.bytes(LineRange::new(line, line))?;
        let text = source.text.get(bytes.clone())?;
        let start = bytes.start + (text.len() - text.trim_start().len());
        let mut node = root.descendant_for_byte_range(start, start + 1);
        while node.is_some_and(|node| !source.is_comment(node)) {
            node = node.and_then(|node| node.parent());
        }
        let is_blank = text.trim().is_empty();
        match node {
            Some(_) => rows.push((line, bare(text).to_owned())),
            // Attributes may stand between comments and the definition.
            None if is_blank => rows.clear(),
            None => rows.push((line, String::new())),
        }
    }
    while rows.pop_if(|(_, text)| text.trim().is_empty()).is_some() {}
    let n_empty = rows.iter().take_while(|(_, text)| text.trim().is_empty());
    let n_empty = n_empty.count();
    rows.drain(..n_empty);
    let (first, last) = (rows.first()?.0, rows.last()?.0);
    let text = rows.into_iter().map(|(_, text)| text).collect();
    Some(Documentation {
        lines: LineRange::new(first, last),
        text: dedented(text),
    })
}

/// Removes comment signs from a line.
fn bare(line: &str) -> &str {
    let line = line.trim();
    let line = ["*/", "]]"]
        .iter()
        .find_map(|sign| line.strip_suffix(sign))
        .unwrap_or(line);
    let line = SIGNS
        .iter()
        .find_map(|sign| line.strip_prefix(sign))
        .unwrap_or(line);
    line.trim_end()
}

/// Removes the indentation that all lines except the first share.
fn dedented(lines: Vec<String>) -> Vec<String> {
    let indent = |line: &String| line.len() - line.trim_start().len();
    let others = lines.iter().skip(1).filter(|line| !line.trim().is_empty());
    let common = others.map(indent).min().unwrap_or(0);
    let shorten = |(at, line): (usize, String)| match at {
        0 => line.trim().to_owned(),
        _ => line.get(common..).unwrap_or_default().to_owned(),
    };
    lines.into_iter().enumerate().map(shorten).collect()
}
