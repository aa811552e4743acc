//! Shared by the kinds that list things: the place to look in, the members of a class, counts,
//! values on one line, and the sources of a “nothing there”.

use std::collections::BTreeSet;

use super::evidence;
use super::subject::Subject;
use super::teller::{Teller, counted};
use crate::answer::Span;
use crate::answer::notes::{DEFINITION, Entry, MAX_NAMES, Source, code, text};
use crate::lang::{Language, Parsed, Role, Symbol, SymbolId, SymbolKind};
use crate::lines::{Line, LineRange};
use crate::source::FileId;

/// Longest value shown beside a name, in characters.
pub(super) const MAX_VALUE: usize = 120;

/// Longest declaration that is cited whole, in lines.
const MAX_LINES: u32 = 60;

/// Where to look for things.
pub(super) enum Place {
    /// Files, with the words that name them.
    Files(Vec<FileId>, Vec<Span>),
    /// Definitions with one name.
    Symbols(Vec<SymbolId>),
}

/// Returns the place that the words name; the project's own code if there are no words.
pub(super) fn place(teller: &Teller<'_, '_>, words: &str) -> Option<Place> {
    if let Some((files, shown)) = teller.files(words) {
        return Some(Place::Files(in_order(teller, files), shown));
    }
    match teller.subject(words)? {
        Subject::Symbols(symbols, _) => Some(Place::Symbols(symbols)),
        _ => None,
    }
}

/// Orders source files before tests.
pub(super) fn in_order(teller: &Teller<'_, '_>, mut files: Vec<FileId>) -> Vec<FileId> {
    files.sort_by_key(|file| (Role::of(teller.path(*file)) != Role::Source, *file));
    files
}

/// Returns a definition with its file: `` `Session` in `src/sessions.py` ``.
pub(super) fn named(teller: &Teller<'_, '_>, id: SymbolId) -> Vec<Span> {
    let name = teller
        .index
        .symbol(id)
        .map(|symbol| symbol.qualified.clone());
    vec![
        code(name.unwrap_or_default()),
        text(" in "),
        code(teller.path(id.file)),
    ]
}

pub(super) fn parsed<'i>(teller: &Teller<'_, 'i>, file: FileId) -> Option<&'i Parsed> {
    teller.index.parsed.get(file.0 as usize)
}

/// Returns the symbols that enclose a symbol, innermost first.
pub(super) fn owners<'p>(
    parsed: &'p Parsed,
    symbol: &'p Symbol,
) -> impl Iterator<Item = &'p Symbol> {
    let of = |symbol: &Symbol| parsed.symbols.get(symbol.parent? as usize);
    std::iter::successors(of(symbol), move |owner| of(owner))
}

/// Whether a definition stands inside a function: nothing outside can name it.
pub(super) fn is_local(parsed: &Parsed, symbol: &Symbol) -> bool {
    let function = |kind| matches!(kind, SymbolKind::Function | SymbolKind::Method);
    owners(parsed, symbol).any(|owner| function(owner.kind))
}

/// Whether a definition stands in a test module inside a source file, as is usual in Rust.
pub(super) fn is_in_tests(teller: &Teller<'_, '_>, id: SymbolId) -> bool {
    let Some((parsed, symbol)) = parsed(teller, id.file).zip(teller.index.symbol(id)) else {
        return false;
    };
    let mut around = std::iter::once(symbol).chain(owners(parsed, symbol));
    around.any(|owner| owner.kind == SymbolKind::Module && is_test_module(teller, id.file, owner))
}

fn is_test_module(teller: &Teller<'_, '_>, file: FileId, module: &Symbol) -> bool {
    matches!(module.name.as_str(), "test" | "tests") || {
        let head = LineRange::new(module.lines.start(), module.name_line);
        slice(teller, file, head).contains("cfg(test")
    }
}

/// Returns the text of these lines.
pub(super) fn slice<'i>(teller: &Teller<'_, 'i>, file: FileId, lines: LineRange) -> &'i str {
    let all = teller.file_text(file);
    let numbered = teller.index.lines(file);
    numbered
        .and_then(|numbered| numbered.slice(all, lines))
        .unwrap_or_default()
}

/// Returns the members of a class or the like, ordered by file and line. Includes members written
/// apart from it, those in other files only if no other class has its name.
pub(super) fn members(teller: &Teller<'_, '_>, id: SymbolId) -> Vec<SymbolId> {
    let Some(class) = teller.index.symbol(id) else {
        return Vec::new();
    };
    let is_direct = |symbol: &Symbol| {
        let rest = symbol.qualified.strip_prefix(class.qualified.as_str());
        let rest = rest.and_then(|rest| rest.strip_prefix('.'));
        rest.is_some_and(|rest| rest == symbol.name)
    };
    let of_file = |file: FileId| {
        let inside = teller.defined_in(file);
        inside
            .filter(|(_, symbol)| is_direct(symbol))
            .map(|(id, _)| id)
    };
    let language = parsed(teller, id.file).map(|parsed| parsed.language);
    if !is_only_one(teller, class) || language == Some(Language::Java) {
        return of_file(id.file)
            .filter(|member| is_declared_in(teller, id, *member))
            .collect();
    }
    let same = (0..).map(FileId).zip(teller.index.parsed.iter());
    let same = same.filter(|(file, parsed)| *file == id.file || Some(parsed.language) == language);
    same.flat_map(|(file, _)| of_file(file)).collect()
}

