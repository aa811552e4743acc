//! The graph tab: what the graph is drawn around, the graph itself, and what the user does with it.

use super::{Effect, Mark, Purpose, Shared, State, Tab};
use crate::worker::protocol::{
    EdgeKind, EdgeView, GraphEvent, GraphRequest, GraphView, NodeView, PlacedView, SeedView, place,
};

/// The most places of an answer that the graph is drawn around; footnotes come first.
const MAX_SEEDS: usize = 12;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    pub view: Option<Shared<GraphView>>,
    /// Counts up with each new graph that is not an expansion of the last one, and so has to be
    /// fitted into view.
    pub round: u32,
    /// The id of the node that the keyboard is on.
    pub chosen: Option<u32>,
    pub hidden: Vec<EdgeKind>,
    /// Whether the opened file is shown below the graph.
    pub is_reading: bool,
    seeds: Vec<SeedView>,
    expanded: Vec<u32>,
}

impl Graph {
    pub fn is_shown(&self, kind: EdgeKind) -> bool {
        !self.hidden.contains(&kind)
    }

    /// Whether there is anything to draw a graph around.
    pub fn is_asked(&self) -> bool {
        !self.seeds.is_empty()
    }

    /// The position of the chosen node in the view.
    pub fn chosen_at(&self) -> Option<usize> {
        let id = self.chosen?;
        let nodes = &self.view.as_ref()?.nodes;
        nodes.iter().position(|node| node.id == id)
    }

    fn node(&self, id: u32) -> Option<&NodeView> {
        let nodes = &self.view.as_ref()?.nodes;
        nodes.iter().find(|node| node.id == id)
    }

    fn request(&self, placed: Vec<PlacedView>) -> Vec<Effect> {
        let request = GraphRequest::Around {
            seeds: self.seeds.clone(),
            expanded: self.expanded.clone(),
            placed,
        };
        vec![Effect::send(Purpose::Graph, request)]
    }

    /// Takes a graph that has arrived.
    pub fn loaded(&mut self, view: GraphView) {
        let first = view.nodes.first().map(|node| node.id);
        let stays = |id: &u32| view.nodes.iter().any(|node| node.id == *id);
        let chosen = self.chosen.filter(stays);
        if self.expanded.is_empty() {
            self.round += 1;
        }
        self.chosen = chosen.or(first);
        self.view = Some(Shared::new(view));
    }
}

impl State {
    pub(super) fn graph_event(&mut self, purpose: Purpose, event: GraphEvent) {
        match (purpose, event) {
            (Purpose::Graph, GraphEvent::Around(view)) => self.graph.loaded(view),
            (Purpose::Uses, GraphEvent::Uses(uses)) => self.uses = Some(Shared::new(uses)),
            // Out of date: another graph or file has been asked for since.
            _ => {}
        }
    }

    /// Requests the graph of the current answer, if the tab is shown and holds another one.
    pub(super) fn refresh_graph(&mut self) -> Vec<Effect> {
        if self.reader.tab != Tab::Graph || self.summary().is_none() {
            return Vec::new();
        }
        let seeds = self.graph_seeds();
        if seeds == self.graph.seeds {
            return Vec::new();
        }
        self.graph.seeds = seeds;
        if !self.graph.is_asked() {
            self.graph.view = None;
            return Vec::new();
        }
        self.graph.expanded.clear();
        self.graph.is_reading = false;
        self.graph.request(Vec::new())
    }

    /// The places that the current answer cites, then its other evidence; the open file if there
    /// are none.
    fn graph_seeds(&self) -> Vec<SeedView> {
        let answer = self.conversation.current().and_then(|turn| turn.answer());
        let notes = answer.iter().flat_map(|answer| &answer.footnotes);
        let notes = notes.map(|note| SeedView {
            path: note.path.clone(),
            start: note.start,
            end: note.end,
            footnote: Some(note.number),
        });
        let evidence = answer.iter().flat_map(|answer| &answer.evidence);
        let evidence = evidence.map(|found| SeedView {
            path: found.path.clone(),
            start: found.start,
            end: found.end,
            footnote: None,
        });
        let seeds: Vec<SeedView> = notes.chain(evidence).take(MAX_SEEDS).collect();
        if !seeds.is_empty() || self.reader.path.is_empty() {
            return seeds;
        }
        vec![SeedView {
            path: self.reader.path.clone(),
            start: 0,
            end: 0,
            footnote: None,
        }]
    }

