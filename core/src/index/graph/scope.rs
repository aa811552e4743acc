//! Resolves a name in a file: the imports of the function around it first, then the file's own
//! definitions, then its imports, through re-exports.

use super::inside::{InFunctions, Inside, Text, holding, is_function};
use super::{Binds, ImportLink, SymbolId, Target, is_class};
use crate::lang::family::Reach;
use crate::lang::resolve::World;
use crate::lang::resolve::names::{digest, file_name};
use crate::lang::{Symbol, SymbolKind};
use crate::lines::Line;
use crate::source::FileId;

/// Maximum number of imports of one name in a function, or in the methods of a class, that are
/// compared.
const MAX_COMPARED: usize = 16;

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
    /// One of several things: which one is decided when the program runs.
    Unclear,
}

/// The resolved imports of all files.
#[derive(Default)]
pub(super) struct Links {
    pub by_file: Vec<Vec<ImportLink>>,
    /// For each file, the names that imports bind and the links that bind them; sorted.
    bound: Vec<Vec<(u64, u32)>>,
    /// For each file, the links that import all names.
    stars: Vec<Vec<u32>>,
    /// Links that bind names in one function alone.
    in_functions: InFunctions,
}

impl Links {
    /// Adds the links of the next file.
    pub(crate) fn push(&mut self, world: World<'_>, links: Vec<ImportLink>) {
        let mut bound = Vec::new();
        let mut stars = Vec::new();
        let text = Text::new(world, &links);
        for (at, link) in (0u32..).zip(&links) {
            let is_star = link.binds == Binds::All;
            let name = bound_name(world, link).filter(|_| !is_star);
            if let Some(text) = &text
                && (is_star || name.is_some())
                && let Some(function) = text.function_of(link, name)
            {
                self.in_functions.add(text, function, (at, link), name);
            } else if is_star {
                stars.push(at);
            } else if let Some(name) = name {
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

    fn link(&self, file: FileId, at: u32) -> Option<&ImportLink> {
        self.of(file).get(at as usize)
    }

    /// Returns the links that bind a name in the whole file.
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

/// Where names are read.
#[derive(Clone, Copy)]
enum Place {
    /// Outside of functions.
    File,
    /// In the code of a definition, on a line if that is known.
    Code(SymbolId, Option<Line>),
    /// In the types of a definition's parameters, results or fields.
    Types(SymbolId),
}

/// Names and imports together.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub world: World<'a>,
    links: &'a Links,
    place: Place,
}

impl<'a> Scope<'a> {
    /// Names as they are read outside of functions.
    pub(crate) fn new(world: World<'a>, links: &'a Links) -> Self {
        let place = Place::File;
        Self {
            world,
            links,
            place,
        }
    }

    /// The same names, as they are read outside of functions.
    pub(crate) fn outside(self) -> Self {
        Self::new(self.world, self.links)
    }

    /// The same names, as the code of a definition reads them.
    pub(crate) fn in_code(self, definition: Option<SymbolId>, line: Option<Line>) -> Self {
        let place = definition.map_or(Place::File, |it| Place::Code(it, line));
        Self { place, ..self }
    }

    /// The same names, as the types of a definition's parameters, results or fields read them.
    pub(crate) fn in_types(self, definition: SymbolId) -> Self {
        let place = Place::Types(definition);
        Self { place, ..self }
    }

    /// Resolves `name` in `file`, by its top-level definitions and its imports.
    pub(crate) fn meaning(&self, file: FileId, name: &str) -> Option<Meaning> {
        self.look(file, name, &mut MAX_LOOKS.clone())
    }

    /// Resolves `name` by the imports of the functions around the code that reads it.
    pub(crate) fn in_function(&self, file: FileId, name: &str) -> Option<Meaning> {
        match self.place {
            Place::Code(at, line) if at.file == file => {
                self.imported_around(at, line, name, &mut MAX_LOOKS.clone())
            }
            _ => None,
        }
    }

    fn look(&self, file: FileId, name: &str, looks: &mut u32) -> Option<Meaning> {
        *looks = looks.checked_sub(1)?;
        match self.place {
            Place::Code(at, line) if at.file == file => {
                let inside = self.imported_around(at, line, name, looks);
                inside.or_else(|| self.look_in_file(file, name, looks))
            }
            Place::Types(at) if at.file == file => self.look_in_types(at, name, looks),
            _ => self.look_in_file(file, name, looks),
        }
    }

    fn look_in_file(&self, file: FileId, name: &str, looks: &mut u32) -> Option<Meaning> {
        let world = self.world;
        if let Some(symbol) = world.facts.names.top(world.parsed, file, name) {
            return Some(Meaning::Symbol(symbol));
        }
        let bound = self.links.bound(file, name);
        if let Some(found) = self.imported(file, bound, looks) {
            return Some(found);
        }
        for link in self.links.stars(file) {
            if let Some(found) = self.of_star(link, name, looks) {
                return Some(found);
            }
        }
        self.submodule(file, name).map(Meaning::File)
    }

    /// Returns what the first of these links brings into `file`; a definition before a file.
    fn imported<'l>(
        &self,
        file: FileId,
        links: impl Iterator<Item = &'l ImportLink>,
        looks: &mut u32,
    ) -> Option<Meaning> {
        let mut found = None;
        for link in links {
            match self.of_link(link, looks) {
                Some(Meaning::Outside | Meaning::Unclear) | None => {
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

    /// Returns the definition that a link brings which imports all names.
    fn of_star(&self, link: &ImportLink, name: &str, looks: &mut u32) -> Option<Meaning> {
        match link.target {
            Target::File(target) if target != link.file => {
                let found = self.outside().look(target, name, looks)?;
                matches!(found, Meaning::Symbol(_)).then_some(found)
            }
            _ => None,
        }
    }

    /// Resolves a name by the imports of the functions around `at`, innermost first.
    fn imported_around(
        &self,
        at: SymbolId,
        line: Option<Line>,
        name: &str,
        looks: &mut u32,
    ) -> Option<Meaning> {
        let known = &self.links.in_functions;
        let reach = self.world.family(at.file).imports_reach;
        let mut line = line;
        for function in self.functions_around(at) {
            let bound = holding(reach, known.bound(at.file, function, name), line);
            if !bound.is_empty() {
                return Some(self.agreed(at.file, &bound, looks));
            }
            for star in holding(reach, known.stars(at.file, function), line) {
                let link = self.links.link(at.file, star.link);
                if let Some(found) = link.and_then(|link| self.of_star(link, name, looks)) {
                    return Some(found);
                }
            }
            // An inner function of Python's runs later than the lines around it.
            line = line.filter(|_| reach == Reach::Block);
        }
        None
    }

    /// Resolves a name in the types of a definition. Whether such a type is read with the
    /// definition's own imports or with those around it is not known, so both have to agree.
    fn look_in_types(&self, at: SymbolId, name: &str, looks: &mut u32) -> Option<Meaning> {
        let known = &self.links.in_functions;
        let is_of_class = self.symbol(at).is_some_and(|symbol| is_class(symbol.kind));
        let own = match is_of_class {
            true => known.in_class(at.file, at.at, name),
            false => known.bound(at.file, at.at, name),
        };
        let around = self.parent(at).and_then(|outer| {
            let at = SymbolId { at: outer, ..at };
            self.imported_around(at, None, name, looks)
        });
        let outer = around.or_else(|| self.look_in_file(at.file, name, looks));
        if own.is_empty() {
            return outer;
        }
        let own = self.agreed(at.file, own, looks);
        match outer {
            Some(outer) if outer != own => Some(Meaning::Unclear),
            _ => Some(own),
        }
    }

    /// Returns what all of these links bring.
    fn agreed(&self, file: FileId, all: &[Inside], looks: &mut u32) -> Meaning {
        if all.len() > MAX_COMPARED {
            return Meaning::Unclear;
        }
        let mut found = all.iter().map(|inside| {
            let link = self.links.link(file, inside.link).into_iter();
            self.imported(file, link, looks)
        });
        let first = found.next().flatten();
        match first {
            Some(first) if found.all(|other| other == Some(first)) => first,
            _ => Meaning::Unclear,
        }
    }

    fn symbol(&self, id: SymbolId) -> Option<&'a Symbol> {
        self.world.parsed(id.file)?.symbols.get(id.at as usize)
    }

    fn parent(&self, id: SymbolId) -> Option<u32> {
        self.symbol(id)?.parent
    }

    /// Returns the functions around a definition, itself first if it is one. A module in a function
    /// sees no import of that function.
    fn functions_around(&self, at: SymbolId) -> impl Iterator<Item = u32> {
        let symbol = move |inner: u32| self.symbol(SymbolId { at: inner, ..at });
        let outer = move |inner: &u32| symbol(*inner)?.parent;
        std::iter::successors(Some(at.at), outer)
            .map_while(move |inner| Some((inner, symbol(inner)?)))
            .take_while(|(_, symbol)| symbol.kind != SymbolKind::Module)
            .filter(|(_, symbol)| is_function(symbol))
            .map(|(inner, _)| inner)
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
            let outside = self.outside();
            let by_name = outside.look(target, wanted, looks);
            let by_alias = || {
                let alias = name.alias.as_deref().filter(|_| name.name == "default")?;
                outside.look(target, alias, looks)
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
            Meaning::File(_) | Meaning::Outside | Meaning::Unclear => None,
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
        let links = (0..).zip(self.links.of(file));
        let mut paths = links
            .filter(|(_, link)| link.binds == Binds::Path)
            .filter(|(_, link)| {
                let import = parsed.imports.get(link.import as usize);
                import.is_some_and(|import| import.module == path)
            });
        match paths.find(|(at, _)| self.holds(file, *at))?.1.target {
            Target::File(target) => Some(Meaning::File(target)),
            Target::Library(_) => Some(Meaning::Outside),
            Target::Missing => None,
        }
    }

    /// Whether a link of `file` binds its names where they are read.
    fn holds(&self, file: FileId, link: u32) -> bool {
        let Some(function) = self.links.in_functions.function(file, link) else {
            return true;
        };
        match self.place {
            Place::Code(at, _) if at.file == file => {
                self.functions_around(at).any(|around| around == function)
            }
            _ => false,
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
