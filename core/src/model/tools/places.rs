//! Paths and names as a model writes them → places in the repository.

use std::collections::{BTreeMap, BTreeSet};

use crate::index::Index;
use crate::index::graph::SymbolId;
use crate::lang::Role;
use crate::lang::{Symbol, SymbolKind};
use crate::lines::Line;
use crate::model::prompt::fence;
use crate::source::FileId;

/// Most similar paths or names that are offered.
const MAX_SIMILAR: usize = 8;
/// Most references that are shown.
const MAX_REFERENCES: usize = 40;

/// The files that a path can refer to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found<'i> {
    One(FileId),
    /// Several files whose paths end with it.
    Several(Vec<&'i str>),
    /// None; holds paths with the same file name or a similar one.
    None(Vec<&'i str>),
}

/// The file at `path`: an exact match, or the only file whose path ends with it, whatever folders
/// precede it.
pub(super) fn find_path<'i>(index: &'i Index, path: &str) -> Found<'i> {
    let path = path
        .trim()
        .trim_matches(['`', '"', '\'', '[', ']'])
        .replace('\\', "/");
    let mut suffix = path.trim_start_matches("./").trim_start_matches('/');
    if let Some(file) = index.repo.find(suffix) {
        return Found::One(file);
    }
    // A model may prefix it with the archive's or the machine's folders.
    loop {
        let ending = ending_with(index, suffix);
        match ending.as_slice() {
            [] => {}
            [(file, _)] => return Found::One(*file),
            several => {
                let exact = several.iter().find(|(_, path)| *path == suffix);
                return match exact {
                    Some((file, _)) => Found::One(*file),
                    None => {
                        let paths = several.iter().map(|(_, path)| *path);
                        Found::Several(paths.take(MAX_SIMILAR).collect())
                    }
                };
            }
        }
        match suffix.split_once('/') {
            // All folders must not be dropped: a file name alone is too little.
            Some((_, rest)) if rest.contains('/') => suffix = rest,
            _ => break,
        }
    }
    Found::None(similar_paths(index, &path))
}

/// The files whose path is `suffix` or ends with `/suffix`, ignoring case.
fn ending_with<'i>(index: &'i Index, suffix: &str) -> Vec<(FileId, &'i str)> {
    let files = (0..).map(FileId).zip(&index.repo.files);
    let ends = |path: &str| {
        let Some(start) = path.len().checked_sub(suffix.len()) else {
            return false;
        };
        let (Some(before), Some(end)) = (path.get(..start), path.get(start..)) else {
            return false;
        };
        end.eq_ignore_ascii_case(suffix) && (before.is_empty() || before.ends_with('/'))
    };
    let found = files.filter(|(_, file)| !suffix.is_empty() && ends(&file.path));
    found.map(|(id, file)| (id, file.path.as_str())).collect()
}

fn similar_paths<'i>(index: &'i Index, path: &str) -> Vec<&'i str> {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let stem = name.split('.').next().unwrap_or_default();
    if stem.is_empty() {
        return Vec::new();
    }
    let paths = index.repo.files.iter().map(|file| file.path.as_str());
    let mut similar: Vec<(bool, usize, &str)> = paths
        .filter_map(|path| {
            let known = path.rsplit('/').next()?.to_lowercase();
            let is_same = known == name;
            (is_same || known.contains(stem)).then_some((!is_same, path.len(), path))
        })
        .collect();
    similar.sort_unstable();
    similar.truncate(MAX_SIMILAR);
    similar.into_iter().map(|(_, _, path)| path).collect()
}

/// The definitions that a name can refer to: the most used first, those of tests last. A name with
/// owners (`Pool.get`, `Pool::get`) that matches nothing is looked up without them.
pub(super) fn definitions(index: &Index, name: &str) -> Vec<SymbolId> {
    let name = normal_name(name);
    let own = name.rsplit('.').next().unwrap_or_default();
    if own.is_empty() {
        return Vec::new();
    }
    let named = symbols(index).filter(|(_, symbol)| symbol.name == own);
    let named: Vec<(SymbolId, &Symbol)> = named.collect();
    // The name may lack owners, or begin with modules that are not owners.
    let has_owners = |symbol: &Symbol| {
        ends_with_name(&symbol.qualified, &name)
            || (symbol.parent.is_some() && ends_with_name(&name, &symbol.qualified))
    };
    let exact = named.iter().filter(|(_, symbol)| has_owners(symbol));
    let mut found: Vec<SymbolId> = exact.map(|(id, _)| *id).collect();
    if found.is_empty() {
        found = named.iter().map(|(id, _)| *id).collect();
    }
    found.sort_by_cached_key(|id| {
        let path = index.repo.file(id.file).map_or("", |file| &file.path);
        let is_aside = Role::of(path) != Role::Source;
        (is_aside, u32::MAX - index.graph.n_callers(*id), *id)
    });
    found
}

