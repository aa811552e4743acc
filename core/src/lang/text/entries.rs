//! Keys and tables of data formats, and their symbols.

use std::ops::Range;

use super::rows::Rows;
use super::sentence::{self, one_line};
use super::{NAME_CHARS, SIGNATURE_CHARS};
use crate::lang::{Symbol, SymbolKind};
use crate::lines::{LineRange, Row};

/// A key with its value, or a table header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The table or outer key that contains it; empty at the top level.
    pub table: String,
    /// Its key; empty for a table header.
    pub key: String,
    /// The bytes of its value as written, without surrounding white space; empty for a header.
    pub value: Range<usize>,
    /// From its key to the end of its value.
    pub lines: LineRange,
}

/// A part of a data file that becomes a symbol.
pub(super) struct Item {
    pub name: String,
    /// Its first row, including comments above it.
    pub first: u32,
    pub name_row: u32,
}

/// Returns the symbols of `items` (in order of their rows); each ends before the next.
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

/// Returns the symbol of one key; `None` if it has no name.
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