    /// Shows or hides the edges of a kind.
    pub fn switch_edges(&mut self, kind: EdgeKind) {
        if self.graph.is_shown(kind) {
            self.graph.hidden.push(kind);
        } else {
            self.graph.hidden.retain(|hidden| *hidden != kind);
        }
    }

    pub fn choose_node(&mut self, id: u32) {
        self.graph.chosen = Some(id);
    }

    /// Adds the neighbours of a node; nodes already drawn stay in place.
    pub fn expand_node(&mut self, id: u32) -> Vec<Effect> {
        let has_more = self.graph.node(id).is_some_and(|node| node.more > 0);
        let Some(view) = self.graph.view.clone().filter(|_| has_more) else {
            return Vec::new();
        };
        self.graph.expanded.push(id);
        let nodes = view.nodes.iter();
        let placed = nodes.map(|node| PlacedView {
            id: node.id,
            x: node.x,
            y: node.y,
        });
        self.graph.request(placed.collect())
    }

    /// Shows the definition or file of a node below the graph. Libraries have none.
    pub fn open_node(&mut self, id: u32) -> Vec<Effect> {
        self.graph.chosen = Some(id);
        let Some(node) = self.graph.node(id).filter(|node| !node.path.is_empty()) else {
            return Vec::new();
        };
        let (start, end) = (node.start, node.end);
        let mark = (start > 0).then_some(Mark { start, end });
        let path = node.path.clone();
        self.open_below_graph(&path, mark)
    }

    /// Shows the line that proves an edge, below the graph.
    pub fn open_edge(&mut self, edge: &EdgeView) -> Vec<Effect> {
        let (start, end) = (edge.line, edge.line);
        self.open_below_graph(&edge.path, Some(Mark { start, end }))
    }

    fn open_below_graph(&mut self, path: &str, mark: Option<Mark>) -> Vec<Effect> {
        let effects = self.open_file(path, mark);
        self.reader.tab = Tab::Graph;
        self.graph.is_reading = true;
        effects
    }
}

/// The verb for an edge, without the names at its ends.
pub fn verb(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Contains => "contains",
        EdgeKind::Calls => "calls",
        EdgeKind::Imports => "imports",
        EdgeKind::Inherits => "inherits from",
    }
}

/// The edge as a sentence: `Session.send calls rebuild_auth`, with a “may” where that is not
/// certain.
pub fn sentence(view: &GraphView, edge: &EdgeView) -> String {
    let name = |at: u32| view.nodes.get(at as usize).map_or("", |node| &node.name);
    let said = match (edge.kind, edge.is_certain) {
        (EdgeKind::Calls, false) => "may call",
        (kind, _) => verb(kind),
    };
    format!("{} {said} {}", name(edge.from), name(edge.to))
}

