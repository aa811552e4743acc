//! The neighbourhood of a few nodes: small enough to draw, and reproducible.
//!
//! Around the seeds it has the files and classes that hold them, then the nodes one edge away that
//! say most about them: RepoDistill's candidates (section 3.2, one INVOKE edge around the anchors)
//! with the other kinds of edges, ranked because a seed can have thousands of callers.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::Direction;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use super::{Edge, EdgeKind, Node, SymbolId};
use crate::index::Index;
use crate::lang::Role;
use crate::lines::LineRange;
use crate::source::FileId;

/// What a seed's holder gives to its neighbours, relative to a seed.
const HOLDER_SHARE: f32 = 0.25;

/// Factor of a library's score: it says less than the repository's own code.
const LIBRARY_SHARE: f32 = 0.3;

/// Factor of the score of a neighbour in tests, documentation and examples, unless a seed is there
/// too.
const ASIDE_SHARE: f32 = 0.3;

/// A part of the graph: see the [module](self).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Around {
    /// Seeds first, in the given order; then what holds them; then neighbours, best first.
    pub nodes: Vec<NodeIndex>,
    /// Number of seeds among the nodes.
    pub seeds: usize,
    /// All edges between these nodes; edges of one kind between the same two nodes are merged.
    pub links: Vec<AroundLink>,
}

/// Edges of one kind from one node to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AroundLink {
    /// Indices into [`Around::nodes`].
    pub from: usize,
    /// Index of the node that the edges end at.
    pub to: usize,
    /// The first of the most certain edges.
    pub edge: Edge,
    /// The number of edges.
    pub count: u32,
}

/// Returns the best `limit` nodes around `seeds`, or all seeds if they are more.
pub fn around(index: &Index, seeds: &[NodeIndex], limit: usize) -> Around {
    let graph = index.graph.petgraph();
    let mut around = Around::default();
    for &seed in seeds {
        if graph.node_weight(seed).is_some() && !around.nodes.contains(&seed) {
            around.nodes.push(seed);
        }
    }
    around.seeds = around.nodes.len();
    let holders: Vec<NodeIndex> = around
        .nodes
        .iter()
        .flat_map(|&n| holders(index, n))
        .collect();
    for holder in holders {
        if around.nodes.len() < limit && !around.nodes.contains(&holder) {
            around.nodes.push(holder);
        }
    }
    let ranked = ranked_neighbours(index, &around.nodes, around.seeds);
    let room = limit.saturating_sub(around.nodes.len());
    around.nodes.extend(ranked.iter().take(room));
    around.links = links_between(index, &around.nodes);
    around
}

impl Around {
    /// Adds the best `more` neighbours of one of the nodes.
    pub fn expand(&mut self, index: &Index, node: NodeIndex, more: usize) {
        if !self.nodes.contains(&node) {
            return;
        }
        let mut ranked = ranked_neighbours(index, &[node], 1);
        ranked.retain(|other| !self.nodes.contains(other));
        self.nodes.extend(ranked.iter().take(more));
        self.links = links_between(index, &self.nodes);
    }

    /// Returns how many neighbours of a node are not among the nodes.
    pub fn left_out(&self, index: &Index, node: NodeIndex) -> usize {
        let neighbours = index.graph.petgraph().neighbors_undirected(node);
        let all: BTreeSet<NodeIndex> = neighbours.filter(|other| *other != node).collect();
        all.iter()
            .filter(|other| !self.nodes.contains(other))
            .count()
    }
}

impl Index {
    /// Returns the node that lines of a file are about: the definition named in them, else the
    /// innermost one around them, else the file.
    pub fn node_at(&self, file: FileId, lines: Option<LineRange>) -> Option<NodeIndex> {
        let whole = self.graph.file_node(file);
        let Some(lines) = lines else { return whole };
        let parsed = self.parsed.get(file.0 as usize)?;
        let definitions = || {
            let all = (0..).zip(&parsed.symbols);
            all.filter_map(move |(at, symbol)| {
                let node = self.graph.symbol_node(SymbolId { file, at })?;
                Some((node, symbol))
            })
        };
        let named = definitions()
            .filter(|(_, symbol)| lines.contains(symbol.name_line))
            .max_by_key(|(node, symbol)| (symbol.lines.count(), std::cmp::Reverse(*node)));
        let inside = || {
            definitions()
                .filter(|(_, symbol)| symbol.lines.contains(lines.start()))
                .min_by_key(|(node, symbol)| (symbol.lines.count(), std::cmp::Reverse(*node)))
        };
        let found = named.or_else(inside).map(|(node, _)| node);
        found.or(whole)
    }

    /// Returns the file of a node; libraries have none.
    pub fn file_of_node(&self, node: NodeIndex) -> Option<FileId> {
        match *self.graph.petgraph().node_weight(node)? {
            Node::File(file) => Some(file),
            Node::Library(_) => None,
            node => node.symbol().map(|symbol| symbol.file),
        }
    }
}

