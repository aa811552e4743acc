//! Resolves a name in a file: the imports of the function around it first, then the file's own
//! definitions, then its imports, through re-exports.

use super::{Binds, ImportLink, SymbolId, Target, is_class};
use crate::hash::FastMap;
use crate::lang::SymbolKind;
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
    /// The functions of the links that hold in a function alone, by file and link.
    functions: FastMap<(FileId, u32), u32>,
}

impl Links {
    /// Adds the links of the next file.
    pub(crate) fn push(&mut self, world: World<'_>, links: Vec<ImportLink>) {
        let mut bound = Vec::new();
        let mut stars = Vec::new();
        for (link, at) in links.iter().zip(0u32..) {
            if let Some(function) = function_around(world, link) {
                self.functions.insert((link.file, at), function);
            }
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

    /// Returns the links that bind a name, with their positions.
    fn bound(&self, file: FileId, name: &str) -> impl Iterator<Item = (u32, &ImportLink)> {
        let bound = self.bound.get(file.0 as usize);
        let bound = bound.map(Vec::as_slice).unwrap_or_default();
        let key = digest(name);
        let from = bound.partition_point(|entry| entry.0 < key);
        let entries = bound.get(from..).unwrap_or_default().iter();
        entries
            .take_while(move |entry| entry.0 == key)
            .filter_map(move |&(_, at)| Some((at, self.of(file).get(at as usize)?)))
    }

    /// Returns the links that import all names, with their positions.
    fn stars(&self, file: FileId) -> impl Iterator<Item = (u32, &ImportLink)> {
        let stars = self.stars.get(file.0 as usize).into_iter().flatten();
        stars.filter_map(move |&at| Some((at, self.of(file).get(at as usize)?)))
    }
}

/// Returns the function that a link holds in, if it holds nowhere else.
fn function_around(world: World<'_>, link: &ImportLink) -> Option<u32> {
    if !world.family(link.file).imports_in_functions {
        return None;
    }
    let symbols = &world.parsed(link.file)?.symbols;
    let before = symbols.partition_point(|symbol| symbol.lines.start() <= link.lines.start());
    let innermost = (before as u32).checked_sub(1);
    let parent = |at: &u32| symbols.get(*at as usize)?.parent;
    std::iter::successors(innermost, parent).find(|at| {
        symbols.get(*at as usize).is_some_and(|symbol| {
            matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method)
                && symbol.lines.encloses(link.lines)
        })
    })
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
    /// The definition that names are read in; imports in other functions do not hold there.
    pub within: Option<SymbolId>,
}

impl Scope<'_> {
    /// The same names, as read in another definition.
    pub(crate) fn within(self, definition: impl Into<Option<SymbolId>>) -> Self {
        let within = definition.into();
        Self { within, ..self }
    }

    /// The function that a link holds in, if it holds nowhere else.
    fn function_of(&self, (at, link): (u32, &ImportLink)) -> Option<u32> {
        self.links.functions.get(&(link.file, at)).copied()
    }

    /// Whether a link of `file` binds its names where they are read.
    fn holds(&self, file: FileId, link: (u32, &ImportLink)) -> bool {
        let function = self.function_of(link);
        function.is_none_or(|function| self.is_in(file, function))
    }

    /// Whether names are read in the function: in it, in one inside of it, or in its class, whose
    /// fields it may set.
    fn is_in(&self, file: FileId, function: u32) -> bool {
        let Some(within) = self.within.filter(|within| within.file == file) else {
            return false;
        };
        let symbols = self.world.parsed(file).map(|parsed| &parsed.symbols);
        let symbol = |at: u32| symbols.and_then(|symbols| symbols.get(at as usize));
        let parent = |at: &u32| symbol(*at)?.parent;
        let is_class = symbol(within.at).is_some_and(|it| is_class(it.kind));
        std::iter::successors(Some(within.at), parent).any(|at| at == function)
            || is_class && std::iter::successors(Some(function), parent).any(|at| at == within.at)
    }

