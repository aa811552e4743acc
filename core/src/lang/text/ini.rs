//! Parses INI, `.cfg` and `.properties` into sections and keys, like Python's `configparser`: an
//! indented line continues the value above.

use super::Cut;
use super::entries::{self, Entry, Item};
use super::rows::Rows;
use crate::lang::Symbol;

const COMMENT: [char; 2] = ['#', ';'];

/// Returns all section headers and keys, in order.
pub(crate) fn entries(rows: &Rows<'_>) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut section = String::new();
    for (row, line) in rows.iter() {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with(COMMENT) {
            continue;
        }
        let start = rows.start_of(row);
        let end = start + line.trim_end().len();
        if let Some(name) = header(trimmed) {
            section = name.to_string();
            entries.push(Entry {
                table: section.clone(),
                key: String::new(),
                value: start..start,
                lines: rows.lines(row, row + 1),
            });
            continue;
        }
        if line.starts_with([' ', '\t'])
            && let Some(entry) = entries.last_mut().filter(|entry| !entry.key.is_empty())
        {
            entry.value.end = end;
            entry.lines = rows.lines(entry.lines.start().0.saturating_sub(1), row + 1);
            continue;
        }
        let (key, value_at) = match line.find(['=', ':']) {
            Some(at) => (line.get(..at).unwrap_or(""), at + 1),
            None => (line, line.len()),
        };
        let value = line.get(value_at..).unwrap_or("");
        let from = start + value_at + (value.len() - value.trim_start().len());
        entries.push(Entry {
            table: section.clone(),
            key: key.trim().to_string(),
            value: from..end.max(from),
            lines: rows.lines(row, row + 1),
        });
    }
    entries.retain(|entry| !(entry.key.is_empty() && entry.table.is_empty()));
    entries
}

fn header(line: &str) -> Option<&str> {
    let inside = line.strip_prefix('[')?;
    let end = inside.rfind(']')?;
    inside
        .get(..end)
        .map(str::trim)
        .filter(|name| !name.is_empty())
}

pub(super) fn parse(rows: &Rows<'_>) -> (Vec<Symbol>, Vec<Cut>) {
    let mut items = Vec::new();
    let mut cuts = Vec::new();
    let mut from = 0;
    for entry in entries(rows) {
        let row = entry.lines.start().0.saturating_sub(1);
        let first = rows.with_comments(row, from, &COMMENT);
        from = entry.lines.end().0;
        let is_header = entry.key.is_empty();
        let is_top = is_header || entry.table.is_empty();
        cuts.push(Cut {
            row: first,
            depth: u16::from(!is_top),
        });
        if is_top {
            items.push(Item {
                name: if is_header { entry.table } else { entry.key },
                first,
                name_row: row,
            });
        }
    }
    (entries::symbols(items, rows, &COMMENT), cuts)
}
