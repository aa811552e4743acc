//! Cuts a piece of code into blocks.

use std::ops::Range;

/// A line starts a block if its perplexity exceeds that of both neighbours by this many standard
/// deviations (RepoDistill, section 2.2).
pub(crate) const ALPHA: f32 = 0.2;

/// Rules that cut a piece into blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Boundaries {
    /// At blank lines; longer runs are cut further where the indentation is smallest.
    Blank {
        /// The most lines in a block.
        max_rows: usize,
    },
    /// Where the perplexity of a line rises above its neighbours' (RepoDistill, section 2.2); as
    /// [`Boundaries::default`] if no language model has read the lines.
    Perplexity,
    /// Each line is a block.
    Lines,
}

/// The best one measured: smaller blocks leave more room for what matters
/// (`benches/runs/2026-11-compress`).
impl Default for Boundaries {
    fn default() -> Self {
        Self::Blank { max_rows: 3 }
    }
}

impl Boundaries {
    /// `blank-6`, `perplexity`, `lines`.
    pub fn name(self) -> String {
        match self {
            Self::Blank { max_rows } => format!("blank-{max_rows}"),
            Self::Perplexity => "perplexity".to_owned(),
            Self::Lines => "lines".to_owned(),
        }
    }

    /// Reads a [`Boundaries::name`].
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "perplexity" => Some(Self::Perplexity),
            "lines" => Some(Self::Lines),
            _ => {
                let max_rows = name.strip_prefix("blank-")?.parse().ok()?;
                (max_rows > 0).then_some(Self::Blank { max_rows })
            }
        }
    }

    /// Cuts `rows` into blocks: in order, none empty, together all rows. `perplexities` are those
    /// of the rows, if known.
    pub fn cut(self, rows: &[&str], perplexities: Option<&[f32]>) -> Vec<Range<usize>> {
        match (self, perplexities) {
            (Self::Lines, _) => (0..rows.len()).map(|row| row..row + 1).collect(),
            (Self::Blank { max_rows }, _) => at_blank_rows(rows, max_rows.max(1)),
            (Self::Perplexity, Some(perplexities)) => at_rises(rows.len(), perplexities),
            (Self::Perplexity, None) => Self::default().cut(rows, None),
        }
    }
}

/// A block starts where the perplexity exceeds that of the rows before and after by [`ALPHA`]
/// standard deviations of all rows. Rows beyond the end of the list have no perplexity and start no
/// block.
fn at_rises(n_rows: usize, perplexities: &[f32]) -> Vec<Range<usize>> {
    let known: Vec<f32> = perplexities.iter().copied().take(n_rows).collect();
    let n = known.len().max(1) as f32;
    let mean = known.iter().sum::<f32>() / n;
    let variance = known
        .iter()
        .map(|value| (value - mean).powi(2))
        .sum::<f32>()
        / n;
    let rise = ALPHA * variance.sqrt();
    let is_start = |row: usize| match (known.get(row - 1), known.get(row)) {
        (Some(before), Some(own)) => {
            let after = known.get(row + 1).unwrap_or(before);
            *own > before + rise && *own > after + rise
        }
        _ => false,
    };
    from_starts(n_rows, (1..n_rows).filter(|&row| is_start(row)))
}

/// A run of rows that are not blank, with the blank rows after it, is a block; longer ones are
/// halved.
fn at_blank_rows(rows: &[&str], max_rows: usize) -> Vec<Range<usize>> {
    let is_blank = |row: usize| rows.get(row).is_none_or(|text| text.trim().is_empty());
    let starts = (1..rows.len()).filter(|&row| is_blank(row - 1) && !is_blank(row));
    let indents: Vec<usize> = rows.iter().map(|row| indent(row)).collect();
    let mut blocks = Vec::new();
    let mut open = from_starts(rows.len(), starts);
    open.reverse();
    while let Some(block) = open.pop() {
        if block.len() <= max_rows {
            blocks.push(block);
            continue;
        }
        let at = best_cut(&block, &indents, max_rows);
        open.push(at..block.end);
        open.push(block.start..at);
    }
    blocks
}

