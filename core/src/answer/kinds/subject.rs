//! What the words of a question name: the project, files, definitions or a library.

use crate::index::Index;
use crate::index::graph::{LibraryId, SymbolId};
use crate::index::tokens::code_tokens;
use crate::lang::Role;
use crate::lang::{Symbol, SymbolKind};
use crate::source::FileId;

/// Definitions of one name that are answered about together.
const MAX_SYMBOLS: usize = 8;

/// Words around a name that only say what it is.
const AROUND: [&str; 17] = [
    "the",
    "a",
    "an",
    "this",
    "module",
    "modules",
    "file",
    "files",
    "class",
    "function",
    "method",
    "package",
    "library",
    "libraries",
    "script",
    "code",
    "itself",
];

/// Words that stand for the whole project.
const PROJECT: [&str; 6] = [
    "project",
    "repository",
    "repo",
    "codebase",
    "it",
    "everything",
];

/// See the [module](self).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    Project,
    /// One file, or those of a folder, with the name to show.
    Files(Vec<FileId>, String),
    /// Definitions of one name.
    Symbols(Vec<SymbolId>, String),
    Library(LibraryId),
}

/// Reads the words; `None` if they name nothing of the repository.
pub(super) fn find(index: &Index, words: &str) -> Option<Subject> {
    let (name, hints) = bare(words);
    if name.is_empty() {
        let is_project = hints
            .iter()
            .any(|hint| matches!(hint.as_str(), "package" | "library" | "code"));
        return is_project.then_some(Subject::Project);
    }
    let hinted = |words: &[&str]| hints.iter().any(|hint| words.contains(&hint.as_str()));
    let lower = name.to_lowercase();
    let wants_file = hinted(&["module", "modules", "file", "files", "package", "script"]);
    let wants_symbol = hinted(&["class", "function", "method"]);
    let is_file_module = || hinted(&["module", "file", "script"]);
    if PROJECT.contains(&lower.as_str())
        || is_own_name(index, &lower) && !wants_symbol && !is_file_module()
    {
        return Some(Subject::Project);
    }
    let files = || files(index, &name);
    let symbols = || symbols(index, &name);
    let library = || library(index, &name).map(Subject::Library);
    if hinted(&["library", "libraries"]) {
        return library();
    }
    // A name with a capital or a call is code; `sessions` is sooner a module.
    let is_code = wants_symbol || name.chars().any(char::is_uppercase) || name.contains('_');
    if is_code && !wants_file {
        symbols().or_else(files).or_else(library)
    } else if wants_file {
        files()
    } else {
        files().or_else(symbols).or_else(library)
    }
}

/// The definitions that the words name.
pub(super) fn find_symbols(index: &Index, words: &str) -> Option<Subject> {
    symbols(index, &bare(words).0)
}

/// The name without quotes, and the words around it.
pub(super) fn bare(words: &str) -> (String, Vec<String>) {
    let plain = words
        .replace(['`', '"', '\'', '“', '”', '‘', '’', ','], " ")
        .replace("()", "");
    let mut hints = Vec::new();
    let mut name = Vec::new();
    for word in plain.split_whitespace() {
        let lower = word.to_lowercase();
        if AROUND.contains(&lower.as_str()) {
            hints.push(lower);
        } else {
            name.push(word);
        }
    }
    (name.join(" "), hints)
}

/// Whether the name is the repository's: `requests` of `requests-2.32.5`.
fn is_own_name(index: &Index, lower: &str) -> bool {
    let tokens = code_tokens(&index.repo.name);
    let own = tokens
        .iter()
        .map(String::as_str)
        .take_while(|token| !token.chars().all(|c| c.is_ascii_digit()));
    let own: Vec<&str> = own.collect();
    own.join("-") == lower || own.join("_") == lower || own.first() == Some(&lower)
}

