//! Ruby: `require_relative` is a path relative to the file, `require` a path in a folder of the
//! load path, conventionally `lib` (and the tests' own folder).

use crate::lang::Import;
use crate::lang::resolve::World;
use crate::lang::resolve::names::{ancestors, folder, join, shared_folders};
use crate::lang::resolve::{Binds, Found, Place};
use crate::source::FileId;

/// Folders that are conventionally on the load path.
const LOAD_PATH: [&str; 6] = ["lib", "app", "test", "spec", "ext", ""];

pub(super) fn resolve(world: World<'_>, from: FileId, import: &Import) -> Vec<Found> {
    let own = folder(world.path(from));
    let module = import.module.as_str();
    let is_relative =
        module.starts_with('.') || world.written(from, import).contains("require_relative");
    let file = if is_relative {
        join(own, module).and_then(|path| ruby_file(world, &path))
    } else {
        on_load_path(world, own, module)
    };
    let place = match file {
        Some(file) => Place::File(file),
        None if is_relative => Place::Missing,
        None => Place::Library(module.split('/').next().unwrap_or(module).to_owned()),
    };
    vec![Found::new(None, place, Binds::All)]
}

fn ruby_file(world: World<'_>, path: &str) -> Option<FileId> {
    world
        .find(&format!("{path}.rb"))
        .or_else(|| world.find(path))
}

fn on_load_path(world: World<'_>, own: &str, module: &str) -> Option<FileId> {
    for above in ancestors(own) {
        for root in LOAD_PATH {
            let found = join(above, &format!("{root}/{module}"));
            if let Some(file) = found.and_then(|path| ruby_file(world, &path)) {
                return Some(file);
            }
        }
    }
    // The `lib` of another gem in the same repository.
    let name = format!("lib/{}.rb", module.trim_end_matches(".rb"));
    let found = world.facts.file_names.ending(world.repo, &name);
    found
        .max_by_key(|(file, path)| (shared_folders(folder(path), own), std::cmp::Reverse(*file)))
        .map(|(file, _)| file)
}
