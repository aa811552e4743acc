//! Resolves imports to files, by each language's own rules.
//!
//! A rule is the `resolve` function of a language's [`Family`](super::family::Family): it maps an
//! import to what it [`Found`]: a file of the repository, a library, or a path that does not exist.
//! It reads the [`World`] and nothing else.

pub(crate) mod names;
mod world;

use std::collections::BTreeSet;

use crate::lang::{Import, ImportedName, Symbol};
use crate::source::FileId;
use names::digest;
pub(crate) use world::{Facts, Guest, World, package_key};

/// Maximum number of files that an import of a whole package leads to.
pub(crate) const MAX_FILES: usize = 40;

/// What an import binds in its file's scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binds {
    /// The module under a name.
    Module,
    /// One of its names.
    Name,
    /// All of its names.
    All,
    /// The module under its full path only: `import a.b` in Python.
    Path,
}

/// Where one imported name leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    File(FileId),
    Library(String),
    Missing,
}

/// One imported name, or the import itself if it names none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// Index into the import's names.
    pub name: Option<u32>,
    pub place: Place,
    pub binds: Binds,
}

impl Found {
    pub fn new(name: Option<u32>, place: Place, binds: Binds) -> Self {
        Self { name, place, binds }
    }
}

/// Returns the names with their positions.
pub(crate) fn named(import: &Import) -> impl Iterator<Item = (Option<u32>, &ImportedName)> {
    (0..).map(Some).zip(&import.names)
}

/// Whether a name is an alias of the module itself.
pub(crate) fn is_module_alias(name: &ImportedName) -> bool {
    name.name == "*" && name.alias.is_some()
}

/// Returns what an import with these names binds if each name is simply one of the module's.
pub(crate) fn each_name(import: &Import, place: &Place, without: Binds) -> Vec<Found> {
    if import.names.is_empty() {
        return vec![Found::new(None, place.clone(), without)];
    }
    let found = named(import).map(|(at, name)| {
        let binds = if is_module_alias(name) {
            Binds::Module
        } else if name.name == "*" {
            Binds::All
        } else {
            Binds::Name
        };
        Found::new(at, place.clone(), binds)
    });
    found.collect()
}

/// Returns those files of a package that define a name which `from` uses: a package is imported
/// whole, but its importer depends on few of its files. `is_usable` says which definitions can be
/// named from outside.
pub(crate) fn used_files(
    world: World<'_>,
    from: FileId,
    files: &[FileId],
    is_usable: impl Fn(&Symbol) -> bool,
) -> Vec<FileId> {
    let words = identifiers(world.text(from));
    let is_used = |file: &&FileId| {
        let symbols = world.parsed(**file).map(|parsed| parsed.symbols.as_slice());
        let mut names = symbols.unwrap_or_default().iter();
        names.any(|symbol| is_usable(symbol) && words.contains(&digest(&symbol.name)))
    };
    let others = files.iter().filter(|file| **file != from);
    others.filter(is_used).copied().take(MAX_FILES).collect()
}

/// Returns the words of a text that can be names.
fn identifiers(text: &str) -> BTreeSet<u64> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
        .map(digest)
        .collect()
}

/// Returns the files among `files` that define `name` at their top level.
pub(crate) fn defining(world: World<'_>, files: &[FileId], name: &str) -> Vec<FileId> {
    let top = |file: &&FileId| world.facts.names.top(world.parsed, **file, name).is_some();
    files.iter().filter(top).copied().collect()
}

/// Returns the files of a package that define a name which `from` uses, also as a member; if none
/// does, one of them, to show that the package is imported.
pub(crate) fn used_or_first(world: World<'_>, from: FileId, files: &[FileId]) -> Vec<FileId> {
    let is_usable =
        |symbol: &Symbol| symbol.qualified.len() == symbol.name.len() || symbol.parent.is_some();
    let mut used = used_files(world, from, files, is_usable);
    if used.is_empty() {
        used.extend(files.iter().find(|file| **file != from));
    }
    used
}

/// Returns the namespaces that a file declares; the global one if it declares none.
pub(crate) fn or_global(declared: &[String]) -> Vec<String> {
    match declared {
        [] => vec![String::new()],
        _ => {
            let mut names = declared.to_vec();
            // A namespace that is closed and directly reopened counts once.
            names.dedup();
            names
        }
    }
}