/// Whether `qualified` is `name` or ends with `.name`.
fn ends_with_name(qualified: &str, name: &str) -> bool {
    let before = qualified.strip_suffix(name);
    before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// `Pool.get` of `` `Pool::get()` ``.
fn normal_name(name: &str) -> String {
    let name = name.trim().trim_matches(['`', '"', '\'']);
    let end = name.find(['(', '<']).unwrap_or(name.len());
    let name = name.get(..end).unwrap_or(name);
    let name = name
        .replace("::", ".")
        .replace("->", ".")
        .replace(['#', '/'], ".");
    name.trim().trim_matches('.').to_owned()
}

/// All definitions in code.
fn symbols(index: &Index) -> impl Iterator<Item = (SymbolId, &Symbol)> {
    let files = (0..).map(FileId).zip(index.parsed.iter());
    files
        .filter(|(_, parsed)| parsed.language.is_code())
        .flat_map(|(file, parsed)| {
            let symbols = (0..).zip(&parsed.symbols);
            symbols.map(move |(at, symbol)| (SymbolId { file, at }, symbol))
        })
        .filter(|(_, symbol)| !matches!(symbol.kind, SymbolKind::Section | SymbolKind::Key))
}

/// Names of definitions that contain `name` or are contained in it, ignoring case, shortest first.
pub(super) fn similar_names(index: &Index, name: &str) -> Vec<String> {
    let name = normal_name(name).to_lowercase();
    let own = name.rsplit('.').next().unwrap_or_default();
    if own.chars().count() < 3 {
        return Vec::new();
    }
    let is_similar = |known: &str| {
        let known = known.to_lowercase();
        known.contains(own) || (known.chars().count() >= 4 && own.contains(&known))
    };
    let similar = symbols(index).filter(|(_, symbol)| is_similar(&symbol.name));
    let names: BTreeSet<(usize, &str)> = similar
        .map(|(_, symbol)| (symbol.qualified.len(), symbol.qualified.as_str()))
        .collect();
    let names = names.into_iter().take(MAX_SIMILAR);
    names.map(|(_, name)| name.to_owned()).collect()
}

/// Lines that refer to definitions.
pub(super) struct References {
    /// At most [`MAX_REFERENCES`], sorted by file and line.
    pub lines: Vec<(FileId, Line)>,
    /// How many there are in all.
    pub n_found: usize,
    /// Whether one of the lines may refer to another definition.
    pub some_uncertain: bool,
}

impl References {
    pub fn by_file(&self) -> BTreeMap<FileId, Vec<Line>> {
        let mut by_file: BTreeMap<FileId, Vec<Line>> = BTreeMap::new();
        for &(file, line) in &self.lines {
            by_file.entry(file).or_default().push(line);
        }
        by_file
    }
}

/// The lines that call, import or inherit from any of `definitions`.
pub(super) fn references(index: &Index, definitions: &[SymbolId]) -> References {
    let mut lines = BTreeSet::new();
    let mut some_uncertain = false;
    for &id in definitions {
        for call in index.graph.callers(id) {
            some_uncertain |= !call.is_certain();
            lines.insert((call.file, call.line));
        }
        for (class, line) in index.graph.subclasses(id) {
            lines.insert((class.file, line));
        }
        let importers = index.graph.importers(id.file);
        let importers = importers.filter(|link| link.symbol == Some(id));
        lines.extend(importers.map(|link| (link.file, link.lines.start())));
    }
    References {
        n_found: lines.len(),
        lines: lines.into_iter().take(MAX_REFERENCES).collect(),
        some_uncertain,
    }
}

/// Single lines of a file, numbered and fenced, each with the reference to cite it by.
pub(super) fn quote_single_lines(index: &Index, file: FileId, lines: &[Line]) -> String {
    let (Some(source), Some(starts)) = (index.repo.file(file), index.lines(file)) else {
        return String::new();
    };
    let quoted = lines.iter().filter_map(|&line| {
        let range = crate::lines::LineRange::new(line, line);
        let text = starts.slice(&source.text, range)?;
        Some(fence::quote(&source.path, range, text))
    });
    quoted.collect::<Vec<String>>().join("\n")
}