/// Returns the classes and the file around a definition, innermost first.
fn holders(index: &Index, node: NodeIndex) -> Vec<NodeIndex> {
    let graph = index.graph.petgraph();
    let mut found = Vec::new();
    let mut inner = node;
    // A definition lies in at most one other; there is a limit all the same, because names decide
    // who owns whom.
    for _ in 0..8 {
        let mut around = graph.edges_directed(inner, Direction::Incoming);
        let Some(edge) = around.find(|edge| edge.weight().kind == EdgeKind::Contain) else {
            break;
        };
        inner = edge.source();
        found.push(inner);
    }
    let file = index
        .file_of_node(node)
        .and_then(|file| index.graph.file_node(file));
    match file {
        Some(file) if file != node && !found.contains(&file) => found.push(file),
        _ => {}
    }
    found
}

/// Returns all nodes one edge away, best first.
fn ranked_neighbours(index: &Index, centre: &[NodeIndex], n_seeds: usize) -> Vec<NodeIndex> {
    let mut scores: BTreeMap<NodeIndex, f32> = BTreeMap::new();
    let known: BTreeSet<NodeIndex> = centre.iter().copied().collect();
    for (at, &node) in centre.iter().enumerate() {
        let share = if at < n_seeds { 1.0 } else { HOLDER_SHARE };
        for direction in [Direction::Outgoing, Direction::Incoming] {
            for (other, support) in supported(index, node, direction) {
                if !known.contains(&other) {
                    *scores.entry(other).or_default() += share * support;
                }
            }
        }
    }
    let seeds_aside = centre.iter().take(n_seeds).any(|&n| is_aside(index, n));
    let mut ranked: Vec<(NodeIndex, f32)> = scores.into_iter().collect();
    for (node, score) in &mut ranked {
        if !seeds_aside && is_aside(index, *node) {
            *score *= ASIDE_SHARE;
        }
        if index.file_of_node(*node).is_none() {
            *score *= LIBRARY_SHARE;
        }
    }
    ranked.sort_by(|(a, left), (b, right)| right.total_cmp(left).then(a.cmp(b)));
    ranked.into_iter().map(|(node, _)| node).collect()
}

/// Returns the neighbours in one direction with what the node gives to each. A node with many
/// neighbours of a kind says little about each of them.
fn supported(index: &Index, node: NodeIndex, direction: Direction) -> Vec<(NodeIndex, f32)> {
    let graph = index.graph.petgraph();
    let mut best: BTreeMap<(EdgeKind, NodeIndex), f32> = BTreeMap::new();
    for edge in graph.edges_directed(node, direction) {
        let other = match direction {
            Direction::Outgoing => edge.target(),
            Direction::Incoming => edge.source(),
        };
        let weight = best.entry((edge.weight().kind, other)).or_default();
        *weight = weight.max(edge.weight().weight);
    }
    let mut counts: BTreeMap<EdgeKind, f32> = BTreeMap::new();
    for (kind, _) in best.keys() {
        *counts.entry(*kind).or_default() += 1.0;
    }
    let support = |((kind, other), weight): ((EdgeKind, NodeIndex), f32)| {
        let count = counts.get(&kind).copied().unwrap_or(1.0);
        (other, kind_share(kind) * weight / count.sqrt())
    };
    best.into_iter().map(support).collect()
}

/// Returns how much an edge of a kind says about its ends.
fn kind_share(kind: EdgeKind) -> f32 {
    match kind {
        EdgeKind::Invoke | EdgeKind::Inherits => 1.0,
        EdgeKind::Imports => 0.6,
        EdgeKind::Contain => 0.4,
    }
}

/// Whether a node lies in tests, documentation or examples.
fn is_aside(index: &Index, node: NodeIndex) -> bool {
    let file = index.file_of_node(node);
    let path = file.and_then(|file| Some(index.repo.file(file)?.path.as_str()));
    path.is_some_and(|path| {
        matches!(
            Role::of(path),
            Role::Test | Role::Docs | Role::Example | Role::Config
        )
    })
}