/// A path, the end of one, a dotted module, a stem, or a folder.
fn files(index: &Index, name: &str) -> Option<Subject> {
    let all = || (0..).map(FileId).zip(&index.repo.files);
    if let Some(file) = index.repo.find(name) {
        return Some(Subject::Files(vec![file], name.to_owned()));
    }
    let ends = |path: &str, end: &str| {
        let before = path.strip_suffix(end);
        before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    let single = |found: Vec<(FileId, &str)>| -> Option<Subject> {
        let source: Vec<_> = found
            .iter()
            .copied()
            .filter(|(_, path)| Role::of(path) == Role::Source)
            .collect();
        let found = if source.is_empty() { found } else { source };
        // Of several the one nearest to the top.
        let (file, path) = found
            .into_iter()
            .min_by_key(|(_, path)| path.matches('/').count())?;
        Some(Subject::Files(vec![file], path.to_owned()))
    };
    let by_end: Vec<(FileId, &str)> = all()
        .filter(|(_, file)| ends(&file.path, name))
        .map(|(id, file)| (id, file.path.as_str()))
        .collect();
    if let Some(found) = single(by_end) {
        return Some(found);
    }
    if name.contains(char::is_whitespace) {
        return None;
    }
    let path = name.trim_matches('.').replace("::", "/").replace('.', "/");
    let is_code = |id: FileId| {
        index
            .file(id)
            .is_some_and(|(_, parsed)| parsed.language.is_code())
    };
    let by_stem: Vec<(FileId, &str)> = all()
        .filter(|(id, file)| {
            let stem = file
                .path
                .rsplit_once('.')
                .map_or(file.path.as_str(), |(stem, _)| stem);
            is_code(*id) && ends(stem, &path)
        })
        .map(|(id, file)| (id, file.path.as_str()))
        .collect();
    if let Some(found) = single(by_stem) {
        return Some(found);
    }
    let folder = all().find_map(|(_, file)| {
        let (folder, _) = file.path.rsplit_once('/')?;
        std::iter::successors(Some(folder), |folder| Some(folder.rsplit_once('/')?.0))
            .find(|folder| ends(folder, &path))
            .filter(|_| Role::of(&file.path) == Role::Source)
    })?;
    let prefix = format!("{folder}/");
    let inside = all().filter(|(id, file)| file.path.starts_with(&prefix) && is_code(*id));
    let inside: Vec<FileId> = inside.map(|(id, _)| id).collect();
    (!inside.is_empty()).then_some(Subject::Files(inside, prefix))
}

/// Definitions by their own name or with their owners; those of tests only where there are no others.
fn symbols(index: &Index, name: &str) -> Option<Subject> {
    let name = name.replace("::", ".").replace('#', ".");
    let has_name = |symbol: &Symbol| {
        symbol.name == name
            || symbol.qualified == name
            || name.contains('.')
                && symbol
                    .qualified
                    .strip_suffix(name.as_str())
                    .is_some_and(|owner| owner.ends_with('.'))
    };
    let mut found: Vec<(Role, SymbolId, &Symbol)> = Vec::new();
    for (file, (source, parsed)) in (0..)
        .map(FileId)
        .zip(index.repo.files.iter().zip(&index.parsed))
    {
        let of_file = (0..).zip(&parsed.symbols);
        for (at, symbol) in of_file.filter(|(_, symbol)| has_name(symbol)) {
            let is_code = !matches!(
                symbol.kind,
                SymbolKind::Section | SymbolKind::Key | SymbolKind::Constant | SymbolKind::Variable
            );
            if is_code && parsed.language.is_code() {
                found.push((Role::of(&source.path), SymbolId { file, at }, symbol));
            }
        }
    }
    if found.iter().any(|(role, ..)| *role == Role::Source) {
        found.retain(|(role, ..)| *role == Role::Source);
    }
    // What a build makes of the sources defines it again.
    let is_made = |id: &SymbolId| {
        let file = index.repo.file(id.file);
        file.is_some_and(|file| super::scope::is_made(&file.path))
    };
    if found.iter().any(|(_, id, _)| !is_made(id)) {
        found.retain(|(_, id, _)| !is_made(id));
    }
    let (_, _, first) = found.first()?;
    let shown = if found.len() == 1 {
        first.qualified.clone()
    } else {
        name
    };
    let ids: Vec<SymbolId> = found.iter().map(|(_, id, _)| *id).collect();
    (ids.len() <= MAX_SYMBOLS).then_some(Subject::Symbols(ids, shown))
}

/// A library that something imports, by its name or the last part of it.
pub(super) fn library(index: &Index, name: &str) -> Option<LibraryId> {
    let lower = name.to_lowercase();
    let all = || {
        index
            .graph
            .libraries()
            .map(|(id, known)| (id, known.to_lowercase()))
    };
    let exact = all().find(|(_, known)| *known == lower);
    let by_part =
        || all().find(|(_, known)| known.rsplit(['/', '\\']).next() == Some(lower.as_str()));
    let normal = lower.replace('-', "_");
    let by_spelling = || all().find(|(_, known)| known.replace('-', "_") == normal);
    exact
        .or_else(by_part)
        .or_else(by_spelling)
        .map(|(id, _)| id)
}
