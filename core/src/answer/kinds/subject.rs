//! What the words of a question name: the project, files, definitions or a library.

use super::built;
use super::lookup::without_constructors;
use super::paths::{self, files as files_named};
use crate::index::Index;
use crate::index::graph::{LibraryId, SymbolId};
use crate::index::tokens::code_tokens;
use crate::lang::Role;
use crate::lang::{Symbol, SymbolKind};
use crate::source::FileId;

/// Maximum number of definitions with one name that are answered about together.
const MAX_SYMBOLS: usize = 8;

/// Words around a name that only say what it is.
const AROUND: [&str; 30] = [
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
    "crate",
    "library",
    "libraries",
    "script",
    "code",
    "itself",
    "folder",
    "directory",
    "dir",
    "struct",
    "enum",
    "trait",
    "interface",
    "type",
    "macro",
    "whole",
    "entire",
    "folders",
];

/// Words that say what kind of thing the neighbouring word names.
pub(super) const KINDS_OF_SUBJECTS: [&str; 12] = [
    "module",
    "file",
    "class",
    "function",
    "method",
    "package",
    "library",
    "folder",
    "crate",
    "trait",
    "struct",
    "directory",
];

/// Words for the whole project.
const PROJECT: [&str; 8] = [
    "this",
    "project",
    "repository",
    "repo",
    "codebase",
    "crate",
    "it",
    "everything",
];

/// See the [module](self).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    Project,
    /// One file, or the files of a folder, with the name to show.
    Files(Vec<FileId>, String),
    /// Definitions with one name.
    Symbols(Vec<SymbolId>, String),
    Library(LibraryId),
}

/// Reads the words; returns `None` if they name nothing in the repository.
pub(super) fn find(index: &Index, words: &str) -> Option<Subject> {
    if let Some((what, place)) = scope(words)
        && bare(what).0.is_empty()
    {
        // “the code in adapters.py”
        return find(index, place);
    }
    let (name, hints) = bare(words);
    if name.is_empty() {
        let is_project = hints
            .iter()
            .any(|hint| matches!(hint.as_str(), "package" | "crate" | "library" | "code"));
        return is_project.then_some(Subject::Project);
    }
    let hinted = |words: &[&str]| hints.iter().any(|hint| words.contains(&hint.as_str()));
    let lower = name.to_lowercase();
    let wants_file = hinted(&["module", "modules", "file", "files", "package", "script"]);
    let wants_symbol = hinted(&[
        "class",
        "function",
        "method",
        "struct",
        "enum",
        "trait",
        "interface",
        "type",
        "macro",
    ]);
    let is_file_module = || hinted(&["module", "file", "script"]);
    if PROJECT.contains(&lower.as_str())
        || is_own_name(index, &lower) && !wants_symbol && !is_file_module()
    {
        return Some(Subject::Project);
    }
    let files = || files_named(index, &name);
    // “the error type” is `Error`.
    let of_type = || symbols(index, &capitalised(&name));
    let symbols = || symbols(index, &name).or_else(|| wants_symbol.then(of_type)?);
    let library = || library(index, &name).map(Subject::Library);
    if hinted(&["library", "libraries"]) {
        return library();
    }
    if hinted(&["package", "crate"])
        && let Some(found) = library()
    {
        return Some(found);
    }
    if hinted(&["folder", "directory", "dir"]) {
        return paths::code_folder(index, words);
    }
    // A name with a capital or a call is code; `sessions` is more likely a module.
    let is_code = wants_symbol || name.chars().any(char::is_uppercase) || name.contains('_');
    if is_code && !wants_file {
        symbols().or_else(files).or_else(library)
    } else if wants_file {
        files().or_else(library)
    } else {
        files().or_else(symbols).or_else(library)
    }
    .or_else(|| scoped(index, words))
}

/// Returns the words as the name of a type: `ConnectionPool` of “connection pool”.
fn capitalised(words: &str) -> String {
    let words = words.split([' ', '-', '_']);
    let capital = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        first.chain(letters).collect::<String>()
    };
    words.map(capital).collect()
}

/// Whether the words mean the project, or nothing at all.
pub(super) fn is_project(index: &Index, words: &str) -> bool {
    words.is_empty() || find(index, words) == Some(Subject::Project)
}

/// Returns the definitions that the words name.
pub(super) fn find_symbols(index: &Index, words: &str) -> Option<Subject> {
    symbols(index, &bare(words).0).or_else(|| scoped(index, words))
}

/// Splits what is meant from where it is: “`Field` in multipart.rs”, “`flush` of `AsyncScheduler`”.
pub(super) fn scope(words: &str) -> Option<(&str, &str)> {
    let at = |word: &str| words.rfind(word).map(|at| (at, at + word.len()));
    let split = [" in ", " inside ", " of ", " from ", " on "]
        .iter()
        .filter_map(|word| at(word));
    let (end, start) = split.max_by_key(|(at, _)| *at)?;
    let what = words.get(..end)?.trim();
    let done = [
        "defined",
        "declared",
        "implemented",
        "located",
        "class",
        "method",
    ];
    let what = done
        .iter()
        .find_map(|word| what.strip_suffix(word))
        .unwrap_or(what);
    Some((what.trim(), words.get(start..)?.trim()))
}

