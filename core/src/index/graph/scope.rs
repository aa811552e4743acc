//! Resolves a name in a file: its own definitions first, then its imports, through re-exports.

use super::{Binds, ImportLink, SymbolId, Target};
use crate::lang::resolve::World;
use crate::lang::resolve::names::{digest, file_name};
use crate::source::FileId;

/// Maximum number of files examined for one name: chains of `from x import *` can be long, and
/// circular.
const MAX_LOOKS: u32 = 24;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Symbol(SymbolId),
    File(FileId),
    /// Something in a library.
    Outside,
}

/// The resolved imports of all files.
#[derive(Default)]
pub(super) struct Links {
    pub by_file: Vec<Vec<ImportLink>>,
    /// For each file, the names that imports bind and the links that bind them; sorted.
    bound: Vec<Vec<(u64, u32)>>,
    /// For each file, the links that import all names.
    stars: Vec<Vec<u32>>,
}

impl Links {
    /// Adds the links of the next file.
    pub(crate) fn push(&mut self, world: World<'_>, links: Vec<ImportLink>) {
        let mut bound = Vec::new();
        let mut stars = Vec::new();
        for (link, at) in links.iter().zip(0u32..) {
            if link.binds == Binds::All {
                stars.push(at);
            } else if let Some(name) = bound_name(world, link) {
                bound.push((digest(name), at));
            }
        }
        bound.sort_unstable();
        self.by_file.push(links);
        self.bound.push(bound);
        self.stars.push(stars);
    }

    fn of(&self, file: FileId) -> &[ImportLink] {
        let links = self.by_file.get(file.0 as usize);
        links.map(Vec::as_slice).unwrap_or_default()
    }

    fn bound(&self, file: FileId, name: &str) -> impl Iterator<Item = &ImportLink> {
        let bound = self.bound.get(file.0 as usize);
        let bound = bound.map(Vec::as_slice).unwrap_or_default();
        let key = digest(name);
        let from = bound.partition_point(|entry| entry.0 < key);
        let entries = bound.get(from..).unwrap_or_default().iter();
        entries
            .take_while(move |entry| entry.0 == key)
            .filter_map(move |(_, at)| self.of(file).get(*at as usize))
    }

    fn stars(&self, file: FileId) -> impl Iterator<Item = &ImportLink> {
        let stars = self.stars.get(file.0 as usize).into_iter().flatten();
        stars.filter_map(move |at| self.of(file).get(*at as usize))
    }
}

/// Returns the name that a link binds in its file.
fn bound_name<'a>(world: World<'a>, link: &ImportLink) -> Option<&'a str> {
    let import = world.parsed(link.file)?.imports.get(link.import as usize)?;
    let named = link.name.and_then(|at| import.names.get(at as usize));
    match named {
        Some(name) => match name.alias.as_deref() {
            Some("_") => None,
            Some(alias) => Some(alias),
            None => Some((world.family(link.file).local_name)(&name.name)),
        },
        None if link.binds == Binds::Path => {
            let is_plain = !import.module.contains(['.', '/']);
            is_plain.then_some(import.module.as_str())
        }
        None => Some((world.family(link.file).local_name)(&import.module)),
    }
}

/// Names and imports together.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub world: World<'a>,
    pub links: &'a Links,
}

