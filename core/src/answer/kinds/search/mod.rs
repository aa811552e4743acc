//! A question that is itself a search: a text in quotes or a regular expression, with filters.
//!
//! `"exact text"`, `` `text` `` or `/regex/flags`, with any of `path:`, `lang:`, `symbol:`,
//! `file:`, `-path:` before or after it. Lines are matched one by one.

mod pieces;
mod query;

use super::scope::rank;
use super::teller::{Teller, counted};
use super::texts::{Text, shown};
use crate::answer::Span;
use crate::answer::notes::{Entry, Source, code, text};
use crate::index::graph::SymbolId;
use crate::lines::{Line, LineRange};
use crate::source::FileId;
use query::Query;

/// The name in records.
pub(super) const NAME: &str = "search";

/// Maximum number of lines that are listed.
const MAX_LINES: usize = 2_000;

/// Answers a question that is a search; returns false if it is not one.
pub(super) fn state(teller: &mut Teller<'_, '_>) -> bool {
    let query = match Query::read(teller.question.text()) {
        Some(Ok(query)) => query,
        Some(Err(why)) => {
            teller.note = Some(why);
            return true;
        }
        None => return false,
    };
    let mut files = files(teller, &query);
    files.sort_by_key(|file| (rank(teller.path(*file)), *file));
    if query.patterns.is_empty() {
        return definitions(teller, &query, &files);
    }
    let mut entries = Vec::new();
    for file in &files {
        in_file(teller, &query, *file, &mut entries);
        if entries.len() >= MAX_LINES {
            break;
        }
    }
    entries.truncate(MAX_LINES);
    say(teller, &query, &files, entries)
}

fn files(teller: &Teller<'_, '_>, query: &Query) -> Vec<FileId> {
    let all = (0..).map(FileId).zip(
        teller
            .index
            .repo
            .files
            .iter()
            .zip(teller.index.parsed.iter()),
    );
    let wanted = all.filter(|(_, (file, parsed))| query.takes(&file.path, parsed.language));
    wanted.map(|(id, _)| id).collect()
}

fn in_file(teller: &Teller<'_, '_>, query: &Query, file: FileId, entries: &mut Vec<Entry>) {
    let Some(source) = Text::plain(teller.index, file) else {
        return;
    };
    let ranges: Option<Vec<LineRange>> = query.symbol.as_ref().map(|name| {
        let symbols = source.parsed.symbols.iter();
        let named = symbols.filter(|symbol| is_named(name, &symbol.name, &symbol.qualified));
        named.map(|symbol| symbol.lines).collect()
    });
    for (line, row) in (1..).map(Line).zip(source.text.lines()) {
        let is_inside = ranges
            .as_ref()
            .is_none_or(|ranges| ranges.iter().any(|range| range.contains(line)));
        let first = query.patterns.first().and_then(|pattern| pattern.find(row));
        let Some(first) = first.filter(|_| is_inside && query.matches(row)) else {
            continue;
        };
        let name = format!("{}:{}", source.path, line.0);
        let quote = match first.as_str().trim().is_empty() {
            true => "",
            false => first.as_str(),
        };
        entries.push(source.entry(line, name, shown(row), quote));
        if entries.len() >= MAX_LINES {
            return;
        }
    }
}

fn is_named(wanted: &str, name: &str, qualified: &str) -> bool {
    let wanted = wanted.replace("::", ".");
    let owner = qualified.strip_suffix(wanted.as_str());
    name == wanted || owner.is_some_and(|owner| owner.is_empty() || owner.ends_with('.'))
}

/// States the definitions with a name, for `symbol:name` without a text.
fn definitions(teller: &mut Teller<'_, '_>, query: &Query, files: &[FileId]) -> bool {
    let Some(name) = &query.symbol else {
        return false;
    };
    let mut entries = Vec::new();
    for file in files {
        let found: Vec<SymbolId> = teller
            .defined_in(*file)
            .filter(|(_, symbol)| is_named(name, &symbol.name, &symbol.qualified))
            .map(|(id, _)| id)
            .collect();
        for id in found {
            let symbol = teller.index.symbol(id);
            let lines = symbol.map(|symbol| symbol.lines);
            let entry = teller.defined(id).zip(lines).map(|(mut entry, lines)| {
                entry.detail = shown(symbol.map_or("", |symbol| &symbol.signature));
                entry.name = format!("{}:{}", teller.path(*file), lines.start().0);
                entry.source.lines = lines;
                entry
            });
            entries.extend(entry);
        }
    }
    if entries.is_empty() {
        return none(teller, query, files);
    }
    let n = counted(entries.len(), "definition", "definitions");
    let lead = vec![
        text(format!("{n} of ")),
        code(name.clone()),
        text(match entries.len() {
            1 => " is there: ",
            _ => " are there: ",
        }),
    ];
    teller.list(lead, entries)
}

fn say(teller: &mut Teller<'_, '_>, query: &Query, files: &[FileId], entries: Vec<Entry>) -> bool {
    if entries.is_empty() {
        return none(teller, query, files);
    }
    let mut in_files: Vec<FileId> = entries.iter().map(|entry| entry.source.file).collect();
    in_files.dedup();
    let n_files = counted(in_files.len(), "file", "files");
    let mut lead: Vec<Span> = subject(query);
    let n = match entries.len() {
        MAX_LINES => format!(" matches {MAX_LINES} lines or more, of which these are listed: "),
        n => format!(" matches {} in {n_files}: ", counted(n, "line", "lines")),
    };
    lead.push(text(n));
    teller.list(lead, entries)
}

fn none(teller: &mut Teller<'_, '_>, query: &Query, files: &[FileId]) -> bool {
    let mut spans = subject(query);
    let first = files.first().copied().unwrap_or(FileId(0));
    let n = counted(files.len(), "file", "files");
    spans.push(text(match files.is_empty() {
        true => " matches nothing: the filters leave no file".to_owned(),
        false => format!(" matches nothing in the {n} that the search covers"),
    }));
    let lines = crate::lines::LineIndex::new(teller.file_text(first)).all();
    let searched = Source {
        file: first,
        lines,
        quotes: Vec::new(),
        why: crate::answer::notes::SEARCHED.to_owned(),
    };
    teller.say(spans, &[searched])
}

/// Returns what was searched for as the subject of a sentence.
fn subject(query: &Query) -> Vec<Span> {
    let what = match (query.is_expression, query.patterns.is_empty()) {
        (_, true) => "The name ",
        (true, _) => "The expression ",
        (false, _) => "The text ",
    };
    vec![text(what), code(query.shown.clone())]
}
