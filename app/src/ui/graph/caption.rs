//! The graph in words: all of it, a node, an edge.

use crate::state::graph::{proof, sentence, verb};
use crate::ui::format::{count, lines};
use crate::worker::protocol::{EdgeKind, EdgeView, GraphView, NodeKind, NodeView};

/// The longest label, in characters; a longer name is drawn without its owner.
const LABEL: usize = 24;

/// All kinds of edges, in the order they are offered.
pub const EDGE_KINDS: [EdgeKind; 4] = [
    EdgeKind::Calls,
    EdgeKind::Imports,
    EdgeKind::Inherits,
    EdgeKind::Contains,
];

/// The canvas's label for screen readers.
pub fn overview(view: &GraphView) -> String {
    let (nodes, edges) = (view.nodes.len() as u64, view.edges.len() as u64);
    format!(
        "Graph around the answer: {} and {}",
        count(nodes, "node"),
        count(edges, "connection")
    )
}

pub fn kind_name(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::File => "file",
        NodeKind::Class => "class",
        NodeKind::Function => "function",
        NodeKind::Method => "method",
        NodeKind::Library => "library",
    }
}

/// `method Session.send`, `library urllib3`.
pub fn title(node: &NodeView) -> String {
    format!("{} {}", kind_name(node.kind), node.name)
}

/// The label drawn beside a node.
pub fn label(node: &NodeView) -> &str {
    let is_long = node.name.chars().count() > LABEL;
    let last = || node.name.rsplit(['.', '/']).next();
    let is_definition = !matches!(node.kind, NodeKind::File | NodeKind::Library);
    let short = is_long.then(last).flatten().filter(|_| is_definition);
    short.unwrap_or(&node.name)
}

/// Where a node is, which footnotes cite it, and what leads to and from it.
pub fn details(view: &GraphView, at: usize) -> String {
    let Some(node) = view.nodes.get(at) else {
        return String::new();
    };
    let place = match (node.path.is_empty(), node.start) {
        (true, _) => None,
        (false, 0) => Some(node.path.clone()),
        (false, start) => Some(format!("{}:{}", node.path, lines(start, node.end))),
    };
    let numbers: Vec<String> = node.footnotes.iter().map(u32::to_string).collect();
    let word = if numbers.len() == 1 {
        "footnote"
    } else {
        "footnotes"
    };
    let cited = (!numbers.is_empty()).then(|| format!("{word} {}", numbers.join(", ")));
    let parts = [place, cited, connections(view, at)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// `calls 4, called by 2`.
fn connections(view: &GraphView, at: usize) -> Option<String> {
    let at = at as u32;
    let number = |kind: EdgeKind, end: fn(&EdgeView) -> u32| {
        let of_kind = view.edges.iter().filter(|edge| edge.kind == kind);
        of_kind.filter(|edge| end(edge) == at).count()
    };
    let mut parts = Vec::new();
    for kind in EDGE_KINDS {
        let (out, into) = (number(kind, |edge| edge.from), number(kind, |edge| edge.to));
        if out > 0 {
            parts.push(format!("{} {out}", verb(kind)));
        }
        if into > 0 {
            parts.push(format!("{} {into}", passive(kind)));
        }
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn passive(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Contains => "contained in",
        EdgeKind::Calls => "called by",
        EdgeKind::Imports => "imported by",
        EdgeKind::Inherits => "inherited by",
    }
}

/// `Session.send calls rebuild_auth`, and where.
pub fn edge(view: &GraphView, at: usize) -> Option<(String, String)> {
    let edge = view.edges.get(at)?;
    Some((sentence(view, edge), proof(edge)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view() -> GraphView {
        let node = |id, kind, name: &str, path: &str, start| NodeView {
            id,
            kind,
            name: name.into(),
            path: path.into(),
            start,
            end: start + 3,
            x: 0.0,
            y: 0.0,
            is_seed: false,
            footnotes: if id == 0 { vec![1, 4] } else { Vec::new() },
            more: 0,
        };
        let edge = |from, to, kind| EdgeView {
            from,
            to,
            kind,
            path: "a.py".into(),
            line: 5,
            count: 1,
            is_certain: true,
        };
        GraphView {
            nodes: vec![
                node(0, NodeKind::Method, "Session.send", "a.py", 3),
                node(1, NodeKind::Function, "pack", "b.py", 1),
                node(2, NodeKind::Library, "urllib3", "", 0),
                node(3, NodeKind::File, "a.py", "a.py", 0),
            ],
            edges: vec![
                edge(0, 1, EdgeKind::Calls),
                edge(3, 0, EdgeKind::Contains),
                edge(3, 2, EdgeKind::Imports),
            ],
        }
    }

    #[test]
    fn a_node_is_described_by_its_place_its_footnotes_and_its_connections() {
        let view = view();
        for (at, said) in [
            (0, "a.py:3–6 · footnotes 1, 4 · calls 1, contained in 1"),
            (1, "b.py:1–4 · called by 1"),
            (2, "imported by 1"),
            (3, "a.py · imports 1, contains 1"),
            (9, ""),
        ] {
            assert_eq!(details(&view, at), said);
        }
        assert_eq!(title(&view.nodes[2]), "library urllib3");
    }

    #[test]
    fn a_long_name_is_drawn_without_its_owner() {
        let mut node = view().nodes.remove(0);
        assert_eq!(label(&node), "Session.send");
        node.name = "SessionRedirectMixin.resolve_redirects".into();
        assert_eq!(label(&node), "resolve_redirects");
    }

    #[test]
    fn an_edge_is_described_with_the_line_that_proves_it() {
        let said = edge(&view(), 0);
        let expected = ("Session.send calls pack".to_owned(), "a.py:5".to_owned());
        assert_eq!(said, Some(expected));
    }

    #[test]
    fn the_overview_counts_nodes_and_connections() {
        let said = "Graph around the answer: 4 nodes and 3 connections";
        assert_eq!(overview(&view()), said);
    }
}
