//! Listings of files: paths alone, with the names of their definitions, or with signatures and
//! documentation.

use std::collections::BTreeMap;
use std::ops::Range;

use super::desk::Desk;
use crate::chunk::metadata::{is_class, is_function};
use crate::lab::questions::world::World;
use crate::lang::{Symbol, SymbolId, SymbolKind};
use crate::model::prompt::{estimate_tenths, fence};
use crate::source::FileId;

/// Most names in one row.
const MAX_NAMES: usize = 40;

/// Tenths of a token that a row costs beside its words: indentation and line end.
const ROW_TENTHS: usize = 22;

/// Rows of a file in a listing, counted from 0; those of a long file are in several parts.
pub(super) type Part = (FileId, Range<usize>);

/// Returns what a listing says about a file below its path, one line each.
pub(super) type Rows = fn(&World<'_>, FileId) -> Vec<String>;

/// Only the path.
pub(super) fn paths(_: &World<'_>, _: FileId) -> Vec<String> {
    Vec::new()
}

/// Classes with their bases and methods, then the names of functions.
pub(super) fn names(world: &World<'_>, file: FileId) -> Vec<String> {
    let symbols: Vec<(SymbolId, &Symbol)> = world
        .symbols(file)
        .filter(|(id, _)| !world.is_test(*id))
        .collect();
    let is_class_at = |at: u32| {
        let owner = world.index.symbol(SymbolId { file, at });
        owner.is_some_and(|it| is_class(it.kind))
    };
    let mut members: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    for (_, symbol) in symbols.iter().filter(|(_, it)| is_function(it.kind)) {
        if let Some(owner) = symbol.parent {
            members.entry(owner).or_default().push(&symbol.name);
        }
    }
    let mut rows = Vec::new();
    for (id, symbol) in symbols.iter().filter(|(_, it)| is_class(it.kind)) {
        let parsed = world.index.file(file).map(|(_, parsed)| parsed);
        let bases = parsed.map_or(&[][..], |parsed| parsed.bases_of(id.at));
        let bases: Vec<&str> = bases.iter().map(|base| base.name.as_str()).collect();
        let mut row = format!("{} {}", symbol.kind.name(), symbol.qualified);
        if !bases.is_empty() {
            row += &format!(" ({})", bases.join(", "));
        }
        let own = members.get(&id.at).into_iter().flatten();
        rows.push(with_names(row, own.copied()));
    }
    let free = symbols.iter().filter(|(_, it)| is_function(it.kind));
    let free = free.filter(|(_, it)| !it.parent.is_some_and(is_class_at));
    let free: Vec<&str> = free.map(|(_, it)| it.qualified.as_str()).collect();
    if !free.is_empty() {
        rows.push(with_names("functions".to_owned(), free.into_iter()));
    }
    rows
}

fn with_names<'n>(row: String, names: impl Iterator<Item = &'n str>) -> String {
    let mut names = names.peekable();
    if names.peek().is_none() {
        return row;
    }
    let listed: Vec<&str> = names.by_ref().take(MAX_NAMES).collect();
    let more = names.next().map_or("", |_| ", …");
    format!("{row}: {}{more}", listed.join(", "))
}

/// Signatures of classes, functions and methods, each with the first sentence of its documentation.
pub(super) fn signatures(world: &World<'_>, file: FileId) -> Vec<String> {
    let is_shown = |it: &Symbol| {
        let is_other = matches!(it.kind, SymbolKind::Type | SymbolKind::Macro);
        is_class(it.kind) || is_function(it.kind) || is_other
    };
    let symbols = world.symbols(file);
    let symbols = symbols.filter(|(id, it)| is_shown(it) && !world.is_test(*id));
    let rows = symbols.map(|(_, symbol)| {
        let indent = symbol.parent.map_or("", |_| "  ");
        match symbol.doc.as_str() {
            "" => format!("{indent}{}", symbol.signature),
            doc => format!("{indent}{} — {doc}", symbol.signature),
        }
    });
    rows.collect()
}

/// Cuts the listing of all sources into parts of at most `room` tokens, by folder: files of one
/// folder are separated only if they do not fit together.
pub(super) fn pack(desk: &Desk, rows: Rows, room: usize) -> Vec<Vec<Part>> {
    let world = desk.world();
    let mut packed = Packed {
        room: room * 10,
        parts: Vec::new(),
        used: usize::MAX,
    };
    for folder in desk
        .sources
        .chunk_by(|a, b| desk.folder(*a) == desk.folder(*b))
    {
        let costs: Vec<(FileId, Vec<usize>)> = folder
            .iter()
            .map(|file| (*file, costs(desk, &rows(&world, *file), *file)))
            .collect();
        let all: usize = costs.iter().flat_map(|(_, costs)| costs).sum();
        if packed.used.saturating_add(all) > packed.room {
            packed.open();
        }
        for (file, costs) in costs {
            packed.add(file, &costs);
        }
    }
    packed.parts.retain(|parts| !parts.is_empty());
    packed.parts
}

/// The rows of one file that fit into `room` tokens; `None` if none fits.
pub(super) fn pack_one(desk: &Desk, file: FileId, rows: Rows, room: usize) -> Option<Part> {
    let costs = costs(desk, &rows(&desk.world(), file), file);
    let sums = costs.iter().scan(0, |sum, cost| {
        *sum += cost;
        Some(*sum)
    });
    let fitting = sums.take_while(|sum| *sum <= room * 10).count();
    (fitting > 1).then(|| (file, 0..fitting - 1))
}

/// The cost of the path, then of each row, in tenths of a token.
fn costs(desk: &Desk, rows: &[String], file: FileId) -> Vec<usize> {
    let rows = rows.iter().map(String::as_str);
    let rows = [desk.path(file)].into_iter().chain(rows);
    rows.map(|row| estimate_tenths(row) + ROW_TENTHS).collect()
}

struct Packed {
    /// Room in one part, in tenths of a token.
    room: usize,
    parts: Vec<Vec<Part>>,
    used: usize,
}

impl Packed {
    fn open(&mut self) {
        self.parts.push(Vec::new());
        self.used = 0;
    }

    /// Adds a file; opens new parts if it does not fit.
    fn add(&mut self, file: FileId, costs: &[usize]) {
        let Some((path, rows)) = costs.split_first() else {
            return;
        };
        let whole: usize = costs.iter().sum();
        if self.used > 0 && self.used.saturating_add(whole) > self.room {
            self.open();
        }
        let mut start = 0;
        let mut used = self.used.saturating_add(*path);
        for (at, row) in rows.iter().enumerate() {
            if at > start && used + row > self.room {
                self.put(file, start..at, used);
                self.open();
                (start, used) = (at, *path);
            }
            used += row;
        }
        self.put(file, start..rows.len(), used);
    }

    fn put(&mut self, file: FileId, rows: Range<usize>, used: usize) {
        if self.parts.is_empty() {
            self.open();
        }
        if let Some(part) = self.parts.last_mut() {
            part.push((file, rows));
        }
        self.used = used;
    }
}

/// The text of a part, fenced.
pub(super) fn text(desk: &Desk, rows: Rows, parts: &[Part]) -> String {
    let world = desk.world();
    let mut text = String::new();
    for (file, shown) in parts {
        // A line end in a name would start a new line.
        text += &fence::name(desk.path(*file));
        text.push('\n');
        let all = rows(&world, *file);
        for row in all.get(shown.clone()).unwrap_or_default() {
            text += &format!("  {}\n", row.replace('\n', " "));
        }
    }
    fence::quote_plain(&text)
}
