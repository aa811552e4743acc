//! What a name on a line of a file means: where it is defined, and how to ask who uses it.

use std::collections::BTreeSet;

use super::kinds;
use crate::index::Index;
use crate::index::graph::{Binds, ImportLink, LibraryId, SymbolId, Target};
use crate::lang::resolve::names::shared_folders;
use crate::lang::{Parsed, Role, Symbol, SymbolKind};
use crate::lines::Line;
use crate::source::FileId;

/// Maximum number of definitions returned for one name.
const MAX_DEFINITIONS: usize = 50;

/// Maximum number of base classes searched for an inherited member.
const MAX_BASES: usize = 24;

/// What a name means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meant {
    /// These definitions; several if nothing decides between them, the likeliest first.
    Definitions(Vec<SymbolId>),
    /// A whole file: an imported module.
    File(FileId),
    /// Something from a library that the repository does not contain.
    Library(LibraryId),
    /// Nothing that the repository defines.
    Unknown,
}

/// Returns what `name` means on a line of a file: what the line defines, what the graph says is
/// called there, what the scope and the imports of the file hold, else all definitions with that
/// name.
pub fn meant(index: &Index, file: FileId, line: Line, name: &str) -> Meant {
    let Some((_, parsed)) = index.file(file) else {
        return Meant::Unknown;
    };
    let place = Place {
        index,
        parsed,
        file,
        line,
        name,
    };
    let receiver = place.receiver();
    let exact = place
        .named_here()
        .or_else(|| place.called())
        .or_else(|| place.of_receiver(receiver.as_deref()))
        .or_else(|| place.in_scope(receiver.as_deref()));
    if let Some(found) = exact {
        return Meant::Definitions(found);
    }
    let imported = receiver.is_none().then(|| place.imported(name)).flatten();
    match imported {
        Some(found) => found,
        None => place.by_name(receiver.as_deref()),
    }
}

/// Returns the names in a file that can be resolved: those that the repository defines, and those
/// that its imports bind.
pub fn names_in(index: &Index, file: FileId) -> Vec<&str> {
    let Some((source, parsed)) = index.file(file) else {
        return Vec::new();
    };
    if !parsed.language.is_code() {
        return Vec::new();
    }
    let bound: BTreeSet<&str> = index
        .graph
        .imports(file)
        .iter()
        .filter(|link| matches!(link.target, Target::File(_)))
        .filter_map(|link| bound_name(parsed, link))
        .collect();
    let words: BTreeSet<&str> = source
        .text
        .split(|c: char| !is_of_name(c))
        .filter(|word| word.starts_with(|c: char| !c.is_ascii_digit()))
        .collect();
    let names = index.graph.names();
    let leads =
        |word: &&str| bound.contains(word) || names.of(&index.parsed, word).next().is_some();
    words.into_iter().filter(leads).collect()
}

/// Returns the question that lists the uses of a definition. It names the file if other definitions
/// or a module share the name.
pub fn question_of_uses(index: &Index, id: SymbolId) -> Option<String> {
    let symbol = index.symbol(id)?;
    let names = index.graph.names();
    let same = names
        .of(&index.parsed, &symbol.name)
        .filter(|(_, other)| other.qualified == symbol.qualified);
    let name = &symbol.qualified;
    // Without its file, `slug` would be read as the module `slug.py`.
    let is_of_file = |path: &str| {
        let own = path.rsplit('/').next().unwrap_or(path);
        own.split('.').next() == Some(name.as_str())
    };
    let is_module = || index.repo.files.iter().any(|file| is_of_file(&file.path));
    Some(match same.count() {
        0 | 1 if name.contains('.') || !is_module() => format!("where is `{name}` used?"),
        _ => format!(
            "where is `{name}` in `{}` used?",
            index.repo.file(id.file)?.path
        ),
    })
}

/// Whether a character can be part of a name.
fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Returns the name that an import binds in a file.
fn bound_name<'i>(parsed: &'i Parsed, link: &ImportLink) -> Option<&'i str> {
    let import = parsed.imports.get(link.import as usize)?;
    let local = parsed.language.spec().family.local_name;
    match link.name.and_then(|at| import.names.get(at as usize)) {
        Some(name) => Some(name.alias.as_deref().unwrap_or_else(|| local(&name.name))),
        None => Some(local(&import.module)),
    }
}

/// A name at its place.
struct Place<'i, 'n> {
    index: &'i Index,
    parsed: &'i Parsed,
    file: FileId,
    line: Line,
    name: &'n str,
}

