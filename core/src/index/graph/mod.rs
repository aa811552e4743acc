//! The repository as a directed, typed graph: files, definitions and libraries; what contains,
//! calls, imports and inherits what, each edge with the line that proves it.
//!
//! It combines RepoDistill's graph (section 3.1: classes and functions, CONTAIN and INVOKE) with
//! the IMPORTS edges of Grounded (section III-B); the kinds of imports are those of RepoQA-SA.
//!
//! The graph is rebuilt when a saved index is opened and is not part of the format: it follows from
//! what was parsed, building it takes a small share of the time that reading an index takes (see
//! `core/benches/runs/2026-11-graph`), and a better rule then needs no new format version.

mod around;
mod builder;
mod calls;
mod inside;
pub mod layout;
#[cfg(test)]
mod repositories;
mod scope;
#[cfg(test)]
mod tests;
mod walk;

pub use around::{Around, AroundLink, around};
pub(crate) use builder::GraphBuilder;
pub use petgraph::graph::NodeIndex;

use petgraph::Direction;
use petgraph::graph::DiGraph;
use petgraph::visit::EdgeRef;

pub use crate::lang::SymbolId;
use crate::lang::SymbolKind;
pub(crate) use crate::lang::resolve::Binds;
pub(crate) use crate::lang::resolve::names::Names;
use crate::lines::{Line, LineRange};
use crate::source::FileId;

/// A library outside the repository: see [`Graph::library`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LibraryId(pub u32);

/// What a node of the graph stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    /// A file of the repository.
    File(FileId),
    /// A class, struct, trait, interface, enumeration, type or named module.
    Class(SymbolId),
    /// A function that belongs to no class.
    Function(SymbolId),
    /// A function that belongs to a class or the like.
    Method(SymbolId),
    /// A library outside the repository.
    Library(LibraryId),
}

/// What an edge says. Its line is in the file of the node where it starts, except for
/// [`EdgeKind::Contain`], where it is the line of the contained name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeKind {
    /// A file or definition contains a definition.
    Contain,
    /// A definition, or code outside definitions, calls a definition.
    Invoke,
    /// A file imports a file or a library.
    Imports,
    /// A class extends a class, or implements it.
    Inherits,
}

/// One edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// What it says.
    pub kind: EdgeKind,
    /// The line that proves it: see [`EdgeKind`].
    pub line: Line,
    /// 1 if the target is certain; 1/n for each of n candidates of a call.
    pub weight: f32,
}

/// How something is imported (RepoQA-SA, kinds of dependency).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ImportKind {
    /// `import library`
    Library,
    /// `from library import name`
    FromLibrary,
    /// `import file`
    File,
    /// `from file import name`
    FromFile,
}

/// What an imported name stands for (RepoQA-SA).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Thing {
    /// A class or the like: see [`Node::Class`].
    Class,
    /// A function or a method.
    Function,
    /// A variable or constant.
    Assignment,
    /// A whole file.
    Module,
}

/// Where an import leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// A file of the repository.
    File(FileId),
    /// A library outside the repository.
    Library(LibraryId),
    /// A path of the repository that the archive lacks, such as a generated file.
    Missing,
}

/// One imported name, or one import that names nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImportLink {
    /// The importing file.
    pub file: FileId,
    /// Index into the file's `Parsed::imports`.
    pub import: u32,
    /// Index into the import's names.
    pub name: Option<u32>,
    /// The lines of the whole import.
    pub lines: LineRange,
    /// Where it leads.
    pub target: Target,
    /// How it is written.
    pub kind: ImportKind,
    /// The definition that is meant, through re-exports, if it is in the repository.
    pub symbol: Option<SymbolId>,
    /// What is imported, if it is in the repository.
    pub thing: Option<Thing>,
    pub(crate) binds: Binds,
}

/// One call of a definition in the repository.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CallLink {
    /// The file with the call.
    pub file: FileId,
    /// The definition with the call; `None` for calls outside definitions.
    pub caller: Option<SymbolId>,
    /// The called definition.
    pub callee: SymbolId,
    /// The line of the call.
    pub line: Line,
    /// See [`Edge::weight`].
    pub weight: f32,
}