/// Where to cut a long block: before the least indented row among those that leave neither part
/// very short; among equals, the one nearest to the middle. It looks at a bounded number of rows,
/// so that cutting takes linear time.
fn best_cut(block: &Range<usize>, indents: &[usize], max_rows: usize) -> usize {
    // From a very long block a part of full length is cut off at the start; halving it would read
    // all rows many times.
    let end = block.end.min(block.start + 2 * max_rows);
    let margin = ((end - block.start) / 4).max(1);
    let middle = block.start + (end - block.start) / 2;
    let rows = block.start + margin..=(end - margin).max(block.start + margin);
    rows.min_by_key(|&row| {
        let indent = indents.get(row).copied().unwrap_or(0);
        (indent, row.abs_diff(middle))
    })
    .filter(|row| block.contains(row) && *row > block.start)
    .unwrap_or(block.start + 1)
}

/// Columns of white space before the text; a tab counts as four. Closing brackets count as further
/// in, so that they stay with what they close.
fn indent(row: &str) -> usize {
    let column = columns(row);
    let closes = row.trim_start().starts_with(['}', ')', ']']);
    column + if closes { 1_000 } else { 0 }
}

/// Columns of white space before the text; a tab counts as four.
pub(super) fn columns(row: &str) -> usize {
    row.chars()
        .map_while(|c| match c {
            ' ' => Some(1),
            '\t' => Some(4),
            _ => None,
        })
        .sum()
}

fn from_starts(n_rows: usize, starts: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    let mut from = 0;
    for start in starts.chain([n_rows]) {
        if start > from {
            blocks.push(from..start);
            from = start;
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const CODE: &str = "def a(x):\n    if x:\n        b()\n        c()\n    else:\n        d()\n    e()\n\n\n    f()\n    g()";

    fn cut(boundaries: Boundaries) -> Vec<Range<usize>> {
        let rows: Vec<&str> = CODE.lines().collect();
        boundaries.cut(&rows, None)
    }

    #[test]
    fn blank_rows_end_a_block_and_long_ones_are_cut_where_they_are_least_indented() {
        for (max_rows, expected) in [
            (12, vec![0..9, 9..11]),
            (9, vec![0..9, 9..11]),
            // Blank rows are the least indented ones.
            (6, vec![0..4, 4..7, 7..9, 9..11]),
        ] {
            assert_eq!(cut(Boundaries::Blank { max_rows }), expected, "{max_rows}");
        }
        assert_eq!(cut(Boundaries::Lines).len(), 11);
    }

    #[test]
    #[allow(clippy::single_range_in_vec_init)]
    fn a_rise_of_the_perplexity_starts_a_block() {
        let rows = ["a"; 6];
        for (perplexities, expected) in [
            (vec![1.0, 1.0, 9.0, 1.0, 1.0, 1.0], vec![0..2, 2..6]),
            (vec![9.0, 1.0, 1.0, 1.0, 1.0, 9.0], vec![0..5, 5..6]),
            // Higher than the row before, but not higher than the row after.
            (vec![1.0, 5.0, 9.0, 1.0, 1.0, 1.0], vec![0..2, 2..6]),
            (vec![1.0; 6], vec![0..6]),
            (vec![1.0, 9.0], vec![0..1, 1..6]),
            (vec![], vec![0..6]),
            (vec![f32::NAN; 6], vec![0..6]),
        ] {
            let blocks = Boundaries::Perplexity.cut(&rows, Some(&perplexities));
            assert_eq!(blocks, expected, "{perplexities:?}");
        }
    }

    #[test]
    fn names_are_read_back() {
        for boundaries in [
            Boundaries::Blank { max_rows: 4 },
            Boundaries::Perplexity,
            Boundaries::Lines,
        ] {
            assert_eq!(Boundaries::parse(&boundaries.name()), Some(boundaries));
        }
        for name in ["", "blank-0", "blank-x", "nothing"] {
            assert_eq!(Boundaries::parse(name), None);
        }
    }

    proptest! {
        #[test]
        fn blocks_are_in_order_and_hold_every_row_once(
            rows in prop::collection::vec("[ ]{0,12}[a}]?", 0..80),
            max_rows in 1usize..14,
            perplexities in prop::collection::vec(0f32..9.0, 0..80),
        ) {
            let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
            for boundaries in [Boundaries::Blank { max_rows }, Boundaries::Perplexity, Boundaries::Lines] {
                let blocks = boundaries.cut(&rows, Some(&perplexities));
                let all: Vec<usize> = blocks.iter().cloned().flatten().collect();
                prop_assert_eq!(all, (0..rows.len()).collect::<Vec<_>>());
                prop_assert!(blocks.iter().all(|block| !block.is_empty()));
                if let Boundaries::Blank { .. } = boundaries {
                    prop_assert!(blocks.iter().all(|block| block.len() <= max_rows));
                }
            }
        }
    }
}
