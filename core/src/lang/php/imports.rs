//! PHP: `use` names a class, function or constant by its namespace. Files declare namespaces;
//! composer's PSR-4, which maps the same namespaces to folders, is used if no file declares one.
//! `require` names a path.

use super::FAMILY;
use crate::lang::Import;
use crate::lang::resolve::names::{folder, join};
use crate::lang::resolve::{Binds, Found, Place, named};
use crate::lang::resolve::{World, package_key};
use crate::source::FileId;

/// More levels than any folder is deep.
const MAX_LEVELS: usize = 64;

pub(super) fn resolve(world: World<'_>, from: FileId, import: &Import) -> Vec<Found> {
    let written = world.written(from, import);
    let statement = written.trim_start();
    if !statement.starts_with("use ")
        && (written.contains("require") || written.contains("include"))
    {
        let place = required(world, from, written, &import.module);
        return vec![Found::new(None, place, Binds::All)];
    }
    let module = import.module.trim_matches('\\');
    let grouped: Vec<_> = named(import).filter(|(_, name)| name.name != "*").collect();
    if grouped.is_empty() {
        let at = named(import).next().and_then(|(at, _)| at);
        return vec![Found::new(at, class(world, module), Binds::Module)];
    }
    let names = grouped.into_iter().map(|(at, name)| {
        let path = format!("{module}\\{}", name.name);
        Found::new(at, class(world, &path), Binds::Name)
    });
    names.collect()
}

fn class(world: World<'_>, path: &str) -> Place {
    let (space, name) = path.rsplit_once('\\').unwrap_or(("", path));
    let files = world.files_of(&package_key(&FAMILY, space));
    let top = |file: &&FileId| world.facts.names.top(world.parsed, **file, name).is_some();
    if let Some(file) = files.iter().find(top) {
        return Place::File(*file);
    }
    let parts: Vec<&str> = path.split('\\').collect();
    // PSR-4: the folders below a prefix mirror the namespace.
    let inner = parts
        .get(1..)
        .filter(|parts| parts.len() > 1)
        .unwrap_or_default();
    let suffix = format!("{}.php", inner.join("/"));
    let mut psr = world.facts.file_names.ending(world.repo, &suffix);
    match psr.next().filter(|_| !inner.is_empty()) {
        Some((file, _)) if world.package(file).is_none_or(|own| own.ends_with(space)) => {
            Place::File(file)
        }
        _ => Place::Library(parts.iter().take(2).copied().collect::<Vec<_>>().join("\\")),
    }
}

fn required(world: World<'_>, from: FileId, written: &str, path: &str) -> Place {
    let path = path.trim_start_matches('/');
    let above = format!("{}{path}", "../".repeat(levels_up(written)));
    let beside = join(folder(world.path(from)), &above).and_then(|path| world.find(&path));
    let found = beside.or_else(|| join("", path).and_then(|path| world.find(&path)));
    found.map_or(Place::Missing, Place::File)
}

/// Returns how many folders above the file's own a path begins: one for each `dirname(__DIR__)`,
/// more if it has a second argument, none for `dirname(__FILE__)`.
fn levels_up(written: &str) -> usize {
    let calls = written.split("dirname(").skip(1).map(|call| {
        let arguments = call.split(')').next().unwrap_or_default();
        let levels = arguments.split_once(',').map(|(_, levels)| levels.trim());
        levels.and_then(|levels| levels.parse().ok()).unwrap_or(1)
    });
    let levels: usize = calls.map(|levels: usize| levels.min(MAX_LEVELS)).sum();
    levels.saturating_sub(usize::from(written.contains("__FILE__")))
}