impl CallLink {
    /// Whether scope, or a name that only it has, determined the called definition.
    pub fn is_certain(&self) -> bool {
        self.weight >= 1.0
    }
}

/// Counts of a graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Number of files.
    pub files: u32,
    /// Number of classes and the like.
    pub classes: u32,
    /// Number of functions.
    pub functions: u32,
    /// Number of methods.
    pub methods: u32,
    /// Number of libraries.
    pub libraries: u32,
    /// Number of CONTAIN edges.
    pub contains: u32,
    /// Number of INVOKE edges.
    pub invokes: u32,
    /// Number of IMPORTS edges.
    pub imports: u32,
    /// Number of edges of inheritance.
    pub inherits: u32,
    /// Number of imports of paths that the archive lacks.
    pub missing: u32,
    /// How the calls were resolved.
    pub calls: CallStats,
}

/// How calls were resolved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallStats {
    /// All calls that were examined; the other numbers add up to it.
    pub all: u32,
    /// Calls of names that no definition of the repository has, or on an imported library.
    pub external: u32,
    /// Calls resolved by scope, type or import, or by a name that only one definition has.
    pub certain: u32,
    /// Calls kept with several candidates, or with one whose name is too common to be certain.
    pub ambiguous: u32,
    /// Calls with too many candidates, or without a fitting one.
    pub unresolved: u32,
}

impl CallStats {
    /// Returns the share of calls that could be of the repository and were resolved, with certainty
    /// or not.
    pub fn resolved_share(&self) -> f32 {
        let own = self.certain + self.ambiguous + self.unresolved;
        (self.certain + self.ambiguous) as f32 / (own.max(1)) as f32
    }
}

const NO_NODE: u32 = u32::MAX;

/// See the [module](self).
#[derive(Default)]
pub struct Graph {
    /// File nodes come first, in id order.
    graph: DiGraph<Node, Edge>,
    n_files: u32,
    /// The first entry of each file in `symbol_nodes`; one more entry than files.
    first_symbols: Vec<u32>,
    /// The node of each symbol, or [`NO_NODE`].
    symbol_nodes: Vec<u32>,
    /// Sorted by file, then line.
    links: Vec<ImportLink>,
    /// The first entry of each file in `links`; one more entry than files.
    first_links: Vec<u32>,
    /// The link of each IMPORTS edge by target file: sorted by target, then importer.
    importers: Vec<(FileId, u32)>,
    libraries: Vec<String>,
    library_nodes: Vec<NodeIndex>,
    calls: CallStats,
    /// The number of calls of each node; precomputed, because rankings need many of them.
    n_callers: Vec<u32>,
    /// All definitions of code by name.
    names: Names,
}

impl Graph {
    /// Returns the petgraph graph itself, for algorithms that are not here.
    pub fn petgraph(&self) -> &DiGraph<Node, Edge> {
        &self.graph
    }

    /// Returns the node of a file.
    pub(crate) fn file_node(&self, file: FileId) -> Option<NodeIndex> {
        (file.0 < self.n_files).then(|| NodeIndex::new(file.0 as usize))
    }

    /// Returns the node of a class, function or method; other symbols have none.
    pub fn symbol_node(&self, symbol: SymbolId) -> Option<NodeIndex> {
        let file = symbol.file.0 as usize;
        let (first, end) = (
            self.first_symbols.get(file)?,
            self.first_symbols.get(file + 1)?,
        );
        let at = first.checked_add(symbol.at).filter(|at| at < end)?;
        let node = *self.symbol_nodes.get(at as usize)?;
        (node != NO_NODE).then(|| NodeIndex::new(node as usize))
    }

    /// Returns the name of a library: `urllib3`, `@scope/package`, `java.util`.
    pub fn library(&self, id: LibraryId) -> &str {
        self.libraries.get(id.0 as usize).map_or("", String::as_str)
    }

