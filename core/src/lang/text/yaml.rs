//! Parses YAML into top-level keys. Rows are enough: a top-level key starts in the first column,
//! and anything nested or quoted over several lines is indented.

use super::Cut;
use super::entries::{self, Item};
use super::rows::Rows;
use crate::lang::Symbol;

const COMMENT: [char; 1] = ['#'];

pub(super) fn parse(rows: &Rows<'_>) -> (Vec<Symbol>, Vec<Cut>) {
    let mut items = Vec::new();
    let mut cuts = Vec::new();
    // Columns of the open levels.
    let mut columns: Vec<usize> = Vec::new();
    // Column of the key whose block scalar (`|`, `>`) is open: deeper rows are its text.
    let mut scalar: Option<usize> = None;
    let mut from = 0;
    for (row, line) in rows.iter() {
        let content = line.trim_start();
        if content.is_empty() || content.starts_with(COMMENT) && scalar.is_none() {
            continue;
        }
        let column = line.len() - content.len();
        if scalar.is_some_and(|open| column > open) {
            continue;
        }
        scalar = opens_scalar(content).then_some(column);
        while columns.last().is_some_and(|&last| last > column) {
            columns.pop();
        }
        if columns.last() != Some(&column) {
            columns.push(column);
        }
        let key = key(content);
        let is_item = content.starts_with("- ") || content == "-";
        if key.is_none() && !is_item {
            continue;
        }
        let first = rows.with_comments(row, from, &COMMENT);
        from = row + 1;
        let depth = columns.len().saturating_sub(1).min(usize::from(u16::MAX)) as u16;
        cuts.push(Cut { row: first, depth });
        if let Some(name) = key.filter(|_| column == 0 && !is_item) {
            items.push(Item {
                name,
                first,
                name_row: row,
            });
        }
    }
    (entries::symbols(items, rows, &COMMENT), cuts)
}

/// Returns the key of `key: value` or `key:`, without quotes.
fn key(content: &str) -> Option<String> {
    if content.starts_with(['{', '[', '#', '%', '?', '&', '*', '!', '|', '>', '}', ']']) {
        return None;
    }
    if let Some(quote) = content.chars().next().filter(|sign| "\"'".contains(*sign)) {
        let (name, rest) = content.get(1..)?.split_once(quote)?;
        return rest.trim_start().starts_with(':').then(|| name.to_string());
    }
    let end = content.match_indices(':').map(|(at, _)| at).find(|&at| {
        content
            .get(at + 1..)
            .is_none_or(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
    })?;
    let name = content.get(..end)?.trim();
    (!name.is_empty() && !name.contains(" #")).then(|| name.to_string())
}

/// Whether the row ends with a block scalar indicator: `|`, `>-`, `|2+`.
fn opens_scalar(content: &str) -> bool {
    let last = content.split_whitespace().next_back().unwrap_or("");
    let mut signs = last.chars();
    matches!(signs.next(), Some('|' | '>'))
        && signs.all(|sign| matches!(sign, '+' | '-' | '0'..='9'))
}
