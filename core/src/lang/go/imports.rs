//! Go: an import path under a module path of `go.mod` is a folder of the repository (Go modules
//! reference, "Module paths").

use std::collections::BTreeSet;

use super::{FAMILY, local_name};
use crate::lang::Language;
use crate::lang::resolve::World;
use crate::lang::resolve::names::{digest, file_name, folder, shared_folders};
use crate::lang::resolve::{Binds, Found, MAX_FILES, Place, named};
use crate::lang::{Import, SymbolKind};
use crate::source::{FileId, Repo};

/// The modules of the repository.
#[derive(Default)]
pub(super) struct Modules {
    /// Module path and folder, longest path first.
    modules: Vec<(String, String)>,
}

impl Modules {
    pub fn new(repo: &Repo) -> Self {
        let files = repo
            .files
            .iter()
            .filter(|file| file_name(&file.path) == "go.mod");
        let mut modules: Vec<(String, String)> = files
            .filter_map(|file| {
                let mut lines = file.text.lines();
                let name = lines.find_map(|line| line.trim().strip_prefix("module "))?;
                let name = name
                    .split("//")
                    .next()
                    .unwrap_or(name)
                    .trim()
                    .trim_matches('"');
                Some((name.to_owned(), folder(&file.path).to_owned()))
            })
            .collect();
        modules.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        Self { modules }
    }

    /// Returns the folder of a package, whether or not it exists.
    fn folder(&self, path: &str) -> Option<String> {
        self.modules.iter().find_map(|(name, folder)| {
            let rest = path.strip_prefix(name.as_str())?;
            let rest = match rest.strip_prefix('/') {
                Some(rest) => rest,
                None if rest.is_empty() => "",
                None => return None,
            };
            Some(match (folder.is_empty(), rest.is_empty()) {
                (true, _) => rest.to_owned(),
                (_, true) => folder.clone(),
                _ => format!("{folder}/{rest}"),
            })
        })
    }
}

pub(super) fn resolve(world: World<'_>, from: FileId, import: &Import) -> Vec<Found> {
    let path = import.module.as_str();
    let name = named(import).next();
    let places: Vec<Place> = match world
        .facts_of::<Modules>(&FAMILY)
        .and_then(|modules| modules.folder(path))
    {
        Some(folder) => {
            let files = package_files(world, from, &folder);
            let local = match name {
                _ if is_for_effects(world.written(from, import)) => "_",
                Some((_, name)) => name.alias.as_deref().unwrap_or(&name.name),
                None => package_name(world, &files, path),
            };
            match files.is_empty() {
                true => vec![Place::Missing],
                false => used(world, from, local, &files)
                    .into_iter()
                    .map(Place::File)
                    .collect(),
            }
        }
        None if path.starts_with('.') => vec![Place::Missing],
        None => vec![Place::Library(path.to_owned())],
    };
    let binds = match name {
        Some((_, name)) if name.alias.is_none() => Binds::All,
        _ => Binds::Module,
    };
    let at = name.and_then(|(at, _)| at);
    let found = places.into_iter().map(|place| Found::new(at, place, binds));
    found.collect()
}

/// Whether an import spec begins with the blank identifier.
fn is_for_effects(written: &str) -> bool {
    let spec = written.trim_start();
    let spec = spec.strip_prefix("import").unwrap_or(spec).trim_start();
    spec.starts_with("_ ")
}

/// Returns the files of a package that others can import, the nearest first.
fn package_files(world: World<'_>, from: FileId, folder: &str) -> Vec<FileId> {
    let files = world
        .facts
        .folders
        .get(folder)
        .into_iter()
        .flatten()
        .copied();
    let is_part = |file: &FileId| {
        let is_go = world
            .parsed(*file)
            .is_some_and(|parsed| parsed.language == Language::Go);
        is_go && *file != from && !world.path(*file).ends_with("_test.go")
    };
    let mut files: Vec<FileId> = files.filter(is_part).collect();
    files
        .sort_by_key(|file| std::cmp::Reverse(shared_folders(world.path(*file), world.path(from))));
    files
}

/// Returns the name that a package gives itself, which may differ from its folder's.
fn package_name<'a>(world: World<'a>, files: &[FileId], path: &'a str) -> &'a str {
    let clause = files.iter().find_map(|file| {
        let mut lines = world.text(*file).lines();
        let name = lines.find_map(|line| line.strip_prefix("package "))?;
        name.split_whitespace().next()
    });
    clause.unwrap_or_else(|| local_name(path))
}

/// Returns those files of a package that define what `from` uses of it (Go specification,
/// "Qualified identifiers", "Exported identifiers", "Selectors"): a name after the package's own,
/// or a method of a type that is used in this way. At least one file, because an unused import does
/// not compile; for an import only for its side effects, those with an `init`.
fn used(world: World<'_>, from: FileId, local: &str, files: &[FileId]) -> Vec<FileId> {
    let text = world.text(from);
    let words = Words::of(text, local);
    let defines = |file: &FileId| {
        let symbols = world.parsed(*file).map(|parsed| parsed.symbols.as_slice());
        let mut symbols = symbols.unwrap_or_default().iter();
        symbols.any(|symbol| match local {
            "_" => symbol.kind == SymbolKind::Function && symbol.name == "init",
            _ => words.name(&symbol.name, &symbol.qualified),
        })
    };
    let mut used: Vec<FileId> = files.iter().copied().filter(defines).collect();
    used.truncate(MAX_FILES);
    if used.is_empty() {
        used.extend(files.first());
    }
    used
}

/// The exported words of a text that can name something in a package.
struct Words {
    /// Words after the package's name; all words if it is imported as `.`.
    qualified: BTreeSet<u64>,
    /// Words after any other dot: methods.
    selected: BTreeSet<u64>,
}

impl Words {
    fn of(text: &str, local: &str) -> Self {
        let mut words = Self {
            qualified: BTreeSet::new(),
            selected: BTreeSet::new(),
        };
        let mut is_package = false;
        for (is_selected, word) in identifiers(text) {
            if word.starts_with(char::is_uppercase) {
                if is_selected && is_package || local == "*" {
                    words.qualified.insert(digest(word));
                }
                if is_selected {
                    words.selected.insert(digest(word));
                }
            }
            is_package = word == local && !is_selected;
        }
        words
    }

    /// Whether a definition is named: directly, or as a method of a type.
    fn name(&self, name: &str, qualified: &str) -> bool {
        match qualified.rsplit_once('.') {
            None => self.qualified.contains(&digest(name)),
            Some((owner, _)) => {
                self.selected.contains(&digest(name)) && self.qualified.contains(&digest(owner))
            }
        }
    }
}

/// Returns identifiers, each with whether a dot stands directly before it.
fn identifiers(text: &str) -> impl Iterator<Item = (bool, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find(is_part)?;
        let (gap, found) = rest.split_at(start);
        let is_selected = gap.ends_with('.');
        let end = found.find(|c| !is_part(c)).unwrap_or(found.len());
        let (word, after) = found.split_at(end);
        rest = after;
        Some((is_selected, word))
    })
}
