//! Which lines a kept line needs to be readable. Only indentation and brackets are used, so that it
//! works for every language.

use super::blocks::columns;

/// Most rows of a signature; longer ones are data.
const MAX_SIGNATURE: usize = 6;
/// Most lines around a kept one that are kept too: the innermost ones.
const MAX_AROUND: usize = 3;

/// What each row of a piece needs.
#[derive(Clone, Debug, Default)]
pub(super) struct Structure {
    /// The rows that name the piece (`def`, `fn`, `class` …), up to where its body begins.
    pub signature: Vec<usize>,
    /// The nearest row above that is less indented.
    parents: Vec<Option<usize>>,
    /// For a row that ends with open brackets, the row that closes them.
    closers: Vec<Option<usize>>,
}

impl Structure {
    /// `name_row` is the row of the symbol's name.
    pub(crate) fn new(rows: &[&str], name_row: Option<usize>) -> Self {
        let (parents, closers) = links(rows);
        Self {
            signature: name_row.map_or_else(Vec::new, |row| signature(rows, row)),
            parents,
            closers,
        }
    }

    /// The rows that `row` needs: the innermost rows around it, and the closing rows of those and
    /// of itself.
    pub(crate) fn around(&self, row: usize) -> Vec<usize> {
        let mut needed = Vec::new();
        needed.extend(self.closer(row));
        let mut next = self.parent(row);
        for _ in 0..MAX_AROUND {
            let Some(parent) = next else { break };
            needed.push(parent);
            needed.extend(self.closer(parent));
            next = self.parent(parent);
        }
        needed
    }

    fn parent(&self, row: usize) -> Option<usize> {
        self.parents.get(row).copied().flatten()
    }

    fn closer(&self, row: usize) -> Option<usize> {
        self.closers.get(row).copied().flatten()
    }
}

/// The parents and closers of all rows, found in one pass with a stack of open rows.
fn links(rows: &[&str]) -> (Vec<Option<usize>>, Vec<Option<usize>>) {
    let (mut parents, mut closers) = (vec![None; rows.len()], vec![None; rows.len()]);
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (row, text) in rows.iter().enumerate() {
        if text.trim().is_empty() {
            continue;
        }
        let column = columns(text);
        while let Some(&(last, last_column)) = open.last() {
            if last_column < column {
                break;
            }
            let closes = last_column == column && closes(rows.get(last).copied(), text);
            if let Some(closer) = closers.get_mut(last).filter(|_| closes) {
                *closer = Some(row);
            }
            open.pop();
        }
        if let Some(parent) = parents.get_mut(row) {
            *parent = open.last().map(|&(parent, _)| parent);
        }
        open.push((row, column));
    }
    (parents, closers)
}

/// Whether `text`, the next row with the same indentation as `opener`, closes what that one opens.
fn closes(opener: Option<&str>, text: &str) -> bool {
    let opens = opener.is_some_and(|opener| opener.trim_end().ends_with(['{', '(', '[']));
    opens && text.trim_start().starts_with(['}', ')', ']'])
}

/// From the row of the name to the row on which all brackets except a final `{` are closed.
fn signature(rows: &[&str], name_row: usize) -> Vec<usize> {
    let mut depth = 0isize;
    let mut signature = Vec::new();
    for (row, text) in rows.iter().enumerate().skip(name_row).take(MAX_SIGNATURE) {
        signature.push(row);
        depth += text
            .chars()
            .map(|c| match c {
                '(' | '[' => 1,
                ')' | ']' => -1,
                _ => 0,
            })
            .sum::<isize>();
        if depth <= 0 {
            break;
        }
    }
    signature
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUST: &str = "/// Sends.\nfn send(\n    a: u8,\n) -> u8 {\n    if a > 1 {\n        one();\n\n        two();\n    } else {\n        three();\n    }\n    a\n}";
    const PYTHON: &str = "def send(self, a):\n    for b in a:\n        if b:\n            c()\n        else:\n            d()\n    return 1";

    #[test]
    fn a_line_needs_what_encloses_it_and_what_closes_that() {
        for (code, name_row, row, expected) in [
            (PYTHON, 0, 3, vec![2, 1, 0]),
            (PYTHON, 0, 5, vec![4, 1, 0]),
            (PYTHON, 0, 6, vec![0]),
            (RUST, 1, 7, vec![4, 8, 3, 12]),
            (RUST, 1, 9, vec![8, 10, 3, 12]),
            (RUST, 1, 11, vec![3, 12]),
            (RUST, 1, 0, vec![]),
        ] {
            let rows: Vec<&str> = code.lines().collect();
            let structure = Structure::new(&rows, Some(name_row));
            assert_eq!(structure.around(row), expected, "{row}: {}", rows[row]);
        }
    }

    #[test]
    fn a_signature_goes_on_until_its_brackets_are_closed() {
        for (code, name_row, expected) in [
            (PYTHON, 0, vec![0]),
            (RUST, 1, vec![1, 2, 3]),
            ("a(\n(\n(\n(\n(\n(\n(\n(", 0, vec![0, 1, 2, 3, 4, 5]),
            ("", 4, vec![]),
        ] {
            let rows: Vec<&str> = code.lines().collect();
            assert_eq!(Structure::new(&rows, Some(name_row)).signature, expected);
        }
        assert!(Structure::new(&["a"], None).signature.is_empty());
    }
}
