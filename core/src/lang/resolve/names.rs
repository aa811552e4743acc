//! Looks up definitions and files by name, without copying any name.

use std::hash::Hasher;

use crate::hash::FastHasher;
use crate::lang::{Parsed, Symbol, SymbolId, SymbolKind};
use crate::source::{FileId, Repo};

/// Hashes a name; comparing them distinguishes names with the same hash.
pub(crate) fn digest(name: &str) -> u64 {
    let mut hasher = FastHasher::default();
    hasher.write(name.as_bytes());
    hasher.finish()
}

/// All definitions of code by name, and apart from them what other files name.
#[derive(Default)]
pub(crate) struct Names {
    symbols: Sorted,
    /// Headings, keys and the like.
    others: Sorted,
}

/// The digest of a name, its file and its place among the file's symbols; sorted.
type Sorted = Vec<(u64, u32, u32)>;

impl Names {
    pub(crate) fn new(parsed: &[Parsed]) -> Self {
        let mut names = Self::default();
        for (file, parsed) in parsed.iter().enumerate() {
            let known = match parsed.language.is_code() {
                true => &mut names.symbols,
                false => &mut names.others,
            };
            for (at, symbol) in parsed.symbols.iter().enumerate() {
                known.push((digest(&symbol.name), file as u32, at as u32));
            }
        }
        names.symbols.sort_unstable();
        names.others.sort_unstable();
        names
    }

    /// Returns the definitions with this name, by file.
    pub(crate) fn of<'a>(
        &'a self,
        parsed: &'a [Parsed],
        name: &'a str,
    ) -> impl Iterator<Item = (SymbolId, &'a Symbol)> {
        of(&self.symbols, parsed, name)
    }

    /// Returns everything with this name, in whatever kind of file, by file.
    pub(crate) fn every(&self, parsed: &[Parsed], name: &str) -> Vec<SymbolId> {
        let all = [&self.symbols, &self.others].into_iter();
        let all = all.flat_map(|sorted| of(sorted, parsed, name));
        let mut all: Vec<SymbolId> = all.map(|(id, _)| id).collect();
        all.sort_unstable();
        all
    }

    /// Returns the definitions with this name in one file, by line.
    pub(crate) fn in_file<'a>(
        &'a self,
        parsed: &'a [Parsed],
        file: FileId,
        name: &'a str,
    ) -> impl Iterator<Item = (SymbolId, &'a Symbol)> {
        let key = (digest(name), file.0);
        let from = self
            .symbols
            .partition_point(|entry| (entry.0, entry.1) < key);
        let is_there = move |entry: &(u64, u32, u32)| (entry.0, entry.1) == key;
        named(&self.symbols, parsed, name, from, is_there)
    }

    /// Returns the definition with this name at the top level of a file, or of a module or
    /// namespace in it: what another file can import. If there are several, the last that is not a
    /// constant or variable, else the last.
    pub(crate) fn top(&self, parsed: &[Parsed], file: FileId, name: &str) -> Option<SymbolId> {
        let symbols = &parsed.get(file.0 as usize)?.symbols;
        let is_top = |symbol: &Symbol| match symbol.parent {
            None => true,
            Some(parent) => symbols
                .get(parent as usize)
                .is_some_and(|parent| parent.kind == SymbolKind::Module),
        };
        let is_plain =
            |symbol: &Symbol| matches!(symbol.kind, SymbolKind::Constant | SymbolKind::Variable);
        let found = self.in_file(parsed, file, name);
        found
            .filter(|(_, symbol)| is_top(symbol) && symbol.kind != SymbolKind::Method)
            .max_by_key(|(id, symbol)| (!is_plain(symbol), id.at))
            .map(|(id, _)| id)
    }
}

/// Returns the symbols with this name, by file.
fn of<'a>(
    sorted: &'a Sorted,
    parsed: &'a [Parsed],
    name: &'a str,
) -> impl Iterator<Item = (SymbolId, &'a Symbol)> {
    let digest = digest(name);
    let from = sorted.partition_point(|entry| entry.0 < digest);
    named(sorted, parsed, name, from, move |entry| entry.0 == digest)
}

/// Returns the symbols with this name among the entries at `from` that belong together.
fn named<'a>(
    sorted: &'a Sorted,
    parsed: &'a [Parsed],
    name: &'a str,
    from: usize,
    belongs: impl Fn(&(u64, u32, u32)) -> bool + 'a,
) -> impl Iterator<Item = (SymbolId, &'a Symbol)> {
    let entries = sorted.get(from..).unwrap_or_default().iter();
    entries
        .take_while(move |entry| belongs(entry))
        .filter_map(move |&(_, file, at)| {
            let symbol = parsed.get(file as usize)?.symbols.get(at as usize)?;
            let id = SymbolId {
                file: FileId(file),
                at,
            };
            (symbol.name == name).then_some((id, symbol))
        })
}

/// Files by the digest of something in their paths. Who looks one up compares the paths, as two
/// texts can have the same digest.
#[derive(Default)]
pub(crate) struct Files {
    /// Sorted.
    by_digest: Vec<(u64, u32)>,
}

impl Files {
    /// Makes it from the digest of each file, in order.
    pub(crate) fn new(digests: impl Iterator<Item = u64>) -> Self {
        let mut by_digest: Vec<(u64, u32)> = digests.zip(0..).collect();
        by_digest.sort_unstable();
        Self { by_digest }
    }

    /// Returns the files with this digest, in order.
    pub(crate) fn of(&self, digest: u64) -> impl Iterator<Item = FileId> {
        let from = self.by_digest.partition_point(|entry| entry.0 < digest);
        let entries = self.by_digest.get(from..).unwrap_or_default().iter();
        let known = entries.take_while(move |entry| entry.0 == digest);
        known.map(|&(_, at)| FileId(at))
    }
}

/// All files by file name, for paths of which only the end is known.
#[derive(Default)]
pub(crate) struct FileNames(Files);

impl FileNames {
    pub(crate) fn new(repo: &Repo) -> Self {
        let names = repo.files.iter().map(|file| file_name(&file.path));
        Self(Files::new(names.map(digest)))
    }

    /// Returns the files whose path is `suffix` or ends with `/suffix`.
    pub(crate) fn ending<'a>(
        &'a self,
        repo: &'a Repo,
        suffix: &'a str,
    ) -> impl Iterator<Item = (FileId, &'a str)> {
        let files = self.0.of(digest(file_name(suffix)));
        files.filter_map(move |id| {
            let path = repo.file(id)?.path.as_str();
            let before = path.strip_suffix(suffix)?;
            (before.is_empty() || before.ends_with('/')).then_some((id, path))
        })
    }
}

/// Returns the last component of a path.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the folder of a path; empty at the root.
pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Returns a folder and its ancestors, ending with the empty one for the root.
pub(crate) fn ancestors(folder: &str) -> impl Iterator<Item = &str> {
    let mut next = Some(folder);
    std::iter::from_fn(move || {
        let current = next?;
        next = match current.rsplit_once('/') {
            Some((above, _)) => Some(above),
            None if current.is_empty() => None,
            None => Some(""),
        };
        Some(current)
    })
}

/// Resolves `path` as written in a file of `folder`, without `.` and `..`; returns `None` if it
/// leaves the repository.
pub(crate) fn join(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Returns the number of leading components that two folders share.
pub(crate) fn shared_folders(a: &str, b: &str) -> usize {
    let pairs = a.split('/').zip(b.split('/'));
    pairs.take_while(|(a, b)| a == b).count()
}
