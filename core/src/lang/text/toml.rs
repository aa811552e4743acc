//! Parses TOML into tables and keys. A line scanner, because citations need the lines that a data
//! library drops.

use super::Cut;
use super::entries::{self, Entry, Item};
use super::rows::Rows;
use crate::lang::Symbol;

const COMMENT: [char; 1] = ['#'];

/// What is open at the end of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Open {
    /// The quote of an open multi-line string: `"` or `'`.
    string: Option<char>,
    /// Number of open brackets and braces.
    depth: u32,
}

impl Open {
    fn is_closed(self) -> bool {
        self == Self::default()
    }

    /// Follows strings and brackets through `line`, up to a comment.
    fn follow(&mut self, line: &str) {
        let mut rest = line;
        while let Some(sign) = rest.chars().next() {
            let triple = match sign {
                '"' => rest.starts_with("\"\"\""),
                '\'' => rest.starts_with("'''"),
                _ => false,
            };
            let mut step = sign.len_utf8();
            match (self.string, sign) {
                (Some('"'), '\\') => {
                    step += rest.chars().nth(1).map_or(0, char::len_utf8);
                }
                (Some(open), _) if open == sign && triple => {
                    self.string = None;
                    step = 3;
                }
                (Some(_), _) => {}
                (None, '"' | '\'') if triple => {
                    self.string = Some(sign);
                    step = 3;
                }
                (None, '"' | '\'') => step = string_length(rest, sign),
                (None, '#') => return,
                (None, '[' | '{') => self.depth += 1,
                (None, ']' | '}') => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            rest = rest.get(step..).unwrap_or("");
        }
    }
}

/// Returns the length of the one-line string at the start of `rest`; all of it if it is not closed.
fn string_length(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, sign) in rest.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if sign == '\\' && quote == '"' {
            escaped = true;
        } else if sign == quote {
            return at + 1;
        }
    }
    rest.len()
}

/// Returns all table headers and keys, in order.
pub(crate) fn entries(rows: &Rows<'_>) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut table = String::new();
    let mut open = Open::default();
    for (row, line) in rows.iter() {
        let continues = !open.is_closed();
        let start = rows.start_of(row);
        if continues {
            open.follow(line);
            if let Some(entry) = entries.last_mut() {
                let end = start + line.trim_end().len();
                entry.value.end = entry.value.end.max(end);
                entry.lines = rows.lines(entry.lines.start().0.saturating_sub(1), row + 1);
            }
            continue;
        }
        let trimmed = line.trim();
        if let Some(name) = header(trimmed) {
            table = name;
            entries.push(Entry {
                table: table.clone(),
                key: String::new(),
                value: start..start,
                lines: rows.lines(row, row + 1),
            });
        } else if let Some(equals) = key_end(line) {
            let value = line.get(equals + 1..).unwrap_or("");
            open.follow(value);
            let from = start + equals + 1 + (value.len() - value.trim_start().len());
            entries.push(Entry {
                table: table.clone(),
                key: unquoted(line.get(..equals).unwrap_or("")),
                value: from..(start + line.trim_end().len()).max(from),
                lines: rows.lines(row, row + 1),
            });
        }
    }
    entries
}

/// Returns the name in `[name]` or `[[name]]`.
fn header(line: &str) -> Option<String> {
    let inside = line.strip_prefix('[')?;
    let inside = inside.strip_prefix('[').unwrap_or(inside);
    let (name, _) = inside.split_once(']')?;
    let name = unquoted(name);
    (!name.is_empty()).then_some(name)
}

/// Returns where the `=` after a key is; quoted keys may contain any character.
fn key_end(line: &str) -> Option<usize> {
    let trimmed = line.trim_start();
    if trimmed.is_empty() || trimmed.starts_with(['#', '[', '=']) {
        return None;
    }
    let mut at = line.len() - trimmed.len();
    while let Some(sign) = line.get(at..).and_then(|rest| rest.chars().next()) {
        match sign {
            '=' => return Some(at),
            '"' | '\'' => at += string_length(line.get(at..).unwrap_or(""), sign),
            '#' => return None,
            _ => at += sign.len_utf8(),
        }
    }
    None
}

fn unquoted(name: &str) -> String {
    name.trim().replace(['"', '\''], "")
}

pub(super) fn parse(rows: &Rows<'_>) -> (Vec<Symbol>, Vec<Cut>) {
    let entries = entries(rows);
    let mut items = Vec::new();
    let mut cuts = Vec::new();
    let mut from = 0;
    for entry in &entries {
        let row = entry.lines.start().0.saturating_sub(1);
        let first = rows.with_comments(row, from, &COMMENT);
        from = entry.lines.end().0;
        let is_header = entry.key.is_empty();
        let is_top = is_header || entry.table.is_empty();
        cuts.push(Cut {
            row: first,
            depth: u16::from(!is_top),
        });
        // Elements of a long array.
        let inner = row + 1..entry.lines.end().0;
        cuts.extend(inner.map(|row| Cut { row, depth: 2 }));
        if is_top {
            let name = if is_header { &entry.table } else { &entry.key };
            items.push(Item {
                name: name.clone(),
                first,
                name_row: row,
            });
        }
    }
    (entries::symbols(items, rows, &COMMENT), cuts)
}
