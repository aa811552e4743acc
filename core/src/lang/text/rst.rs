//! Parses reStructuredText into sections (docutils' reStructuredText specification, “Sections”): a
//! title is underlined, or over- and underlined, with one punctuation character; styles rank in
//! order of first appearance.

use std::ops::Range;

use super::outline::{self, Heading};
use super::rows::Rows;
use super::{Cut, sentence};
use crate::lang::Symbol;

/// Depth of a cut before a block that is not a title; there are hardly ever more levels.
const BLOCK_DEPTH: u16 = 8;

/// Minimum length of an underline that is shorter than its title, as in docutils.
const SHORTEST_UNDERLINE: usize = 4;

/// Number of bytes of a title or paragraph that are examined.
const PROSE_BYTES: usize = 2_000;

/// The character of an adornment, and whether it is also above the title.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Style {
    sign: char,
    over: bool,
}

/// A title and its rows.
struct Title {
    style: Style,
    name_row: u32,
    /// The row after it.
    next: u32,
}

pub(super) fn parse(rows: &Rows<'_>) -> (Vec<Symbol>, Vec<Cut>) {
    let mut styles: Vec<Style> = Vec::new();
    let mut headings: Vec<Heading> = Vec::new();
    let mut cuts = Vec::new();
    let mut row = 0;
    while row < rows.count() {
        let Some(title) = title_at(rows, row) else {
            if let Some(depth) = block_depth(rows, row) {
                cuts.push(Cut { row, depth });
            }
            row += 1;
            continue;
        };
        let known = styles.iter().position(|style| *style == title.style);
        let level = known.unwrap_or(styles.len()) as u16;
        if known.is_none() {
            styles.push(title.style);
        }
        // A label (`.. _name:`) directly above belongs to the section that it names.
        cuts.push(Cut {
            row: with_labels(rows, row),
            depth: level.min(BLOCK_DEPTH - 1),
        });
        headings.push(Heading {
            level,
            name: plain(rows.at(title.name_row)),
            first: row,
            name_row: title.name_row,
            doc: sentence::first(&first_paragraph(rows, title.next)),
        });
        row = title.next;
    }
    (outline::sections(headings, rows), cuts)
}

/// Returns the bytes of every title, including its adornment.
pub(crate) fn titles(text: &str) -> Vec<Range<usize>> {
    let rows = Rows::new(text);
    let mut titles = Vec::new();
    let mut row = 0;
    while row < rows.count() {
        match title_at(&rows, row) {
            Some(title) => {
                titles.push(rows.start_of(row)..rows.start_of(title.next));
                row = title.next;
            }
            None => row += 1,
        }
    }
    titles
}

/// Returns the title that starts on `row`.
fn title_at(rows: &Rows<'_>, row: u32) -> Option<Title> {
    let line = rows.at(row);
    if let Some((sign, _)) = adornment(line) {
        let over = rows.at(row + 1);
        let is_title = !over.trim().is_empty() && adornment(over).is_none();
        let (under, _) = adornment(rows.at(row + 2))?;
        return (is_title && under == sign).then_some(Title {
            style: Style { sign, over: true },
            name_row: row + 1,
            next: row + 3,
        });
    }
    if line.trim().is_empty() || line.starts_with([' ', '\t']) || !opens_block(rows, row) {
        return None;
    }
    let (sign, length) = adornment(rows.at(row + 1))?;
    let width = line.trim_end().chars().count();
    (length >= width.min(SHORTEST_UNDERLINE)).then_some(Title {
        style: Style { sign, over: false },
        name_row: row,
        next: row + 2,
    })
}

/// Whether `row` follows a blank row, a title's adornment or explicit markup, so that a title can
/// start there.
fn opens_block(rows: &Rows<'_>, row: u32) -> bool {
    let Some(before) = row.checked_sub(1) else {
        return true;
    };
    let before = rows.at(before);
    before.trim().is_empty() || before.starts_with(".. ") || adornment(before).is_some()
}

