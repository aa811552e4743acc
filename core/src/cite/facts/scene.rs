//! The repository as a statement sees it: which definitions and files its names mean.

use std::sync::Arc;

use super::grammar::Thing;
use super::names::parts;
use super::token::Style;
use super::words::Noun;
use crate::cite::attributed::is_owner;
use crate::index::Index;
use crate::index::graph::SymbolId;
use crate::lang::{Call, Parsed, Symbol, SymbolKind};
use crate::lines::LineRange;
use crate::parse::shape::{FileShape, Shape};
use crate::source::FileId;

/// Names of constructors, whatever the language.
const CONSTRUCTORS: [&str; 5] = ["__init__", "constructor", "new", "init", "__construct"];

pub(super) struct Scene<'a> {
    pub index: &'a Index,
    pub cited: &'a [(FileId, LineRange)],
}

impl<'a> Scene<'a> {
    pub(super) fn new(index: &'a Index, cited: &'a [(FileId, LineRange)]) -> Self {
        Self { index, cited }
    }

    pub(super) fn symbol(&self, id: SymbolId) -> Option<&'a Symbol> {
        self.index.symbol(id)
    }

    pub(super) fn parsed(&self, file: FileId) -> Option<&'a Parsed> {
        self.index.parsed.get(file.0 as usize)
    }

    pub(super) fn path(&self, file: FileId) -> &'a str {
        self.index
            .repo
            .file(file)
            .map_or("", |file| file.path.as_str())
    }

    /// Returns the shapes of all definitions in a file.
    pub(super) fn shapes(&mut self, file: FileId) -> Arc<FileShape> {
        self.index.shapes(file)
    }

    /// Returns what a definition's syntax says; nothing if its file cannot be parsed.
    pub(super) fn shape(&mut self, id: SymbolId) -> Shape {
        let shapes = self.shapes(id.file);
        shapes
            .symbols
            .get(id.at as usize)
            .cloned()
            .unwrap_or_default()
    }

    /// Whether the statement cites some of these lines.
    pub(super) fn is_cited(&self, file: FileId, lines: LineRange) -> bool {
        self.cited
            .iter()
            .any(|(other, cited)| *other == file && cited.overlaps(lines))
    }

    /// Returns the cited files, each once.
    pub(super) fn cited_files(&self) -> Vec<FileId> {
        let mut files: Vec<FileId> = self.cited.iter().map(|(file, _)| *file).collect();
        files.sort_unstable();
        files.dedup();
        files
    }

    /// Returns the files that a thing means: a path, a module name, or the only cited file.
    pub(super) fn files(&self, thing: &Thing) -> Vec<FileId> {
        let is_file = matches!(thing.noun, Some(Noun::File | Noun::Module));
        let Some(term) = &thing.term else {
            return match is_file {
                true => Some(self.cited_files())
                    .filter(|files| files.len() == 1)
                    .unwrap_or_default(),
                false => Vec::new(),
            };
        };
        if term.style != Style::Path && !is_file {
            return Vec::new();
        }
        let wanted = term.text.trim_start_matches("./");
        let is_meant = |file: &FileId| {
            let path = self.path(*file);
            let is_suffix = path
                .strip_suffix(wanted)
                .is_some_and(|before| before.is_empty() || before.ends_with('/'));
            is_suffix || is_file && is_module(path, wanted)
        };
        let cited: Vec<FileId> = self.cited_files().into_iter().filter(is_meant).collect();
        if !cited.is_empty() {
            return cited;
        }
        (0..self.index.repo.files.len() as u32)
            .map(FileId)
            .filter(is_meant)
            .collect()
    }

    /// Returns the definitions that a thing means: cited ones before those of the cited files
    /// before all others. Several only if they share a name in the same file, as overloads do.
    pub(super) fn definitions(&self, thing: &Thing) -> Vec<SymbolId> {
        if thing.noun == Some(Noun::Constructor) {
            return self.constructors(thing);
        }
        let Some(term) = thing.term.as_ref().filter(|term| term.is_name()) else {
            return Vec::new();
        };
        let parts = parts(&term.text);
        let Some((name, owners)) = parts.split_last() else {
            return Vec::new();
        };
        let owners: Vec<&str> = owners
            .iter()
            .copied()
            .filter(|owner| !is_owner(owner))
            .collect();
        let is_meant = |id: SymbolId, symbol: &Symbol| {
            symbol.name == *name
                && owners
                    .last()
                    .is_none_or(|owner| self.is_owned(id, symbol, owner))
                && thing.noun.is_none_or(|noun| is_kind(symbol.kind, noun))
                && self.is_in(id, symbol, thing.owner.as_deref())
        };
        let mut found: Vec<SymbolId> = Vec::new();
        for file in self.cited_files() {
            self.of_file(file, &is_meant, &mut found);
        }
        let cited = |id: &SymbolId| {
            self.symbol(*id)
                .is_some_and(|symbol| self.is_cited(id.file, symbol.lines))
        };
        if found.iter().any(cited) {
            found.retain(cited);
        }
        if found.is_empty() {
            for file in (0..self.index.parsed.len() as u32).map(FileId) {
                self.of_file(file, &is_meant, &mut found);
            }
        }
        self.one(found)
    }

    fn of_file(
        &self,
        file: FileId,
        is_meant: &dyn Fn(SymbolId, &Symbol) -> bool,
        found: &mut Vec<SymbolId>,
    ) {
        let symbols = self
            .parsed(file)
            .map_or(&[][..], |parsed| parsed.symbols.as_slice());
        for (at, symbol) in (0..).zip(symbols) {
            let id = SymbolId { file, at };
            if is_meant(id, symbol) {
                found.push(id);
            }
        }
    }

    /// Returns nothing if they are different things.
    fn one(&self, mut found: Vec<SymbolId>) -> Vec<SymbolId> {
        // A constructor with its class's name is meant only if the sentence says so.
        let all = found.clone();
        found.retain(|id| {
            let parent = self.symbol(*id).and_then(|symbol| symbol.parent);
            !all.iter()
                .any(|other| other.file == id.file && Some(other.at) == parent)
        });
        let name = |id: &SymbolId| self.symbol(*id).map(|symbol| (id.file, &symbol.qualified));
        let first = found.first().map(name);
        match found.iter().all(|id| Some(name(id)) == first) {
            true => found,
            false => Vec::new(),
        }
    }

    fn constructors(&self, thing: &Thing) -> Vec<SymbolId> {
        let class = match (&thing.term, &thing.owner) {
            (Some(_), _) => Thing {
                noun: None,
                ..thing.clone()
            },
            (None, Some(owner)) => (**owner).clone(),
            (None, None) => return Vec::new(),
        };
        let classes = self.definitions(&class);
        classes
            .into_iter()
            .filter_map(|class| self.constructor(class))
            .collect()
    }

    /// Whether some function or class of the repository has this name.
    pub(super) fn is_defined(&self, name: &str) -> bool {
        let is_one = |symbol: &Symbol| {
            let is_callable = symbol.kind.is_container()
                || matches!(
                    symbol.kind,
                    SymbolKind::Function | SymbolKind::Method | SymbolKind::Macro
                );
            symbol.name == name && is_callable
        };
        self.index
            .parsed
            .iter()
            .any(|parsed| parsed.symbols.iter().any(is_one))
    }

    /// Returns the constructor that a class declares.
    pub(super) fn constructor(&self, class: SymbolId) -> Option<SymbolId> {
        let name = &self.symbol(class)?.name;
        let mut members = self.members(class);
        members.find_map(|(id, symbol)| {
            let is_one = CONSTRUCTORS.contains(&symbol.name.as_str()) || symbol.name == *name;
            is_one.then_some(id)
        })
    }

    /// Returns the definitions directly inside a definition.
    pub(super) fn members(&self, owner: SymbolId) -> impl Iterator<Item = (SymbolId, &'a Symbol)> {
        let symbols = self
            .parsed(owner.file)
            .map_or(&[][..], |parsed| parsed.symbols.as_slice());
        (0..)
            .zip(symbols)
            .filter(move |(_, symbol)| symbol.parent == Some(owner.at))
            .map(move |(at, symbol)| {
                let file = owner.file;
                (SymbolId { file, at }, symbol)
            })
    }

    /// Returns the calls inside a definition, including those of nested definitions.
    pub(super) fn calls(&self, owner: SymbolId) -> Vec<&'a Call> {
        let Some(parsed) = self.parsed(owner.file) else {
            return Vec::new();
        };
        let is_inside = |mut at: u32| {
            while at != owner.at {
                match parsed
                    .symbols
                    .get(at as usize)
                    .and_then(|symbol| symbol.parent)
                {
                    Some(parent) if parent < at => at = parent,
                    _ => return false,
                }
            }
            true
        };
        let calls = parsed.calls.iter();
        calls
            .filter(|call| call.caller.is_some_and(is_inside))
            .collect()
    }

    /// Returns all base classes of a class, direct and indirect, that the repository holds.
    pub(super) fn ancestors(&self, class: SymbolId) -> Vec<SymbolId> {
        let mut found = Vec::new();
        let mut open = vec![class];
        while let Some(next) = open.pop() {
            for (base, _) in self.index.graph.bases(next) {
                if !found.contains(&base) && found.len() < 200 {
                    found.push(base);
                    open.push(base);
                }
            }
        }
        found
    }

    /// Whether `owner` is the definition around a symbol, or the module of its file.
    fn is_owned(&self, id: SymbolId, symbol: &Symbol, owner: &str) -> bool {
        let mut owners = symbol.qualified.rsplit('.').skip(1);
        owners.next() == Some(owner) || is_module(self.path(id.file), owner)
    }

    fn is_in(&self, id: SymbolId, symbol: &Symbol, owner: Option<&Thing>) -> bool {
        let Some(owner) = owner else {
            return true;
        };
        if self.files(owner).contains(&id.file) {
            return true;
        }
        let Some(term) = &owner.term else {
            return matches!(owner.noun, Some(Noun::Package | Noun::Module | Noun::File));
        };
        let name = parts(&term.text)
            .last()
            .copied()
            .unwrap_or_default()
            .to_owned();
        symbol
            .qualified
            .split('.')
            .rev()
            .skip(1)
            .any(|part| part == name)
    }
}