impl<'i> Place<'i, '_> {
    /// Returns what this very line defines under the name.
    fn named_here(&self) -> Option<Vec<SymbolId>> {
        let found = self.in_file(self.file, self.name);
        some(found.filter(|(_, symbol)| symbol.name_line == self.line))
    }

    /// Returns the definitions of this name that the graph is certain are called here.
    fn called(&self) -> Option<Vec<SymbolId>> {
        let around: Vec<SymbolId> = self.around().map(|(id, _)| id).collect();
        let mut calls = self.index.graph.calls_on(self.file, &around, self.line);
        let symbol = |id: SymbolId| self.index.symbol(id);
        calls.retain(|call| {
            call.is_certain() && symbol(call.callee).is_some_and(|it| it.name == self.name)
        });
        let mut found: Vec<SymbolId> = calls.into_iter().map(|call| call.callee).collect();
        found.sort_unstable();
        found.dedup();
        (!found.is_empty()).then_some(found)
    }

    /// Returns the member of what stands in front of the name: `self`, a class, a module.
    fn of_receiver(&self, receiver: Option<&str>) -> Option<Vec<SymbolId>> {
        let receiver = receiver?;
        let family = self.parsed.language.spec().family;
        if family.self_words.contains(&receiver) || receiver == "super" {
            let class = self
                .around()
                .filter(|(_, it)| it.kind.is_container())
                .last()?;
            return self.member(class.0);
        }
        match self.top(self.file, receiver) {
            Some(class) => self.member(class),
            None => match self.imported(receiver)? {
                Meant::Definitions(found) => found.iter().find_map(|class| self.member(*class)),
                Meant::File(file) => self.top(file, self.name).map(|found| vec![found]),
                Meant::Library(_) | Meant::Unknown => None,
            },
        }
    }

    /// Returns the members with that name of a class, or of the nearest class above that has any.
    fn member(&self, class: SymbolId) -> Option<Vec<SymbolId>> {
        let mut classes = vec![class];
        let mut next = 0;
        while let Some(&class) = classes.get(next).filter(|_| next < MAX_BASES) {
            next += 1;
            let found = self.in_file(class.file, self.name);
            let own = some(found.filter(|(_, symbol)| symbol.parent == Some(class.at)));
            if own.is_some() {
                return own;
            }
            let bases = self.index.graph.bases(class).into_iter();
            let new: Vec<SymbolId> = bases
                .map(|(base, _)| base)
                .filter(|base| !classes.contains(base))
                .collect();
            classes.extend(new);
        }
        None
    }

    /// Returns the innermost definition of the name that is in scope on the line, in its own file.
    fn in_scope(&self, receiver: Option<&str>) -> Option<Vec<SymbolId>> {
        if receiver.is_some() {
            return None;
        }
        let family = self.parsed.language.spec().family;
        let is_bare = family.has_implicit_self || family.calls_methods_bare;
        let holds = |symbol: &Symbol| match symbol.parent.and_then(|at| self.symbol(at)) {
            None => true,
            Some(parent) => {
                let is_open = !parent.kind.is_container()
                    || parent.kind == SymbolKind::Module
                    || is_bare
                    || symbol.kind.is_container();
                is_open && parent.lines.contains(self.line)
            }
        };
        let depth = |symbol: &Symbol| {
            std::iter::successors(symbol.parent, |at| self.symbol(*at)?.parent).count()
        };
        let found = self.in_file(self.file, self.name);
        let seen: Vec<(SymbolId, &Symbol)> = found.filter(|(_, symbol)| holds(symbol)).collect();
        let deepest = seen.iter().map(|(_, symbol)| depth(symbol)).max()?;
        some(
            seen.into_iter()
                .filter(|(_, symbol)| depth(symbol) == deepest),
        )
    }

    /// Returns what the file's imports bind to a name.
    fn imported(&self, name: &str) -> Option<Meant> {
        let links = self.index.graph.imports(self.file);
        let mut whole = None;
        for link in links.iter().filter(|link| link.binds != Binds::All) {
            if bound_name(self.parsed, link) != Some(name) {
                continue;
            }
            match (link.symbol, link.target) {
                (Some(symbol), _) => return Some(Meant::Definitions(vec![symbol])),
                (None, Target::File(file)) => whole = whole.or(Some(Meant::File(file))),
                (None, Target::Library(id)) => whole = whole.or(Some(Meant::Library(id))),
                (None, Target::Missing) => {}
            }
        }
        whole.or_else(|| {
            let stars = links.iter().filter(|link| link.binds == Binds::All);
            let mut found = stars.filter_map(|link| match link.target {
                Target::File(file) => self.top(file, name),
                _ => None,
            });
            found.next().map(|found| Meant::Definitions(vec![found]))
        })
    }

    /// Returns all definitions of the name, likelier ones first.
    fn by_name(&self, receiver: Option<&str>) -> Meant {
        let family = self.parsed.language.spec().family;
        let names = self.index.graph.names();
        let all = names.of(&self.index.parsed, self.name);
        let mut found: Vec<(SymbolId, &Symbol)> = all.collect();
        prefer(&mut found, |(id, _)| {
            let parsed = self.index.parsed.get(id.file.0 as usize);
            parsed.is_some_and(|parsed| parsed.language.spec().family == family)
        });
        prefer(&mut found, |(_, symbol)| {
            let owner = receiver.map(|receiver| format!("{receiver}.{}", self.name));
            owner.is_some_and(|owner| symbol.qualified.ends_with(&owner))
        });
        prefer(&mut found, |(id, _)| !kinds::is_built(self.index, id.file));
        if Role::of(self.path(self.file)) == Role::Source {
            prefer(&mut found, |(id, _)| {
                Role::of(self.path(id.file)) == Role::Source
            });
        }
        let own = self.path(self.file);
        found.sort_by_key(|(id, _)| {
            let path = self.path(id.file);
            let is_far = usize::MAX - shared_folders(own, path);
            (id.file != self.file, is_far, path, id.at)
        });
        found.truncate(MAX_DEFINITIONS);
        some(found.into_iter()).map_or(Meant::Unknown, Meant::Definitions)
    }

    /// Returns the last name in front of the dot, if there is one: `session` of
    /// `self.session.send`.
    fn receiver(&self) -> Option<String> {
        let lines = self.index.lines(self.file)?;
        let bytes = lines.bytes(crate::lines::LineRange::new(self.line, self.line))?;
        let row = self.index.repo.file(self.file)?.text.get(bytes)?;
        let mut starts = row.match_indices(self.name).filter(|(at, _)| {
            let before = row.get(..*at).and_then(|before| before.chars().next_back());
            let behind = row
                .get(at + self.name.len()..)
                .and_then(|it| it.chars().next());
            !before.is_some_and(is_of_name) && !behind.is_some_and(is_of_name)
        });
        let (at, _) = starts.next()?;
        let before = row.get(..at)?;
        let owner = ["::", "?.", "->", "."]
            .iter()
            .find_map(|sign| before.strip_suffix(sign))?;
        // A call in front of the dot can return anything.
        let from = owner.rfind(|c: char| !is_of_name(c)).map_or(0, |at| {
            at + owner
                .get(at..)
                .and_then(|rest| rest.chars().next())
                .map_or(1, char::len_utf8)
        });
        Some(owner.get(from..)?.to_owned())
    }

    /// Returns the definitions around the line, outermost first.
    fn around(&self) -> impl Iterator<Item = (SymbolId, &'i Symbol)> {
        let (file, line) = (self.file, self.line);
        let symbols = (0..).zip(&self.parsed.symbols);
        symbols
            .filter(move |(_, symbol)| symbol.lines.contains(line))
            .map(move |(at, symbol)| (SymbolId { file, at }, symbol))
    }

    fn in_file<'s>(
        &'s self,
        file: FileId,
        name: &'s str,
    ) -> impl Iterator<Item = (SymbolId, &'s Symbol)> {
        let names = self.index.graph.names();
        names.in_file(&self.index.parsed, file, name)
    }

    /// Returns the top-level definition of a name in a file.
    fn top(&self, file: FileId, name: &str) -> Option<SymbolId> {
        self.index.graph.names().top(&self.index.parsed, file, name)
    }

    fn symbol(&self, at: u32) -> Option<&'i Symbol> {
        self.parsed.symbols.get(at as usize)
    }

    fn path(&self, file: FileId) -> &'i str {
        self.index.repo.file(file).map_or("", |file| &file.path)
    }
}

/// Returns their ids, or `None` if there are none.
fn some<'s>(found: impl Iterator<Item = (SymbolId, &'s Symbol)>) -> Option<Vec<SymbolId>> {
    let ids: Vec<SymbolId> = found.map(|(id, _)| id).collect();
    (!ids.is_empty()).then_some(ids)
}

/// Keeps only the preferred ones, if there are any.
fn prefer<T>(all: &mut Vec<T>, is_preferred: impl Fn(&T) -> bool) {
    if all.iter().any(&is_preferred) {
        all.retain(is_preferred);
    }
}

#[cfg(test)]
mod tests;