/// Where an edge is proven: `sessions.py:703`, and how many further lines prove it.
pub fn proof(edge: &EdgeView) -> String {
    let place = place(&edge.path, edge.line, edge.line);
    match edge.count {
        0 | 1 => place,
        count => format!("{place} and {} more", count - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Page, is_ask};
    use super::*;
    use crate::state::conversation::tests::answer;
    use crate::worker::protocol::{NodeKind, Request};

    fn is_graph(request: &Request) -> bool {
        matches!(request, Request::Graph(GraphRequest::Around { .. }))
    }

    fn node(id: u32, path: &str, start: u32) -> NodeView {
        NodeView {
            id,
            kind: NodeKind::Function,
            name: format!("f{id}"),
            path: path.into(),
            start,
            end: start + 5,
            x: id as f32,
            y: 0.0,
            is_seed: false,
            footnotes: Vec::new(),
            more: 2,
        }
    }

    fn edge(kind: EdgeKind, is_certain: bool) -> EdgeView {
        EdgeView {
            from: 0,
            to: 1,
            kind,
            path: "a.py".into(),
            line: 7,
            count: 3,
            is_certain,
        }
    }

    fn view(ids: &[u32]) -> GraphView {
        GraphView {
            nodes: ids.iter().map(|id| node(*id, "a.py", 10 * id)).collect(),
            edges: vec![edge(EdgeKind::Calls, true)],
        }
    }

    /// A page with an answer about `a.py` and its graph shown.
    fn shown() -> Page {
        let mut page = Page::new();
        page.ready("r");
        let job = page.ask("q");
        page.event(job, answer("q", true, &["a.py", "b.py"]));
        let effects = page.state.show_tab(Tab::Graph);
        page.run(effects);
        let job = page.last(is_graph);
        page.event(job, GraphEvent::Around(view(&[1, 2])));
        page
    }

    #[test]
    fn the_graph_is_asked_for_when_it_is_shown_and_not_again() {
        let mut page = shown();
        assert_eq!(page.requests(is_graph), 1);
        let effects = page.state.show_tab(Tab::Source);
        page.run(effects);
        let effects = page.state.show_tab(Tab::Graph);
        page.run(effects);
        assert_eq!(page.requests(is_graph), 1);
    }

    #[test]
    fn the_graph_follows_the_answer_while_it_is_shown() {
        let mut page = shown();
        let job = page.ask("another");
        assert_eq!(page.requests(is_ask), 2);
        page.more(job, answer("another", false, &["c.py"]));
        assert_eq!(page.state.reader.tab, Tab::Graph);
        assert_eq!(page.requests(is_graph), 2);
        // The answer by meaning cites the same places: nothing to draw again.
        page.event(job, answer("another", true, &["c.py"]));
        assert_eq!(page.requests(is_graph), 2);
    }

    #[test]
    fn footnotes_are_drawn_around_with_their_numbers() {
        let page = shown();
        let sent = page
            .sent
            .iter()
            .rev()
            .find(|(_, request)| is_graph(request));
        let Some((_, Request::Graph(GraphRequest::Around { seeds, .. }))) = sent else {
            panic!("no graph was asked for")
        };
        let seeds: Vec<_> = seeds
            .iter()
            .map(|seed| (seed.path.as_str(), seed.start, seed.footnote))
            .collect();
        assert_eq!(seeds, [("a.py", 10, Some(1)), ("b.py", 20, Some(2))]);
    }

    #[test]
    fn opening_a_node_keeps_the_graph_and_marks_its_lines() {
        let mut page = shown();
        let effects = page.state.open_node(2);
        page.run(effects);
        assert_eq!(page.state.reader.tab, Tab::Graph);
        assert!(page.state.graph.is_reading);
        assert_eq!(page.state.reader.mark, Some(Mark { start: 20, end: 25 }));
    }

    #[test]
    fn opening_an_edge_marks_the_line_that_proves_it() {
        let mut page = shown();
        let effects = page.state.open_edge(&edge(EdgeKind::Calls, true));
        page.run(effects);
        assert_eq!(page.state.reader.mark, Some(Mark { start: 7, end: 7 }));
    }

    #[test]
    fn expanding_keeps_the_round_and_the_choice() {
        let mut page = shown();
        let round = page.state.graph.round;
        page.state.choose_node(2);
        let effects = page.state.expand_node(2);
        page.run(effects);
        let job = page.last(is_graph);
        page.event(job, GraphEvent::Around(view(&[1, 2, 3])));
        assert_eq!(page.state.graph.round, round);
        assert_eq!(page.state.graph.chosen_at(), Some(1));
        assert!(page.state.expand_node(99).is_empty());
    }

    #[test]
    fn without_answer_and_file_nothing_is_asked_for() {
        let mut page = Page::new();
        page.ready("r");
        let effects = page.state.show_tab(Tab::Graph);
        page.run(effects);
        assert_eq!(page.requests(is_graph), 0);
        assert!(!page.state.graph.is_asked());
    }

    #[test]
    fn edges_are_switched_off_and_on_by_kind() {
        let mut state = State::default();
        state.switch_edges(EdgeKind::Calls);
        assert!(!state.graph.is_shown(EdgeKind::Calls));
        assert!(state.graph.is_shown(EdgeKind::Imports));
        state.switch_edges(EdgeKind::Calls);
        assert!(state.graph.is_shown(EdgeKind::Calls));
    }

    #[test]
    fn edges_are_described_in_a_sentence_with_the_place_that_proves_them() {
        let view = view(&[1, 2]);
        for (kind, is_certain, said) in [
            (EdgeKind::Calls, true, "f1 calls f2"),
            (EdgeKind::Calls, false, "f1 may call f2"),
            (EdgeKind::Inherits, true, "f1 inherits from f2"),
        ] {
            assert_eq!(sentence(&view, &edge(kind, is_certain)), said);
        }
        assert_eq!(proof(&edge(EdgeKind::Calls, true)), "a.py:7 and 2 more");
    }
}
