//! Parses JSON (comments, trailing commas and bare keys allowed) into the keys of the two outer
//! levels.

use super::Cut;
use super::entries::{self, Entry, Item};
use super::rows::Rows;
use crate::lang::Symbol;

/// Number of levels whose keys are kept.
const LEVELS: usize = 2;

/// One pass over the tokens of a JSON text; no recursion, so that deep nesting is harmless.
struct Scanner<'r, 't> {
    rows: &'r Rows<'t>,
    at: usize,
    depth: usize,
    /// The last string or word: a key if `:` follows.
    last: Option<(usize, usize)>,
    /// The open key of each level: key, first byte, first byte of the value.
    open: [Option<(String, usize, usize)>; LEVELS],
    entries: Vec<Entry>,
    cuts: Vec<Cut>,
    /// The row of the last token.
    row: Option<u32>,
}

/// Returns the keys of the two outer levels, in order of their first byte.
pub(crate) fn entries(rows: &Rows<'_>) -> Vec<Entry> {
    scan(rows).0
}

/// Returns the keys of the two outer levels, in order of their first byte, and where to cut.
fn scan(rows: &Rows<'_>) -> (Vec<Entry>, Vec<Cut>) {
    let mut scanner = Scanner {
        rows,
        at: 0,
        depth: 0,
        last: None,
        open: [const { None }; LEVELS],
        entries: Vec::new(),
        cuts: Vec::new(),
        row: None,
    };
    while scanner.step() {}
    for level in (0..LEVELS).rev() {
        scanner.end(level, rows.text.len());
    }
    let mut entries = scanner.entries;
    entries.sort_by_key(|entry| (entry.value.start, !entry.table.is_empty()));
    (entries, scanner.cuts)
}

impl Scanner<'_, '_> {
    /// Reads one token; returns false at the end.
    fn step(&mut self) -> bool {
        let rest = self.rows.text.get(self.at..).unwrap_or("");
        let Some(sign) = rest.chars().next() else {
            return false;
        };
        let start = self.at;
        if sign.is_whitespace() {
            self.at += sign.len_utf8();
            return true;
        }
        if rest.starts_with("//") {
            self.at += rest.find('\n').unwrap_or(rest.len());
            return true;
        }
        if rest.starts_with("/*") {
            self.at += rest.find("*/").map_or(rest.len(), |end| end + 2);
            return true;
        }
        self.note_row(start, sign);
        match sign {
            '"' | '\'' => {
                self.at += string_length(rest, sign);
                self.last = Some((start, self.at));
                return true;
            }
            '{' | '[' => self.depth += 1,
            '}' | ']' => {
                self.end_at_depth(start);
                self.depth = self.depth.saturating_sub(1);
            }
            ',' => self.end_at_depth(start),
            ':' => self.begin(start),
            _ => {
                let word =
                    rest.find(|other: char| !(other.is_alphanumeric() || "_$-.+".contains(other)));
                self.at += word.unwrap_or(rest.len()).max(sign.len_utf8());
                self.last = Some((start, self.at));
                return true;
            }
        }
        self.at += 1;
        self.last = None;
        true
    }

    /// Notes a row that starts with a key or element as a place to cut at.
    fn note_row(&mut self, at: usize, sign: char) {
        let row = self.rows.row_of(at);
        if self.row == Some(row) {
            return;
        }
        self.row = Some(row);
        if !matches!(sign, '}' | ']' | ',' | ':') {
            let depth = self.depth.saturating_sub(1).min(usize::from(u16::MAX)) as u16;
            self.cuts.push(Cut { row, depth });
        }
    }

    /// Starts an entry: the last token is a key.
    fn begin(&mut self, colon: usize) {
        let Some(level) = self.depth.checked_sub(1).filter(|&level| level < LEVELS) else {
            return;
        };
        let Some((start, end)) = self.last else {
            return;
        };
        let written = self.rows.text.get(start..end).unwrap_or("");
        let key = written.trim_matches(['"', '\'']).to_string();
        if let Some(open) = self.open.get_mut(level) {
            *open = Some((key, start, colon + 1));
        }
    }

    fn end_at_depth(&mut self, at: usize) {
        if let Some(level) = self.depth.checked_sub(1) {
            self.end(level, at);
        }
    }

    /// Ends an entry: the value of the open key of `level` ends before `at`.
    fn end(&mut self, level: usize, at: usize) {
        let Some((key, start, value)) = self.open.get_mut(level).and_then(Option::take) else {
            return;
        };
        let written = self.rows.text.get(value..at).unwrap_or("");
        let from = value + (written.len() - written.trim_start().len());
        let end = (value + written.trim_end().len()).max(from);
        let outer = match level {
            0 => None,
            _ => self.open.first().and_then(Option::as_ref),
        };
        let first = self.rows.row_of(start);
        let last = self.rows.row_of(end.saturating_sub(1));
        self.entries.push(Entry {
            table: outer.map(|(key, ..)| key.clone()).unwrap_or_default(),
            key,
            value: from..end,
            lines: self.rows.lines(first, last.max(first) + 1),
        });
    }
}

/// Returns the length of the string at the start of `rest`; up to the end of the line if it is not
/// closed.
fn string_length(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, sign) in rest.char_indices().skip(1) {
        match sign {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return at,
            _ if sign == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

pub(super) fn parse(rows: &Rows<'_>) -> (Vec<Symbol>, Vec<Cut>) {
    let (entries, cuts) = scan(rows);
    let symbols = entries
        .into_iter()
        .filter(|entry| entry.table.is_empty())
        .filter_map(|entry| {
            let row = entry.lines.start().0.saturating_sub(1);
            let item = Item {
                name: entry.key,
                first: row,
                name_row: row,
            };
            entries::symbol(&item, entry.lines, rows, &[])
        })
        .collect();
    (symbols, cuts)
}
