//! The graph around an answer: nodes and edges of the repository's graph, with their positions.

use std::collections::BTreeMap;

use footnote_core::index::Index;
use footnote_core::index::graph::layout::{Point, Pull, layout};
use footnote_core::index::graph::{self, Around, AroundLink, Node, NodeIndex, SymbolId};
use footnote_core::lines::{Line, LineRange};

use crate::worker::protocol::{
    EdgeKind, EdgeView, GraphView, NodeKind, NodeView, PlacedView, SeedView,
};

/// Most nodes before any is expanded: more cannot be read in a pane.
const MAX_NODES: usize = 40;
/// Neighbours to add when a node is expanded.
const MORE: usize = 16;
/// Most nodes in all.
const MAX_EXPANDED: usize = 160;
/// Size of a label: width of a character, padding around the text, and height, in pixels at zoom 1.
const CHARACTER: f32 = 6.2;
const AROUND: f32 = 34.0;
const MAX_CHARACTERS: usize = 24;
const HEIGHT: f32 = 34.0;
/// Definitions are placed closer to what contains them than to what they call.
const CONTAINED: f32 = 0.8;

/// Returns the graph around seeds, with what was expanded; placed nodes keep their positions.
pub fn around(
    index: &Index,
    seeds: &[SeedView],
    expanded: &[u32],
    placed: &[PlacedView],
) -> GraphView {
    let mut footnotes: BTreeMap<NodeIndex, Vec<u32>> = BTreeMap::new();
    let mut centre = Vec::new();
    for seed in seeds {
        let Some(node) = seed_node(index, seed) else {
            continue;
        };
        centre.push(node);
        footnotes.entry(node).or_default().extend(seed.footnote);
    }
    let mut around = graph::around(index, &centre, MAX_NODES);
    for &node in expanded {
        let room = MAX_EXPANDED.saturating_sub(around.nodes.len());
        around.expand(index, NodeIndex::new(node as usize), MORE.min(room));
    }
    let mut nodes: Vec<NodeView> = (0..around.nodes.len())
        .filter_map(|at| node_view(index, &around, at))
        .collect();
    for (node, view) in around.nodes.iter().zip(&mut nodes) {
        view.footnotes = footnotes.remove(node).unwrap_or_default();
    }
    place(&mut nodes, &around.links, placed);
    let edges = around.links.iter();
    GraphView {
        edges: edges
            .filter_map(|link| edge_view(index, &around, link))
            .collect(),
        nodes,
    }
}

fn seed_node(index: &Index, seed: &SeedView) -> Option<NodeIndex> {
    let lines = (seed.start > 0).then(|| LineRange::new(Line(seed.start), Line(seed.end)));
    index.node_at(index.repo.find(&seed.path)?, lines)
}

fn place(nodes: &mut [NodeView], links: &[AroundLink], placed: &[PlacedView]) {
    let known: BTreeMap<u32, Point> = placed
        .iter()
        .map(|placed| {
            let (x, y) = (placed.x, placed.y);
            (placed.id, Point { x, y })
        })
        .collect();
    let boxes: Vec<(f32, f32)> = nodes
        .iter()
        .map(|node| {
            let characters = node.name.chars().count().min(MAX_CHARACTERS);
            (CHARACTER * characters as f32 + AROUND, HEIGHT)
        })
        .collect();
    let pulls: Vec<Pull> = links
        .iter()
        .map(|link| Pull {
            a: link.from,
            b: link.to,
            length: match link.edge.kind {
                graph::EdgeKind::Contain => CONTAINED,
                _ => 1.0,
            },
        })
        .collect();
    let fixed: Vec<Option<Point>> = nodes
        .iter()
        .map(|node| known.get(&node.id).copied())
        .collect();
    for (node, point) in nodes.iter_mut().zip(layout(&boxes, &pulls, &fixed)) {
        (node.x, node.y) = (point.x, point.y);
    }
}

fn node_view(index: &Index, around: &Around, at: usize) -> Option<NodeView> {
    let node = *around.nodes.get(at)?;
    let view = NodeView {
        id: node.index() as u32,
        kind: NodeKind::File,
        name: String::new(),
        path: String::new(),
        start: 0,
        end: 0,
        x: 0.0,
        y: 0.0,
        is_seed: at < around.seeds,
        footnotes: Vec::new(),
        more: around.left_out(index, node) as u32,
    };
    let found = *index.graph.petgraph().node_weight(node)?;
    Some(match found {
        Node::File(file) => {
            let path = index.repo.file(file)?.path.clone();
            let name = short_path(&path).to_owned();
            NodeView { name, path, ..view }
        }
        Node::Library(id) => NodeView {
            kind: NodeKind::Library,
            name: index.graph.library(id).to_owned(),
            ..view
        },
        Node::Class(id) => definition(index, id, NodeKind::Class, view)?,
        Node::Function(id) => definition(index, id, NodeKind::Function, view)?,
        Node::Method(id) => definition(index, id, NodeKind::Method, view)?,
    })
}

fn definition(index: &Index, id: SymbolId, kind: NodeKind, view: NodeView) -> Option<NodeView> {
    let (file, parsed) = index.file(id.file)?;
    let symbol = parsed.symbols.get(id.at as usize)?;
    Some(NodeView {
        kind,
        name: short_name(&symbol.qualified).to_owned(),
        path: file.path.clone(),
        start: symbol.lines.start().0,
        end: symbol.lines.end().0,
        ..view
    })
}

