//! A repository as the kinds of questions see it.

use std::cell::RefCell;

use super::draft::Gold;
use super::facts::{Facts, Names};
use crate::chunk::metadata::is_function;
use crate::index::Index;
use crate::index::graph::{CallLink, SymbolId};
use crate::index::tokens::name_parts;
use crate::lang::resolve::names::file_name;
use crate::lang::{Role, Symbol, SymbolKind};
use crate::lines::LineRange;
use crate::random::Random;
use crate::search::steps::is_built;
use crate::source::FileId;

/// File names that say nothing on their own; the whole path is named instead.
const NAMELESS: [&str; 8] = [
    "__init__", "__main__", "mod", "lib", "main", "index", "setup", "conftest",
];

/// Names that libraries use too, so that a call does not show whose function it is.
const COMMON: [&str; 36] = [
    "add",
    "append",
    "apply",
    "build",
    "call",
    "clone",
    "close",
    "copy",
    "count",
    "decode",
    "drop",
    "encode",
    "filter",
    "find",
    "flush",
    "fmt",
    "from",
    "get",
    "insert",
    "into",
    "into_iter",
    "iter",
    "items",
    "len",
    "map",
    "new",
    "next",
    "open",
    "poll",
    "push",
    "read",
    "set",
    "split",
    "to_string",
    "update",
    "write",
];

/// What the names of conversions begin with; libraries have methods of the same names.
const CONVERTS: [&str; 5] = ["into", "as", "to", "from", "try"];

/// The role of files that a build produced: there are no questions about them.
pub(super) const BUILT: Role = Role::Config;

pub(super) struct World<'i> {
    pub index: &'i Index,
    facts: &'i Facts,
    random: RefCell<Random>,
}

impl<'i> World<'i> {
    pub(super) fn new(index: &'i Index, facts: &'i Facts, seed: u64) -> Self {
        Self {
            index,
            facts,
            random: RefCell::new(Random::new(seed)),
        }
    }

    /// A random number below `n`.
    pub(super) fn below(&self, n: usize) -> usize {
        self.random.borrow_mut().below(n)
    }

    /// All files of a role, with their ids.
    pub(super) fn files(&self, role: Role) -> impl Iterator<Item = FileId> {
        let roles = (0..).map(FileId).zip(&self.facts.roles);
        roles
            .filter(move |(_, it)| **it == role)
            .map(|(file, _)| file)
    }

    pub(super) fn role(&self, file: FileId) -> Role {
        let role = self.facts.roles.get(file.0 as usize);
        role.copied().unwrap_or(Role::Config)
    }

