//! The graph on the wire: what is drawn around an answer, and who uses what.

use serde::{Deserialize, Serialize};

/// A request about the graph. Each ends with the event of the same name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum GraphRequest {
    /// The neighbourhood of some lines, with more around the nodes in `expanded`; nodes in `placed`
    /// keep their positions.
    Around {
        seeds: Vec<SeedView>,
        expanded: Vec<u32>,
        placed: Vec<PlacedView>,
    },
    /// Who uses a file and its definitions, and what they use.
    Uses { path: String },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum GraphEvent {
    Around(GraphView),
    Uses(UsesView),
}

/// Lines that the graph is drawn around.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeedView {
    pub path: String,
    /// 0 for the whole file.
    pub start: u32,
    pub end: u32,
    /// The footnote that cites these lines.
    pub footnote: Option<u32>,
}

/// The position of a node that is already drawn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlacedView {
    pub id: u32,
    pub x: f32,
    pub y: f32,
}

/// A part of the repository's graph, small enough to draw.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GraphView {
    /// Most important first.
    pub nodes: Vec<NodeView>,
    pub edges: Vec<EdgeView>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NodeKind {
    File,
    Class,
    Function,
    Method,
    Library,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeView {
    /// Stays the same while the repository is open.
    pub id: u32,
    pub kind: NodeKind,
    /// Short, as drawn: `Session.send`, `sessions.py`.
    pub name: String,
    /// Empty for libraries.
    pub path: String,
    /// Lines of the definition; 0 for files and libraries.
    pub start: u32,
    pub end: u32,
    /// In pixels at zoom 1.
    pub x: f32,
    pub y: f32,
    pub is_seed: bool,
    /// The footnotes that cite it.
    pub footnotes: Vec<u32>,
    /// Number of neighbours not drawn.
    pub more: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum EdgeKind {
    Contains,
    Calls,
    Imports,
    Inherits,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EdgeView {
    /// Indices of nodes.
    pub from: u32,
    pub to: u32,
    pub kind: EdgeKind,
    /// The line that proves it; the first one if there are several.
    pub path: String,
    pub line: u32,
    pub count: u32,
    /// False if the called name could mean several definitions.
    pub is_certain: bool,
}

/// Who uses a file and its definitions, and what they use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UsesView {
    pub path: String,
    pub used_by: UseList,
    pub uses: UseList,
    /// The definitions of the file, by line, including unused ones.
    pub symbols: Vec<SymbolUsesView>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SymbolUsesView {
    pub kind: String,
    pub qualified: String,
    pub start: u32,
    pub end: u32,
    pub used_by: UseList,
    pub uses: UseList,
}

/// The first entries of a list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UseList {
    pub total: u32,
    pub entries: Vec<UseView>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UseView {
    /// The other end: `Session.send`, `src/requests/sessions.py`, `urllib3`.
    pub name: String,
    /// The line that proves it.
    pub path: String,
    pub line: u32,
    /// False if the called name could mean several definitions.
    pub is_certain: bool,
}
