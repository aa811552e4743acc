//! Reads `path:10-20` and the other forms in which models write where something stands.

use std::ops::Range;

use super::claim::Flaw;
use super::names::{Certainty, path};
use crate::lines::{Line, LineRange};

/// Longest name of a drive with its colon and marks before it: `(C:`.
const DRIVE: usize = 4;

/// Longest text that is read as a place, in bytes.
pub(super) const MAX_BYTES: usize = 400;

/// A place as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Location {
    pub path: String,
    pub lines: Result<LineRange, Flaw>,
    pub certainty: Certainty,
}

/// Reads one place that makes up all of `text`.
pub(super) fn location(text: &str) -> Option<Location> {
    let text = unwrapped(text);
    if text.len() > MAX_BYTES || text.contains("://") {
        return None;
    }
    let mut unreadable = None;
    for (at, character) in text.char_indices() {
        // Anything longer also holds the sign before this one, so it is not a path.
        if text.get(..at).is_some_and(ends_every_path) {
            break;
        }
        let is_edge =
            matches!(character, '#' | ':' | '†' | ',' | '(' | '@') || character.is_whitespace();
        if !is_edge {
            continue;
        }
        let Some((path, certainty)) = path(text.get(..at)?) else {
            continue;
        };
        let rest = text.get(at..)?;
        if let Some(lines) = line_part(rest) {
            return Some(Location {
                path,
                lines,
                certainty,
            });
        }
        if certainty == Certainty::File
            && matches!(character, '#' | ':' | '†')
            && unreadable.is_none()
        {
            let flaw = Flaw::Unreadable(rest.trim_start_matches([':', '#', '†', ' ']).to_owned());
            unreadable = Some(Location {
                path,
                lines: Err(flaw),
                certainty,
            });
        }
    }
    let bare = || {
        let (path, certainty) = path(text)?;
        let lines = Err(Flaw::NoLines);
        (certainty == Certainty::File).then_some(Location {
            path,
            lines,
            certainty,
        })
    };
    bare().or(unreadable)
}

/// Whether a text ends with a sign that no path contains; a colon can follow the name of a drive.
fn ends_every_path(text: &str) -> bool {
    text.ends_with(['<', '>', '|', '?', ';']) || text.ends_with(':') && text.len() > DRIVE
}

/// Reads the places in a list such as `a.py:1-2, b.py:3; 7-9`, each with its bytes in `text`. Empty
/// unless one of them names a file and lines, or the whole text is one place.
pub(super) fn locations(text: &str) -> Vec<(Range<usize>, Location)> {
    if text.len() > MAX_BYTES {
        return Vec::new();
    }
    if let Some(one) = location(text)
        && one
            .lines
            .as_ref()
            .err()
            .is_none_or(|flaw| !matches!(flaw, Flaw::Unreadable(_)))
    {
        return vec![(0..text.len(), one)];
    }
    let mut found: Vec<(Range<usize>, Location)> = Vec::new();
    for part in parts(text) {
        let piece = text.get(part.clone()).unwrap_or_default();
        if let Some(place) = location(piece) {
            found.push((part, place));
        } else if let Some((_, before)) = found.last()
            && let Some(lines) = line_part(&format!(":{}", unwrapped(piece)))
        {
            let place = Location {
                lines,
                ..before.clone()
            };
            found.push((part, place));
        }
    }
    let is_list = found
        .iter()
        .any(|(_, place)| place.lines.is_ok() && place.certainty >= Certainty::Likely);
    let are_files = found.len() == parts(text).len()
        && found
            .iter()
            .all(|(_, place)| place.certainty == Certainty::File);
    if is_list || are_files {
        found
    } else {
        Vec::new()
    }
}

