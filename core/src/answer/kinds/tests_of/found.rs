//! Finds the tests of a subject, each with the reason it counts as one.

use std::collections::BTreeMap;

use super::names::{holds, is_named_after, looks_like_test, snake, stem};
use crate::answer::kinds::named::outermost;
use crate::answer::kinds::scope::rank;
use crate::answer::kinds::teller::Teller;
use crate::answer::kinds::texts::{Text, is_callable, is_test, shown, words};
use crate::answer::notes::Entry;
use crate::index::graph::{SymbolId, Target};
use crate::lang::{Role, SymbolKind};
use crate::lines::Line;
use crate::source::FileId;

/// Shortest name for which a test is taken to be named after it, in letters.
const MIN_NAME: usize = 4;

#[derive(Default)]
pub(super) struct Found {
    /// Tests that are named after the subject, or stand in its own file or in one named after it.
    pub own: Vec<Entry>,
    /// Other tests that use it.
    pub others: Vec<Entry>,
    /// Tests that only their names connect with it.
    pub by_name: Vec<Entry>,
    /// Tests that call something with this name on an object of unknown type.
    pub maybe: Vec<Entry>,
    pub by_file: bool,
}

/// A test: a function, or a file if tests are not named functions.
type Test = (u8, FileId, Option<u32>);

/// Returns the tests of definitions.
pub(super) fn of_symbols(teller: &Teller<'_, '_>, ids: &[SymbolId]) -> Found {
    let mut known: BTreeMap<Test, Entry> = BTreeMap::new();
    let mut maybe: BTreeMap<Test, Entry> = BTreeMap::new();
    for id in with_members(teller, ids) {
        for call in teller.index.graph.callers(id) {
            if !is_test(teller.index, call.file, call.line) {
                continue;
            }
            let (into, how) = match call.is_certain() {
                true => (&mut known, "calls it"),
                false => (&mut maybe, "may call it"),
            };
            add(teller, into, call.file, call.line, how);
        }
    }
    let names = names(teller, ids);
    by_mention(teller, ids, &names, &mut known);
    let mut named: BTreeMap<Test, Entry> = BTreeMap::new();
    by_name(teller, &names, &mut named);
    named.retain(|test, _| !known.contains_key(test));
    maybe.retain(|test, _| !known.contains_key(test) && !named.contains_key(test));
    let is_own = |(_, file, at): &Test| is_own(teller, ids, &names, *file, *at);
    let (own, others): (Vec<_>, Vec<_>) = known.into_iter().partition(|(test, _)| is_own(test));
    let entries = |found: Vec<(Test, Entry)>| found.into_iter().map(|(_, entry)| entry).collect();
    Found {
        own: entries(own),
        others: entries(others),
        by_name: named.into_values().collect(),
        maybe: maybe.into_values().collect(),
        by_file: false,
    }
}

/// Whether a test is about the subject, as its name, its class, its file or its place says, and
/// does not only use it.
fn is_own(
    teller: &Teller<'_, '_>,
    ids: &[SymbolId],
    names: &[String],
    file: FileId,
    at: Option<u32>,
) -> bool {
    let symbol = at.and_then(|at| teller.index.symbol(SymbolId { file, at }));
    let mut wanted = names.iter().map(|name| snake(name.trim_start_matches('_')));
    let is_named = |wanted: &String| {
        let mut parts = symbol.iter().flat_map(|symbol| symbol.qualified.split('.'));
        wanted.len() >= MIN_NAME && parts.any(|part| holds(&snake(part), wanted))
    };
    let is_beside = ids.iter().any(|id| id.file == file);
    is_beside || wanted.any(|name| is_named(&name) || is_named_after(teller.path(file), &name))
}

/// Returns the tests of files: those that import them, and those named after them.
pub(super) fn of_files(teller: &Teller<'_, '_>, files: &[FileId]) -> Found {
    let mut found: BTreeMap<(u8, FileId), Entry> = BTreeMap::new();
    let mut add = |file: FileId, line: Line, how: &str| {
        let text = Text::plain(teller.index, file);
        let Some(text) = text.filter(|text| Role::of(text.path) == Role::Test) else {
            return;
        };
        let detail = match shown(text.row(line)) {
            row if how.starts_with("imports") => format!("{how}: {row}"),
            _ => how.to_owned(),
        };
        let entry = text.entry(line, text.path.to_owned(), detail, "");
        found.entry((rank(text.path), file)).or_insert(entry);
    };
    for link in teller.index.graph.all_imports() {
        let target = match (link.symbol, link.target) {
            (Some(symbol), _) => Some(symbol.file),
            (None, Target::File(file)) => Some(file),
            _ => None,
        };
        if target.is_some_and(|target| files.contains(&target)) {
            add(link.file, link.lines.start(), "imports it");
        }
    }
    let stems = files.iter().map(|file| snake(stem(teller.path(*file))));
    let stems: Vec<String> = stems.collect();
    for (id, file) in (0..).map(FileId).zip(&teller.index.repo.files) {
        if stems.iter().any(|stem| is_named_after(&file.path, stem)) {
            add(id, Line(1), "is named after it");
        }
    }
    Found {
        own: found.into_values().collect(),
        others: Vec::new(),
        by_name: Vec::new(),
        maybe: Vec::new(),
        by_file: true,
    }
}

