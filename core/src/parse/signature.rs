//! The declaration of a symbol on one line, without its body.

use std::ops::Range;

use tree_sitter::Node;

use super::compiled::{Compiled, Trait};
use super::walk::Preorder;

/// Longest signature, in characters.
const MAX_CHARS: usize = 300;

/// Number of levels below a definition in which decorators and annotations are searched.
const MAX_DEPTH: usize = 3;

/// Returns the text of `node` up to `body` (a byte offset), without decorators and comments, on one
/// line.
pub(super) fn of(compiled: &Compiled, node: Node<'_>, body: Option<usize>, text: &str) -> String {
    let end = body.unwrap_or(node.end_byte()).max(node.start_byte());
    // What is far beyond the limit can be skipped: a constant may contain a table of 10,000 lines.
    let end = end.min(node.start_byte() + 4 * MAX_CHARS + 2_000);
    let mut out = String::new();
    let mut at = node.start_byte();
    for hole in holes(compiled, node, end) {
        if hole.start >= at {
            push_collapsed(&mut out, slice(text, at..hole.start));
            at = hole.end;
        }
    }
    if at < end {
        push_collapsed(&mut out, slice(text, at..end));
    }
    truncate(trim(&out), MAX_CHARS)
}

/// Returns the nodes before `end` that a signature leaves out, in order.
fn holes(compiled: &Compiled, node: Node<'_>, end: usize) -> Vec<Range<usize>> {
    let mut holes = Vec::new();
    let mut steps = Preorder::new(node);
    let mut descend = true;
    while let Some((here, depth)) = steps.next(descend) {
        if here.start_byte() >= end {
            break;
        }
        let is_hole = depth > 0 && compiled.traits(here).has(Trait::Unsigned);
        if is_hole {
            holes.push(here.byte_range());
        }
        descend = !is_hole && depth < MAX_DEPTH;
    }
    holes
}

/// Returns `text[range]`, with both ends moved inwards to character boundaries.
pub(super) fn slice(text: &str, range: Range<usize>) -> &str {
    let mut end = range.end.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut start = range.start.min(end);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text.get(start..end).unwrap_or("")
}

/// Appends `part` with its white space collapsed, separated from the existing text as written, but
/// without the spaces and trailing comma that only a multi-line parameter list has.
fn push_collapsed(out: &mut String, part: &str) {
    let mut gap = part.starts_with(char::is_whitespace);
    for word in part.split_whitespace() {
        if gap && word.starts_with([')', ']']) {
            out.truncate(out.trim_end().trim_end_matches(',').len());
        } else if gap && !out.is_empty() && !out.ends_with([' ', '(', '[']) {
            out.push(' ');
        }
        out.push_str(word);
        gap = true;
    }
    if part.ends_with(char::is_whitespace) && !out.is_empty() && !out.ends_with([' ', '(', '[']) {
        out.push(' ');
    }
}

/// Removes characters that open a body or end a statement.
fn trim(signature: &str) -> &str {
    let mut signature = signature.trim();
    for opening in ["\\", ";", "{", "=>", "=", ":"] {
        signature = signature
            .strip_suffix(opening)
            .unwrap_or(signature)
            .trim_end();
    }
    signature
}

/// Cuts text to at most `max` characters; `…` marks what was cut.
pub(super) fn truncate(text: &str, max: usize) -> String {
    if text.len() <= max || text.chars().count() <= max {
        return text.to_string();
    }
    let mut cut: String = text.chars().take(max.saturating_sub(1)).collect();
    cut.truncate(cut.trim_end().len());
    cut.push('…');
    cut
}

/// Collapses white space, and cuts to at most `max` characters.
pub(super) fn one_line(text: &str, max: usize) -> String {
    let mut out = String::new();
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
        // Four bytes hold any character, so nothing within the limit is lost.
        if out.len() > 4 * max {
            break;
        }
    }
    if out.len() <= max {
        return out;
    }
    truncate(&out, max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cutting_counts_characters_and_never_splits_one() {
        assert_eq!(truncate("äöü", 3), "äöü");
        assert_eq!(truncate("äöüß", 3), "äö…");
        assert_eq!(slice("äöü", 1..5), "ö");
        assert_eq!(slice("äöü", 4..99), "ü");
        assert_eq!(one_line(" a\n\t b ", 9), "a b");
    }
}