    /// Returns all libraries that something imports.
    pub fn libraries(&self) -> impl Iterator<Item = (LibraryId, &str)> {
        (0..)
            .map(LibraryId)
            .zip(self.libraries.iter().map(String::as_str))
    }

    /// Returns what `file` imports, by line.
    pub fn imports(&self, file: FileId) -> &[ImportLink] {
        let at = |file: usize| self.first_links.get(file).map_or(0, |at| *at as usize);
        let range = at(file.0 as usize)..at(file.0 as usize + 1);
        self.links.get(range).unwrap_or_default()
    }

    /// Returns all imports of all files.
    pub fn all_imports(&self) -> &[ImportLink] {
        &self.links
    }

    /// Returns the imports in other files that lead to `file`, by importing file and line.
    pub fn importers(&self, file: FileId) -> impl Iterator<Item = &ImportLink> {
        let start = self.importers.partition_point(|(target, _)| *target < file);
        let of_file = self.importers.iter().skip(start);
        of_file
            .take_while(move |(target, _)| *target == file)
            .filter_map(|(_, link)| self.links.get(*link as usize))
    }

    /// Returns the number of calls of `symbol`.
    pub(crate) fn n_callers(&self, symbol: SymbolId) -> u32 {
        let count = |node: NodeIndex| self.n_callers.get(node.index()).copied();
        self.symbol_node(symbol).and_then(count).unwrap_or(0)
    }

    /// Returns all definitions of code by name.
    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    /// Returns the calls on a line that are in `file` or in one of the definitions `around` the
    /// line.
    pub(crate) fn calls_on(&self, file: FileId, around: &[SymbolId], line: Line) -> Vec<CallLink> {
        let inner = around.iter().filter_map(|symbol| self.symbol_node(*symbol));
        let nodes = self.file_node(file).into_iter().chain(inner);
        let edges = nodes.flat_map(|node| self.graph.edges(node));
        let edges = edges
            .filter(|edge| edge.weight().kind == EdgeKind::Invoke && edge.weight().line == line);
        edges
            .filter_map(|edge| self.call(edge.source(), edge.target(), edge.weight()))
            .collect()
    }

    /// Returns the calls of `symbol`, by file and line.
    pub fn callers(&self, symbol: SymbolId) -> Vec<CallLink> {
        self.calls_of(symbol, Direction::Incoming)
    }

    /// Returns the calls of any of the symbols. One that can mean several definitions is certain if
    /// `symbols` holds all of them.
    pub fn callers_of_any(&self, symbols: &[SymbolId]) -> Vec<CallLink> {
        let mut calls: Vec<CallLink> = symbols
            .iter()
            .flat_map(|symbol| self.callers(*symbol))
            .collect();
        calls.sort_by_key(|call| (call.file, call.line, call.caller, call.callee));
        // Two calls of one definition on one line can mean different things.
        calls.dedup_by_key(|call| (call.file, call.line, call.caller, call.callee));
        for of_place in calls.chunk_by_mut(|one, other| {
            (one.file, one.line, one.caller) == (other.file, other.line, other.caller)
        }) {
            let weight: f32 = of_place.iter().map(|call| call.weight).sum();
            // Shares that add up to 1, but for rounding.
            if weight > 0.999 {
                of_place.iter_mut().for_each(|call| call.weight = 1.0);
            }
        }
        calls
    }

    /// Returns the repository's definitions that `symbol` calls, by line.
    pub fn callees(&self, symbol: SymbolId) -> Vec<CallLink> {
        self.calls_of(symbol, Direction::Outgoing)
    }

    fn calls_of(&self, symbol: SymbolId, direction: Direction) -> Vec<CallLink> {
        let Some(node) = self.symbol_node(symbol) else {
            return Vec::new();
        };
        let edges = self.graph.edges_directed(node, direction);
        let calls = edges.filter(|edge| edge.weight().kind == EdgeKind::Invoke);
        let mut calls: Vec<CallLink> = calls
            .filter_map(|edge| self.call(edge.source(), edge.target(), edge.weight()))
            .collect();
        calls.sort_by_key(|call| (call.file, call.line, call.callee));
        calls
    }

