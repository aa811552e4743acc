//! The results of reading one file, as plain values: definitions, imports, calls, places to cut at.

use super::Language;
use crate::lines::{Line, LineRange};
use crate::source::FileId;

/// The kind of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SymbolKind {
    /// An explicit module, namespace or package.
    Module,
    /// A class, or the closest equivalent in its language.
    Class,
    /// An interface, or a protocol (Swift).
    Interface,
    /// A trait, in PHP, Rust and Scala.
    Trait,
    /// A record of fields.
    Struct,
    /// A fixed set of cases.
    Enum,
    /// Fields that share their memory.
    Union,
    /// A name for another type.
    Type,
    /// A function that belongs to no class.
    Function,
    /// A function that belongs to a class or the like.
    Method,
    /// Code that generates code.
    Macro,
    /// A value that does not change.
    Constant,
    /// A value at the top level of a file, or a field.
    Variable,
    /// A section of a text document; `Symbol::name` is its heading.
    Section,
    /// A top-level key or table of a configuration file.
    Key,
}

impl SymbolKind {
    /// Whether a symbol of this kind contains others as members.
    pub fn is_container(self) -> bool {
        matches!(
            self,
            Self::Module
                | Self::Class
                | Self::Interface
                | Self::Trait
                | Self::Struct
                | Self::Enum
                | Self::Union
        )
    }

    /// Returns the kind as a noun.
    pub fn name(self) -> &'static str {
        match self {
            Self::Module => "module",
            Self::Class => "class",
            Self::Interface => "interface",
            Self::Trait => "trait",
            Self::Struct => "struct",
            Self::Enum => "enum",
            Self::Union => "union",
            Self::Type => "type",
            Self::Function => "function",
            Self::Method => "method",
            Self::Macro => "macro",
            Self::Constant => "constant",
            Self::Variable => "variable",
            Self::Section => "section",
            Self::Key => "key",
        }
    }
}

/// A definition, with everything needed to cite it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its kind.
    pub kind: SymbolKind,
    /// Its own name: `resolve_redirects`.
    pub name: String,
    /// With its owners, joined by `.`: `SessionRedirectMixin.resolve_redirects`.
    pub qualified: String,
    /// The declaration on one line without its body, white space collapsed, at most 300 characters.
    pub signature: String,
    /// The first sentence of its documentation comment, without comment signs; empty if there is
    /// none.
    pub doc: String,
    /// From its first decorator, attribute or documentation comment to its last line.
    pub lines: LineRange,
    /// The line on which its name stands.
    pub name_line: Line,
    /// The enclosing symbol, as an index into [`Parsed::symbols`], always smaller than this one's.
    pub parent: Option<u32>,
}

/// An imported name: `from module import name as alias`. The name `*` stands for everything in the
/// module; with an alias (`import numpy as np`), for the module itself under that name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ImportedName {
    /// Its name in the module, or `*`.
    pub name: String,
    /// Its name in the file, if different.
    pub alias: Option<String>,
}

/// One import, include, use or require.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// The module as written, without quotes: `.models`, `fmt`, `java.util.List`, `./a.js`,
    /// `stdio.h`.
    pub module: String,
    /// The names taken from it; empty if the module itself is imported.
    pub names: Vec<ImportedName>,
    /// All lines of the import.
    pub lines: LineRange,
}

/// One call expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The called name: `send` in `session.send(x)`.
    pub name: String,
    /// What it is called on, as written, at most 80 characters: `session` in `session.send(x)`.
    pub receiver: Option<String>,
    /// The line of the called name.
    pub line: Line,
    /// The innermost symbol around the call, as an index into [`Parsed::symbols`].
    pub caller: Option<u32>,
}

/// A class that another one names as its base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base {
    /// The class that names it, as an index into [`Parsed::symbols`].
    pub symbol: u32,
    /// Its name without type arguments, with `.` as path separator: `Store`, `fmt.Debug`.
    pub name: String,
    /// The line on which it is named.
    pub line: Line,
}

/// The type of a parameter, a variable or a field, as its declaration or its only value says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typed {
    /// The function, class or variable of the file that it belongs to, as an index into
    /// [`Parsed::symbols`].
    pub symbol: u32,
    /// Its name, as in calls on it, without `self`.
    pub name: String,
    /// The type as written up to the first comma, at most 80 characters: `&mut Store`,
    /// `Map<String`. If only a value tells it, what is called for it: `Store()`, `Store::open()?`.
    /// Empty if nothing tells it, but the name hides another of the file.
    pub written: String,
}

/// A place where a long symbol or file may be cut: a statement starts on this line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Break {
    /// The line on which the statement starts.
    pub line: Line,
    /// The nesting depth of the statement; a smaller depth is a better place to cut.
    pub depth: u16,
}

/// A place with broken syntax.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where it begins.
    pub line: Line,
    /// What the parser expected or gave up on.
    pub what: String,
}

/// What was found in one file. `symbols` are in order of their first line, owners before members.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The language that the file was read as.
    pub language: Language,
    /// Definitions, sections or keys.
    pub symbols: Vec<Symbol>,
    /// What it imports.
    pub imports: Vec<Import>,
    /// What it calls.
    pub calls: Vec<Call>,
    /// What its classes inherit from, in the order of `symbols`, then as written.
    pub bases: Vec<Base>,
    /// The types of fields, and of parameters and variables that methods are called on, in the
    /// order of `symbols`.
    pub types: Vec<Typed>,
    /// The packages or namespaces that it declares, as written.
    pub packages: Vec<String>,
    /// Sorted by line.
    pub breaks: Vec<Break>,
    /// Empty if the whole file could be read.
    pub problems: Vec<Problem>,
}

impl Parsed {
    /// Returns the result for a file in which nothing was recognised.
    pub fn empty(language: Language) -> Self {
        Self {
            language,
            symbols: Vec::new(),
            imports: Vec::new(),
            calls: Vec::new(),
            bases: Vec::new(),
            types: Vec::new(),
            packages: Vec::new(),
            breaks: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// Returns what the symbol at `at` inherits from.
    pub(crate) fn bases_of(&self, at: u32) -> &[Base] {
        of_symbol(&self.bases, at, |base| base.symbol)
    }

    /// Returns the type of a parameter, variable or field of the symbol at `at`.
    pub(crate) fn type_of(&self, at: u32, name: &str) -> Option<&str> {
        let mut types = of_symbol(&self.types, at, |typed| typed.symbol).iter();
        let typed = types.find(|typed| typed.name == name);
        typed.map(|typed| typed.written.as_str())
    }
}

/// Returns the items of `all`, which is in symbol order, that belong to one symbol.
fn of_symbol<T>(all: &[T], at: u32, symbol: impl Fn(&T) -> u32) -> &[T] {
    let start = all.partition_point(|of| symbol(of) < at);
    let end = all.partition_point(|of| symbol(of) <= at);
    all.get(start..end).unwrap_or_default()
}

/// A definition, as an index into the symbols of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId {
    /// The file that contains it.
    pub file: FileId,
    /// Position in the file's [`Parsed::symbols`].
    pub at: u32,
}
