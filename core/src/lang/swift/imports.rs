//! Imports name modules, which are folders below `Sources`.

use super::FAMILY;
use crate::lang::Import;
use crate::lang::resolve::{Binds, Found, Place, World, each_name, package_key, used_or_first};
use crate::source::FileId;

/// Resolves Swift's `import Module`, where a module is a folder below `Sources`.
pub(super) fn resolve(world: World<'_>, from: FileId, import: &Import) -> Vec<Found> {
    let module = import.module.split('.').next().unwrap_or(&import.module);
    let files = world.files_of(&package_key(&FAMILY, module));
    if files.is_empty() {
        return each_name(import, &Place::Library(module.to_owned()), Binds::All);
    }
    let used = used_or_first(world, from, files).into_iter();
    used.map(|file| Found::new(None, Place::File(file), Binds::All))
        .collect()
}

/// Returns the module of a Swift file: the folder below `Sources` or `Tests`.
pub(super) fn module_of(path: &str) -> Option<&str> {
    let mut parts = path.split('/');
    parts.find(|part| matches!(*part, "Sources" | "Source" | "Tests"))?;
    let module = parts.next()?;
    parts.next().map(|_| module)
}
