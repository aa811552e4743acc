//! Dart: `dart:io` is the SDK; `package:acme/a.dart` is the file `lib/a.dart` of the package with
//! that name in its `pubspec.yaml`; anything else is a path relative to the file.

use crate::lang::Import;
use crate::lang::resolve::names::{folder, join, shared_folders};
use crate::lang::resolve::{Binds, Found, Place, World, each_name};
use crate::source::FileId;

pub(super) fn resolve(world: World<'_>, from: FileId, import: &Import) -> Vec<Found> {
    let own = folder(world.path(from));
    let module = import.module.as_str();
    let place = if module.starts_with("dart:") {
        Place::Library(module.to_owned())
    } else if let Some(path) = module.strip_prefix("package:") {
        let (name, path) = path.split_once('/').unwrap_or((path, ""));
        let file = in_package(world, own, name, path);
        file.map_or_else(|| Place::Library(name.to_owned()), Place::File)
    } else {
        let file = join(own, module).and_then(|path| world.find(&path));
        file.map_or(Place::Missing, Place::File)
    };
    each_name(import, &place, Binds::All)
}

/// Returns the file in a package of the repository; if several packages share the name, in the
/// nearest.
fn in_package(world: World<'_>, own: &str, name: &str, path: &str) -> Option<FileId> {
    let end = format!("lib/{path}");
    let found = world.facts.file_names.ending(world.repo, &end);
    let own_package = found.filter(|(_, path)| {
        let root = path.strip_suffix(end.as_str()).unwrap_or(path);
        let manifest = world.find(&format!("{root}pubspec.yaml"));
        manifest.is_some_and(|file| declares(world.text(file), name))
    });
    own_package
        .max_by_key(|(file, path)| (shared_folders(folder(path), own), std::cmp::Reverse(*file)))
        .map(|(file, _)| file)
}

fn declares(manifest: &str, name: &str) -> bool {
    let mut names = manifest
        .lines()
        .filter_map(|line| line.strip_prefix("name:"));
    names.any(|value| value.trim().trim_matches(['"', '\'']) == name)
}