fn edge_view(index: &Index, around: &Around, link: &AroundLink) -> Option<EdgeView> {
    let (kind, end) = match link.edge.kind {
        graph::EdgeKind::Contain => (EdgeKind::Contains, link.to),
        graph::EdgeKind::Invoke => (EdgeKind::Calls, link.from),
        graph::EdgeKind::Imports => (EdgeKind::Imports, link.from),
        graph::EdgeKind::Inherits => (EdgeKind::Inherits, link.from),
    };
    let file = index.file_of_node(*around.nodes.get(end)?)?;
    Some(EdgeView {
        from: link.from as u32,
        to: link.to as u32,
        kind,
        path: index.repo.file(file)?.path.clone(),
        line: link.edge.line.0,
        count: link.count,
        is_certain: link.edge.weight >= 1.0,
    })
}

/// Shortens a name to at most one of its owners.
fn short_name(qualified: &str) -> &str {
    let mut dots = qualified.rmatch_indices('.');
    let second = dots.nth(1).map_or(0, |(at, _)| at + 1);
    qualified.get(second..).unwrap_or(qualified)
}

/// The name of a file, with its folder for names that many files have.
fn short_path(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    let is_plain = matches!(
        stem,
        "__init__" | "index" | "mod" | "lib" | "main" | "setup"
    );
    if !is_plain {
        return name;
    }
    let mut slashes = path.rmatch_indices('/');
    let second = slashes.nth(1).map_or(0, |(at, _)| at + 1);
    path.get(second..).unwrap_or(path)
}

#[cfg(test)]
pub(super) mod tests {
    use footnote_core::chunk::Chunking;
    use footnote_core::index::IndexBuilder;
    use footnote_core::job::run_to_end;
    use footnote_core::source::{Repo, SourceFile};

    use super::*;

    /// Three files: `open` in office.py calls `pack` in parts.py twice, `pack` calls `fold`.
    pub fn index() -> Index {
        let files = [
            (
                "mail/office.py",
                "import socket\nfrom mail.parts import pack\n\ndef open():\n    return pack(pack(1))\n",
            ),
            (
                "mail/parts.py",
                "def pack(letter):\n    return fold(letter)\n\ndef fold(letter):\n    return letter\n",
            ),
            ("mail/__init__.py", ""),
        ];
        let mut files: Vec<SourceFile> = files
            .iter()
            .map(|(path, text)| SourceFile {
                path: (*path).into(),
                text: (*text).into(),
            })
            .collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        let repo = Repo {
            name: "mail".into(),
            files,
            ..Repo::default()
        };
        let Ok(index) = run_to_end(IndexBuilder::new(repo, Chunking::FUNCTION));
        index
    }

    fn seed(path: &str, start: u32, footnote: u32) -> SeedView {
        SeedView {
            path: path.into(),
            start,
            end: start,
            footnote: Some(footnote),
        }
    }

    #[test]
    fn a_node_carries_all_footnotes_that_cite_it() {
        let seeds = [
            seed("mail/parts.py", 1, 1),
            seed("mail/parts.py", 2, 3),
            seed("gone.py", 2, 4),
        ];
        let view = around(&index(), &seeds, &[], &[]);
        let cited: Vec<_> = view.nodes.iter().filter(|node| node.is_seed).collect();
        assert_eq!(cited.len(), 1);
        assert_eq!(
            (cited[0].name.as_str(), &cited[0].footnotes),
            ("pack", &vec![1, 3])
        );
        assert_eq!((cited[0].start, cited[0].end), (1, 2));
    }

    #[test]
    fn an_edge_says_where_it_is_proven() {
        let view = around(&index(), &[seed("mail/parts.py", 1, 1)], &[], &[]);
        let name = |at: u32| view.nodes[at as usize].name.as_str();
        let said: Vec<String> = view
            .edges
            .iter()
            .map(|edge| {
                let (from, to) = (name(edge.from), name(edge.to));
                format!(
                    "{from} {:?} {to} {}:{} ×{}",
                    edge.kind, edge.path, edge.line, edge.count
                )
            })
            .collect();
        for expected in [
            "open Calls pack mail/office.py:5 ×2",
            "pack Calls fold mail/parts.py:2 ×1",
            "parts.py Contains pack mail/parts.py:1 ×1",
            "office.py Imports parts.py mail/office.py:2 ×1",
        ] {
            assert!(
                said.iter().any(|line| line == expected),
                "{expected} in {said:?}"
            );
        }
    }

    #[test]
    fn expanding_keeps_drawn_nodes_in_their_places() {
        let index = index();
        let seeds = [seed("mail/parts.py", 4, 1)];
        let first = around(&index, &seeds, &[], &[]);
        let office = first
            .nodes
            .iter()
            .find(|node| node.name == "office.py")
            .unwrap();
        let placed: Vec<PlacedView> = first
            .nodes
            .iter()
            .map(|node| PlacedView {
                id: node.id,
                x: node.x,
                y: node.y,
            })
            .collect();
        assert!(office.more > 0);
        let more = around(&index, &seeds, &[office.id], &placed);
        assert!(more.nodes.iter().any(|node| node.kind == NodeKind::Library));
        for (before, after) in first.nodes.iter().zip(&more.nodes) {
            assert_eq!(
                (before.id, before.x, before.y),
                (after.id, after.x, after.y)
            );
        }
    }

    #[test]
    fn names_are_short_but_tell_which_one_is_meant() {
        assert_eq!(short_name("Session.send"), "Session.send");
        assert_eq!(short_name("outer.Session.send"), "Session.send");
        assert_eq!(short_name("get"), "get");
        assert_eq!(short_path("src/requests/api.py"), "api.py");
        assert_eq!(
            short_path("src/requests/__init__.py"),
            "requests/__init__.py"
        );
        assert_eq!(short_path("lib.rs"), "lib.rs");
    }
}
