//! Elixir: a module is found by its name, whatever its file is called. An earlier alias may stand
//! for the beginning of the name.

use super::FAMILY;
use crate::lang::resolve::names::{folder, shared_folders};
use crate::lang::resolve::{Binds, Found, Place, World, each_name};
use crate::lang::{Import, SymbolKind};
use crate::source::FileId;

/// Maximum number of aliases of aliases that are followed.
const MAX_ALIASES: usize = 4;

pub(super) fn resolve(world: World<'_>, from: FileId, import: &Import) -> Vec<Found> {
    let module = spelled_out(world, from, import);
    let place = match defining(world, from, &module) {
        Some(file) => Place::File(file),
        None => Place::Library(module.split('.').next().unwrap_or(&module).to_owned()),
    };
    let binds = match keyword(world, from, import) {
        "alias" => Binds::Module,
        "import" => Binds::All,
        _ => Binds::Path,
    };
    each_name(import, &place, binds)
}

/// Returns the keyword of an import: `alias`, `import`, `require`, `use`, `@behaviour`.
fn keyword<'a>(world: World<'a>, file: FileId, import: &Import) -> &'a str {
    let written = world.written(file, import).trim_start();
    written.split([' ', '(']).next().unwrap_or(written)
}

/// Returns the full name of a module whose first part may be an alias.
fn spelled_out(world: World<'_>, from: FileId, import: &Import) -> String {
    let mut module = import.module.clone();
    let mut before = import.lines.start();
    for _ in 0..MAX_ALIASES {
        let first = module.split('.').next().unwrap_or(&module);
        let imports = world.parsed(from).map(|parsed| parsed.imports.as_slice());
        let mut imports = imports.unwrap_or_default().iter().rev();
        let aliased = imports.find(|other| {
            other.lines.start() < before
                && local(other) == first
                && other.module != first
                && keyword(world, from, other) == "alias"
        });
        let Some(aliased) = aliased else {
            break;
        };
        before = aliased.lines.start();
        let rest = module.strip_prefix(first).unwrap_or_default();
        module = format!("{}{rest}", aliased.module);
    }
    module
}

/// Returns the name of an aliased module inside the file.
fn local(import: &Import) -> &str {
    let alias = import.names.iter().find_map(|name| name.alias.as_deref());
    let last = || import.module.rsplit('.').next();
    alias.or_else(last).unwrap_or(&import.module)
}

/// Returns the file that defines a module; if there are several, the nearest, preferring files that
/// are not tests unless the importer is one.
fn defining(world: World<'_>, from: FileId, module: &str) -> Option<FileId> {
    let own = folder(world.path(from));
    let last = module.rsplit('.').next().unwrap_or(module);
    let found = world.facts.names.of(world.parsed, last);
    let defined = found.filter(|(id, symbol)| {
        symbol.qualified == module
            && matches!(symbol.kind, SymbolKind::Module | SymbolKind::Interface)
            && world.family(id.file) == &FAMILY
    });
    defined.map(|(id, _)| id.file).max_by_key(|file| {
        let shared = shared_folders(folder(world.path(*file)), own);
        let is_usable = world.is_test(from) || !world.is_test(*file);
        (is_usable, shared, std::cmp::Reverse(*file))
    })
}
