//! What the words of a question name: the project, files, definitions or a library.

use super::built;
use crate::index::Index;
use crate::index::graph::{LibraryId, SymbolId};
use crate::index::tokens::code_tokens;
use crate::lang::Role;
use crate::lang::{Symbol, SymbolKind};
use crate::source::FileId;

/// Definitions of one name that are answered about together.
const MAX_SYMBOLS: usize = 8;

/// Words around a name that only say what it is.
const AROUND: [&str; 29] = [
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

/// Words that stand for the whole project.
const PROJECT: [&str; 7] = [
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
    /// One file, or those of a folder, with the name to show.
    Files(Vec<FileId>, String),
    /// Definitions of one name.
    Symbols(Vec<SymbolId>, String),
    Library(LibraryId),
}

/// Reads the words; `None` if they name nothing of the repository.
pub(super) fn find(index: &Index, words: &str) -> Option<Subject> {
    if let Some((what, place)) = placed(words) {
        let whole = find(index, place)?;
        return match bare(what).0.is_empty() {
            true => Some(whole),
            false => within(index, what, &whole),
        };
    }
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
    let files = || files(index, &name);
    let symbols = || symbols(index, &name);
    let library = || library(index, &name).map(Subject::Library);
    if hinted(&["library", "libraries"]) {
        return library();
    }
    if hinted(&["folder", "directory", "dir"]) {
        return folder(index, words).and_then(|folder| code_in(index, folder));
    }
    // A name with a capital or a call is code; `sessions` is sooner a module.
    let is_code = wants_symbol || name.chars().any(char::is_uppercase) || name.contains('_');
    if is_code && !wants_file {
        symbols().or_else(files).or_else(library)
    } else if wants_file {
        files().or_else(library)
    } else {
        files().or_else(symbols).or_else(library)
    }
}

/// `the code in adapters.py`, `send of the class Session`: what, and where.
fn placed(words: &str) -> Option<(&str, &str)> {
    let lower = words.to_lowercase();
    let at = |sign: &str| lower.find(sign).map(|at| (at, sign.len()));
    let found = [" in ", " of ", " inside ", " within "]
        .iter()
        .find_map(|sign| at(sign));
    let (at, length) = found.filter(|_| lower.len() == words.len())?;
    Some((words.get(..at)?, words.get(at + length..)?))
}

/// The definitions of that name inside of a file or another definition.
fn within(index: &Index, what: &str, place: &Subject) -> Option<Subject> {
    let Subject::Symbols(found, name) = symbols(index, &bare(what).0)? else {
        return None;
    };
    let is_inside = |id: &SymbolId| match place {
        Subject::Files(files, _) => files.contains(&id.file),
        Subject::Symbols(owners, _) => owners.iter().any(|owner| {
            let lines = index.symbol(*owner).map(|symbol| symbol.lines);
            let own = index.symbol(*id).map(|symbol| symbol.lines);
            owner.file == id.file && lines.zip(own).is_some_and(|(all, own)| all.encloses(own))
        }),
        Subject::Project => true,
        Subject::Library(_) => false,
    };
    let found: Vec<SymbolId> = found.into_iter().filter(is_inside).collect();
    (!found.is_empty()).then_some(Subject::Symbols(found, name))
}

/// Whether the words mean the project, or nothing at all.
pub(super) fn is_project(index: &Index, words: &str) -> bool {
    words.is_empty() || find(index, words) == Some(Subject::Project)
}

/// The definitions that the words name.
pub(super) fn find_symbols(index: &Index, words: &str) -> Option<Subject> {
    match placed(words) {
        Some((what, place)) => within(index, what, &find(index, place)?),
        None => symbols(index, &bare(words).0),
    }
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

/// The files that a name can mean.
enum Named {
    One(FileId),
    /// Several that are equally near to the top.
    Several(Vec<FileId>),
}

/// The files that the words can mean, where nothing tells which of them: of the same name, equally near to
/// the top of the repository.
pub(super) fn ambiguous(index: &Index, words: &str) -> Vec<FileId> {
    match named(index, &bare(words).0) {
        Some(Named::Several(files)) => files,
        _ => Vec::new(),
    }
}

/// A path, the end of one, a dotted module, a stem, or a folder.
fn files(index: &Index, name: &str) -> Option<Subject> {
    match named(index, name) {
        Some(Named::One(file)) => {
            let path = index.repo.file(file)?.path.clone();
            Some(Subject::Files(vec![file], path))
        }
        Some(Named::Several(_)) => None,
        None if name.contains(char::is_whitespace) => None,
        None => {
            let folder = folder(index, name)?;
            code_in(index, folder)
        }
    }
}

fn named(index: &Index, name: &str) -> Option<Named> {
    if let Some(file) = index.repo.find(name) {
        return Some(Named::One(file));
    }
    let all = || (0..).map(FileId).zip(&index.repo.files);
    let by_end = all().filter(|(_, file)| ends(&file.path, name));
    let found = nearest(index, name, by_end.map(|(id, _)| id).collect());
    if found.is_some() || name.contains(char::is_whitespace) {
        return found;
    }
    let path = name.trim_matches('.').replace("::", "/").replace('.', "/");
    let is_code = |id: FileId| {
        let parsed = index.parsed.get(id.0 as usize);
        parsed.is_some_and(|parsed| parsed.language.is_code())
    };
    let by_stem = all().filter(|(id, file)| {
        let stem = file
            .path
            .rsplit_once('.')
            .map_or(file.path.as_str(), |(stem, _)| stem);
        is_code(*id) && ends(stem, &path)
    });
    nearest(index, &path, by_stem.map(|(id, _)| id).collect())
}

/// Whether `path` is `end` or ends with it behind a `/`.
fn ends(path: &str, end: &str) -> bool {
    let before = path.strip_suffix(end);
    before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

/// Of several files those of the project's own code, in place of what was built of a source that source,
/// and of these the ones nearest to the top.
fn nearest(index: &Index, name: &str, found: Vec<FileId>) -> Option<Named> {
    let path = |file: &FileId| index.repo.file(*file).map_or("", |file| file.path.as_str());
    let is_source = |file: &FileId| Role::of(path(file)) == Role::Source;
    let mut found = found;
    if found.iter().any(is_source) {
        found.retain(is_source);
    }
    let mut own: Vec<FileId> = Vec::new();
    for file in found {
        let source = built::source_of(index, file, name).unwrap_or(file);
        if !own.contains(&source) {
            own.push(source);
        }
    }
    let depth = |file: &FileId| path(file).matches('/').count();
    let least = own.iter().map(depth).min()?;
    own.retain(|file| depth(file) == least);
    match own.as_slice() {
        [file] => Some(Named::One(*file)),
        _ => Some(Named::Several(own)),
    }
}

/// The folder that the words name, with a `/` behind it: the one nearest to the top.
pub(super) fn folder(index: &Index, words: &str) -> Option<String> {
    let (name, _) = bare(words);
    let plain = name.trim_start_matches("./").trim_matches('/').to_owned();
    let is_name = !plain.is_empty() && !plain.contains(char::is_whitespace);
    let of = |name: &str| {
        let paths = index.repo.files.iter().map(|file| file.path.as_str());
        let folders = paths.filter_map(|path| {
            let (folder, _) = path.rsplit_once('/')?;
            std::iter::successors(Some(folder), |folder| Some(folder.rsplit_once('/')?.0))
                .find(|folder| ends(folder, name))
        });
        let key = |folder: &&str| {
            let is_source = Role::of(&format!("{folder}/a.py")) == Role::Source;
            (*folder != name, !is_source, folder.matches('/').count())
        };
        folders.min_by_key(key).map(|folder| format!("{folder}/"))
    };
    let found = is_name.then(|| of(&plain)).flatten();
    found.or_else(|| of(&plain.replace("::", "/").replace('.', "/")).filter(|_| is_name))
}

/// The files of code below a folder.
fn code_in(index: &Index, folder: String) -> Option<Subject> {
    let all = (0..)
        .map(FileId)
        .zip(index.repo.files.iter().zip(&index.parsed));
    let inside = all
        .filter(|(_, (file, parsed))| file.path.starts_with(&folder) && parsed.language.is_code());
    let inside: Vec<FileId> = inside.map(|(id, _)| id).collect();
    (!inside.is_empty()).then_some(Subject::Files(inside, folder))
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
    let is_built = |file: FileId| built::is_built(index, file);
    if found.iter().any(|(_, id, _)| !is_built(id.file)) {
        found.retain(|(_, id, _)| !is_built(id.file));
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