    fn call(&self, from: NodeIndex, to: NodeIndex, edge: &Edge) -> Option<CallLink> {
        let (file, caller) = match *self.graph.node_weight(from)? {
            Node::File(file) => (file, None),
            node => node.symbol().map(|symbol| (symbol.file, Some(symbol)))?,
        };
        Some(CallLink {
            file,
            caller,
            callee: self.graph.node_weight(to)?.symbol()?,
            line: edge.line,
            weight: edge.weight,
        })
    }

    /// Returns the classes that `class` inherits from, with the proving lines.
    pub fn bases(&self, class: SymbolId) -> Vec<(SymbolId, Line)> {
        self.inherited(class, Direction::Outgoing)
    }

    /// Returns the classes that inherit from `class`, with the proving lines in their files.
    pub fn subclasses(&self, class: SymbolId) -> Vec<(SymbolId, Line)> {
        self.inherited(class, Direction::Incoming)
    }

    fn inherited(&self, class: SymbolId, direction: Direction) -> Vec<(SymbolId, Line)> {
        let Some(node) = self.symbol_node(class) else {
            return Vec::new();
        };
        let edges = self.graph.edges_directed(node, direction);
        let mut found: Vec<(SymbolId, Line)> = edges
            .filter(|edge| edge.weight().kind == EdgeKind::Inherits)
            .filter_map(|edge| {
                let other = match direction {
                    Direction::Outgoing => edge.target(),
                    Direction::Incoming => edge.source(),
                };
                Some((self.graph.node_weight(other)?.symbol()?, edge.weight().line))
            })
            .collect();
        found.sort_unstable();
        found
    }

    /// Returns the numbers of nodes, edges and calls.
    pub fn stats(&self) -> Stats {
        let mut stats = Stats {
            calls: self.calls,
            ..Stats::default()
        };
        for node in self.graph.node_weights() {
            match node {
                Node::File(_) => stats.files += 1,
                Node::Class(_) => stats.classes += 1,
                Node::Function(_) => stats.functions += 1,
                Node::Method(_) => stats.methods += 1,
                Node::Library(_) => stats.libraries += 1,
            }
        }
        for edge in self.graph.edge_weights() {
            match edge.kind {
                EdgeKind::Contain => stats.contains += 1,
                EdgeKind::Invoke => stats.invokes += 1,
                EdgeKind::Imports => stats.imports += 1,
                EdgeKind::Inherits => stats.inherits += 1,
            }
        }
        let missing = |link: &&ImportLink| link.target == Target::Missing;
        stats.missing = self.links.iter().filter(missing).count() as u32;
        stats
    }
}

impl Node {
    /// Returns the definition that the node stands for; `None` for files and libraries.
    pub fn symbol(self) -> Option<SymbolId> {
        match self {
            Node::Class(symbol) | Node::Function(symbol) | Node::Method(symbol) => Some(symbol),
            Node::File(_) | Node::Library(_) => None,
        }
    }

    /// Returns the node of a symbol of that kind; constants, sections and keys have none.
    fn of(symbol: SymbolId, kind: SymbolKind) -> Option<Node> {
        match kind {
            SymbolKind::Function | SymbolKind::Macro => Some(Node::Function(symbol)),
            SymbolKind::Method => Some(Node::Method(symbol)),
            kind if is_class(kind) => Some(Node::Class(symbol)),
            _ => None,
        }
    }
}

/// Whether a symbol of that kind has members or stands for a type.
fn is_class(kind: SymbolKind) -> bool {
    kind.is_container() || kind == SymbolKind::Type
}

impl Thing {
    fn of(kind: SymbolKind) -> Option<Self> {
        match kind {
            SymbolKind::Function | SymbolKind::Method | SymbolKind::Macro => Some(Thing::Function),
            SymbolKind::Constant | SymbolKind::Variable => Some(Thing::Assignment),
            SymbolKind::Section | SymbolKind::Key => None,
            _ => Some(Thing::Class),
        }
    }
}
