//! Finds where a citation belongs that names the wrong lines of the right file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::attributed::{Item, Need, squeezed_text};
use super::held::{Area, enclosing};
pub use super::paths::PathRepair;
use crate::index::Index;
use crate::index::tokens::identifiers;
use crate::lang::{Symbol, SymbolKind};
use crate::lines::{Line, LineIndex, LineRange};
use crate::source::FileId;

/// What was changed in a citation so that it holds; shown as a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// How the path differs, and the path that was meant.
    pub path: Option<(PathRepair, String)>,
    /// What was changed in the lines, if anything.
    pub lines: Option<LineRepair>,
}

/// What was changed in the lines of a citation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineRepair {
    /// What the statement attributes to them is at these lines.
    Moved {
        /// The lines that are meant.
        to: LineRange,
    },
    /// The two ends were in the wrong order.
    Turned {
        /// The lines that are meant.
        to: LineRange,
    },
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some((repair, path)) = &self.path {
            parts.push(match repair {
                PathRepair::Suffix => format!("the shortened path can only mean {path}"),
                PathRepair::Case => {
                    format!("the path differs from {path} in upper and lower case only")
                }
                PathRepair::Prefix => format!("inside the repository, the path is {path}"),
            });
        }
        match self.lines {
            Some(LineRepair::Moved { to }) => parts.push(format!(
                "what the statement says about the lines is in {}",
                named(to)
            )),
            Some(LineRepair::Turned { to }) => parts.push(format!(
                "the range was reversed and is read as {}",
                named(to)
            )),
            None => {}
        }
        f.write_str(&parts.join("; "))
    }
}

fn named(lines: LineRange) -> String {
    match lines.count() {
        1 => format!("line {lines}"),
        _ => format!("lines {lines}"),
    }
}

/// Maximum number of lines that a repair cites, unless the citation had more.
const MOST_LINES: u32 = 60;
/// Number of lines in which names are searched together if no definition holds them.
const WINDOW: u32 = 12;

/// Returns the only lines of `file` that hold all of `items`: the smallest definition, or a few
/// lines. `None` if there are none or several; of several, the one that overlaps `near`.
pub(super) fn relocate(
    index: &Index,
    file: FileId,
    items: &[&Item],
    near: Option<LineRange>,
) -> Option<LineRange> {
    let is_strong = |item: &&&Item| matches!(item.need, Need::Words { .. } | Need::Quote(_));
    items.iter().find(is_strong)?;
    let (source, parsed) = index.file(file)?;
    let lines = LineIndex::new(&source.text);
    let holds = |range: LineRange| {
        Area::new(index, file, range).is_some_and(|area| items.iter().all(|item| area.holds(item)))
    };
    let places = places(&source.text, &lines, items);
    let most = MOST_LINES.max(near.map_or(0, LineRange::count));
    let is_quoted = items.iter().any(|item| matches!(item.need, Need::Quote(_)));
    let mut found = Vec::new();
    if !is_quoted {
        found = definitions(&parsed.symbols, items, most, |range| {
            places.range(range.start()..=range.end()).next().is_some() && holds(range)
        });
    }
    if found.is_empty() {
        found = windows(&places, lines.line_count(), &holds);
    }
    found.sort_unstable();
    found.dedup();
    match found.as_slice() {
        [only] => Some(*only),
        several => {
            let is_close = |range: &&LineRange| near.is_some_and(|near| near.overlaps(**range));
            let mut close = several.iter().filter(is_close);
            let one = close.next()?;
            close.next().is_none().then_some(*one)
        }
    }
}

/// Returns the innermost definitions of at most `most` lines that hold everything; of several,
/// those that define one of the names.
fn definitions(
    symbols: &[Symbol],
    items: &[&Item],
    most: u32,
    holds: impl Fn(LineRange) -> bool,
) -> Vec<LineRange> {
    let mut found: Vec<&Symbol> = Vec::new();
    // Owners come before members.
    for symbol in symbols.iter().rev() {
        let range = symbol.lines;
        let is_code = !matches!(symbol.kind, SymbolKind::Section | SymbolKind::Key);
        let is_inner = !found.iter().any(|inner| range.encloses(inner.lines));
        if is_code && is_inner && range.count() <= most && holds(range) {
            found.push(symbol);
        }
    }
    let is_named = |symbol: &&Symbol| {
        items.iter().any(|item| match &item.need {
            Need::Words { words, .. } => words.contains(&symbol.name),
            _ => false,
        })
    };
    if found.len() > 1 && found.iter().any(is_named) {
        found.retain(is_named);
    }
    found.iter().map(|symbol| symbol.lines).collect()
}

/// Returns the lines with a part of what is searched.
fn places(text: &str, lines: &LineIndex, items: &[&Item]) -> BTreeSet<Line> {
    let mut wanted: BTreeMap<&str, ()> = BTreeMap::new();
    let mut starts: Vec<String> = Vec::new();
    for item in items {
        match &item.need {
            Need::Words { words, verbatim } => {
                wanted.extend(words.iter().map(|word| (word.as_str(), ())));
                if words.is_empty() {
                    starts.push(verbatim.clone());
                }
            }
            Need::Quote(pieces) => starts.extend(
                pieces
                    .iter()
                    .map(|piece| piece.split(' ').take(3).collect::<Vec<_>>().join(" ")),
            ),
            Need::File(_) | Need::Number(_) => {}
        }
    }
    let mut found = BTreeSet::new();
    for (row, line) in text
        .split('\n')
        .enumerate()
        .take(lines.line_count() as usize)
    {
        let has_word = identifiers(line).any(|word| wanted.contains_key(word));
        let has_start = || {
            let plain = squeezed_text(line);
            starts
                .iter()
                .any(|start| plain.contains(start.as_str()) || line.contains(start.as_str()))
        };
        if has_word || !starts.is_empty() && has_start() {
            found.insert(Line(row as u32 + 1));
        }
    }
    found
}

/// Returns the smallest ranges starting at one of `places` that hold everything, none inside
/// another.
fn windows(
    places: &BTreeSet<Line>,
    line_count: u32,
    holds: &impl Fn(LineRange) -> bool,
) -> Vec<LineRange> {
    /// With more places than this, none is unique.
    const MOST_PLACES: usize = 200;
    let mut found: Vec<LineRange> = Vec::new();
    if places.len() > MOST_PLACES {
        return found;
    }
    for &start in places {
        let last = Line((start.0 + WINDOW - 1).min(line_count));
        if !holds(LineRange::new(start, last)) {
            continue;
        }
        let ends = (start.0..=last.0).map(|end| LineRange::new(start, Line(end)));
        let Some(smallest) = ends.into_iter().find(|range| holds(*range)) else {
            continue;
        };
        found.retain(|other| !other.encloses(smallest));
        if !found.iter().any(|other| smallest.encloses(*other)) {
            found.push(smallest);
        }
    }
    found
}

/// Returns the innermost definition that encloses all of `lines`, as a sentence names it.
pub(super) fn innermost(index: &Index, file: FileId, lines: LineRange) -> Option<&str> {
    let (_, parsed) = index.file(file)?;
    let symbol = enclosing(&parsed.symbols, lines).last()?;
    Some(&symbol.qualified)
}