    pub(super) fn path(&self, file: FileId) -> &'i str {
        self.index.repo.file(file).map_or("", |file| &file.path)
    }

    /// The definitions in the project's own code, without tests.
    pub(super) fn definitions(&self) -> impl Iterator<Item = (SymbolId, &'i Symbol)> {
        let all = self.files(Role::Source).flat_map(|file| self.symbols(file));
        all.filter(|(id, _)| !self.is_test(*id))
    }

    /// The definitions of a code file.
    pub(super) fn symbols(
        &self,
        file: FileId,
    ) -> impl Iterator<Item = (SymbolId, &'i Symbol)> + use<'i> {
        let parsed = self.index.file(file).map(|(_, parsed)| parsed);
        let parsed = parsed.filter(|parsed| parsed.language.is_code());
        let symbols = parsed.map_or(&[][..], |parsed| &parsed.symbols);
        let ids = (0..).map(move |at| SymbolId { file, at });
        ids.zip(symbols)
    }

    /// Whether a definition is a test, because its file or a module around it is one.
    pub(super) fn is_test(&self, id: SymbolId) -> bool {
        let is_module = |it: &Symbol| {
            let mut owners = it.qualified.split(['.', ':']);
            owners.any(|owner| matches!(owner, "tests" | "test"))
        };
        self.role(id.file) == Role::Test
            || self.facts.marked.contains(&id)
            || self.index.symbol(id).is_some_and(is_module)
    }

    /// Whether a definition is a test that a runner calls, by its name or by what precedes it. A
    /// function inside of another is not called by it.
    pub(super) fn is_test_function(&self, id: SymbolId) -> bool {
        let symbol = self.index.symbol(id).filter(|it| is_function(it.kind));
        if self.parent(id).is_some_and(|(_, it)| is_function(it.kind)) {
            return false;
        }
        let is_named = |it: &Symbol| it.name.to_lowercase().starts_with("test");
        let is_marked = self.facts.marked.contains(&id);
        symbol.is_some_and(|it| is_marked || (self.is_test(id) && is_named(it)))
    }

    /// The definition around another.
    pub(super) fn parent(&self, id: SymbolId) -> Option<(SymbolId, &'i Symbol)> {
        let parent = SymbolId {
            file: id.file,
            at: self.index.symbol(id)?.parent?,
        };
        Some((parent, self.index.symbol(parent)?))
    }

    /// The test that a runner calls around a definition, or the definition itself if it is one.
    pub(super) fn test_around(&self, id: SymbolId) -> Option<SymbolId> {
        let mut around = Some(id);
        while let Some(id) = around.filter(|id| !self.is_test_function(*id)) {
            around = self.parent(id).map(|(parent, _)| parent);
        }
        around
    }

    /// Whether a line of a file belongs to a test.
    pub(super) fn is_in_test(&self, file: FileId, lines: LineRange) -> bool {
        let mut around = self
            .symbols(file)
            .filter(|(_, symbol)| symbol.lines.contains(lines.start()));
        self.role(file) == Role::Test || around.any(|(id, _)| self.is_test(id))
    }

    /// The name of a definition in a question; `None` if others have the same name.
    pub(super) fn name(&self, symbol: &'i Symbol) -> Option<&'i str> {
        let is_one = |names: &Names, name: &str| names.count(name) == 1;
        if symbol.name.len() < 3 || !symbol.name.contains(|it: char| it.is_alphabetic()) {
            return None;
        }
        let is_member = symbol.kind == SymbolKind::Method;
        if !is_member && is_one(&self.facts.names, &symbol.name) {
            return Some(&symbol.name);
        }
        // The name alone does not distinguish a function from a method with the same name.
        let is_unique =
            symbol.qualified != symbol.name && is_one(&self.facts.qualified, &symbol.qualified);
        is_unique.then_some(&symbol.qualified)
    }

    /// The name with that of its owner, if it has one: `close_code.ERROR`.
    pub(super) fn owned_name(&self, symbol: &'i Symbol) -> Option<&'i str> {
        let is_one = self.facts.qualified.count(&symbol.qualified) == 1;
        match symbol.parent {
            Some(_) => is_one.then_some(&symbol.qualified),
            None => self.name(symbol),
        }
    }

    /// Whether nothing else in the repository's code has this name.
    pub(super) fn is_only(&self, symbol: &Symbol) -> bool {
        self.facts.names.count(&symbol.name) == 1
    }

    /// All calls of a definition; `None` if a call of its name may lead elsewhere, or if the name
    /// occurs other than in calls: in a macro, as a callback.
    pub(super) fn all_calls(&self, id: SymbolId, symbol: &Symbol) -> Option<Vec<CallLink>> {
        let mut calls = self.index.graph.callers(id);
        calls.retain(|call| self.role(call.file) != BUILT);
        let is_told_by_name = self.is_only(symbol) && !COMMON.contains(&symbol.name.as_str());
        // Other calls are of foreign functions: `slice::from_raw_parts`.
        let n_calls = self.facts.calls.count(&symbol.name);
        let has_others = n_calls as usize > calls.len();
        let is_passed_on = self.facts.mentions.count(&symbol.name) > n_calls;
        let is_certain = is_told_by_name
            && !has_others
            && !is_passed_on
            && calls.iter().all(|call| self.is_sure(symbol, call));
        is_certain.then_some(calls)
    }

    /// Whether a call can only be of this definition. A library's method may have the same name if
    /// it is a usual one (`into_inner`, `node`), unless what it is called on says whose it is.
    fn is_sure(&self, symbol: &Symbol, call: &CallLink) -> bool {
        let parts = name_parts(&symbol.name);
        let first = parts.first().map_or("", String::as_str);
        let is_rare = parts.len() > 1 && !CONVERTS.contains(&first);
        if !call.is_certain() {
            return false;
        }
        if is_rare {
            return true;
        }
        let owner = owner(symbol).unwrap_or_default();
        let parsed = self.index.file(call.file).map(|(_, parsed)| parsed);
        let mut same = parsed
            .into_iter()
            .flat_map(|parsed| &parsed.calls)
            .filter(|it| it.line == call.line && it.name == symbol.name);
        same.all(|it| {
            let receiver = it.receiver.as_deref().unwrap_or_default();
            let is_own = ["self", "Self", "this", "cls", owner].contains(&receiver);
            match symbol.kind {
                SymbolKind::Method => is_own,
                _ => receiver.is_empty(),
            }
        })
    }

    /// A function as a question about its calls names it: with its owner, or with its file if its
    /// name is a single word or it stands inside of another function.
    pub(super) fn called(&self, id: SymbolId, symbol: &'i Symbol) -> String {
        let has_name = owner(symbol).is_some_and(|it| it.contains(char::is_alphabetic));
        if symbol.kind == SymbolKind::Method && has_name {
            return symbol.qualified.clone();
        }
        let is_inner = self.parent(id).is_some_and(|(_, it)| is_function(it.kind));
        match !is_inner && name_parts(&symbol.name).len() > 1 {
            true => symbol.name.clone(),
            false => format!(
                "the function {} of {}",
                symbol.name,
                self.file_called(id.file)
            ),
        }
    }

    /// How many definitions have this name, whatever they belong to.
    pub(super) fn n_named(&self, name: &str) -> u32 {
        self.facts.names.count(name)
    }

    /// The name of a file in a question: its file name if that is unique and says something, else
    /// its path.
    pub(super) fn file_called(&self, file: FileId) -> &'i str {
        let path = self.path(file);
        let name = file_name(path);
        let stem = name.split('.').next().unwrap_or(name);
        let is_one = self.facts.files.count(name) == 1;
        match is_one && !NAMELESS.contains(&stem) {
            true => name,
            false => path,
        }
    }

    /// The lines of a definition.
    pub(super) fn gold(&self, id: SymbolId) -> Option<Gold> {
        Some((id.file, self.index.symbol(id)?.lines))
    }

    /// A definition with its place, in the form an answer uses.
    pub(super) fn told(&self, id: SymbolId) -> String {
        let Some(symbol) = self.index.symbol(id) else {
            return String::new();
        };
        format!(
            "The {} `{}` in `{}`, {}.",
            symbol.kind.name(),
            symbol.qualified,
            self.path(id.file),
            lines(symbol.lines)
        )
    }

    /// Several definitions with their places.
    pub(super) fn told_all(&self, ids: &[SymbolId]) -> String {
        let told: Vec<String> = ids.iter().map(|id| self.told(*id)).collect();
        told.join(" ")
    }
}

/// The name of the class, module or function around a definition. A method of a Rust `impl` has its
/// owner in its name alone.
pub(super) fn owner(symbol: &Symbol) -> Option<&str> {
    let owner = symbol.qualified.strip_suffix(symbol.name.as_str())?;
    let owner = owner.strip_suffix('.')?;
    Some(owner.rsplit('.').next().unwrap_or(owner))
}

/// `line 3`, `lines 3-9`
pub(super) fn lines(lines: LineRange) -> String {
    match lines.count() {
        1 => format!("line {lines}"),
        _ => format!("lines {lines}"),
    }
}

pub(super) fn role(index: &Index, path: &str) -> Role {
    match is_built(index, path) {
        true => BUILT,
        false => Role::of(path),
    }
}