/// Returns the character and length of a row of one repeated punctuation character, at least two.
fn adornment(line: &str) -> Option<(char, usize)> {
    let line = line.trim_end();
    let sign = line.chars().next().filter(char::is_ascii_punctuation)?;
    // `::` opens a literal block and `..` a comment.
    let is_markup = matches!(line, "::" | ".." | "__" | "...");
    let is_adornment = line.len() >= 2 && !is_markup && line.chars().all(|other| other == sign);
    is_adornment.then_some((sign, line.len()))
}

/// Returns the depth of the block that starts on `row`, if one does.
fn block_depth(rows: &Rows<'_>, row: u32) -> Option<u16> {
    let starts = row
        .checked_sub(1)
        .is_none_or(|before| rows.is_blank(before));
    if !starts || rows.is_blank(row) {
        return None;
    }
    let indented = rows.at(row).starts_with([' ', '\t']);
    Some(BLOCK_DEPTH + u16::from(indented))
}

fn with_labels(rows: &Rows<'_>, row: u32) -> u32 {
    let mut first = row;
    for above in (0..row).rev() {
        let line = rows.at(above);
        if line.starts_with(".. _") && line.trim_end().ends_with(':') {
            first = above;
        } else if !line.trim().is_empty() {
            break;
        }
    }
    first
}

/// Returns the first paragraph of prose from `row` on, before the next title.
fn first_paragraph(rows: &Rows<'_>, row: u32) -> String {
    let mut prose = String::new();
    let mut in_markup = false;
    for at in row..rows.count() {
        let line = rows.at(at);
        if line.trim().is_empty() {
            if !prose.is_empty() {
                break;
            }
            in_markup = false;
            continue;
        }
        if prose.is_empty() && title_at(rows, at).is_some() {
            break;
        }
        let opens_markup = line.starts_with("..")
            || (line.starts_with(':') && !line.starts_with(":`")) && is_field(line);
        in_markup = in_markup || opens_markup || line.starts_with([' ', '\t']) && prose.is_empty();
        if !in_markup && !is_table(line) && prose.len() < PROSE_BYTES {
            prose.push_str(line);
            prose.push('\n');
        }
    }
    // Two colons at the end of a paragraph announce a literal block.
    plain(prose.trim_end().trim_end_matches(':'))
}

/// Whether a line is `:name: value`, but not ``:role:`text` ``.
fn is_field(line: &str) -> bool {
    line.get(1..)
        .and_then(|rest| rest.split_once(':'))
        .is_some_and(|(name, rest)| !name.is_empty() && !rest.starts_with('`'))
}

fn is_table(line: &str) -> bool {
    line.starts_with("+-") || line.starts_with("| ") || line.starts_with("==")
}

/// Removes inline markup: ``:role:`text <target>` ``, ```` ``literal`` ````, `*emphasis*`, `link_`.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let text = text.trim();
    let mut rest = text
        .get(..text.floor_char_boundary(PROSE_BYTES))
        .unwrap_or("");
    while let Some(at) = rest.find('`') {
        let before = rest.get(..at).unwrap_or("");
        out.push_str(without_role(before));
        let ticks = if rest.get(at..).is_some_and(|rest| rest.starts_with("``")) {
            2
        } else {
            1
        };
        let inside = rest.get(at + ticks..).unwrap_or("");
        let Some(end) = inside.find(if ticks == 2 { "``" } else { "`" }) else {
            rest = inside;
            continue;
        };
        let quoted = inside.get(..end).unwrap_or("");
        let shown = match quoted.split_once(" <") {
            Some((shown, target)) if ticks == 1 && target.ends_with('>') => shown,
            _ => quoted.trim_start_matches(['~', '!']),
        };
        out.push_str(shown);
        rest = inside.get(end + ticks..).unwrap_or("");
        rest = rest.trim_start_matches('_');
    }
    out.push_str(rest);
    out.replace("**", "").replace('|', "")
}

/// Removes a role's name at the end: `see :class:` → `see `.
fn without_role(before: &str) -> &str {
    let Some(stem) = before.strip_suffix(':') else {
        return before;
    };
    match stem.rsplit_once(|sign: char| !(sign.is_alphanumeric() || "-_+.:".contains(sign))) {
        Some((kept, role)) if role.starts_with(':') => {
            before.get(..before.len() - role.len() - 1).unwrap_or(kept)
        }
        None if stem.starts_with(':') => "",
        _ => before,
    }
}