/// Returns the bytes between commas, semicolons and `and`, without surrounding white space.
fn parts(text: &str) -> Vec<Range<usize>> {
    let mut cuts = vec![0];
    for (at, separator) in text.match_indices([',', ';', '|', '&']) {
        cuts.extend([at, at + separator.len()]);
    }
    for (at, separator) in text.match_indices(" and ") {
        cuts.extend([at, at + separator.len()]);
    }
    cuts.push(text.len());
    cuts.sort_unstable();
    let pairs = cuts.chunks_exact(2);
    pairs
        .filter_map(|pair| {
            let &[from, to] = pair else { return None };
            let piece = text.get(from..to)?;
            let start = from + piece.len() - piece.trim_start().len();
            let end = start + piece.trim().len();
            (start < end).then_some(start..end)
        })
        .collect()
}

/// Removes emphasis, code and quotation marks around a text, and a leading `see` or `source:`.
fn unwrapped(text: &str) -> &str {
    const LABELS: [&str; 14] = [
        "see also",
        "see",
        "sources:",
        "source:",
        "source",
        "citations:",
        "citation:",
        "cf.",
        "file:",
        "ref:",
        "from",
        "in",
        "f:",
        "at",
    ];
    let mut text = text.trim();
    loop {
        let before = text.len();
        text = text.trim_matches(['`', '*', '"', '\'', ' ', '“', '”']);
        let label = LABELS.iter().find_map(|label| {
            let head = text.get(..label.len())?;
            let rest = text.get(label.len()..)?;
            let ends = label.ends_with(':') || rest.starts_with(char::is_whitespace);
            (head.eq_ignore_ascii_case(label) && ends).then_some(rest)
        });
        text = label.unwrap_or(text).trim();
        if text.len() == before {
            return text;
        }
    }
}

/// Returns the lines named by `text`, which follows a path: `:10-20`, `#L10-L20`,
/// ` (lines 10 to 20)`, `, line 10`. `None` if it is anything else.
pub(super) fn line_part(text: &str) -> Option<Result<LineRange, Flaw>> {
    let opens = text.trim_start_matches([':', '#', '†', ',', '(', '@', ' ', '`', '*', '\u{a0}']);
    if opens.len() == text.len() {
        return None;
    }
    let (first, rest) = numbered(without_word(opens))?;
    let rest = rest.trim_end_matches([')', ' ', '`', '*']);
    if rest.is_empty() {
        return Some(range(first, first));
    }
    if let Some((_column, after)) = rest.strip_prefix(':').and_then(number) {
        return after.is_empty().then(|| range(first, first));
    }
    let (last, rest) = numbered(range_sign(rest)?)?;
    // `10-20:5` would be a column; more than that is not a range.
    rest.trim().is_empty().then(|| range(first, last))
}

/// Makes a range of the two ends, unless they are invalid.
fn range(first: u32, last: u32) -> Result<LineRange, Flaw> {
    if first == 0 || last == 0 {
        Err(Flaw::LineZero)
    } else if first > last {
        Err(Flaw::Reversed { first, last })
    } else {
        Ok(LineRange::new(Line(first), Line(last)))
    }
}

/// Removes `line`, `lines` or `ln`, with white space and a colon after it.
fn without_word(text: &str) -> &str {
    for word in ["lines", "line", "lns", "ln", "ll", "ll.", "l."] {
        let Some(head) = text.get(..word.len()) else {
            continue;
        };
        let rest = text.get(word.len()..).unwrap_or_default();
        if head.eq_ignore_ascii_case(word) && !rest.starts_with(char::is_alphanumeric) {
            return rest.trim_start_matches([' ', ':', '\u{a0}', '#']);
        }
        if head.eq_ignore_ascii_case(word) && rest.starts_with(|c: char| c.is_ascii_digit()) {
            return rest;
        }
    }
    text
}

/// Reads a number, optionally with an `L` before it; returns it with the rest.
fn numbered(text: &str) -> Option<(u32, &str)> {
    number(text.strip_prefix(['L', 'l']).unwrap_or(text))
}

fn number(text: &str) -> Option<(u32, &str)> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end)?;
    if digits.is_empty() {
        return None;
    }
    // A number that is too large is past the end of every file anyway.
    Some((digits.parse().unwrap_or(u32::MAX), rest))
}

