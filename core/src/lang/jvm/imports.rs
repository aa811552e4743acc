//! Imports name packages, not files: the package that each file declares and its definitions decide
//! which file is meant.

use std::cmp::Reverse;

use super::FAMILY;
use crate::lang::Language;
use crate::lang::resolve::names::{folder, shared_folders};
use crate::lang::resolve::{Binds, Found, Place, defining, is_module_alias, named, used_files};
use crate::lang::resolve::{World, package_key};
use crate::lang::{Import, Symbol};
use crate::source::FileId;

/// Java, Kotlin and Scala (Java Language Specification, section 7.5): matches the longest package
/// that files declare, then a name that one of them defines.
pub(super) fn resolve(world: World<'_>, from: FileId, import: &Import) -> Vec<Found> {
    let names = named(import).filter(|(_, name)| !is_module_alias(name));
    let names: Vec<_> = names.collect();
    if names.is_empty() {
        let at = named(import).next().and_then(|(at, _)| at);
        return jvm_name(world, from, &import.module, at, Binds::Module);
    }
    let mut found = Vec::new();
    for (at, name) in names {
        if name.name == "*" {
            found.extend(jvm_name(world, from, &import.module, at, Binds::All));
        } else {
            let path = format!("{}.{}", import.module, name.name);
            found.extend(jvm_name(world, from, &path, at, Binds::Name));
        }
    }
    found
}

fn jvm_name(
    world: World<'_>,
    from: FileId,
    path: &str,
    at: Option<u32>,
    binds: Binds,
) -> Vec<Found> {
    let mut files = jvm_files(world, from, path);
    if world
        .parsed(from)
        .is_some_and(|parsed| parsed.language == Language::Scala)
    {
        let prefixes = own_packages(world, from);
        let mut relative = prefixes.map(|package| format!("{package}.{path}"));
        files = files.or_else(|| relative.find_map(|path| jvm_files(world, from, &path)));
    }
    match files {
        Some(files) => {
            let places = files.into_iter().map(Place::File);
            places.map(|place| Found::new(at, place, binds)).collect()
        }
        None => vec![Found::new(at, Place::Library(jvm_library(path)), binds)],
    }
}

/// Returns the files that a full path means; `None` if the repository has no package or name like
/// it. Empty if it is a package from which nothing is named: not even the compiler depends on it.
fn jvm_files(world: World<'_>, from: FileId, path: &str) -> Option<Vec<FileId>> {
    let mut end = path.len();
    loop {
        let (package, rest) = path.split_at_checked(end).unwrap_or((path, ""));
        let files = world.files_of(&package_key(&FAMILY, package));
        if !files.is_empty() {
            let mut parts = rest.trim_start_matches('.').split('.');
            match parts.next().filter(|name| !name.is_empty()) {
                None => return Some(used_files(world, from, files, is_top)),
                Some(first) => {
                    let found = nearest(world, from, defining(world, files, first));
                    if !found.is_empty() {
                        return Some(found);
                    }
                }
            }
        }
        end = package.rfind('.')?;
    }
}

/// Returns the package of a file and the enclosing ones, innermost first. Scala looks for an
/// imported name in them before it takes it for a full one (Scala language specification, chapter
/// 2).
fn own_packages(world: World<'_>, from: FileId) -> impl Iterator<Item = &str> {
    let key = world.package(from).unwrap_or_default();
    let own = key.split_once(' ').map_or("", |(_, package)| package);
    std::iter::successors(Some(own), |package| {
        package.rsplit_once('.').map(|(outer, _)| outer)
    })
    .filter(|package| !package.is_empty())
}

/// Returns the package of a path: its parts before the first capitalised one.
fn jvm_library(path: &str) -> String {
    let is_package = |part: &&str| !part.starts_with(char::is_uppercase);
    let parts: Vec<&str> = path.split('.').take_while(is_package).collect();
    match parts.as_slice() {
        [] => path.to_owned(),
        // `import a.b.function`: the last part may be a function, which cannot be known.
        parts => parts.join("."),
    }
}

/// Whether a symbol is at the top level of a file: a package provides those, while members come
/// with their type.
fn is_top(symbol: &Symbol) -> bool {
    symbol.parent.is_none()
}

/// Returns, of files that define the same, those nearest to the importer: several variants of a
/// library may lie side by side in a repository. If several are equally near, such as the overloads
/// of a function, returns all of them.
fn nearest(world: World<'_>, from: FileId, mut files: Vec<FileId>) -> Vec<FileId> {
    let own = folder(world.path(from));
    let rank = |file: &FileId| {
        let path = world.path(*file);
        let depth = path.matches('/').count();
        (shared_folders(folder(path), own), Reverse(depth))
    };
    let best = files.iter().map(rank).max();
    files.retain(|file| Some(rank(file)) == best);
    files
}
