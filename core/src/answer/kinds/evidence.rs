//! The lines that prove what the graph says: a subject's imports, its calls, and what was searched
//! if there are none.

use std::collections::BTreeSet;

use super::built;
use super::subject::Subject;
use crate::answer::notes::{DEFINITION, SEARCHED, Source};
use crate::index::Index;
use crate::index::graph::{CallLink, ImportLink, SymbolId, Target};
use crate::lang::Role;
use crate::lang::Symbol;
use crate::lines::{Line, LineIndex, LineRange};
use crate::source::FileId;

/// Maximum gap in lines between two imports that are cited as one.
const GAP: u32 = 4;

pub(super) fn path(index: &Index, file: FileId) -> &str {
    index.repo.file(file).map_or("", |file| &file.path)
}

pub(super) fn symbol(index: &Index, id: SymbolId) -> Option<&Symbol> {
    let (_, parsed) = index.file(id.file)?;
    parsed.symbols.get(id.at as usize)
}

/// Returns the files of a subject; for the project, those of its own code.
pub(super) fn files(index: &Index, subject: &Subject) -> Vec<FileId> {
    match subject {
        Subject::Project => {
            let all = (0..)
                .map(FileId)
                .zip(index.repo.files.iter().zip(index.parsed.iter()));
            let own = all.filter(|(_, (file, parsed))| {
                parsed.language.is_code() && Role::of(&file.path) == Role::Source
            });
            let own = own.map(|(id, _)| id);
            own.filter(|id| !built::is_built(index, *id)).collect()
        }
        Subject::Files(files, _) => files.clone(),
        Subject::Symbols(symbols, _) => symbols.iter().map(|symbol| symbol.file).collect(),
        Subject::Library(_) => Vec::new(),
    }
}

/// Returns the imports of a subject: all those of its files, or for a definition those whose names
/// it uses.
pub(super) fn imports<'i>(index: &'i Index, subject: &Subject) -> Vec<&'i ImportLink> {
    if let Subject::Symbols(symbols, _) = subject {
        let of = symbols.iter().flat_map(|id| of_symbol(index, *id));
        return of.collect();
    }
    let files = files(index, subject);
    files
        .iter()
        .flat_map(|file| index.graph.imports(*file))
        .collect()
}

fn of_symbol(index: &Index, id: SymbolId) -> Vec<&ImportLink> {
    let (Some((file, parsed)), Some(found)) = (index.file(id.file), symbol(index, id)) else {
        return Vec::new();
    };
    let lines = LineIndex::new(&file.text);
    let body = lines.slice(&file.text, found.lines).unwrap_or_default();
    let words: BTreeSet<&str> = body
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .collect();
    let links = index.graph.imports(id.file).iter();
    links
        .filter(|link| {
            let Some(import) = parsed.imports.get(link.import as usize) else {
                return false;
            };
            let name = link.name.and_then(|at| import.names.get(at as usize));
            let bound = match name {
                Some(name) if name.name != "*" || name.alias.is_some() => {
                    name.alias.as_deref().unwrap_or(&name.name)
                }
                _ => {
                    let mut parts = import.module.split(['.', '/', '\\', ':']);
                    parts.rfind(|part| !part.is_empty()).unwrap_or_default()
                }
            };
            found.lines.encloses(link.lines) || words.contains(bound)
        })
        .collect()
}

/// Returns the lines of an import, with the last part of the imported name, which must occur there.
pub(super) fn import_source(index: &Index, link: &ImportLink) -> Source {
    let imports = index
        .file(link.file)
        .map(|(_, parsed)| parsed.imports.as_slice());
    let import = imports.and_then(|imports| imports.get(link.import as usize));
    let name = import.and_then(|import| import.names.get(link.name? as usize));
    let module = import
        .map(|import| import.module.as_str())
        .unwrap_or_default();
    let named = name
        .map(|name| name.name.as_str())
        .filter(|name| *name != "*" && *name != "default");
    let quote = named.unwrap_or_else(|| {
        let mut parts = module.split(['/', ':', '\\']);
        parts.rfind(|part| !part.is_empty()).unwrap_or_default()
    });
    Source {
        file: link.file,
        lines: link.lines,
        quotes: quoted(index, link.file, link.lines, quote),
        why: "import".to_owned(),
    }
}

