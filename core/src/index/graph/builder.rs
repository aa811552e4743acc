//! Builds a [`Graph`] from files with their symbols, one file per step.

use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use super::calls::{ByName, Calls, Owners, Resolved};
use super::scope::{Links, Meaning, Scope};
use super::{
    Binds, Edge, EdgeKind, Graph, ImportKind, ImportLink, LibraryId, NO_NODE, Node, SymbolId,
    Target, Thing, is_class,
};
use crate::hash::FastMap;
use crate::lang::resolve::{Facts, Found, Place, World};
use crate::lang::{Parsed, Symbol, SymbolKind};
use crate::lines::Line;
use crate::source::{FileId, Repo};

/// Maximum number of bases that a class names. A signature held no more; a generated list of
/// thousands carries no information.
const MAX_NAMED: usize = 64;

/// The passes over the files, in order; each needs the results of the previous one for all files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Facts,
    Links,
    Owners,
    Edges,
    Calls,
}

/// Builds a [`Graph`]; borrows the repository only during a step.
#[derive(Default)]
pub(crate) struct GraphBuilder {
    stage: Stage,
    next: u32,
    facts: Facts,
    links: Links,
    owners: Owners,
    by_name: ByName,
    graph: Graph,
    library_ids: FastMap<String, u32>,
}

impl GraphBuilder {
    /// Returns how many steps are done, and how many there are.
    pub(crate) fn progress(&self, n_files: usize) -> (usize, usize) {
        let passes = match self.stage {
            Stage::Facts | Stage::Links => 0,
            Stage::Owners => 1,
            Stage::Edges => 2,
            Stage::Calls => 3,
        };
        (passes * n_files + self.next as usize, 4 * n_files)
    }

    /// Does the next step; returns the graph once it is complete.
    pub(crate) fn step(&mut self, repo: &Repo, parsed: &[Parsed]) -> Option<Graph> {
        if self.stage == Stage::Facts {
            self.facts = Facts::new(repo, parsed);
            self.add_nodes(parsed);
            self.stage = Stage::Links;
            return None;
        }
        let file = FileId(self.next);
        if (self.next as usize) < parsed.len() {
            self.next += 1;
            match self.stage {
                Stage::Facts => {}
                Stage::Links => self.follow_imports(repo, parsed, file),
                Stage::Owners => self.find_owners(repo, parsed, file),
                Stage::Edges => self.add_edges(repo, parsed, file),
                Stage::Calls => self.follow_calls(repo, parsed, file),
            }
            return None;
        }
        self.next = 0;
        self.stage = match self.stage {
            Stage::Facts => Stage::Links,
            Stage::Links => Stage::Owners,
            Stage::Owners => Stage::Edges,
            Stage::Edges => Stage::Calls,
            Stage::Calls => return Some(self.finish()),
        };
        None
    }

    /// Builds the whole graph at once.
    pub(crate) fn build(repo: &Repo, parsed: &[Parsed]) -> Graph {
        let mut builder = Self::default();
        loop {
            if let Some(graph) = builder.step(repo, parsed) {
                return graph;
            }
        }
    }

    fn add_nodes(&mut self, parsed: &[Parsed]) {
        let graph = &mut self.graph;
        graph.n_files = parsed.len() as u32;
        for at in 0..graph.n_files {
            graph.graph.add_node(Node::File(FileId(at)));
        }
        for (file, parsed) in (0..).map(FileId).zip(parsed) {
            graph.first_symbols.push(graph.symbol_nodes.len() as u32);
            for (symbol, at) in parsed.symbols.iter().zip(0u32..) {
                let is_code = parsed.language.is_code();
                let node = Node::of(SymbolId { file, at }, symbol.kind).filter(|_| is_code);
                let index = node.map(|node| graph.graph.add_node(node).index() as u32);
                graph.symbol_nodes.push(index.unwrap_or(NO_NODE));
            }
        }
        graph.first_symbols.push(graph.symbol_nodes.len() as u32);
    }