/// Signs between the two ends of a range.
pub(super) const RANGE_SIGNS: [&str; 14] = [
    "-", "–", "—", "‑", "‒", "−", "..=", "...", "..", "…", "~", "to ", "through ", "until ",
];

/// Returns what follows the sign between two ends.
fn range_sign(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let rest = RANGE_SIGNS
        .iter()
        .find_map(|sign| text.strip_prefix(*sign))?;
    Some(without_word(rest.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_however_they_are_written() {
        for (text, path, lines) in [
            ("a/b.py:10-20", "a/b.py", "10-20"),
            ("a/b.py:10", "a/b.py", "10"),
            ("a/b.py#L10-L20", "a/b.py", "10-20"),
            ("a/b.py#10-20", "a/b.py", "10-20"),
            ("b.py (lines 10-20)", "b.py", "10-20"),
            ("b.py, line 10", "b.py", "10"),
            ("b.py, lines 10 to 20", "b.py", "10-20"),
            ("b.py lines 10–20", "b.py", "10-20"),
            ("b.py: 10 — 20", "b.py", "10-20"),
            ("`a/b.py`:10-20", "a/b.py", "10-20"),
            ("**a/b.py:10-20**", "a/b.py", "10-20"),
            ("a\\b.py:L10-L20", "a/b.py", "10-20"),
            ("C:\\work\\b.py:3", "work/b.py", "3"),
            ("./a/b.py:3", "a/b.py", "3"),
            ("/a/b.py:3", "a/b.py", "3"),
            ("b.py:10:5", "b.py", "10"),
            ("docs/release notes.md:3-4", "docs/release notes.md", "3-4"),
            ("docs/使い方.md:3-4", "docs/使い方.md", "3-4"),
            ("F:src/b.rs†L3-L4", "src/b.rs", "3-4"),
            ("source: b.rs:3", "b.rs", "3"),
            ("see b.rs, lines 3-4", "b.rs", "3-4"),
            ("Makefile:3", "Makefile", "3"),
            (".gitignore:3", ".gitignore", "3"),
            ("app/[id]/page.tsx:3", "app/[id]/page.tsx", "3"),
            ("b.py:l10-20", "b.py", "10-20"),
            ("b.py:lines 10-20", "b.py", "10-20"),
        ] {
            let found = location(text).map(|place| (place.path, place.lines.unwrap().to_string()));
            assert_eq!(found, Some((path.into(), lines.into())), "{text}");
        }
    }

    #[test]
    fn places_that_cannot_be_are_kept_with_their_flaw() {
        for (text, flaw) in [
            (
                "b.py:20-10",
                Flaw::Reversed {
                    first: 20,
                    last: 10,
                },
            ),
            ("b.py:0-5", Flaw::LineZero),
            ("b.py", Flaw::NoLines),
            ("b.py:lease", Flaw::Unreadable("lease".into())),
            ("b.py:10-", Flaw::Unreadable("10-".into())),
            ("b.py:1-2-3", Flaw::Unreadable("1-2-3".into())),
        ] {
            assert_eq!(
                location(text).and_then(|place| place.lines.err()),
                Some(flaw),
                "{text}"
            );
        }
    }

    #[test]
    fn lists_have_several_places() {
        for (text, expected) in [
            ("a.py:1-2, b.py:3", "a.py:1-2 b.py:3"),
            ("a.py:1-2; 5-9", "a.py:1-2 a.py:5-9"),
            ("a.py:1-2, 5-9, c.py#L3", "a.py:1-2 a.py:5-9 c.py:3"),
            ("a.py:1-2 and b.py:3", "a.py:1-2 b.py:3"),
            ("see above, a.py:3", "a.py:3"),
            ("a.py, lines 3-4", "a.py:3-4"),
            ("1, 2", ""),
            ("x", ""),
            ("one, two", ""),
        ] {
            let found = locations(text).into_iter();
            let found: Vec<String> = found
                .map(|(_, place)| format!("{}:{}", place.path, place.lines.unwrap()))
                .collect();
            assert_eq!(found.join(" "), expected, "{text}");
        }
    }
}