fn links_between(index: &Index, nodes: &[NodeIndex]) -> Vec<AroundLink> {
    let graph = index.graph.petgraph();
    let places: BTreeMap<NodeIndex, usize> = nodes.iter().copied().zip(0..).collect();
    let mut links: BTreeMap<(usize, usize, EdgeKind), AroundLink> = BTreeMap::new();
    for (from, &node) in nodes.iter().enumerate() {
        for found in graph.edges_directed(node, Direction::Outgoing) {
            let Some(&to) = places.get(&found.target()) else {
                continue;
            };
            if to == from {
                continue; // recursion is not a connection
            }
            let edge = *found.weight();
            let link = AroundLink {
                from,
                to,
                edge,
                count: 0,
            };
            let link = links.entry((from, to, edge.kind)).or_insert(link);
            link.count += 1;
            let is_surer = edge.weight > link.edge.weight;
            let is_as_sure = edge.weight == link.edge.weight;
            if is_surer || is_as_sure && edge.line < link.edge.line {
                link.edge = edge;
            }
        }
    }
    links.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::index;
    use super::*;
    use crate::lines::Line;

    const FILES: &[(&str, &str)] = &[
        (
            "src/mail/send.py",
            "from .parts import pack, stamp\nimport socket\n\nclass Sender:\n    def send(self, letter):\n        box = pack(letter)\n        return stamp(stamp(box))\n",
        ),
        (
            "src/mail/parts.py",
            "def pack(letter):\n    return fold(letter)\n\ndef fold(letter):\n    return letter\n\ndef stamp(box):\n    return box\n",
        ),
        (
            "src/mail/office.py",
            "from .send import Sender\n\nclass Office(Sender):\n    def open(self):\n        return self.send('x')\n",
        ),
        (
            "tests/test_send.py",
            "from mail.parts import pack\n\ndef test_pack():\n    assert pack('x')\n",
        ),
    ];

    fn label(index: &Index, node: NodeIndex) -> String {
        match index.graph.petgraph()[node] {
            Node::File(file) => index.repo.file(file).unwrap().path.clone(),
            Node::Library(id) => format!("lib:{}", index.graph.library(id)),
            node => {
                let id = node.symbol().unwrap();
                let symbol = &index.parsed[id.file.0 as usize].symbols[id.at as usize];
                symbol.qualified.clone()
            }
        }
    }

    /// Returns the node at `path` or `path:first-last`.
    fn at(index: &Index, place: &str) -> NodeIndex {
        let (path, lines) = place.split_once(':').unwrap_or((place, ""));
        let lines = lines.split_once('-').map(|(first, last)| {
            LineRange::new(Line(first.parse().unwrap()), Line(last.parse().unwrap()))
        });
        index
            .node_at(index.repo.find(path).unwrap(), lines)
            .unwrap()
    }

    #[test]
    fn lines_are_about_the_definition_named_in_them_or_around_them() {
        let index = index(FILES);
        for (place, expected) in [
            ("src/mail/send.py", "src/mail/send.py"),
            ("src/mail/send.py:1-2", "src/mail/send.py"),
            ("src/mail/send.py:4-7", "Sender"),
            ("src/mail/send.py:5-5", "Sender.send"),
            ("src/mail/send.py:6-7", "Sender.send"),
            ("src/mail/parts.py:900-901", "src/mail/parts.py"),
        ] {
            assert_eq!(label(&index, at(&index, place)), expected, "{place}");
        }
    }

    #[test]
    fn seeds_come_first_then_their_holders_then_the_best_neighbours() {
        let index = index(FILES);
        for (seeds, limit, expected) in [
            (
                &["src/mail/send.py:5-5"][..],
                6,
                &[
                    "Sender.send",
                    "Sender",
                    "src/mail/send.py",
                    "Office.open",
                    "pack",
                    "stamp",
                ][..],
            ),
            // With more seeds than room: all seeds, and nothing else.
            (
                &["src/mail/parts.py:1-1", "src/mail/parts.py:7-7"],
                1,
                &["pack", "stamp"],
            ),
            // A caller in the tests comes after what the source says.
            (
                &["src/mail/parts.py:1-1"],
                9,
                &[
                    "pack",
                    "src/mail/parts.py",
                    "fold",
                    "Sender.send",
                    "test_pack",
                ],
            ),
        ] {
            let seeds: Vec<NodeIndex> = seeds.iter().map(|place| at(&index, place)).collect();
            let found = around(&index, &seeds, limit);
            assert_eq!(found.seeds, seeds.len());
            let labels: Vec<String> = found.nodes.iter().map(|&n| label(&index, n)).collect();
            let shown: Vec<&str> = labels.iter().map(String::as_str).collect();
            assert!(shown.starts_with(expected), "{shown:?} for {expected:?}");
            assert!(shown.len() <= limit.max(seeds.len()));
        }
    }

    #[test]
    fn edges_of_a_kind_between_two_nodes_are_one_with_their_count_and_first_line() {
        let index = index(FILES);
        let seeds = [
            at(&index, "src/mail/send.py:5-5"),
            at(&index, "src/mail/parts.py:7-7"),
        ];
        let found = around(&index, &seeds, 2);
        let calls: Vec<_> = found
            .links
            .iter()
            .map(|link| {
                (
                    link.from,
                    link.to,
                    link.edge.kind,
                    link.edge.line,
                    link.count,
                )
            })
            .collect();
        assert_eq!(calls, [(0, 1, EdgeKind::Invoke, Line(7), 2)]);
    }

    #[test]
    fn expanding_a_node_adds_its_neighbours_and_keeps_the_others() {
        let index = index(FILES);
        let fold = at(&index, "src/mail/parts.py:4-4");
        let mut found = around(&index, &[fold], 3);
        let before = found.nodes.clone();
        let pack = at(&index, "src/mail/parts.py:1-1");
        assert!(before.contains(&pack));
        let left_out = found.left_out(&index, pack);
        found.expand(&index, pack, 10);
        assert_eq!(found.nodes[..before.len()], before);
        assert_eq!(found.nodes.len(), before.len() + left_out);
        assert_eq!(found.left_out(&index, pack), 0);
        let unknown = NodeIndex::new(9_999);
        found.expand(&index, unknown, 10);
        assert_eq!(around(&index, &[unknown], 10), Around::default());
    }
}
