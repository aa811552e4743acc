//! The graph laid out on the screen: where nodes, edges and labels are, what is under the pointer,
//! and which node comes next in a direction. Nothing here draws.

use std::collections::BTreeMap;

use super::camera::{Camera, Pair};
use crate::worker::protocol::{EdgeKind, GraphView, NodeView};

/// The radius of a node; the next constant is for nodes that the answer rests on.
const RADIUS: f64 = 6.0;
const SEED_RADIUS: f64 = 9.0;
/// The space between a node and its label.
const GAP: f64 = 4.0;
/// The height of a label.
pub const LABEL_HEIGHT: f64 = 15.0;
/// How far from a node or an edge a pointer may be, in pixels.
const NODE_REACH: f64 = 7.0;
const EDGE_REACH: f64 = 5.0;
/// How far edges between the same two nodes bend apart.
const BEND: f64 = 16.0;

/// A node on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    pub at: Pair,
    pub radius: f64,
}

/// An edge on the screen: a curve from border to border.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// Its position among the view's edges.
    pub edge: usize,
    pub start: Pair,
    pub bend: Pair,
    pub end: Pair,
}

/// A label: the middle of its left side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Label {
    pub node: usize,
    pub at: Pair,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    pub spots: Vec<Spot>,
    pub curves: Vec<Curve>,
    pub labels: Vec<Label>,
}

impl Scene {
    /// `widths` are the widths of the labels; `first` are the nodes whose labels must be shown.
    pub fn new(
        view: &GraphView,
        hidden: &[EdgeKind],
        camera: Camera,
        size: Pair,
        widths: &[f64],
        first: &[usize],
    ) -> Self {
        let spots: Vec<Spot> = view
            .nodes
            .iter()
            .map(|node| Spot {
                at: camera.to_screen(place(node), size),
                radius: radius(node),
            })
            .collect();
        let mut scene = Self {
            curves: curves(view, hidden, &spots),
            spots,
            labels: Vec::new(),
        };
        scene.labels = scene.placed_labels(widths, first, size.0);
        scene
    }

    /// Places labels beside their nodes, those of `first` before the others; a label without room
    /// is left out. A position cut off by the screen's edge is used only if there is no other.
    fn placed_labels(&self, widths: &[f64], first: &[usize], screen: f64) -> Vec<Label> {
        let mut taken: Vec<(Pair, Pair)> = Vec::new();
        let mut labels = Vec::new();
        let rest = (0..self.spots.len()).filter(|at| !first.contains(at));
        for node in first.iter().copied().chain(rest) {
            let (Some(spot), Some(&width)) = (self.spots.get(node), widths.get(node)) else {
                continue;
            };
            let must = first.contains(&node);
            let free = |corner: &Pair| {
                let rect = (*corner, (width, LABEL_HEIGHT));
                let on_label = taken.iter().any(|other| overlap(rect, *other));
                !on_label && (must || !self.covers_other(node, rect))
            };
            let places = label_places(*spot, width);
            let is_whole = |corner: &&Pair| corner.0 >= 0.0 && corner.0 + width <= screen;
            let whole = places.iter().filter(is_whole).find(|corner| free(corner));
            let place = whole
                .or_else(|| places.iter().find(|corner| free(corner)))
                .copied();
            let place = place.or(places.first().copied().filter(|_| must));
            if let Some((x, y)) = place {
                taken.push(((x, y), (width, LABEL_HEIGHT)));
                labels.push(Label {
                    node,
                    at: (x, y + LABEL_HEIGHT / 2.0),
                });
            }
        }
        labels
    }

    fn covers_other(&self, node: usize, rect: (Pair, Pair)) -> bool {
        self.spots.iter().enumerate().any(|(at, spot)| {
            let side = spot.radius * 2.0;
            let corner = (spot.at.0 - spot.radius, spot.at.1 - spot.radius);
            at != node && overlap(rect, (corner, (side, side)))
        })
    }

    /// The node at a point, the nearest if there are several.
    pub fn node_at(&self, point: Pair) -> Option<usize> {
        let near = self.spots.iter().enumerate().filter_map(|(at, spot)| {
            let beside = distance(spot.at, point) - spot.radius;
            (beside < NODE_REACH).then_some((at, beside))
        });
        let best = near.min_by(|a, b| a.1.total_cmp(&b.1));
        best.map(|(at, _)| at)
    }

    /// The edge at a point, as its position among the view's edges.
    pub fn edge_at(&self, point: Pair) -> Option<usize> {
        let near = self
            .curves
            .iter()
            .map(|curve| (curve.edge, curve.distance(point)));
        let best = near
            .filter(|(_, beside)| *beside < EDGE_REACH)
            .min_by(|a, b| a.1.total_cmp(&b.1));
        best.map(|(edge, _)| edge)
    }

