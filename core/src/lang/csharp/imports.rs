//! Imports name namespaces and types: the namespaces that files declare decide which file is meant.

use super::FAMILY;
use crate::lang::Import;
use crate::lang::resolve::{
    Binds, Found, Place, World, defining, named, package_key, used_or_first,
};
use crate::source::FileId;

/// C#: `using A.B;` opens a namespace; `using static A.B.C;` and `using X = A.B.C;` name a type.
pub(super) fn resolve(world: World<'_>, from: FileId, import: &Import) -> Vec<Found> {
    let module = import.module.trim_start_matches("global::");
    let at = named(import).next().and_then(|(at, _)| at);
    let files = world.files_of(&package_key(&FAMILY, module));
    let (files, binds) = if files.is_empty() {
        let (space, name) = module.rsplit_once('.').unwrap_or(("", module));
        let name = name.split('<').next().unwrap_or(name);
        let in_space = world.files_of(&package_key(&FAMILY, space));
        (defining(world, in_space, name), Binds::Module)
    } else {
        (used_or_first(world, from, files), Binds::All)
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