/// Whether the class itself declares the member: in Java the member can belong to an anonymous
/// class inside it.
fn is_declared_in(teller: &Teller<'_, '_>, class: SymbolId, member: SymbolId) -> bool {
    let is_java =
        parsed(teller, class.file).is_some_and(|parsed| parsed.language == Language::Java);
    let definition = teller.definition(class).filter(|_| is_java);
    let line = teller.index.symbol(member).map(|symbol| symbol.name_line);
    let declared = definition.map(|class| teller.syntax.shape(&class).members);
    let declared = declared.filter(|declared| !declared.is_empty());
    declared.is_none_or(|declared| declared.iter().any(|known| Some(known.line) == line))
}

fn is_only_one(teller: &Teller<'_, '_>, class: &Symbol) -> bool {
    let all = teller
        .index
        .parsed
        .iter()
        .flat_map(|parsed| &parsed.symbols);
    let named = all.filter(|other| {
        other.qualified == class.qualified
            && (other.kind.is_container() || other.kind == class.kind)
    });
    named.take(2).count() == 1
}

/// Filters the entries to those whose source holds, and returns them with their number in words: “4
/// functions”, “methods of 4 names at 5 places”.
pub(super) fn n_of(
    teller: &Teller<'_, '_>,
    entries: &mut Vec<Entry>,
    one: &str,
    many: &str,
) -> String {
    entries.retain(|entry| teller.notes.check(&entry.source).is_some());
    let names: BTreeSet<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
    let names = names.len();
    match entries.len() {
        n if n == names => counted(n, one, many),
        n => format!(
            "{many} of {} at {n} places",
            counted(names, "name", "names")
        ),
    }
}

/// Returns “ in 3 files” if the entries are from several files.
pub(super) fn in_files(entries: &[Entry]) -> String {
    let files: BTreeSet<FileId> = entries.iter().map(|entry| entry.source.file).collect();
    match files.len() {
        0 | 1 => String::new(),
        n => format!(" in {n} files"),
    }
}

/// Cites what was searched in vain: the first of the files, whole.
pub(super) fn searched(teller: &Teller<'_, '_>, files: &[FileId]) -> Vec<Source> {
    let whole = |file: &FileId| {
        let file = Subject::Files(vec![*file], String::new());
        evidence::whole(teller.index, &file)
    };
    files.iter().filter_map(whole).take(MAX_NAMES).collect()
}

/// States that files hold no such thing. `verb` is used after a single file: “defines no trait”.
pub(super) fn none(
    teller: &mut Teller<'_, '_>,
    files: &[FileId],
    shown: Vec<Span>,
    verb: &str,
    no: &str,
) -> bool {
    let broken = files.iter().filter_map(|file| parsed(teller, *file));
    let broken = broken.filter(|parsed| !parsed.problems.is_empty()).count();
    let sources = searched(teller, files);
    let mut spans = match files.len() {
        1 => shown,
        n => {
            let mut spans = vec![text(format!("None of the {n} searched files of "))];
            spans.extend(shown.into_iter().map(|span| match span {
                Span::Text(words) => text(words.replacen("The ", "the ", 1)),
                other => other,
            }));
            spans
        }
    };
    spans.push(text(match files.len() {
        1 => format!(" {verb} no {no}"),
        _ => format!(" {verb} a {no}")
            .replace(" a a", " an a")
            .replace(" a e", " an e"),
    }));
    if broken > 0 {
        let n = counted(broken, "file", "files");
        spans.push(text(format!(
            ", as far as the code could be parsed: the syntax of {n} has errors"
        )));
    }
    teller.say(spans, &sources)
}

/// Collapses white space, and cuts the text if it is too long.
pub(super) fn one_line(written: &str, max: usize) -> String {
    let line = written.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(max) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default().trim_end()),
        None => line,
    }
}

/// Like [`with_value`], if the declaration as indexed shows everything: parses nothing.
pub(super) fn short_value(teller: &Teller<'_, '_>, id: SymbolId) -> Option<(String, Source)> {
    let definition = teller.definition(id)?;
    let value = definition.value().filter(|value| !value.contains('='))?;
    let source = Source {
        file: id.file,
        lines: LineRange::new(definition.symbol.name_line, definition.symbol.name_line),
        quotes: vec![definition.symbol.name.clone(), value.clone()],
        why: DEFINITION.to_owned(),
    };
    let ends_there = definition.symbol.lines.end() == definition.symbol.name_line;
    (ends_there && teller.notes.check(&source).is_some()).then_some((value, source))
}

/// Returns a value's declaration with the lines that show it: the value must occur in them.
pub(super) fn with_value(teller: &Teller<'_, '_>, id: SymbolId) -> Option<(String, Source)> {
    let definition = teller.definition(id)?;
    let value = teller.syntax.shape(&definition).value?.text;
    let symbol = definition.symbol;
    let end = symbol.lines.end().0.min(symbol.name_line.0 + MAX_LINES);
    let source = Source {
        file: id.file,
        lines: LineRange::new(symbol.name_line, Line(end.max(symbol.name_line.0))),
        quotes: vec![symbol.name.clone(), value.clone()],
        why: DEFINITION.to_owned(),
    };
    let is_there = !value.is_empty() && teller.notes.check(&source).is_some();
    is_there.then_some((value, source))
}
