//! An index → the rows that the database keeps of it.

use std::collections::BTreeSet;

use footnote_core::index::Index;
use footnote_core::index::graph::{ImportLink, Target};
use footnote_core::lang::{ImportedName, SymbolKind};
use footnote_core::source::FileId;
use pgvector::HalfVector;

/// Everything that is searched of one repository.
#[derive(Clone)]
pub struct Rows {
    /// The id of the encoder of all vectors.
    pub encoder: String,
    /// The paths of the files.
    pub files: Vec<String>,
    pub chunks: Vec<ChunkRow>,
    pub words: Vec<WordRow>,
    pub symbols: Vec<SymbolRow>,
    pub imports: Vec<ImportRow>,
}

#[derive(Clone)]
pub struct ChunkRow {
    pub file: i32,
    pub first: i32,
    pub last: i32,
    pub symbol: Option<String>,
    pub vector: Option<HalfVector>,
}

/// The chunks with a word, and what it adds to the score of each.
#[derive(Clone)]
pub struct WordRow {
    pub term: String,
    pub chunks: Vec<i32>,
    pub impacts: Vec<f32>,
}

#[derive(Clone)]
pub struct SymbolRow {
    pub file: i32,
    pub name: String,
    pub qualified: String,
    pub kind: &'static str,
    pub first: i32,
    pub last: i32,
}

#[derive(Clone)]
pub struct ImportRow {
    pub file: i32,
    pub target: String,
    pub module: String,
    pub first: i32,
    pub last: i32,
}

impl Rows {
    /// Reads an index that has the static encoder's vectors; `None` if they are missing.
    pub fn new(index: &Index) -> Option<Self> {
        let encoder = index.table()?.id().to_owned();
        Some(Self {
            encoder,
            files: index.repo.files.iter().map(|it| clean(&it.path)).collect(),
            chunks: chunks(index),
            words: words(index),
            symbols: symbols(index),
            imports: imports(index),
        })
    }
}