    fn follow_imports(&mut self, repo: &Repo, parsed: &[Parsed], file: FileId) {
        let world = World {
            repo,
            parsed,
            facts: &self.facts,
            guest: None,
        };
        let mut links = Vec::new();
        for (import, at) in world
            .parsed(file)
            .into_iter()
            .flat_map(|p| &p.imports)
            .zip(0u32..)
        {
            for found in (world.family(file).resolve)(world, file, import) {
                let Found { name, place, binds } = found;
                let has_names = import.names.iter().any(|name| name.name != "*");
                let kind = match (&place, has_names) {
                    (Place::Library(_), true) => ImportKind::FromLibrary,
                    (Place::Library(_), false) => ImportKind::Library,
                    (_, true) => ImportKind::FromFile,
                    (_, false) => ImportKind::File,
                };
                let target = match place {
                    Place::File(file) => Target::File(file),
                    Place::Missing => Target::Missing,
                    Place::Library(name) => {
                        let next = self.library_ids.len() as u32;
                        Target::Library(LibraryId(*self.library_ids.entry(name).or_insert(next)))
                    }
                };
                links.push(ImportLink {
                    file,
                    import: at,
                    name,
                    lines: import.lines,
                    target,
                    kind,
                    symbol: None,
                    thing: None,
                    binds,
                });
            }
        }
        links.sort_by_key(|link| (link.lines, link.import, link.name));
        self.links.push(world, links);
    }

    /// Finds the class of each member, and what each class inherits from.
    fn find_owners(&mut self, repo: &Repo, parsed: &[Parsed], file: FileId) {
        let world = World {
            repo,
            parsed,
            facts: &self.facts,
            guest: None,
        };
        let scope = Scope::new(world, &self.links);
        let Some(of_file) = world
            .parsed(file)
            .filter(|parsed| parsed.language.is_code())
        else {
            return;
        };
        for (symbol, at) in of_file.symbols.iter().zip(0u32..) {
            let id = SymbolId { file, at };
            if let Some(class) = owner(world, of_file, id, symbol) {
                self.owners.class_of.insert((file.0, at), class);
            }
            if !is_class(symbol.kind) {
                continue;
            }
            let mut bases = Vec::new();
            let outer = symbol.parent.map(|at| SymbolId { file, at });
            let around = scope.in_code(outer, None);
            for base in of_file.bases_of(at).iter().take(MAX_NAMED) {
                let found = class_named(around, file, &base.name);
                if let Some(found) = found.filter(|found| *found != id)
                    && !bases.contains(&found)
                {
                    bases.push(found);
                    self.graph
                        .connect_symbols(id, found, EdgeKind::Inherits, base.line);
                }
            }
            if !bases.is_empty() {
                self.owners.bases.insert((file.0, at), bases);
            }
        }
    }

    /// Adds CONTAIN and IMPORTS edges, now that re-exports can be followed.
    fn add_edges(&mut self, repo: &Repo, parsed: &[Parsed], file: FileId) {
        let world = World {
            repo,
            parsed,
            facts: &self.facts,
            guest: None,
        };
        let scope = Scope::new(world, &self.links);
        let graph = &mut self.graph;
        let file_node = NodeIndex::new(file.0 as usize);
        let symbols = world
            .parsed(file)
            .into_iter()
            .flat_map(|parsed| &parsed.symbols);
        for (symbol, at) in symbols.zip(0u32..) {
            let id = SymbolId { file, at };
            let Some(node) = graph.symbol_node(id) else {
                continue;
            };
            let parent = symbol.parent.map(|at| SymbolId { file, at });
            let outer = parent.or_else(|| self.owners.class_of(id));
            let outer = outer
                .and_then(|outer| graph.symbol_node(outer))
                .unwrap_or(file_node);
            graph.connect(outer, node, EdgeKind::Contain, symbol.name_line, 1.0);
        }
        let links = self.links.by_file.get(file.0 as usize);
        let mut links = links.cloned().unwrap_or_default();
        graph.first_links.push(graph.links.len() as u32);
        for link in &mut links {
            link.symbol = scope.symbol_of(link);
            link.thing = thing(world, link);
            if let Target::File(target) = link.target {
                graph.importers.push((target, graph.links.len() as u32));
                let target = NodeIndex::new(target.0 as usize);
                graph.connect(
                    file_node,
                    target,
                    EdgeKind::Imports,
                    link.lines.start(),
                    1.0,
                );
            }
            graph.links.push(*link);
        }
    }

