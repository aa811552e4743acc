//! The places where a name stands in code, without those where it means something else.

use std::collections::BTreeSet;

use super::wanted::Wanted;
use crate::answer::definition::Definition;
use crate::answer::kinds::scope::rank;
use crate::answer::kinds::teller::Teller;
use crate::answer::kinds::texts::{Text, is_of_word, shown, words};
use crate::answer::notes::Entry;
use crate::lang::SymbolKind;
use crate::lines::Line;
use crate::source::FileId;

/// A use of the name.
pub(super) struct Place {
    pub entry: Entry,
    pub how: &'static str,
    pub path: String,
    /// Sort key: sources before tests, then file and line.
    pub order: (u8, FileId, Line),
}

/// Returns all uses in the files.
pub(super) fn find(teller: &Teller<'_, '_>, files: &[FileId], wanted: &Wanted) -> Vec<Place> {
    let mut certain: BTreeSet<(FileId, Line)> = BTreeSet::new();
    let calls = teller.index.graph.callers_of_any(&wanted.symbols);
    let calls = calls.iter().filter(|call| call.is_certain());
    certain.extend(calls.map(|call| (call.file, call.line)));
    let mut imported: BTreeSet<(FileId, Line)> = BTreeSet::new();
    for link in teller.index.graph.all_imports() {
        if link.symbol.is_some_and(|id| wanted.symbols.contains(&id)) {
            let lines = link.lines.start().0..=link.lines.end().0;
            imported.extend(lines.map(|line| (link.file, Line(line))));
        }
    }
    let known = Known {
        calls: certain,
        imports: imported,
    };
    let mut found = Vec::new();
    for file in files {
        let has_call = known.calls.iter().any(|(of, _)| of == file);
        if (has_call || teller.file_text(*file).contains(wanted.name.as_str()))
            && let Some(text) = Text::new(teller.index, *file)
        {
            in_file(teller, &text, wanted, &known, &mut found);
        }
    }
    found
}

/// Where the graph knows calls and imports of what is looked for.
struct Known {
    calls: BTreeSet<(FileId, Line)>,
    imports: BTreeSet<(FileId, Line)>,
}

fn in_file(
    teller: &Teller<'_, '_>,
    text: &Text<'_>,
    wanted: &Wanted,
    known: &Known,
    found: &mut Vec<Place>,
) {
    let is_known = is_known_in(text, wanted, known) || shares_package(teller, text, wanted);
    let mut seen: BTreeSet<Line> = BTreeSet::new();
    for at in words(text.text, &wanted.name) {
        let line = text.line(at);
        if !text.is_code(at) || seen.contains(&line) {
            continue;
        }
        let how = match told(text, wanted, known, line) {
            Some(how) => how,
            None if is_definition(text, wanted, line) => continue,
            None if !is_use(teller, text, wanted, at, is_known) => continue,
            None if is_called(text, wanted, line) => "call",
            None => "reference",
        };
        seen.insert(line);
        found.push(place(text, line, how, &wanted.name));
    }
    // An import can rename it; calls then use the other name.
    for (_, line) in known.calls.iter().filter(|(file, _)| *file == text.file) {
        if seen.insert(*line) {
            found.push(place(text, *line, "call", ""));
        }
    }
}