/// Returns the line of a call, with the called name if it is written there: an import can rename
/// it.
pub(super) fn call_source(index: &Index, call: &CallLink) -> Source {
    let lines = LineRange::new(call.line, call.line);
    let name = symbol(index, call.callee).map_or("", |symbol| symbol.name.as_str());
    Source {
        file: call.file,
        lines,
        quotes: quoted(index, call.file, lines, name),
        why: "call".to_owned(),
    }
}

/// Returns the line on which a definition's name stands.
pub(super) fn definition_source(index: &Index, id: SymbolId) -> Option<Source> {
    let found = symbol(index, id)?;
    Some(Source {
        file: id.file,
        lines: LineRange::new(found.name_line, found.name_line),
        quotes: vec![found.name.clone()],
        why: DEFINITION.to_owned(),
    })
}

fn quoted(index: &Index, file: FileId, lines: LineRange, quote: &str) -> Vec<String> {
    let text = index.repo.file(file).map_or("", |file| &file.text);
    let numbered = index.lines(file);
    let cited = numbered.and_then(|numbered| numbered.slice(text, lines));
    let is_there = !quote.is_empty() && cited.is_some_and(|cited| cited.contains(quote));
    is_there.then(|| quote.to_owned()).into_iter().collect()
}

/// Returns one source per block of a subject's imports; if there are none, the whole of what was
/// searched.
pub(super) fn all_imports(index: &Index, subject: &Subject, links: &[&ImportLink]) -> Vec<Source> {
    let mut sources: Vec<Source> = Vec::new();
    for link in links {
        let next = import_source(index, link);
        match sources.last_mut() {
            Some(last)
                if last.file == next.file
                    && next.lines.start().0 <= last.lines.end().0.saturating_add(GAP) =>
            {
                let end = last.lines.end().max(next.lines.end());
                last.lines = LineRange::new(last.lines.start(), end);
                last.quotes.extend(next.quotes);
                last.why = "all imports".to_owned();
            }
            _ => sources.push(next),
        }
    }
    if sources.is_empty() {
        sources.extend(whole(index, subject));
    }
    sources
}

/// Returns what was searched if nothing was found.
pub(super) fn whole(index: &Index, subject: &Subject) -> Option<Source> {
    if let Subject::Symbols(symbols, _) = subject {
        let found = symbol(index, *symbols.first()?)?;
        return Some(Source {
            file: symbols.first()?.file,
            lines: found.lines,
            quotes: vec![found.name.clone()],
            why: SEARCHED.to_owned(),
        });
    }
    let file = *files(index, subject).first()?;
    let text = &index.repo.file(file)?.text;
    let last = LineIndex::new(text).line_count();
    (last > 0).then(|| Source {
        file,
        lines: LineRange::new(Line(1), Line(last)),
        quotes: Vec::new(),
        why: SEARCHED.to_owned(),
    })
}

/// Whether an import binds a name to the definition: `const View = require("./view")`.
fn binds(index: &Index, link: &ImportLink, id: SymbolId) -> bool {
    let imports = index.file(link.file).map(|(_, parsed)| &parsed.imports);
    let import = imports.and_then(|imports| imports.get(link.import as usize));
    let name = import.and_then(|import| import.names.get(link.name? as usize));
    let bound = name.map(|name| name.alias.as_deref().unwrap_or(&name.name));
    bound.is_some() && bound == symbol(index, id).map(|symbol| symbol.name.as_str())
}

/// Whether an import leads to `subject`.
pub(super) fn leads_to(index: &Index, link: &ImportLink, subject: &Subject) -> bool {
    match subject {
        Subject::Project => false,
        Subject::Library(id) => {
            // `os.path` and `encoding/json` are parts of `os` and `encoding`.
            let name = index.graph.library(*id);
            match link.target {
                Target::Library(other) => {
                    let rest = index.graph.library(other).strip_prefix(name);
                    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '/', '\\']))
                }
                _ => false,
            }
        }
        Subject::Files(files, _) => {
            let target = matches!(link.target, Target::File(file) if files.contains(&file));
            target
                || link
                    .symbol
                    .is_some_and(|symbol| files.contains(&symbol.file))
        }
        Subject::Symbols(symbols, _) => {
            let is_meant = |id: &SymbolId| {
                link.symbol == Some(*id)
                    || link.target == Target::File(id.file) && binds(index, link, *id)
            };
            symbols.iter().any(is_meant)
        }
    }
}