impl Scope<'_> {
    /// Resolves `name` in `file`, by its top-level definitions and its imports.
    pub(crate) fn meaning(&self, file: FileId, name: &str) -> Option<Meaning> {
        self.look(file, name, &mut MAX_LOOKS.clone())
    }

    fn look(&self, file: FileId, name: &str, looks: &mut u32) -> Option<Meaning> {
        *looks = looks.checked_sub(1)?;
        let world = self.world;
        if let Some(symbol) = world.facts.names.top(world.parsed, file, name) {
            return Some(Meaning::Symbol(symbol));
        }
        let mut found = None;
        for link in self.links.bound(file, name) {
            match self.of_link(link, looks) {
                Some(Meaning::Outside) | None => {
                    if link.target != Target::Missing {
                        found = found.or(Some(Meaning::Outside));
                    }
                }
                Some(Meaning::File(target)) if target == file => {}
                // The file is named before it is known what is in it.
                Some(Meaning::File(target)) => {
                    if !matches!(found, Some(Meaning::File(_))) {
                        found = Some(Meaning::File(target));
                    }
                }
                symbol => return symbol,
            }
        }
        if found.is_some() {
            return found;
        }
        for link in self.links.stars(file) {
            if let Target::File(target) = link.target
                && target != file
                && let Some(found @ Meaning::Symbol(_)) = self.look(target, name, looks)
            {
                return Some(found);
            }
        }
        self.submodule(file, name).map(Meaning::File)
    }

    /// Returns what a link brings into its file's scope.
    pub(crate) fn of_link(&self, link: &ImportLink, looks: &mut u32) -> Option<Meaning> {
        let target = match link.target {
            Target::File(target) => target,
            Target::Library(_) => return Some(Meaning::Outside),
            Target::Missing => return None,
        };
        let world = self.world;
        let import = world.parsed(link.file)?.imports.get(link.import as usize)?;
        let named = link.name.and_then(|at| import.names.get(at as usize));
        if let (Binds::Name, Some(name)) = (link.binds, named) {
            let wanted = (world.family(link.file).local_name)(&name.name);
            let by_name = self.look(target, wanted, looks);
            let by_alias = || {
                let alias = name.alias.as_deref().filter(|_| name.name == "default")?;
                self.look(target, alias, looks)
            };
            return by_name.or_else(by_alias).or(Some(Meaning::File(target)));
        }
        let family = world.family(link.file);
        if family.imports_classes {
            let name = (family.local_name)(&import.module);
            let class = world.facts.names.top(world.parsed, target, name);
            return class.map(Meaning::Symbol).or(Some(Meaning::File(target)));
        }
        Some(Meaning::File(target))
    }

    /// Returns the definition that a link names; `None` for links that name whole files.
    pub(crate) fn symbol_of(&self, link: &ImportLink) -> Option<SymbolId> {
        if matches!(link.binds, Binds::All | Binds::Path) {
            return None;
        }
        match self.of_link(link, &mut MAX_LOOKS.clone())? {
            Meaning::Symbol(symbol) => Some(symbol),
            Meaning::File(_) | Meaning::Outside => None,
        }
    }

    /// Returns all files that `name` may stand for: a Go package has several.
    pub(crate) fn files(&self, file: FileId, name: &str) -> impl Iterator<Item = FileId> {
        let links = self.links.bound(file, name);
        links
            .filter(|link| link.binds == Binds::Module)
            .filter_map(|link| match link.target {
                Target::File(target) => Some(target),
                _ => None,
            })
    }

    /// Resolves an import of exactly this dotted path: `os.path`, which is also how its names are
    /// called.
    pub(crate) fn path(&self, file: FileId, path: &str) -> Option<Meaning> {
        let parsed = self.world.parsed(file)?;
        let links = self.links.of(file).iter();
        let mut paths = links
            .filter(|link| link.binds == Binds::Path)
            .filter(|link| {
                let import = parsed.imports.get(link.import as usize);
                import.is_some_and(|import| import.module == path)
            });
        match paths.next()?.target {
            Target::File(target) => Some(Meaning::File(target)),
            Target::Library(_) => Some(Meaning::Outside),
            Target::Missing => None,
        }
    }

    /// Returns a module of a Python package, given the package's own file.
    fn submodule(&self, file: FileId, name: &str) -> Option<FileId> {
        let path = self.world.path(file);
        if file_name(path) != "__init__.py" {
            return None;
        }
        let folder = path.strip_suffix("__init__.py")?;
        let candidates = [
            format!("{folder}{name}/__init__.py"),
            format!("{folder}{name}.py"),
        ];
        candidates.iter().find_map(|path| self.world.find(path))
    }
}