    /// The nearest node roughly in a direction, such as `(1.0, 0.0)` for right.
    pub fn next(&self, from: usize, direction: Pair) -> Option<usize> {
        let start = self.spots.get(from)?.at;
        let ahead = self.spots.iter().enumerate().filter_map(|(at, spot)| {
            let (dx, dy) = (spot.at.0 - start.0, spot.at.1 - start.1);
            let along = dx * direction.0 + dy * direction.1;
            let aside = (dx * direction.1 - dy * direction.0).abs();
            (at != from && along > 1.0 && aside <= along * 1.5).then_some((at, along + 2.0 * aside))
        });
        let best = ahead.min_by(|a, b| a.1.total_cmp(&b.1));
        best.map(|(at, _)| at)
    }
}

impl Curve {
    pub fn point(&self, t: f64) -> Pair {
        let (a, b, c) = ((1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t);
        (
            a * self.start.0 + b * self.bend.0 + c * self.end.0,
            a * self.start.1 + b * self.bend.1 + c * self.end.1,
        )
    }

    fn distance(&self, point: Pair) -> f64 {
        const PIECES: u32 = 8;
        let at = |piece: u32| self.point(f64::from(piece) / f64::from(PIECES));
        (0..PIECES)
            .map(|piece| to_segment(point, at(piece), at(piece + 1)))
            .fold(f64::INFINITY, f64::min)
    }
}

/// A node's position in the world.
pub fn place(node: &NodeView) -> Pair {
    (f64::from(node.x), f64::from(node.y))
}

fn radius(node: &NodeView) -> f64 {
    if node.is_seed { SEED_RADIUS } else { RADIUS }
}

/// Where a label of this width can go (its corner), best first: right, left, below, above.
fn label_places(spot: Spot, width: f64) -> [Pair; 4] {
    let (x, y) = spot.at;
    let beside = spot.radius + GAP;
    let half = LABEL_HEIGHT / 2.0;
    [
        (x + beside, y - half),
        (x - beside - width, y - half),
        (x - width / 2.0, y + spot.radius + 1.0),
        (x - width / 2.0, y - spot.radius - 1.0 - LABEL_HEIGHT),
    ]
}

fn curves(view: &GraphView, hidden: &[EdgeKind], spots: &[Spot]) -> Vec<Curve> {
    let shown = || {
        let all = view.edges.iter().enumerate();
        all.filter(|(_, edge)| !hidden.contains(&edge.kind))
    };
    let mut counts: BTreeMap<(u32, u32), (u32, u32)> = BTreeMap::new();
    for (_, edge) in shown() {
        counts.entry(pair(edge.from, edge.to)).or_default().0 += 1;
    }
    let curve = |(at, edge): (usize, &crate::worker::protocol::EdgeView)| {
        let (from, to) = (
            *spots.get(edge.from as usize)?,
            *spots.get(edge.to as usize)?,
        );
        let (count, number) = counts.get_mut(&pair(edge.from, edge.to))?;
        let aside = (f64::from(*number) - (f64::from(*count) - 1.0) / 2.0) * BEND;
        *number += 1;
        // The side must not depend on which end comes first.
        let aside = if edge.from > edge.to { -aside } else { aside };
        bent(at, from, to, aside)
    };
    shown().filter_map(curve).collect()
}

fn pair(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}

/// `None` if the nodes overlap.
fn bent(edge: usize, from: Spot, to: Spot, aside: f64) -> Option<Curve> {
    let (dx, dy) = (to.at.0 - from.at.0, to.at.1 - from.at.1);
    let length = dx.hypot(dy);
    if length <= from.radius + to.radius {
        return None;
    }
    let bend = (
        (from.at.0 + to.at.0) / 2.0 - 2.0 * aside * dy / length,
        (from.at.1 + to.at.1) / 2.0 + 2.0 * aside * dx / length,
    );
    Some(Curve {
        edge,
        start: towards(from, bend, 1.0),
        bend,
        end: towards(to, bend, 3.0),
    })
}

/// The point on a node's border that faces `target`, moved outward by `beyond`.
fn towards(spot: Spot, target: Pair, beyond: f64) -> Pair {
    let (dx, dy) = (target.0 - spot.at.0, target.1 - spot.at.1);
    let share = (spot.radius + beyond) / dx.hypot(dy).max(1.0);
    (spot.at.0 + dx * share, spot.at.1 + dy * share)
}

fn distance(a: Pair, b: Pair) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

fn to_segment(point: Pair, a: Pair, b: Pair) -> f64 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let along = ((point.0 - a.0) * dx + (point.1 - a.1) * dy) / (dx * dx + dy * dy).max(1e-9);
    let along = along.clamp(0.0, 1.0);
    distance(point, (a.0 + along * dx, a.1 + along * dy))
}