/// Whether a file is the module with this name: `a/b.py` is `b` and `a.b`, `a/b/mod.rs` is `b`.
fn is_module(path: &str, name: &str) -> bool {
    let name = name.replace("::", "/").replace('.', "/");
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let ends = |stem: &str| {
        stem.strip_suffix(name.as_str())
            .is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    let inner = ["/mod", "/__init__", "/index"];
    ends(stem)
        || inner
            .iter()
            .any(|end| stem.strip_suffix(end).is_some_and(ends))
}

/// Whether a noun fits a symbol's kind.
pub(super) fn is_kind(kind: SymbolKind, noun: Noun) -> bool {
    use SymbolKind as Kind;
    match noun {
        Noun::Function => matches!(kind, Kind::Function | Kind::Method | Kind::Macro),
        Noun::Method | Noun::Constructor => matches!(kind, Kind::Method | Kind::Function),
        Noun::Class | Noun::Exception | Noun::Subclass | Noun::Base => {
            kind.is_container() && kind != Kind::Module
        }
        Noun::Struct => matches!(kind, Kind::Struct | Kind::Union | Kind::Type | Kind::Class),
        Noun::Enum => kind == Kind::Enum,
        Noun::Trait => matches!(kind, Kind::Trait | Kind::Interface),
        Noun::Interface => matches!(kind, Kind::Interface | Kind::Class | Kind::Trait),
        Noun::Type => kind.is_container() || kind == Kind::Type,
        Noun::Constant | Noun::Variable | Noun::Field | Noun::Variant => {
            let is_property = noun == Noun::Field && kind == Kind::Method;
            is_property || matches!(kind, Kind::Constant | Kind::Variable | Kind::Key)
        }
        Noun::Macro => kind == Kind::Macro,
        Noun::Module => kind == Kind::Module,
        Noun::Decorator => matches!(kind, Kind::Function | Kind::Method | Kind::Class),
        Noun::Member | Noun::Any => true,
        _ => false,
    }
}
