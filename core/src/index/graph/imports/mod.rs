//! Imports → files, by each language's own rules; one file a language family.
//!
//! A rule is a function from an import to what it [`Found`]: a file of the repository, a library, or
//! a path that is not there. It reads the [`World`] and nothing else.

pub(super) mod bash;
pub(super) mod c;
pub(super) mod ecmascript;
pub(super) mod go;
pub(super) mod namespace;
pub(super) mod php;
pub(super) mod python;
pub(super) mod ruby;
pub(super) mod rust;

use std::collections::BTreeSet;

use super::Binds;
use super::facts::{Family, World};
use super::names::digest;
use crate::lang::{Import, ImportedName, Symbol};
use crate::source::FileId;

/// Most files that an import of a whole package leads to.
const MAX_FILES: usize = 40;

/// Where one imported name leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    File(FileId),
    Library(String),
    Missing,
}

/// One imported name, or the import itself if it names none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
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

/// Follows one import of `from`.
pub(super) fn follow(world: World<'_>, from: FileId, import: &Import) -> Vec<Found> {
    match world.family(from) {
        Family::Python => python::follow(world, from, import),
        Family::Ecmascript => ecmascript::follow(world, from, import),
        Family::Rust => rust::follow(world, from, import),
        Family::Go => go::follow(world, from, import),
        Family::Jvm => namespace::jvm(world, from, import),
        Family::CSharp => namespace::csharp(world, from, import),
        Family::Swift => namespace::swift(world, from, import),
        Family::C => c::follow(world, from, import),
        Family::Ruby => ruby::follow(world, from, import),
        Family::Php => php::follow(world, from, import),
        Family::Bash => bash::follow(world, from, import),
        Family::Other => Vec::new(),
    }
}

/// The name that an import without names binds: the last part of its module.
pub(super) fn local_name(family: Family, module: &str) -> &str {
    let separators: &[char] = match family {
        Family::Go => &['/'],
        Family::Php => &['\\'],
        Family::Rust => &[':'],
        _ => &['.'],
    };
    let mut parts = module.rsplit(separators);
    let last = parts.next().unwrap_or(module);
    // A major version is no part of a Go package's name.
    let is_version = family == Family::Go
        && last
            .strip_prefix('v')
            .is_some_and(|digits| digits.parse::<u32>().is_ok());
    let last = if is_version {
        parts.next().unwrap_or(last)
    } else {
        last
    };
    if family == Family::Go {
        last.split('.').next().unwrap_or(last)
    } else {
        last
    }
}

/// Names with their positions.
fn named(import: &Import) -> impl Iterator<Item = (Option<u32>, &ImportedName)> {
    (0..).map(Some).zip(&import.names)
}

/// Whether a name stands for the module itself under another name.
fn is_module_alias(name: &ImportedName) -> bool {
    name.name == "*" && name.alias.is_some()
}

/// What an import with these names binds where each name is simply one of the module's.
fn each_name(import: &Import, place: &Place, without: Binds) -> Vec<Found> {
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

/// Of the files of a package those that define a name which `from` uses: a package is imported whole, but its
/// importer depends on few of its files. `is_usable` tells which definitions can be named from outside.
fn used_files(
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

/// The words of a text that can be names.
fn identifiers(text: &str) -> BTreeSet<u64> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
        .map(digest)
        .collect()
}