fn scoped(index: &Index, words: &str) -> Option<Subject> {
    let (what, place) = scope(words)?;
    let (name, _) = bare(what);
    if let Some(files) = paths::scope(index, place) {
        return symbols_in(index, &name, Some(&files));
    }
    let owner = bare(place).0;
    symbols(index, &format!("{owner}.{name}"))
}

/// Returns the words in lower case, without an article before them.
pub(super) fn bare_lower(words: &str) -> String {
    let lower = words.to_lowercase();
    let rest = ["the ", "its ", "a "]
        .iter()
        .find_map(|it| lower.strip_prefix(it));
    rest.unwrap_or(&lower).to_owned()
}

/// Returns the name without quotes, and the words around it.
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
            name.push(word.trim_start_matches("./"));
        }
    }
    // A function can be called `folder`.
    if let (true, [only]) = (name.is_empty(), hints.as_slice())
        && !plain.contains(char::is_uppercase)
        && !matches!(only.as_str(), "package" | "library" | "libraries" | "code")
    {
        return (only.clone(), Vec::new());
    }
    // A class can be called `File`.
    let is_name = |word: &&str| word.starts_with(char::is_uppercase) && !is_article(word);
    if let (true, [word]) = (
        name.is_empty(),
        plain
            .split_whitespace()
            .filter(is_name)
            .collect::<Vec<_>>()
            .as_slice(),
    ) {
        name.push(word);
        hints.retain(|hint| *hint != word.to_lowercase());
    }
    (name.join(" "), hints)
}

fn is_article(word: &str) -> bool {
    matches!(word.to_lowercase().as_str(), "the" | "a" | "an" | "this")
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

/// Returns definitions by their own name or with their owners; those in tests only if there are no
/// others.
fn symbols(index: &Index, name: &str) -> Option<Subject> {
    symbols_in(index, name, None)
}

fn symbols_in(index: &Index, name: &str, files: Option<&[FileId]>) -> Option<Subject> {
    let path = name;
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
    // A qualified name ends with the name itself, which can contain a full stop.
    let last = name.rsplit('.').next().filter(|last| *last != name);
    let named = |name| index.names().of(&index.parsed, name);
    let mut known: Vec<(SymbolId, &Symbol)> = named(name.as_str()).collect();
    known.extend(last.into_iter().flat_map(named));
    known.sort_by_key(|(id, _)| *id);
    let mut found: Vec<(Role, SymbolId, &Symbol)> = Vec::new();
    for (id, symbol) in known.into_iter().filter(|(_, symbol)| has_name(symbol)) {
        let is_code = !matches!(
            symbol.kind,
            SymbolKind::Section | SymbolKind::Key | SymbolKind::Constant | SymbolKind::Variable
        );
        let is_there = files.is_none_or(|files| files.contains(&id.file));
        if let Some(source) = index.repo.file(id.file).filter(|_| is_code && is_there) {
            found.push((Role::of(&source.path), id, symbol));
        }
    }
    if found.iter().any(|(role, ..)| *role == Role::Source) {
        found.retain(|(role, ..)| *role == Role::Source);
    }
    // What implementations name `Error` for a trait is not the error that a question names.
    let is_type_of_impl = |symbol: &Symbol| {
        symbol.kind == SymbolKind::Type && symbol.qualified != name && !name.contains('.')
    };
    if found
        .iter()
        .any(|(_, _, it)| it.qualified == name && it.kind.is_container())
    {
        found.retain(|(_, _, symbol)| !is_type_of_impl(symbol));
    }
    let is_built = |file: FileId| built::is_built(index, file);
    if found.iter().any(|(_, id, _)| !is_built(id.file)) {
        found.retain(|(_, id, _)| !is_built(id.file));
    }
    let named: Vec<SymbolId> = found.iter().map(|(_, id, _)| *id).collect();
    let kept = without_constructors(index, &named);
    found.retain(|(_, id, _)| kept.contains(id));
    let Some((_, _, first)) = found.first() else {
        return files.is_none().then(|| in_module(index, path))?;
    };
    let shown = if found.len() == 1 {
        first.qualified.clone()
    } else {
        name.clone()
    };
    let ids: Vec<SymbolId> = found.iter().map(|(_, id, _)| *id).collect();
    (ids.len() <= MAX_SYMBOLS).then_some(Subject::Symbols(ids, shown))
}

/// Returns the definition of a path that begins with the project, its file or folder:
/// `write::Encoder` of `src/deflate/write.rs`. A name such as `json.dumps` is rather a library's.
fn in_module(index: &Index, path: &str) -> Option<Subject> {
    let (module, rest) = path.split_once("::")?;
    if is_own_name(index, &module.to_lowercase()) {
        return symbols(index, rest);
    }
    let rest = rest.replace("::", ".");
    if library(index, module).is_some() {
        return None;
    }
    let is_inside = |path: &str| {
        let mut parts = path.rsplit('/');
        let stem = parts.next().and_then(|name| name.split('.').next());
        stem == Some(module) || parts.next() == Some(module)
    };
    let last = rest.rsplit('.').next()?;
    let mut found = index
        .names()
        .of(&index.parsed, last)
        .filter(|(id, symbol)| {
            let file = index.repo.file(id.file);
            symbol.qualified == rest && file.is_some_and(|file| is_inside(&file.path))
        });
    let (id, symbol) = found.next()?;
    let is_alone = found.next().is_none();
    is_alone.then(|| Subject::Symbols(vec![id], symbol.qualified.clone()))
}

/// Returns a library that something imports, by its name or the last part of it.
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
