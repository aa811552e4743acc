//! Shells: `source` names a path, often after a variable or command that gives the script's folder.

use crate::lang::Import;
use crate::lang::resolve::World;
use crate::lang::resolve::names::{folder, join, shared_folders};
use crate::lang::resolve::{Binds, Found, Place};
use crate::source::FileId;

pub(super) fn resolve(world: World<'_>, from: FileId, import: &Import) -> Vec<Found> {
    let place = sourced(world, from, &import.module).map_or(Place::Missing, Place::File);
    vec![Found::new(None, place, Binds::All)]
}

fn sourced(world: World<'_>, from: FileId, written: &str) -> Option<FileId> {
    let own = folder(world.path(from));
    let path = constant_end(written);
    if path.is_empty() {
        return None;
    }
    let is_whole = path.len() == written.len();
    let beside = join(own, path).and_then(|path| world.find(&path));
    let beside = beside.or_else(|| join("", path).and_then(|path| world.find(&path)));
    if beside.is_some() || is_whole && path.starts_with('/') {
        return beside;
    }
    // A variable stood before it: any folder, the nearest first.
    let suffix = path.trim_start_matches("./").trim_start_matches("../");
    let found = world.facts.file_names.ending(world.repo, suffix);
    found
        .max_by_key(|(file, path)| (shared_folders(folder(path), own), std::cmp::Reverse(*file)))
        .map(|(file, _)| file)
}

/// Returns what follows the last variable or command: `lib/common.sh` of
/// `$(dirname "$0")/lib/common.sh`.
fn constant_end(written: &str) -> &str {
    let written = written.trim_matches(['"', '\'']);
    let end = match written.rfind([')', '}']) {
        Some(at) => written.get(at + 1..).unwrap_or_default(),
        None => match written.rfind('$') {
            Some(at) => {
                let rest = written.get(at..).unwrap_or_default();
                rest.find('/')
                    .and_then(|slash| rest.get(slash..))
                    .unwrap_or_default()
            }
            None => written,
        },
    };
    if end.len() == written.len() {
        end
    } else {
        end.trim_start_matches(['"', '/'])
    }
}
