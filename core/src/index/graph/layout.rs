//! Computes where the nodes of a small graph are drawn: stress majorization (Gansner, Koren and
//! North, Graph Drawing by Stress Majorization, 2004, section 2.3), then overlapping boxes are
//! pushed apart.
//!
//! No published crate fits: force-directed ones start at random or need a game's mathematics,
//! layered ones draw a call graph with cycles far too wide for a pane. Nothing is random here: the
//! same graph is always drawn the same.

/// A position, in pixels at zoom 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Distance to the right.
    pub x: f32,
    /// Distance downwards.
    pub y: f32,
}

/// A connection that pulls its ends to `length` times the usual distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pull {
    /// One end, as an index into the list of nodes.
    pub a: usize,
    /// The other end.
    pub b: usize,
    /// Length in usual distances.
    pub length: f32,
}

/// The usual distance of two connected nodes.
const LENGTH: f32 = 90.0;
/// Additional distance between the ends of a connection, for each neighbour that they must make
/// room for.
const ROOM: f32 = 9.0;
/// Number of majorization rounds; the stress hardly changes after fewer.
const ROUNDS: usize = 120;
/// Number of rounds of pushing boxes apart.
const PUSHES: usize = 240;
/// The golden angle, in radians: a spiral with it spreads points evenly.
const GOLDEN: f32 = 2.399_963;

/// Returns positions for nodes with these boxes (width, height). `placed` nodes stay where they
/// are. Takes cubic time in the number of nodes: meant for graphs that people can read, not for
/// large ones.
pub fn layout(boxes: &[(f32, f32)], pulls: &[Pull], placed: &[Option<Point>]) -> Vec<Point> {
    let distances = distances(boxes.len(), pulls);
    let fixed: Vec<bool> = (0..boxes.len()).map(|at| is_placed(placed, at)).collect();
    let mut points = first_points(boxes.len(), pulls, placed);
    for _ in 0..ROUNDS {
        majorize(&mut points, &distances, &fixed);
    }
    if !fixed.contains(&true) {
        stand_up(&mut points);
    }
    for _ in 0..PUSHES {
        if !push_apart(&mut points, boxes, &fixed) {
            break;
        }
    }
    points
}

fn is_placed(placed: &[Option<Point>], at: usize) -> bool {
    placed.get(at).is_some_and(Option::is_some)
}

/// Places points on a spiral from the middle; nodes connected to placed ones start near them.
fn first_points(n: usize, pulls: &[Pull], placed: &[Option<Point>]) -> Vec<Point> {
    let place = |at: usize| placed.get(at).copied().flatten();
    let spiral = |at: usize| {
        let (radius, angle) = (LENGTH * (at as f32).sqrt(), GOLDEN * at as f32);
        (radius * angle.cos(), radius * angle.sin())
    };
    let start = |at: usize| {
        if let Some(point) = place(at) {
            return point;
        }
        let beside = pulls.iter().find_map(|pull| match () {
            () if pull.a == at => place(pull.b),
            () if pull.b == at => place(pull.a),
            () => None,
        });
        let (dx, dy) = spiral(at);
        match beside {
            Some(point) => Point {
                x: point.x + dx / 4.0,
                y: point.y + dy / 4.0,
            },
            None => Point { x: dx, y: dy },
        }
    };
    (0..n).map(start).collect()
}

/// Returns the lengths of shortest paths (Floyd and Warshall). Nodes without a connection are kept
/// a little further apart than half of the longest path.
fn distances(n: usize, pulls: &[Pull]) -> Vec<Vec<f32>> {
    let mut degrees = vec![0.0_f32; n];
    for end in pulls.iter().flat_map(|pull| [pull.a, pull.b]) {
        if let Some(degree) = degrees.get_mut(end) {
            *degree += 1.0;
        }
    }
    let mut rows = vec![vec![f32::INFINITY; n]; n];
    let degree = |at: usize| degrees.get(at).copied().unwrap_or(0.0);
    for pull in pulls {
        let room = ROOM * (degree(pull.a) + degree(pull.b)).max(2.0).sqrt();
        let length = pull.length * LENGTH + room;
        for (from, to) in [(pull.a, pull.b), (pull.b, pull.a)] {
            if let Some(cell) = rows.get_mut(from).and_then(|row| row.get_mut(to)) {
                *cell = cell.min(length);
            }
        }
    }
    for middle in 0..n {
        let via = rows.get(middle).cloned().unwrap_or_default();
        for row in &mut rows {
            let to_middle = row.get(middle).copied().unwrap_or(f32::INFINITY);
            for (cell, onward) in row.iter_mut().zip(&via) {
                *cell = cell.min(to_middle + onward);
            }
        }
    }
    let finite = rows.iter().flatten().filter(|length| length.is_finite());
    let apart = finite.fold(LENGTH, |longest, length| longest.max(*length)) * 0.5 + LENGTH;
    for cell in rows.iter_mut().flatten() {
        if !cell.is_finite() {
            *cell = apart;
        }
    }
    rows
}

/// One round: each free node moves to where the others, weighted by distance⁻², pull it.
fn majorize(points: &mut [Point], distances: &[Vec<f32>], fixed: &[bool]) {
    for (at, row) in distances.iter().enumerate() {
        let Some(&here) = points.get(at) else {
            continue;
        };
        if fixed.get(at).copied().unwrap_or(false) {
            continue;
        }
        let (mut x, mut y, mut sum) = (0.0, 0.0, 0.0);
        for (other, (there, distance)) in points.iter().zip(row).enumerate() {
            if other == at {
                continue;
            }
            let weight = distance.powi(-2);
            let (dx, dy) = (here.x - there.x, here.y - there.y);
            let scale = distance / dx.hypot(dy).max(1.0);
            x += weight * (there.x + scale * dx);
            y += weight * (there.y + scale * dy);
            sum += weight;
        }
        if sum > 0.0
            && let Some(point) = points.get_mut(at)
        {
            *point = Point {
                x: x / sum,
                y: y / sum,
            };
        }
    }
}

