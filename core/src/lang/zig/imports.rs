//! Zig: `@import("a.zig")` is a path relative to the file; any other name is a package that the
//! build declares, conventionally with its root in `src`; `std` is the standard library, which the
//! compiler's own repository contains.

use crate::lang::Import;
use crate::lang::resolve::names::{ancestors, folder, join, shared_folders};
use crate::lang::resolve::{Binds, Found, Place, World, each_name};
use crate::source::FileId;

/// Where a package's root conventionally is, below the folder of its `build.zig.zon`.
const ROOTS: [&str; 3] = ["src/root.zig", "src/lib.zig", "src/main.zig"];

pub(super) fn resolve(world: World<'_>, from: FileId, import: &Import) -> Vec<Found> {
    let own = folder(world.path(from));
    let module = import.module.as_str();
    let written = world.written(from, import);
    let place = if written.contains("@cInclude") {
        Place::Library(module.to_owned())
    } else if module.ends_with(".zig") || module.ends_with(".zon") || written.contains("@embedFile")
    {
        let file = join(own, module).and_then(|path| world.find(&path));
        file.map_or(Place::Missing, Place::File)
    } else {
        let file = package(world, own, module);
        file.map_or_else(|| Place::Library(module.to_owned()), Place::File)
    };
    each_name(import, &place, Binds::Path)
}

/// Returns the root of a package in the repository.
fn package(world: World<'_>, own: &str, name: &str) -> Option<FileId> {
    for above in ancestors(own) {
        let manifest = join(above, "build.zig.zon").and_then(|path| world.find(&path));
        let is_own = manifest.is_some_and(|file| declares(world.text(file), name));
        let mut roots = ROOTS.iter().filter(|_| is_own);
        let root = roots.find_map(|root| world.find(&join(above, root)?));
        if root.is_some() {
            return root;
        }
    }
    let ends = [format!("{name}/{name}.zig"), format!("src/{name}.zig")];
    let found = ends
        .iter()
        .flat_map(|end| world.facts.file_names.ending(world.repo, end));
    found
        .max_by_key(|(file, path)| (shared_folders(folder(path), own), std::cmp::Reverse(*file)))
        .map(|(file, _)| file)
}

/// Whether a manifest gives its package this name: `.name = .acme`, before Zig 0.14
/// `.name = "acme"`.
fn declares(manifest: &str, name: &str) -> bool {
    let names = manifest.lines().filter_map(|line| {
        let value = line.trim().strip_prefix(".name")?.trim_start();
        Some(value.strip_prefix('=')?.trim().trim_end_matches(','))
    });
    names
        .into_iter()
        .any(|value| value.trim_matches(['.', '"', '@']) == name)
}
