//! Languages whose imports name packages and namespaces, not files: Java, Kotlin, Scala, C# and
//! Swift. Which file is meant is told by the package that each file declares and what it defines.

use super::{Found, Place, each_name, is_module_alias, named, used_files};
use crate::index::graph::Binds;
use crate::index::graph::facts::{Family, World, package_key};
use crate::parse::Import;
use crate::source::FileId;

/// Java, Kotlin and Scala (Java Language Specification, section 7.5): the longest package that files
/// declare, then a name that one of them defines.
pub(in crate::index::graph) fn jvm(world: World<'_>, from: FileId, import: &Import) -> Vec<Found> {
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
    let mut end = path.len();
    loop {
        let (package, rest) = path.split_at_checked(end).unwrap_or((path, ""));
        let files = world.files_of(&package_key(Family::Jvm, package));
        if !files.is_empty() {
            let mut parts = rest.trim_start_matches('.').split('.');
            let files: Vec<FileId> = match parts.next().filter(|name| !name.is_empty()) {
                None => used_files(world, from, files),
                Some(first) => defining(world, files, first),
            };
            if !files.is_empty() {
                let places = files.into_iter().map(Place::File);
                return places.map(|place| Found::new(at, place, binds)).collect();
            }
        }
        match package.rfind('.') {
            Some(dot) => end = dot,
            None => break,
        }
    }
    vec![Found::new(at, Place::Library(jvm_library(path)), binds)]
}

/// The package of a path: its parts before the first that starts with a capital.
fn jvm_library(path: &str) -> String {
    let is_package = |part: &&str| !part.starts_with(char::is_uppercase);
    let parts: Vec<&str> = path.split('.').take_while(is_package).collect();
    match parts.as_slice() {
        [] => path.to_owned(),
        // `import a.b.function`: the last part may be a function, which cannot be told.
        parts => parts.join("."),
    }
}

/// The files among `files` that define `name` at their top.
fn defining(world: World<'_>, files: &[FileId], name: &str) -> Vec<FileId> {
    let top = |file: &&FileId| world.facts.names.top(world.parsed, **file, name).is_some();
    files.iter().filter(top).copied().collect()
}

/// C#: `using A.B;` opens a namespace; `using static A.B.C;` and `using X = A.B.C;` name a type.
pub(in crate::index::graph) fn csharp(
    world: World<'_>,
    from: FileId,
    import: &Import,
) -> Vec<Found> {
    let module = import.module.trim_start_matches("global::");
    let at = named(import).next().and_then(|(at, _)| at);
    let files = world.files_of(&package_key(Family::CSharp, module));
    let (files, binds) = if files.is_empty() {
        let (space, name) = module.rsplit_once('.').unwrap_or(("", module));
        let name = name.split('<').next().unwrap_or(name);
        let in_space = world.files_of(&package_key(Family::CSharp, space));
        (defining(world, in_space, name), Binds::Module)
    } else {
        (used_files(world, from, files), Binds::All)
    };
    if files.is_empty() {
        return vec![Found::new(
            at,
            Place::Library(module.to_owned()),
            Binds::All,
        )];
    }
    let places = files.into_iter().map(Place::File);
    places.map(|place| Found::new(at, place, binds)).collect()
}

/// Swift: `import Module`, where a module is a folder below `Sources`.
pub(in crate::index::graph) fn swift(
    world: World<'_>,
    from: FileId,
    import: &Import,
) -> Vec<Found> {
    let module = import.module.split('.').next().unwrap_or(&import.module);
    let files = world.files_of(&package_key(Family::Swift, module));
    if files.is_empty() {
        return each_name(import, &Place::Library(module.to_owned()), Binds::All);
    }
    let used = used_files(world, from, files).into_iter();
    used.map(|file| Found::new(None, Place::File(file), Binds::All))
        .collect()
}