/// Turns a wide layout upright: panes are taller than wide, and labels need the width.
fn stand_up(points: &mut [Point]) {
    let extent = |pick: fn(&Point) -> f32| {
        let all = points.iter().map(pick);
        all.clone().fold(f32::NEG_INFINITY, f32::max) - all.fold(f32::INFINITY, f32::min)
    };
    if extent(|point| point.x) > extent(|point| point.y) {
        for point in points {
            (point.x, point.y) = (point.y, point.x);
        }
    }
}

/// Moves overlapping boxes apart along the shorter axis; returns whether any overlapped.
fn push_apart(points: &mut [Point], boxes: &[(f32, f32)], fixed: &[bool]) -> bool {
    let mut moved = false;
    for a in 0..points.len() {
        for b in a + 1..points.len() {
            let Some((dx, dy)) = overlap(points, boxes, a, b) else {
                continue;
            };
            moved = true;
            let is_fixed = |at: usize| fixed.get(at).copied().unwrap_or(false);
            let (to_a, to_b) = match (is_fixed(a), is_fixed(b)) {
                (false, false) => (0.5, 0.5),
                (true, false) => (0.0, 1.0),
                (false, true) => (1.0, 0.0),
                (true, true) => continue,
            };
            if let Some(point) = points.get_mut(a) {
                point.x -= dx * to_a;
                point.y -= dy * to_a;
            }
            if let Some(point) = points.get_mut(b) {
                point.x += dx * to_b;
                point.y += dy * to_b;
            }
        }
    }
    moved
}

/// Returns how `b` must move to clear `a`.
fn overlap(points: &[Point], boxes: &[(f32, f32)], a: usize, b: usize) -> Option<(f32, f32)> {
    let (first, second) = (points.get(a)?, points.get(b)?);
    let (first_box, second_box) = (boxes.get(a)?, boxes.get(b)?);
    let (dx, dy) = (second.x - first.x, second.y - first.y);
    let x = (first_box.0 + second_box.0) / 2.0 - dx.abs();
    let y = (first_box.1 + second_box.1) / 2.0 - dy.abs();
    if x <= 0.0 || y <= 0.0 {
        return None;
    }
    let sign = |length: f32| if length < 0.0 { -1.0 } else { 1.0 };
    Some(if x < y {
        (x * sign(dx), 0.0)
    } else {
        (0.0, y * sign(dy))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pulls(edges: &[(usize, usize)]) -> Vec<Pull> {
        let pull = |&(a, b)| Pull { a, b, length: 1.0 };
        edges.iter().map(pull).collect()
    }

    fn star(leaves: usize) -> Vec<Pull> {
        let edges: Vec<_> = (1..=leaves).map(|leaf| (0, leaf)).collect();
        pulls(&edges)
    }

    fn distance(a: Point, b: Point) -> f32 {
        (a.x - b.x).hypot(a.y - b.y)
    }

    #[test]
    fn no_two_boxes_overlap() {
        let shapes = [
            ("a star", 31, star(30)),
            (
                "a chain",
                20,
                pulls(&(0..19).map(|at| (at, at + 1)).collect::<Vec<_>>()),
            ),
            ("no edges", 40, Vec::new()),
        ];
        for (name, n, pulls) in shapes {
            let boxes = vec![(80.0, 24.0); n];
            let points = layout(&boxes, &pulls, &[]);
            assert_eq!(points.len(), n);
            for a in 0..n {
                for b in a + 1..n {
                    let over = overlap(&points, &boxes, a, b);
                    let over = over.map_or(0.0, |(x, y)| x.abs().max(y.abs()));
                    assert!(over < 1.0, "{name}: {a} and {b} overlap by {over}");
                }
            }
        }
    }

    #[test]
    fn connected_nodes_are_nearer_than_others() {
        // Two triangles, joined by one edge.
        let edges = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (2, 3)];
        let points = layout(&[(10.0, 10.0); 6], &pulls(&edges), &[]);
        let near = distance(points[0], points[1]);
        let far = distance(points[0], points[5]);
        assert!(near * 1.5 < far, "{near} and {far}");
    }

    #[test]
    fn the_same_graph_is_drawn_the_same_each_time() {
        let boxes = [(60.0, 20.0); 12];
        assert_eq!(
            layout(&boxes, &star(11), &[]),
            layout(&boxes, &star(11), &[])
        );
    }

    #[test]
    fn placed_nodes_stay_and_new_ones_come_beside_them() {
        let placed = [
            Some(Point { x: 300.0, y: -50.0 }),
            Some(Point { x: 420.0, y: -50.0 }),
            None,
        ];
        let points = layout(&[(60.0, 20.0); 3], &pulls(&[(0, 1), (1, 2)]), &placed);
        assert_eq!(Some(points[0]), placed[0]);
        assert_eq!(Some(points[1]), placed[1]);
        let beside = distance(points[1], points[2]);
        assert!((40.0..300.0).contains(&beside), "{beside}");
    }

    #[test]
    fn edges_to_nodes_that_do_not_exist_do_not_stop_the_layout() {
        let points = layout(&[(9.0, 9.0); 2], &pulls(&[(0, 7), (1, 1)]), &[]);
        assert!(
            points
                .iter()
                .all(|point| point.x.is_finite() && point.y.is_finite())
        );
        assert!(layout(&[], &[], &[]).is_empty());
    }
}