/// Adds the members of classes to the definitions: a test of a method is a test of its class.
fn with_members(teller: &Teller<'_, '_>, ids: &[SymbolId]) -> Vec<SymbolId> {
    let mut all = Vec::new();
    for id in ids {
        all.push(*id);
        let is_class = teller
            .index
            .symbol(*id)
            .is_some_and(|symbol| symbol.kind.is_container());
        if let Some(definition) = teller.definition(*id).filter(|_| is_class) {
            all.extend(
                definition
                    .inner()
                    .filter(|at| *at != id.at)
                    .map(|at| SymbolId { file: id.file, at }),
            );
        }
    }
    all
}

fn names(teller: &Teller<'_, '_>, ids: &[SymbolId]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for id in ids {
        let name = teller.index.symbol(*id).map(|symbol| symbol.name.clone());
        names.extend(name.filter(|name| !names.contains(name)));
    }
    names
}

/// Adds the test around a line; calls outside functions belong to the file.
fn add(
    teller: &Teller<'_, '_>,
    into: &mut BTreeMap<Test, Entry>,
    file: FileId,
    line: Line,
    how: &str,
) {
    let Some(text) = Text::plain(teller.index, file) else {
        return;
    };
    let around = text
        .enclosing(line)
        .map(|at| outermost(teller, SymbolId { file, at }).at);
    let around = around.filter(|at| {
        let symbol = text.parsed.symbols.get(*at as usize);
        symbol.is_some_and(|symbol| is_callable(symbol.kind))
    });
    let symbol = around.and_then(|at| text.parsed.symbols.get(at as usize));
    let name = symbol
        .map_or(text.path, |symbol| &symbol.qualified)
        .to_owned();
    let detail = format!("{how}: {}", shown(text.row(line)));
    let entry = text.entry(line, name, detail, "");
    into.entry((rank(text.path), file, around)).or_insert(entry);
}

/// Returns tests whose code contains a name that only the subject has.
fn by_mention(
    teller: &Teller<'_, '_>,
    ids: &[SymbolId],
    names: &[String],
    known: &mut BTreeMap<Test, Entry>,
) {
    for name in names.iter().filter(|name| is_only(teller, ids, name)) {
        for (file, source) in (0..).map(FileId).zip(&teller.index.repo.files) {
            let is_code = teller
                .index
                .file(file)
                .is_some_and(|(_, parsed)| parsed.language.is_code());
            if !is_code || !source.text.contains(name.as_str()) {
                continue;
            }
            let Some(text) = Text::new(teller.index, file) else {
                continue;
            };
            for at in words(text.text, name) {
                let line = text.line(at);
                let is_import = text
                    .parsed
                    .imports
                    .iter()
                    .any(|import| import.lines.contains(line));
                if text.is_code(at) && !is_import && is_test(teller.index, file, line) {
                    add(teller, known, file, line, "names it");
                }
            }
        }
    }
}

/// Whether no other definition has this name.
fn is_only(teller: &Teller<'_, '_>, ids: &[SymbolId], name: &str) -> bool {
    let files = (0..).map(FileId).zip(teller.index.parsed.iter());
    let mut same = files.flat_map(|(file, parsed)| {
        let of_file = (0..).zip(&parsed.symbols);
        of_file
            .filter(|(_, symbol)| symbol.name == name)
            .map(move |(at, _)| SymbolId { file, at })
    });
    same.all(|id| ids.contains(&id))
}

/// Adds tests that are named after the subject, and those of a class that is.
fn by_name(teller: &Teller<'_, '_>, names: &[String], known: &mut BTreeMap<Test, Entry>) {
    let wanted: Vec<String> = names
        .iter()
        .map(|name| snake(name.trim_start_matches('_')))
        .filter(|name| name.len() >= MIN_NAME)
        .collect();
    for (file, parsed) in (0..).map(FileId).zip(teller.index.parsed.iter()) {
        if !parsed.language.is_code() {
            continue;
        }
        for (at, symbol) in (0..).zip(&parsed.symbols) {
            // A function inside of a test is a part of it.
            let is_one = is_callable(symbol.kind)
                && is_test(teller.index, file, symbol.name_line)
                && looks_like_test(symbol)
                && outermost(teller, SymbolId { file, at }).at == at;
            let owner = symbol.parent.and_then(|at| parsed.symbols.get(at as usize));
            let owner =
                owner.filter(|owner| owner.kind.is_container() && owner.kind != SymbolKind::Module);
            let named = |name: &str| wanted.iter().any(|wanted| holds(&snake(name), wanted));
            let how = match (
                named(&symbol.name),
                owner.is_some_and(|owner| named(&owner.name)),
            ) {
                (true, _) => "is named after it",
                (_, true) => "is in a class that is named after it",
                _ => continue,
            };
            let Some(text) = Text::plain(teller.index, file).filter(|_| is_one) else {
                continue;
            };
            let name = symbol.qualified.clone();
            let entry = text.entry(symbol.name_line, name, how.to_owned(), &symbol.name);
            known
                .entry((rank(text.path), file, Some(at)))
                .or_insert(entry);
        }
    }
}
