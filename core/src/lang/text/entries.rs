//! Keys and tables of data formats, and the symbols that they become.

use std::ops::Range;

use super::rows::Rows;
use super::sentence::{self, one_line};
use super::{NAME_CHARS, SIGNATURE_CHARS};
use crate::lang::{Symbol, SymbolKind};
use crate::lines::{LineRange, Row};

/// A key with its value, or the header of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The table or outer key that it stands in; empty at the top.
    pub table: String,
    /// Its key; empty for the header of a table.
    pub key: String,
    /// The bytes of its value as written, white space trimmed; empty for a header.
    pub value: Range<usize>,
    /// From its key to the end of its value.
    pub lines: LineRange,
}

/// What of a data file becomes a symbol.
pub(super) struct Item {
    pub name: String,
    /// Its first row, comments above included.
    pub first: u32,
    pub name_row: u32,
}

/// Symbols for `items` (in order of their rows); each ends before the next.
pub(super) fn symbols(items: Vec<Item>, rows: &Rows<'_>, comment: &[char]) -> Vec<Symbol> {
    let ends: Vec<u32> = items
        .iter()
        .skip(1)
        .map(|item| item.first)
        .chain([rows.count()])
        .collect();
    items
        .into_iter()
        .zip(ends)
        .filter_map(|(item, end)| {
            let lines = rows.lines(item.first, end.max(item.name_row + 1));
            symbol(&item, lines, rows, comment)
        })
        .collect()
}

/// The symbol of one key; `None` if it has no name.
pub(super) fn symbol(
    item: &Item,
    lines: LineRange,
    rows: &Rows<'_>,
    comment: &[char],
) -> Option<Symbol> {
    let name = one_line(&item.name, NAME_CHARS);
    if name.is_empty() {
        return None;
    }
    let comments: Vec<&str> = (item.first..item.name_row)
        .map(|row| rows.at(row).trim_start().trim_start_matches(comment))
        .collect();
    Some(Symbol {
        kind: SymbolKind::Key,
        qualified: name.clone(),
        name,
        signature: one_line(rows.at(item.name_row), SIGNATURE_CHARS),
        doc: sentence::first(&comments.join("\n")),
        lines,
        name_line: Row(item.name_row).into(),
        parent: None,
    })
}
