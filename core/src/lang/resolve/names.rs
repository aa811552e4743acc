//! Looks up definitions and files by name, without copying any name.

use std::hash::Hasher;

use crate::hash::FastHasher;
use crate::lang::{Parsed, Symbol, SymbolId, SymbolKind};
use crate::source::{FileId, Repo};

/// Hashes a name; names with the same hash are told apart by comparing them.
pub(crate) fn digest(name: &str) -> u64 {
    let mut hasher = FastHasher::default();
    hasher.write(name.as_bytes());
    hasher.finish()
}

/// All definitions of code by name.
#[derive(Default)]
pub(crate) struct Names {
    /// Sorted.
    symbols: Vec<(u64, u32, u32)>,
}

impl Names {
    pub(crate) fn new(parsed: &[Parsed]) -> Self {
        let mut symbols = Vec::new();
        for (file, parsed) in parsed.iter().enumerate() {
            if !parsed.language.is_code() {
                continue;
            }
            for (at, symbol) in parsed.symbols.iter().enumerate() {
                symbols.push((digest(&symbol.name), file as u32, at as u32));
            }
        }
        symbols.sort_unstable();
        Self { symbols }
    }

    /// Returns the definitions with this name, by file.
    pub(crate) fn of<'a>(
        &'a self,
        parsed: &'a [Parsed],
        name: &'a str,
    ) -> impl Iterator<Item = (SymbolId, &'a Symbol)> {
        let digest = digest(name);
        let from = self.symbols.partition_point(|entry| entry.0 < digest);
        self.named(parsed, name, from, move |entry| entry.0 == digest)
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
        self.named(parsed, name, from, move |entry| (entry.0, entry.1) == key)
    }

    fn named<'a>(
        &'a self,
        parsed: &'a [Parsed],
        name: &'a str,
        from: usize,
        belongs: impl Fn(&(u64, u32, u32)) -> bool + 'a,
    ) -> impl Iterator<Item = (SymbolId, &'a Symbol)> {
        let entries = self.symbols.get(from..).unwrap_or_default().iter();
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

/// All files by file name, for paths of which only the end is known.
#[derive(Default)]
pub(crate) struct FileNames {
    /// Sorted.
    files: Vec<(u64, u32)>,
}

impl FileNames {
    pub(crate) fn new(repo: &Repo) -> Self {
        let files = repo.files.iter().zip(0u32..);
        let mut files: Vec<(u64, u32)> = files
            .map(|(file, at)| (digest(file_name(&file.path)), at))
            .collect();
        files.sort_unstable();
        Self { files }
    }

    /// Returns the files whose path is `suffix` or ends with `/suffix`.
    pub(crate) fn ending<'a>(
        &'a self,
        repo: &'a Repo,
        suffix: &'a str,
    ) -> impl Iterator<Item = (FileId, &'a str)> {
        let digest = digest(file_name(suffix));
        let from = self.files.partition_point(|entry| entry.0 < digest);
        let entries = self.files.get(from..).unwrap_or_default().iter();
        entries
            .take_while(move |entry| entry.0 == digest)
            .filter_map(move |&(_, at)| {
                let path = repo.files.get(at as usize)?.path.as_str();
                let before = path.strip_suffix(suffix)?;
                (before.is_empty() || before.ends_with('/')).then_some((FileId(at), path))
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
