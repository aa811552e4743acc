//! Turns headings into nested sections.

use super::rows::Rows;
use super::sentence::one_line;
use super::{NAME_CHARS, SIGNATURE_CHARS};
use crate::lang::{Symbol, SymbolKind};
use crate::lines::{LineRange, Row};

/// Joins the headings of a path.
const PATH_SIGN: &str = " > ";

/// A heading as found by a format.
pub(super) struct Heading {
    /// A smaller level is further out.
    pub level: u16,
    /// Without markup; headings without a name are left out.
    pub name: String,
    /// Its first row, including an overline.
    pub first: u32,
    pub name_row: u32,
    /// First sentence of the section.
    pub doc: String,
}

/// Returns the sections that `headings` (in order of their rows) open.
pub(super) fn sections(headings: Vec<Heading>, rows: &Rows<'_>) -> Vec<Symbol> {
    let mut symbols: Vec<Symbol> = Vec::with_capacity(headings.len());
    // The open sections: level, symbol, first row.
    let mut open: Vec<(u16, usize, u32)> = Vec::new();
    let mut free = 0;
    for heading in headings {
        let name = one_line(&heading.name, NAME_CHARS);
        // With bare carriage returns as row ends, several headings can share one line.
        if name.is_empty() || heading.first < free {
            continue;
        }
        free = heading.name_row + 1;
        close(&mut open, heading.level, heading.first, &mut symbols, rows);
        let parent = open.last().map(|&(_, at, _)| at);
        let outer = parent.and_then(|at| symbols.get(at));
        let qualified = match outer {
            Some(outer) => format!("{}{PATH_SIGN}{name}", outer.qualified),
            None => name.clone(),
        };
        open.push((heading.level, symbols.len(), heading.first));
        symbols.push(Symbol {
            kind: SymbolKind::Section,
            signature: one_line(&heading.name, SIGNATURE_CHARS),
            name,
            qualified,
            doc: heading.doc,
            lines: LineRange::from_rows(Row(heading.first), Row(heading.name_row)),
            name_line: Row(heading.name_row).into(),
            parent: parent.map(|at| at as u32),
        });
    }
    close(&mut open, 0, rows.count(), &mut symbols, rows);
    symbols
}

/// Ends the open sections of `level` or deeper before row `before`.
fn close(
    open: &mut Vec<(u16, usize, u32)>,
    level: u16,
    before: u32,
    symbols: &mut [Symbol],
    rows: &Rows<'_>,
) {
    while let Some(&(_, at, first)) = open.last().filter(|&&(deep, ..)| deep >= level) {
        if let Some(symbol) = symbols.get_mut(at) {
            symbol.lines = rows.lines(first, before);
        }
        open.pop();
    }
}