    /// Resolves `name` in `file`, by its top-level definitions and its imports.
    pub(crate) fn meaning(&self, file: FileId, name: &str) -> Option<Meaning> {
        self.look(file, name, &mut MAX_LOOKS.clone())
    }

    fn look(&self, file: FileId, name: &str, looks: &mut u32) -> Option<Meaning> {
        *looks = looks.checked_sub(1)?;
        let world = self.world;
        if let Some(found) = self.imported_in_function(file, name, looks) {
            return Some(found);
        }
        if let Some(symbol) = world.facts.names.top(world.parsed, file, name) {
            return Some(Meaning::Symbol(symbol));
        }
        let everywhere = |link: &(u32, &ImportLink)| self.function_of(*link).is_none();
        let bound = self.links.bound(file, name).filter(everywhere);
        if let Some(found) = self.imported(file, bound, looks) {
            return Some(found);
        }
        let elsewhere = self.within(None);
        let stars = self.links.stars(file);
        for (_, link) in stars.filter(|link| self.holds(file, *link)) {
            if let Target::File(target) = link.target
                && target != file
                && let Some(found @ Meaning::Symbol(_)) = elsewhere.look(target, name, looks)
            {
                return Some(found);
            }
        }
        self.submodule(file, name).map(Meaning::File)
    }

    /// Resolves `name` by the imports of the function that names are read in.
    pub(crate) fn in_function(&self, file: FileId, name: &str) -> Option<Meaning> {
        self.imported_in_function(file, name, &mut MAX_LOOKS.clone())
    }

    fn imported_in_function(&self, file: FileId, name: &str, looks: &mut u32) -> Option<Meaning> {
        let links = self.links.bound(file, name).filter(|link| {
            let function = self.function_of(*link);
            function.is_some_and(|function| self.is_in(file, function))
        });
        self.imported(file, links, looks)
    }

    /// Returns what the first of these links brings into `file`; a definition before a file.
    fn imported<'l>(
        &self,
        file: FileId,
        links: impl Iterator<Item = (u32, &'l ImportLink)>,
        looks: &mut u32,
    ) -> Option<Meaning> {
        let mut found = None;
        for (_, link) in links {
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
        found
    }

    /// Returns what a link brings into its file's scope.
    pub(crate) fn of_link(&self, link: &ImportLink, looks: &mut u32) -> Option<Meaning> {
        let target = match link.target {
            Target::File(target) => target,
            Target::Library(_) => return Some(Meaning::Outside),
            Target::Missing => return None,
        };
        let world = self.world;
        let elsewhere = self.within(None);
        let import = world.parsed(link.file)?.imports.get(link.import as usize)?;
        let named = link.name.and_then(|at| import.names.get(at as usize));
        if let (Binds::Name, Some(name)) = (link.binds, named) {
            let wanted = (world.family(link.file).local_name)(&name.name);
            let by_name = elsewhere.look(target, wanted, looks);
            let by_alias = || {
                let alias = name.alias.as_deref().filter(|_| name.name == "default")?;
                elsewhere.look(target, alias, looks)
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
        let links = links.filter(move |link| self.holds(file, *link));
        links
            .filter(|(_, link)| link.binds == Binds::Module)
            .filter_map(|(_, link)| match link.target {
                Target::File(target) => Some(target),
                _ => None,
            })
    }

    /// Resolves an import of exactly this dotted path: `os.path`, which is also how its names are
    /// called.
    pub(crate) fn path(&self, file: FileId, path: &str) -> Option<Meaning> {
        let parsed = self.world.parsed(file)?;
        let links = (0..).zip(self.links.of(file));
        let mut paths = links
            .filter(|(_, link)| link.binds == Binds::Path)
            .filter(|(_, link)| {
                let import = parsed.imports.get(link.import as usize);
                import.is_some_and(|import| import.module == path)
            });
        match paths.find(|link| self.holds(file, *link))?.1.target {
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
