//! Draws a scene. Kinds of nodes differ in both shape and colour, kinds of edges in both line style
//! and colour, so that either is enough to tell them apart.

use super::camera::Pair;
use super::caption;
use super::scene::{Curve, Scene, Spot};
use crate::platform::canvas::Pen;
use crate::worker::protocol::{EdgeKind, EdgeView, GraphView, NodeKind, NodeView};

/// The custom properties that provide the colours, in the order of [`Colours`].
pub const PROPERTIES: [&str; 10] = [
    "--sheet",
    "--ink",
    "--ink-2",
    "--ink-3",
    "--accent",
    "--mark",
    "--mark-rule",
    "--fun",
    "--type",
    "--num",
];

/// The colours of the theme.
pub struct Colours {
    pub sheet: String,
    ink: String,
    ink_2: String,
    ink_3: String,
    accent: String,
    mark: String,
    mark_rule: String,
    fun: String,
    class: String,
    num: String,
}

impl Colours {
    pub fn new(values: [String; 10]) -> Self {
        let [
            sheet,
            ink,
            ink_2,
            ink_3,
            accent,
            mark,
            mark_rule,
            fun,
            class,
            num,
        ] = values;
        Self {
            sheet,
            ink,
            ink_2,
            ink_3,
            accent,
            mark,
            mark_rule,
            fun,
            class,
            num,
        }
    }

    fn of_node(&self, kind: NodeKind) -> &str {
        match kind {
            NodeKind::File => &self.ink_2,
            NodeKind::Class => &self.class,
            NodeKind::Function | NodeKind::Method => &self.fun,
            NodeKind::Library => &self.num,
        }
    }

    fn of_edge(&self, kind: EdgeKind) -> &str {
        match kind {
            EdgeKind::Contains => &self.ink_3,
            EdgeKind::Calls => &self.fun,
            EdgeKind::Imports => &self.num,
            EdgeKind::Inherits => &self.class,
        }
    }
}

/// What to highlight, as positions in the view.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Special {
    pub chosen: Option<usize>,
    /// The node or edge under the pointer.
    pub node: Option<usize>,
    pub edge: Option<usize>,
}

impl Special {
    /// Whether to emphasise an edge.
    fn has(&self, at: usize, edge: &EdgeView) -> bool {
        let centre = self.node.or(self.chosen);
        let touches = |node| node == edge.from as usize || node == edge.to as usize;
        self.edge == Some(at) || self.edge.is_none() && centre.is_some_and(touches)
    }
}

pub fn label_font(is_seed: bool) -> &'static str {
    match is_seed {
        true => "600 12.5px system-ui, sans-serif",
        false => "12.5px system-ui, sans-serif",
    }
}

pub fn paint(pen: &Pen, view: &GraphView, scene: &Scene, special: Special, colours: &Colours) {
    for curve in &scene.curves {
        if let Some(edge) = view.edges.get(curve.edge) {
            let is_special = special.has(curve.edge, edge);
            pen.opacity(if is_special { 1.0 } else { 0.45 });
            paint_edge(pen, edge, curve, is_special, colours);
        }
    }
    pen.opacity(1.0);
    for (at, (node, spot)) in view.nodes.iter().zip(&scene.spots).enumerate() {
        paint_node(pen, node, *spot, colours);
        if special.chosen == Some(at) {
            pen.circle(spot.at, spot.radius + 4.0, None, &colours.accent, 2.0);
        }
    }
    for label in &scene.labels {
        let Some(node) = view.nodes.get(label.node) else {
            continue;
        };
        pen.font(label_font(node.is_seed));
        let colour = match node.is_seed || special.chosen == Some(label.node) {
            true => &colours.ink,
            false => &colours.ink_2,
        };
        pen.text(caption::label(node), label.at, colour, &colours.sheet);
    }
}

fn paint_edge(pen: &Pen, edge: &EdgeView, curve: &Curve, is_special: bool, colours: &Colours) {
    let colour = colours.of_edge(edge.kind);
    let width = if is_special { 2.0 } else { 1.2 };
    let dashes: &[f64] = match (edge.kind, edge.is_certain) {
        (EdgeKind::Contains, _) => &[1.5, 3.0],
        (EdgeKind::Imports, _) => &[6.0, 4.0],
        (EdgeKind::Calls, false) => &[2.0, 4.0],
        _ => &[],
    };
    pen.curve(curve.start, curve.bend, curve.end, colour, width, dashes);
    let head = arrow(curve, if is_special { 8.0 } else { 6.5 });
    match edge.kind {
        EdgeKind::Contains => {}
        EdgeKind::Inherits => pen.polygon(&head, Some(&colours.sheet), colour, 1.2),
        EdgeKind::Calls | EdgeKind::Imports => pen.polygon(&head, Some(colour), colour, 0.5),
    }
}

/// An arrowhead whose tip is at the end of the curve.
fn arrow(curve: &Curve, length: f64) -> [Pair; 3] {
    let before = curve.point(0.92);
    let (dx, dy) = (curve.end.0 - before.0, curve.end.1 - before.1);
    let full = dx.hypot(dy).max(1e-6);
    let (ux, uy) = (dx / full, dy / full);
    let side = |sign: f64| {
        (
            curve.end.0 - length * ux - sign * length * 0.45 * uy,
            curve.end.1 - length * uy + sign * length * 0.45 * ux,
        )
    };
    [curve.end, side(1.0), side(-1.0)]
}

fn paint_node(pen: &Pen, node: &NodeView, spot: Spot, colours: &Colours) {
    let own = colours.of_node(node.kind);
    let (fill, line): (&str, &str) = match (node.is_seed, node.kind) {
        (true, _) => (&colours.mark, &colours.mark_rule),
        // A method is hollow, a function filled.
        (false, NodeKind::Method) => (&colours.sheet, own),
        (false, _) => (own, own),
    };
    let ((x, y), r) = (spot.at, spot.radius);
    match node.kind {
        NodeKind::Function | NodeKind::Method => {
            pen.circle(spot.at, r - 1.0, Some(fill), line, 2.0);
        }
        NodeKind::File => {
            let r = r - 1.5;
            let corners = [
                (x - r, y - r),
                (x + r, y - r),
                (x + r, y + r),
                (x - r, y + r),
            ];
            pen.polygon(&corners, Some(fill), line, 2.0);
        }
        NodeKind::Class => {
            let corners = [(x, y - r), (x + r, y), (x, y + r), (x - r, y)];
            pen.polygon(&corners, Some(fill), line, 2.0);
        }
        NodeKind::Library => {
            let corners = [(x, y - r), (x + r, y + r * 0.8), (x - r, y + r * 0.8)];
            pen.polygon(&corners, Some(fill), line, 2.0);
        }
    }
    if let Some(number) = node.footnotes.first() {
        let number = number.to_string();
        pen.font("700 10.5px system-ui, sans-serif");
        let left = x - pen.width(&number) / 2.0;
        pen.text(&number, (left, y + 0.5), &colours.ink, &colours.mark);
    }
}