    fn follow_calls(&mut self, repo: &Repo, parsed: &[Parsed], file: FileId) {
        let world = World {
            repo,
            parsed,
            facts: &self.facts,
            guest: None,
        };
        let mut calls = Calls {
            scope: Scope::new(world, &self.links),
            owners: &self.owners,
            by_name: &mut self.by_name,
        };
        let graph = &mut self.graph;
        for call in world
            .parsed(file)
            .into_iter()
            .flat_map(|parsed| &parsed.calls)
        {
            graph.calls.all += 1;
            let (found, weight) = match calls.resolve(file, call) {
                Resolved::Certain(one) => {
                    graph.calls.certain += 1;
                    (vec![one], 1.0)
                }
                Resolved::Ambiguous(several, weight) => {
                    graph.calls.ambiguous += 1;
                    (several, weight)
                }
                Resolved::External => {
                    graph.calls.external += 1;
                    continue;
                }
                Resolved::Unknown => {
                    graph.calls.unresolved += 1;
                    continue;
                }
            };
            let from = calling_node(world, graph, file, call.caller);
            for id in found {
                if let Some(to) = graph.symbol_node(id) {
                    graph.connect(from, to, EdgeKind::Invoke, call.line, weight);
                }
            }
        }
    }

    fn finish(&mut self) -> Graph {
        let mut graph = std::mem::take(&mut self.graph);
        graph.names = std::mem::take(&mut self.facts.names);
        graph.first_links.push(graph.links.len() as u32);
        graph.importers.sort_unstable();
        let mut libraries: Vec<(String, u32)> =
            std::mem::take(&mut self.library_ids).into_iter().collect();
        libraries.sort_by_key(|(_, id)| *id);
        for ((name, _), id) in libraries.into_iter().zip((0..).map(LibraryId)) {
            graph.libraries.push(name);
            let node = graph.graph.add_node(Node::Library(id));
            graph.library_nodes.push(node);
        }
        let to_libraries: Vec<(NodeIndex, NodeIndex, Line)> = graph
            .links
            .iter()
            .filter_map(|link| match link.target {
                Target::Library(id) => Some((
                    NodeIndex::new(link.file.0 as usize),
                    *graph.library_nodes.get(id.0 as usize)?,
                    link.lines.start(),
                )),
                _ => None,
            })
            .collect();
        for (from, to, line) in to_libraries {
            graph.connect(from, to, EdgeKind::Imports, line, 1.0);
        }
        graph.count_callers();
        graph
    }
}

impl Graph {
    fn count_callers(&mut self) {
        let mut n_callers = vec![0; self.graph.node_count()];
        let calls = self.graph.edge_references();
        for edge in calls.filter(|edge| edge.weight().kind == EdgeKind::Invoke) {
            if let Some(n) = n_callers.get_mut(edge.target().index()) {
                *n += 1;
            }
        }
        self.n_callers = n_callers;
    }

    fn connect(&mut self, from: NodeIndex, to: NodeIndex, kind: EdgeKind, line: Line, weight: f32) {
        self.graph.add_edge(from, to, Edge { kind, line, weight });
    }

    fn connect_symbols(&mut self, from: SymbolId, to: SymbolId, kind: EdgeKind, line: Line) {
        if let (Some(from), Some(to)) = (self.symbol_node(from), self.symbol_node(to)) {
            self.connect(from, to, kind, line, 1.0);
        }
    }
}

/// Returns the innermost node around a call: calls in a constant's value belong to the enclosing
/// node.
fn calling_node(world: World<'_>, graph: &Graph, file: FileId, caller: Option<u32>) -> NodeIndex {
    let mut around = caller;
    while let Some(at) = around {
        if let Some(node) = graph.symbol_node(SymbolId { file, at }) {
            return node;
        }
        let symbol = world
            .parsed(file)
            .and_then(|parsed| parsed.symbols.get(at as usize));
        around = symbol.and_then(|symbol| symbol.parent);
    }
    NodeIndex::new(file.0 as usize)
}

