//! What search over many repositories keeps of one: words, vectors, places and names, but no text.

use std::collections::BTreeSet;

use crate::chunk::ChunkId;
use crate::index::{Bm25, Index, Vectors};
use crate::lang::{Symbol, SymbolKind};
use crate::lines::LineRange;
use crate::search::steps::Purpose;

/// One repository, ready to be searched together with others.
pub struct Member {
    name: String,
    paths: Vec<Box<str>>,
    chunks: Vec<Part>,
    pub(super) bm25: Bm25,
    /// The sums of `bm25`'s lengths.
    pub(super) lengths: [u64; 3],
    pub(super) table: Option<Table>,
    /// By name, then place.
    definitions: Vec<Named>,
    /// By module or `module.name`, then place.
    imports: Vec<Named>,
}

/// The static encoder's vectors, with its id.
pub(super) struct Table {
    pub(super) id: String,
    pub(super) vectors: Vectors,
}

struct Part {
    file: u32,
    lines: LineRange,
    symbol: Option<Box<str>>,
    purpose: Option<Purpose>,
}

/// A definition or an import, under the name that it is looked up by.
struct Named {
    name: Box<str>,
    /// With its owners.
    qualified: Box<str>,
    kind: &'static str,
    file: u32,
    lines: LineRange,
}

/// Lines of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'m> {
    /// The path of the file.
    pub path: &'m str,
    /// The lines in it.
    pub lines: LineRange,
    /// The definition that they belong to, with its owners, if any; or what is imported.
    pub symbol: Option<&'m str>,
    /// The definition's kind as a noun; `import` for an import; empty for a chunk.
    pub kind: &'static str,
}

impl Member {
    /// Takes from an index what is needed; the index can be dropped afterwards.
    pub fn of(index: &Index) -> Self {
        let table = index.table().map(|table| Table {
            id: table.id().to_owned(),
            vectors: table.vectors().shared(),
        });
        let paths = index.repo.files.iter();
        Self {
            name: index.repo.name.clone(),
            paths: paths.map(|file| file.path.as_str().into()).collect(),
            chunks: index
                .chunk_ids()
                .map(|(id, _)| Part::of(index, id))
                .collect(),
            lengths: index.bm25.total_lengths(),
            bm25: index.bm25.clone(),
            table,
            definitions: definitions(index),
            imports: imports(index),
        }
    }

    /// Takes the vectors of an index that were computed by the static encoder `id`; vectors for
    /// another number of chunks are rejected.
    pub fn with_vectors(mut self, id: String, vectors: Vectors) -> Self {
        if vectors.chunk_count() == self.chunks.len() {
            self.table = Some(Table { id, vectors });
        }
        self
    }

    /// Returns the repository's name, such as `requests-2.32.5`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the number of files.
    pub fn file_count(&self) -> usize {
        self.paths.len()
    }

    /// Returns the number of chunks.
    pub fn chunk_count(&self) -> usize {
        self.chunks.len()
    }

    /// Returns where a chunk lies.
    pub fn place(&self, chunk: ChunkId) -> Option<Place<'_>> {
        let part = self.chunks.get(chunk.0 as usize)?;
        Some(Place {
            path: self.paths.get(part.file as usize)?,
            lines: part.lines,
            symbol: part.symbol.as_deref(),
            kind: "",
        })
    }

    pub(super) fn purpose(&self, chunk: ChunkId) -> Option<Purpose> {
        self.chunks.get(chunk.0 as usize)?.purpose
    }

    /// Returns the definitions with this name, with or without owners: `send`, `Session.send`.
    /// `::` counts as `.`.
    pub fn definitions<'m>(&'m self, name: &str) -> impl Iterator<Item = Place<'m>> + use<'m> {
        let whole = name.replace("::", ".");
        let own = whole.rsplit('.').next().unwrap_or_default();
        let first = self.definitions.partition_point(|it| &*it.name < own);
        let after = self.definitions.partition_point(|it| &*it.name <= own);
        let same = self.definitions.get(first..after).unwrap_or_default();
        let fits = move |it: &&Named| {
            let owners = it.qualified.strip_suffix(whole.as_str());
            owners.is_some_and(|owners| owners.is_empty() || owners.ends_with('.'))
        };
        same.iter().filter(fits).filter_map(|it| self.shown(it))
    }

    /// Returns the imports of a module, of something in it, or of a name from it:
    /// `requests.sessions` finds `import requests.sessions` and
    /// `from requests import sessions`.
    pub fn imports<'m>(&'m self, module: &str) -> impl Iterator<Item = Place<'m>> + use<'m> {
        let module = module.to_owned();
        let first = self.imports.partition_point(|it| *it.name < *module);
        let rest = self.imports.get(first..).unwrap_or_default().iter();
        let begins = {
            let module = module.clone();
            move |it: &&Named| it.name.starts_with(module.as_str())
        };
        let fits = move |it: &&Named| {
            let inner = it.name.strip_prefix(module.as_str()).unwrap_or_default();
            inner.is_empty() || inner.starts_with(['.', ':', '/', '\\'])
        };
        let mut seen = BTreeSet::new();
        rest.take_while(begins)
            .filter(fits)
            .filter_map(|it| self.shown(it))
            // An import of several names is one place.
            .filter(move |place| seen.insert((place.path, place.lines)))
    }

    fn shown<'m>(&'m self, named: &'m Named) -> Option<Place<'m>> {
        Some(Place {
            path: self.paths.get(named.file as usize)?,
            lines: named.lines,
            symbol: Some(&named.qualified),
            kind: named.kind,
        })
    }
}

impl Part {
    fn of(index: &Index, id: ChunkId) -> Self {
        let chunk = index.chunk(id);
        let symbol = index.symbol_of(id);
        let first = LineRange::new(crate::lines::Line(1), crate::lines::Line(1));
        Self {
            file: chunk.map_or(u32::MAX, |chunk| chunk.file.0),
            lines: index.trimmed_lines(id).unwrap_or(first),
            symbol: symbol.map(|symbol| symbol.qualified.as_str().into()),
            purpose: Purpose::of(index, id),
        }
    }
}

fn definitions(index: &Index) -> Vec<Named> {
    let is_code = |symbol: &&Symbol| !matches!(symbol.kind, SymbolKind::Section | SymbolKind::Key);
    let files = (0..).zip(index.parsed.iter());
    let all = files.flat_map(|(file, parsed)| {
        let symbols = parsed.symbols.iter().filter(is_code);
        symbols.map(move |symbol| Named {
            name: symbol.name.as_str().into(),
            qualified: symbol.qualified.as_str().into(),
            kind: symbol.kind.name(),
            file,
            lines: symbol.lines,
        })
    });
    sorted(all.collect())
}

fn imports(index: &Index) -> Vec<Named> {
    let mut all = Vec::new();
    for (file, parsed) in (0..).zip(index.parsed.iter()) {
        for import in &parsed.imports {
            let mut add = |name: String| {
                all.push(Named {
                    name: name.as_str().into(),
                    qualified: name.into(),
                    kind: "import",
                    file,
                    lines: import.lines,
                });
            };
            add(import.module.clone());
            for taken in import.names.iter().filter(|taken| taken.name != "*") {
                add(format!("{}.{}", import.module, taken.name));
            }
        }
    }
    sorted(all)
}

fn sorted(mut all: Vec<Named>) -> Vec<Named> {
    all.sort_by(|a, b| {
        let key = |it: &Named| (it.file, it.lines);
        a.name.cmp(&b.name).then_with(|| key(a).cmp(&key(b)))
    });
    all
}