/// Whether two rectangles (corner, size) overlap.
fn overlap(a: (Pair, Pair), b: (Pair, Pair)) -> bool {
    let apart = |a: f64, width: f64, b: f64, other: f64| a + width <= b || b + other <= a;
    !(apart(a.0.0, a.1.0, b.0.0, b.1.0) || apart(a.0.1, a.1.1, b.0.1, b.1.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::protocol::{EdgeView, NodeKind};

    const SIZE: Pair = (400.0, 400.0);
    const PLAIN: Camera = Camera {
        middle: (200.0, 200.0),
        zoom: 1.0,
    };

    fn view(places: &[(f32, f32)], edges: &[(u32, u32, EdgeKind)]) -> GraphView {
        let node = |(id, (x, y)): (u32, &(f32, f32))| NodeView {
            id,
            kind: NodeKind::Function,
            name: "f".into(),
            path: "a.py".into(),
            start: 1,
            end: 2,
            x: *x,
            y: *y,
            is_seed: false,
            footnotes: Vec::new(),
            more: 0,
        };
        let edge = |&(from, to, kind): &(u32, u32, EdgeKind)| EdgeView {
            from,
            to,
            kind,
            path: "a.py".into(),
            line: 1,
            count: 1,
            is_certain: true,
        };
        GraphView {
            nodes: (0..).zip(places).map(node).collect(),
            edges: edges.iter().map(edge).collect(),
        }
    }

    fn scene(view: &GraphView, hidden: &[EdgeKind], first: &[usize]) -> Scene {
        let widths = vec![60.0; view.nodes.len()];
        Scene::new(view, hidden, PLAIN, SIZE, &widths, first)
    }

    #[test]
    fn arrow_keys_lead_to_the_nearest_node_in_their_direction() {
        let view = view(
            &[
                (100.0, 100.0),
                (200.0, 110.0),
                (380.0, 100.0),
                (100.0, 300.0),
            ],
            &[],
        );
        let scene = scene(&view, &[], &[]);
        for (from, direction, next) in [
            (0, (1.0, 0.0), Some(1)),
            (1, (1.0, 0.0), Some(2)),
            (0, (0.0, 1.0), Some(3)),
            (2, (-1.0, 0.0), Some(1)),
            (0, (-1.0, 0.0), None),
            (3, (0.0, -1.0), Some(0)),
        ] {
            assert_eq!(scene.next(from, direction), next, "{from} {direction:?}");
        }
    }

    #[test]
    fn labels_never_lie_on_each_other_and_the_important_ones_are_seen() {
        // A crowd: there is room for few labels.
        let places: Vec<(f32, f32)> = (0..40)
            .map(|at| {
                (
                    150.0 + (at % 8) as f32 * 14.0,
                    150.0 + (at / 8) as f32 * 14.0,
                )
            })
            .collect();
        let view = view(&places, &[]);
        let scene = scene(&view, &[], &[17]);
        assert!(scene.labels.iter().any(|label| label.node == 17));
        assert!(scene.labels.len() < 40);
        for (at, a) in scene.labels.iter().enumerate() {
            for b in &scene.labels[at + 1..] {
                let rect = |label: &Label| (label.at, (60.0, LABEL_HEIGHT));
                assert!(!overlap(rect(a), rect(b)), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn a_label_goes_to_the_other_side_where_the_screen_would_cut_it() {
        let view = view(&[(390.0, 100.0), (20.0, 100.0)], &[]);
        for label in scene(&view, &[], &[]).labels {
            assert!(
                label.at.0 >= 0.0 && label.at.0 + 60.0 <= SIZE.0,
                "{label:?}"
            );
        }
    }

    #[test]
    fn edges_of_hidden_kinds_are_not_there() {
        let view = view(
            &[(100.0, 100.0), (300.0, 100.0)],
            &[(0, 1, EdgeKind::Calls), (0, 1, EdgeKind::Imports)],
        );
        assert_eq!(scene(&view, &[], &[]).curves.len(), 2);
        let shown = scene(&view, &[EdgeKind::Calls], &[]).curves;
        assert_eq!(shown.len(), 1);
        assert_eq!(shown[0].edge, 1);
    }

    #[test]
    fn edges_between_the_same_nodes_part_from_each_other() {
        let both_ways = [
            [(0, 1, EdgeKind::Calls), (0, 1, EdgeKind::Imports)],
            [(0, 1, EdgeKind::Calls), (1, 0, EdgeKind::Calls)],
        ];
        for edges in both_ways {
            let view = view(&[(100.0, 100.0), (300.0, 100.0)], &edges);
            let curves = scene(&view, &[], &[]).curves;
            let apart = distance(curves[0].point(0.5), curves[1].point(0.5));
            assert!(apart > 10.0, "{apart}");
        }
    }

    #[test]
    fn the_pointer_finds_nodes_before_edges() {
        let view = view(
            &[(100.0, 100.0), (300.0, 100.0)],
            &[(0, 1, EdgeKind::Calls)],
        );
        let scene = scene(&view, &[], &[]);
        assert_eq!(scene.node_at((104.0, 96.0)), Some(0));
        assert_eq!(scene.node_at((200.0, 100.0)), None);
        assert_eq!(scene.edge_at((200.0, 103.0)), Some(0));
        assert_eq!(scene.edge_at((200.0, 140.0)), None);
    }

    #[test]
    fn nodes_on_one_another_have_no_edge_to_draw() {
        let view = view(
            &[(100.0, 100.0), (100.0, 100.0)],
            &[(0, 1, EdgeKind::Calls)],
        );
        assert!(scene(&view, &[], &[]).curves.is_empty());
    }
}
