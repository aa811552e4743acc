//! Lua: `require "a.b"` is `a/b.lua` or `a/b/init.lua` in a folder of the search path,
//! conventionally the repository's root, `lua`, `src` or `lib`; `dofile` names a path.

use crate::lang::Import;
use crate::lang::resolve::names::{ancestors, folder, join, shared_folders};
use crate::lang::resolve::{Binds, Found, Place, World, each_name};
use crate::source::FileId;

/// Folders that are conventionally on the search path.
const SEARCH_PATH: [&str; 5] = ["", "lua", "src", "lib", "lualib"];

pub(super) fn resolve(world: World<'_>, from: FileId, import: &Import) -> Vec<Found> {
    let module = import.module.as_str();
    let own = folder(world.path(from));
    let place = match module.strip_suffix(".lua") {
        Some(path) => on_search_path(world, own, path).map_or(Place::Missing, Place::File),
        None => match on_search_path(world, own, &module.replace('.', "/")) {
            Some(file) => Place::File(file),
            None => Place::Library(module.split(['.', '/']).next().unwrap_or(module).to_owned()),
        },
    };
    each_name(import, &place, Binds::Path)
}

fn on_search_path(world: World<'_>, own: &str, module: &str) -> Option<FileId> {
    let ends = [format!("{module}.lua"), format!("{module}/init.lua")];
    for above in ancestors(own) {
        for root in SEARCH_PATH {
            for end in &ends {
                let path = join(above, &format!("{root}/{end}"));
                if let Some(file) = path.and_then(|path| world.find(&path)) {
                    return Some(file);
                }
            }
        }
    }
    // A package elsewhere in the repository; a name without folders would match too many files.
    if !module.contains('/') {
        return None;
    }
    let found = ends
        .iter()
        .flat_map(|end| world.facts.file_names.ending(world.repo, end));
    found
        .max_by_key(|(file, path)| (shared_folders(folder(path), own), std::cmp::Reverse(*file)))
        .map(|(file, _)| file)
}