/// PostgreSQL's texts cannot contain the character 0.
pub fn clean(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

/// Numbers of files, lines and chunks are far below the limit: an archive has at most 512 MB.
fn int(value: u32) -> i32 {
    i32::try_from(value).unwrap_or(i32::MAX)
}

fn chunks(index: &Index) -> Vec<ChunkRow> {
    let row = |(id, chunk): (_, &footnote_core::chunk::Chunk)| ChunkRow {
        file: int(chunk.file.0),
        first: int(chunk.lines.start().0),
        last: int(chunk.lines.end().0),
        symbol: index.symbol_of(id).map(|symbol| clean(&symbol.qualified)),
        vector: vector(index, id),
    };
    index.chunk_ids().map(row).collect()
}

fn vector(index: &Index, id: footnote_core::chunk::ChunkId) -> Option<HalfVector> {
    let embedding = index.table()?.vectors().get(id)?.to_embedding();
    let values = embedding.values();
    // A vector of zeros has no direction.
    let has_direction = values.iter().any(|&value| value != 0.0);
    has_direction.then(|| HalfVector::from_f32_slice(values))
}

fn words(index: &Index) -> Vec<WordRow> {
    let rows = index.bm25.impacts().map(|(term, impacts)| WordRow {
        term: term.to_owned(),
        chunks: impacts.iter().map(|(chunk, _)| int(chunk.0)).collect(),
        impacts: impacts.iter().map(|(_, impact)| *impact).collect(),
    });
    rows.filter(|row| !row.chunks.is_empty()).collect()
}

fn symbols(index: &Index) -> Vec<SymbolRow> {
    let mut rows = Vec::new();
    for (file, parsed) in (0..).zip(index.parsed.iter()) {
        let defined = parsed.symbols.iter();
        for symbol in defined.filter(|it| is_definition(it.kind)) {
            rows.push(SymbolRow {
                file,
                name: clean(&symbol.name),
                qualified: clean(&symbol.qualified),
                kind: symbol.kind.name(),
                first: int(symbol.lines.start().0),
                last: int(symbol.lines.end().0),
            });
        }
    }
    rows
}

/// Headings and keys of text files define nothing that code could use. Without `_`, so that a new
/// kind has to be thought of, here and in the catalogue.
pub fn is_definition(kind: SymbolKind) -> bool {
    match kind {
        SymbolKind::Module
        | SymbolKind::Class
        | SymbolKind::Interface
        | SymbolKind::Trait
        | SymbolKind::Struct
        | SymbolKind::Enum
        | SymbolKind::Union
        | SymbolKind::Type
        | SymbolKind::Function
        | SymbolKind::Method
        | SymbolKind::Macro
        | SymbolKind::Constant
        | SymbolKind::Variable => true,
        SymbolKind::Section | SymbolKind::Key => false,
    }
}

fn imports(index: &Index) -> Vec<ImportRow> {
    let mut rows = Vec::new();
    for (at, parsed) in (0..).zip(index.parsed.iter()) {
        let mut seen = BTreeSet::new();
        for link in index.graph.imports(FileId(at)) {
            let Some(import) = parsed.imports.get(link.import as usize) else {
                continue;
            };
            let name = link.name.and_then(|name| import.names.get(name as usize));
            for target in targets(index, link, &import.module, name) {
                if seen.insert((target.clone(), link.lines.start())) {
                    rows.push(ImportRow {
                        file: int(at),
                        target: clean(&target),
                        module: clean(&import.module),
                        first: int(link.lines.start().0),
                        last: int(link.lines.end().0),
                    });
                }
            }
        }
    }
    rows
}

/// What an import can be asked by. An import of the repository's own file is asked by that file's
/// place, however it is written; an import of a library also by each package around it.
fn targets(
    index: &Index,
    link: &ImportLink,
    module: &str,
    name: Option<&ImportedName>,
) -> Vec<String> {
    let file = match link.target {
        Target::File(file) => index.repo.file(file),
        _ => None,
    };
    let base = match file {
        Some(file) => module_of(&file.path),
        None => dotted(module),
    };
    let name = name.map(|it| it.name.as_str()).filter(|it| *it != "*");
    let mut targets = Vec::new();
    if file.is_none() {
        let ends = base.match_indices('.').map(|(end, _)| end);
        targets.extend(ends.filter_map(|end| base.get(..end).map(str::to_owned)));
    }
    targets.extend(name.map(|name| format!("{base}.{}", dotted(name))));
    targets.push(base);
    targets.retain(|target| !target.is_empty());
    targets
}

/// A module's name with dots, whatever its language writes: `std::fs`, `lodash/fp`, `a\b`.
pub fn dotted(module: &str) -> String {
    let module = module.replace("::", ".").replace(['/', '\\'], ".");
    module.trim_matches('.').to_owned()
}

/// The module that a file is: `src/requests/sessions.py` is `requests.sessions`.
fn module_of(path: &str) -> String {
    let folder = ["src/", "lib/"].iter();
    let path = folder.fold(path, |path, start| path.strip_prefix(start).unwrap_or(path));
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.split_once('.').map_or(file, |(stem, _)| stem);
    match stem {
        // Files that stand for their folder.
        "__init__" | "mod" | "index" if !folder.is_empty() => dotted(folder),
        _ => dotted(&format!("{folder}/{stem}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_asked_by_the_name_that_importers_use() {
        for (path, module) in [
            ("src/requests/sessions.py", "requests.sessions"),
            ("requests/__init__.py", "requests"),
            ("lib/router/index.js", "router"),
            ("index.js", "index"),
            ("src/net/mod.rs", "net"),
            ("a/b.test.ts", "a.b"),
        ] {
            assert_eq!(module_of(path), module);
        }
    }

    #[test]
    fn modules_of_all_languages_are_written_with_dots() {
        for (written, expected) in [
            ("std::fs::File", "std.fs.File"),
            ("lodash/fp", "lodash.fp"),
            (".models", "models"),
            ("Acme\\Store", "Acme.Store"),
            ("…", "…"),
        ] {
            assert_eq!(dotted(written), expected);
        }
    }
}
