//! Paths through the graph: neighbouring files, shortest paths between definitions.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use super::{EdgeKind, Graph, Node, SymbolId};
use crate::hash::FastMap;
use crate::source::FileId;

/// Longest path between two definitions that is meaningful.
const MAX_PATH: usize = 8;

/// Maximum number of nodes visited for one path.
const MAX_VISITS: usize = 20_000;

/// Whether paths between definitions use edges of this kind.
fn is_structure(kind: EdgeKind) -> bool {
    matches!(kind, EdgeKind::Invoke | EdgeKind::Contain)
}

impl Graph {
    /// Returns the files at most `hops` IMPORTS edges away, in either direction, nearest first,
    /// with their distance (Grounded, section III-B).
    pub fn neighbours(&self, file: FileId, hops: u32) -> Vec<(FileId, u32)> {
        let Some(start) = self.file_node(file) else {
            return Vec::new();
        };
        let mut distances: BTreeMap<NodeIndex, u32> = BTreeMap::from([(start, 0)]);
        let mut order = Vec::new();
        let mut queue = VecDeque::from([(start, 0)]);
        while let Some((node, distance)) = queue.pop_front() {
            if distance == hops {
                continue;
            }
            let mut next: Vec<NodeIndex> = self
                .around(node, |kind| kind == EdgeKind::Imports)
                .filter(|node| matches!(self.graph.node_weight(*node), Some(Node::File(_))))
                .collect();
            next.sort_unstable();
            next.dedup();
            for node in next {
                if let std::collections::btree_map::Entry::Vacant(entry) = distances.entry(node) {
                    entry.insert(distance + 1);
                    order.push((FileId(node.index() as u32), distance + 1));
                    queue.push_back((node, distance + 1));
                }
            }
        }
        order
    }

    /// Returns a shortest path between two definitions over INVOKE and CONTAIN edges in either
    /// direction, both ends included (RepoDistill, section 3.1: nodes on shortest paths between
    /// anchors). `None` if there is none of a meaningful length.
    pub fn shortest_path(&self, from: SymbolId, to: SymbolId) -> Option<Vec<Node>> {
        let (from, to) = (self.symbol_node(from)?, self.symbol_node(to)?);
        let mut before: BTreeMap<NodeIndex, NodeIndex> = BTreeMap::from([(from, from)]);
        let mut queue = VecDeque::from([(from, 0)]);
        while let Some((node, length)) = queue.pop_front() {
            if node == to {
                return Some(self.path_back(|node| before.get(&node).copied(), from, to));
            }
            if length == MAX_PATH || before.len() > MAX_VISITS {
                continue;
            }
            let mut next: Vec<NodeIndex> = self.around(node, is_structure).collect();
            next.sort_unstable();
            for other in next {
                before.entry(other).or_insert_with(|| {
                    queue.push_back((other, length + 1));
                    node
                });
            }
        }
        None
    }

    /// Returns the definitions on shortest paths between each pair of `anchors`, over the same
    /// edges as [`Graph::shortest_path`] (RepoDistill, section 3.1). One search per anchor, each
    /// over at most `max_visits` nodes.
    pub fn between(&self, anchors: &[SymbolId], max_visits: usize) -> BTreeSet<SymbolId> {
        let nodes: Vec<NodeIndex> = anchors
            .iter()
            .filter_map(|&anchor| self.symbol_node(anchor))
            .collect();
        let mut found = BTreeSet::new();
        for (at, &start) in nodes.iter().enumerate() {
            let mut wanted: BTreeSet<NodeIndex> = nodes.iter().skip(at + 1).copied().collect();
            let mut before: FastMap<NodeIndex, NodeIndex> = FastMap::default();
            before.insert(start, start);
            let mut queue = VecDeque::from([start]);
            while let Some(node) = queue.pop_front().filter(|_| !wanted.is_empty()) {
                for other in self.around(node, is_structure) {
                    if before.len() >= max_visits || before.contains_key(&other) {
                        continue;
                    }
                    before.insert(other, node);
                    queue.push_back(other);
                    if wanted.remove(&other) {
                        let path = self.path_back(|node| before.get(&node).copied(), start, other);
                        found.extend(path.into_iter().filter_map(Node::symbol));
                    }
                }
            }
        }
        found
    }

    /// Returns the definitions that a definition calls or contains, and those that call or contain
    /// it.
    pub(crate) fn related(&self, symbol: SymbolId) -> Vec<SymbolId> {
        let node = self.symbol_node(symbol);
        let around = node
            .into_iter()
            .flat_map(|node| self.around(node, is_structure));
        around
            .filter_map(|node| self.graph.node_weight(node)?.symbol())
            .collect()
    }

    fn path_back(
        &self,
        before: impl Fn(NodeIndex) -> Option<NodeIndex>,
        from: NodeIndex,
        to: NodeIndex,
    ) -> Vec<Node> {
        let mut path = vec![to];
        let mut node = to;
        while let Some(previous) = before(node).filter(|_| node != from) {
            path.push(previous);
            node = previous;
        }
        let path = path.into_iter().rev();
        path.filter_map(|node| self.graph.node_weight(node).copied())
            .collect()
    }

    /// Returns the nodes at the other ends of the edges of some kinds.
    fn around(
        &self,
        node: NodeIndex,
        wanted: impl Fn(EdgeKind) -> bool + Copy,
    ) -> impl Iterator<Item = NodeIndex> {
        let out = self
            .graph
            .edges_directed(node, petgraph::Direction::Outgoing);
        let into = self
            .graph
            .edges_directed(node, petgraph::Direction::Incoming);
        let out = out
            .filter(move |edge| wanted(edge.weight().kind))
            .map(|edge| edge.target());
        let into = into
            .filter(move |edge| wanted(edge.weight().kind))
            .map(|edge| edge.source());
        out.chain(into)
    }
}