/// Returns what the graph and the imports say about a line.
fn told(text: &Text<'_>, wanted: &Wanted, known: &Known, line: Line) -> Option<&'static str> {
    let here = (text.file, line);
    if known.calls.contains(&here) {
        return Some("call");
    }
    let mut imports = text.parsed.imports.iter();
    let is_import = imports.any(|import| import.lines.contains(line));
    // A method is not imported; an import with its name is something else.
    let by_name = wanted.symbols.is_empty() || !wanted.is_by_owner && !wanted.is_member;
    (known.imports.contains(&here) || is_import && by_name).then_some("import")
}

fn is_called(text: &Text<'_>, wanted: &Wanted, line: Line) -> bool {
    let mut calls = text.parsed.calls.iter();
    calls.any(|call| call.line == line && call.name == wanted.name)
}

fn place(text: &Text<'_>, line: Line, how: &'static str, quote: &str) -> Place {
    let detail = format!("{how}: {}", shown(text.row(line)));
    let name = match how {
        "import" => text.path.to_owned(),
        _ => text.place(line),
    };
    Place {
        entry: text.entry(line, name, detail, quote),
        how,
        path: text.path.to_owned(),
        order: (rank(text.path), text.file, line),
    }
}

/// Whether the file defines, imports or certainly calls what is looked for.
fn is_known_in(text: &Text<'_>, wanted: &Wanted, known: &Known) -> bool {
    let here = |(file, _): &(FileId, Line)| *file == text.file;
    let family = text.parsed.language.spec().family;
    let imports_all =
        |import: &crate::lang::Import| import.names.iter().any(|name| name.name == "*");
    wanted.symbols.is_empty()
        || wanted.is_macro
        || family.sees_everything
        || family.includes_files
        || text.parsed.imports.iter().any(imports_all)
        || wanted.symbols.iter().any(|id| id.file == text.file)
        || known.calls.iter().any(here)
        || known.imports.iter().any(here)
}

/// Whether the file shares a package with a wanted definition, so that it needs no import.
fn shares_package(teller: &Teller<'_, '_>, text: &Text<'_>, wanted: &Wanted) -> bool {
    let packages = text.parsed.language.spec().family.packages;
    let own = packages(text.path, &text.parsed.packages);
    let mut homes = wanted
        .symbols
        .iter()
        .filter_map(|id| teller.index.file(id.file));
    homes.any(|(file, parsed)| {
        let theirs = packages(&file.path, &parsed.packages);
        own.iter().any(|package| theirs.contains(package))
    })
}

/// Whether the line defines the name instead of using it.
fn is_definition(text: &Text<'_>, wanted: &Wanted, line: Line) -> bool {
    let is_home = wanted.symbols.iter().any(|id| id.file == text.file);
    let mut symbols = text.parsed.symbols.iter();
    symbols.any(|symbol| {
        // A variable with the same name elsewhere may be made from it.
        let is_value = matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Constant);
        symbol.name.trim_start_matches('~') == wanted.name
            && symbol.name_line == line
            && (is_home || !is_value || wanted.symbols.is_empty())
    })
}

/// Whether the name at a place means what is looked for, as far as the surrounding code shows.
fn is_use(
    teller: &Teller<'_, '_>,
    text: &Text<'_>,
    wanted: &Wanted,
    at: usize,
    is_known: bool,
) -> bool {
    let before = text.text.get(..at).unwrap_or_default();
    let receiver = receiver(before);
    if let Some(owner) = &wanted.owner {
        return receiver.is_some_and(|receiver| {
            receiver == *owner || receiver.ends_with(&format!(".{owner}"))
        });
    }
    if wanted.is_by_owner || wanted.symbols.is_empty() {
        return !wanted.is_by_owner;
    }
    if wanted.is_member {
        let family = text.parsed.language.spec().family;
        let is_bare = family.has_implicit_self || family.calls_methods_bare;
        return receiver.is_some() || is_bare && !is_parameter(teller, text, wanted, at);
    }
    let is_own = receiver
        .as_deref()
        .is_some_and(|receiver| matches!(receiver, "self" | "this" | "cls"));
    if receiver.is_some() {
        return !is_own;
    }
    is_known
        && !is_argument_name(text.text, at, &wanted.name)
        && !is_parameter(teller, text, wanted, at)
}

/// Returns what stands before the dot in front of a name.
fn receiver(before: &str) -> Option<String> {
    let owner = before
        .strip_suffix("::")
        .or_else(|| before.strip_suffix("?."))
        .or_else(|| before.strip_suffix("->"))
        .or_else(|| before.strip_suffix('.'))?;
    let parts = owner.rsplit(|c: char| !is_of_word(c) && c != '.' && c != ':' && c != '$');
    let owner = parts.into_iter().next().unwrap_or_default();
    Some(owner.replace("::", "."))
}

/// Whether the name is a keyword argument, as in `name=value`: a parameter of the called function.
fn is_argument_name(text: &str, at: usize, name: &str) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_end();
    let after = text.get(at + name.len()..).unwrap_or_default();
    before.ends_with(['(', ','])
        && after.trim_start_matches(' ').starts_with('=')
        && !after.trim_start().starts_with("==")
}

/// Whether an enclosing function has a parameter with this name.
fn is_parameter(teller: &Teller<'_, '_>, text: &Text<'_>, wanted: &Wanted, at: usize) -> bool {
    let mut around = text.enclosing(text.line(at));
    while let Some(inner) = around {
        let definition = Definition::new(teller.index, text.file, inner);
        let parameters =
            definition.and_then(|definition| teller.syntax.shape(&definition).parameters);
        let mut parameters = parameters.iter().flatten();
        if parameters.any(|parameter| parameter.name == wanted.name) {
            return true;
        }
        let symbol = text.parsed.symbols.get(inner as usize);
        around = symbol.and_then(|symbol| symbol.parent);
    }
    false
}