/// Returns the class around a symbol, or the one that its qualified name gives as owner (a Rust
/// `impl`, a Go receiver, a C++ definition outside its class).
fn owner(world: World<'_>, parsed: &Parsed, id: SymbolId, symbol: &Symbol) -> Option<SymbolId> {
    let file = id.file;
    let mut around = symbol.parent;
    while let Some(at) = around {
        let outer = parsed.symbols.get(at as usize)?;
        if is_class(outer.kind) && outer.kind != SymbolKind::Module {
            return Some(SymbolId { file, at });
        }
        around = outer.parent;
    }
    let outer = symbol
        .qualified
        .strip_suffix(symbol.name.as_str())?
        .strip_suffix('.')?;
    let name = outer.rsplit('.').next().unwrap_or(outer);
    let is_class = |(_, symbol): &(SymbolId, &Symbol)| is_class(symbol.kind);
    let names = &world.facts.names;
    if let Some((id, _)) = names.in_file(world.parsed, file, name).find(is_class) {
        return Some(id);
    }
    let all = || {
        let all = names.of(world.parsed, name).filter(is_class);
        all.filter(|(id, _)| world.family(id.file) == world.family(file))
    };
    let folder = |file: FileId| crate::lang::resolve::names::folder(world.path(file));
    let near = all().find(|(id, _)| folder(id.file) == folder(file));
    let mut all = all();
    let only = all.next().filter(|_| all.next().is_none());
    near.or(only).map(|(id, _)| id)
}

/// Returns the class that a base written in `file` means.
fn class_named(scope: Scope<'_>, file: FileId, base: &str) -> Option<SymbolId> {
    let world = scope.world;
    let is_class = |id: &SymbolId| {
        let symbol = world
            .parsed(id.file)
            .and_then(|parsed| parsed.symbols.get(id.at as usize));
        symbol.is_some_and(|symbol| is_class(symbol.kind))
    };
    let mut parts = base.split('.');
    let mut found = match base
        .rsplit_once('.')
        .and_then(|(path, _)| scope.path(file, path))
    {
        Some(found) => {
            parts = parts.clone().next_back().map_or("", |last| last).split('.');
            Some(found)
        }
        None => scope.meaning(file, parts.next()?),
    };
    for part in parts {
        found = match found? {
            Meaning::File(target) => scope.outside().meaning(target, part),
            Meaning::Symbol(outer) => {
                let mut inner = world.facts.names.in_file(world.parsed, outer.file, part);
                inner
                    .find(|(_, symbol)| symbol.parent == Some(outer.at))
                    .map(|(id, _)| Meaning::Symbol(id))
            }
            Meaning::Outside | Meaning::Unclear => None,
        };
    }
    match found {
        Some(Meaning::Symbol(class)) => Some(class).filter(is_class),
        // `const Base = require('./base')`
        Some(Meaning::File(target)) => {
            let name = world.facts.wholes.get(&target)?;
            let whole = world.facts.names.top(world.parsed, target, name);
            whole.filter(is_class)
        }
        Some(_) => None,
        // Not imported: from the same file, the same package, or the only one with that name.
        None => {
            let name = base.rsplit('.').next().unwrap_or(base);
            let family = world.family(file);
            let all = world.facts.names.of(world.parsed, name);
            let all: Vec<SymbolId> = all
                .filter(|(id, symbol)| {
                    super::is_class(symbol.kind) && world.family(id.file) == family
                })
                .map(|(id, _)| id)
                .collect();
            let package = world.package(file);
            let near = all.iter().find(|id| id.file == file).or_else(|| {
                all.iter()
                    .find(|id| package.is_some() && world.package(id.file) == package)
            });
            near.or_else(|| {
                all.first()
                    .filter(|_| all.len() == 1 && family.sees_everything)
            })
            .copied()
        }
    }
}

/// Returns what a link's name stands for.
fn thing(world: World<'_>, link: &ImportLink) -> Option<Thing> {
    let Target::File(_) = link.target else {
        return None;
    };
    match link.symbol {
        Some(id) => {
            let symbol = world.parsed(id.file)?.symbols.get(id.at as usize)?;
            Thing::of(symbol.kind)
        }
        None if link.binds == Binds::Name => None,
        None => Some(Thing::Module),
    }
}
