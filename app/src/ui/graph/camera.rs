//! Which part of the graph is visible, and at what zoom. World coordinates are the engine's; screen
//! coordinates are CSS pixels from the corner of the canvas.

/// A point, or a width and a height.
pub type Pair = (f64, f64);

/// The range of useful zooms: below it the graph is a cloud of dots, above it a single node.
const ZOOMS: (f64, f64) = (0.15, 4.0);
/// The largest zoom when fitting a graph: few nodes need not fill the pane.
const FIT_ZOOM: f64 = 1.4;
/// Room for labels around the outermost nodes, in pixels.
const MARGIN: Pair = (104.0, 34.0);

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The world point in the middle of the screen.
    pub middle: Pair,
    pub zoom: f64,
}

impl Camera {
    /// A camera that shows all points on a screen of this size.
    pub fn fit(points: &[Pair], size: Pair) -> Self {
        let bounds = |pick: fn(&Pair) -> f64| {
            let all = points.iter().map(pick);
            let least = all.clone().fold(f64::INFINITY, f64::min);
            (least, all.fold(f64::NEG_INFINITY, f64::max))
        };
        let ((left, right), (top, bottom)) = (bounds(|p| p.0), bounds(|p| p.1));
        if points.is_empty() {
            return Self {
                middle: (0.0, 0.0),
                zoom: 1.0,
            };
        }
        let room = |size: f64, margin: f64| (size - 2.0 * margin).max(size / 3.0);
        let across = room(size.0, MARGIN.0) / (right - left).max(1.0);
        let down = room(size.1, MARGIN.1) / (bottom - top).max(1.0);
        Self {
            middle: ((left + right) / 2.0, (top + bottom) / 2.0),
            zoom: across.min(down).clamp(ZOOMS.0, FIT_ZOOM),
        }
    }

    pub fn to_screen(self, world: Pair, size: Pair) -> Pair {
        (
            (world.0 - self.middle.0) * self.zoom + size.0 / 2.0,
            (world.1 - self.middle.1) * self.zoom + size.1 / 2.0,
        )
    }

    fn to_world(self, screen: Pair, size: Pair) -> Pair {
        (
            (screen.0 - size.0 / 2.0) / self.zoom + self.middle.0,
            (screen.1 - size.1 / 2.0) / self.zoom + self.middle.1,
        )
    }

    /// Zooms by `factor`; what is at `pivot` (screen) stays there.
    pub fn zoomed(self, factor: f64, pivot: Pair, size: Pair) -> Self {
        let zoom = (self.zoom * factor).clamp(ZOOMS.0, ZOOMS.1);
        let held = self.to_world(pivot, size);
        let shift = |held: f64, pivot: f64, size: f64| held - (pivot - size / 2.0) / zoom;
        Self {
            middle: (
                shift(held.0, pivot.0, size.0),
                shift(held.1, pivot.1, size.1),
            ),
            zoom,
        }
    }

    /// Drags the world by this many pixels.
    pub fn dragged(self, by: Pair) -> Self {
        Self {
            middle: (
                self.middle.0 - by.0 / self.zoom,
                self.middle.1 - by.1 / self.zoom,
            ),
            ..self
        }
    }

    /// Moves just far enough to bring a world point well inside the screen.
    pub fn showing(self, world: Pair, size: Pair) -> Self {
        let seen = self.to_screen(world, size);
        let over = |seen: f64, size: f64, margin: f64| {
            let margin = margin.min(size / 3.0);
            (seen - (size - margin)).max(0.0) + (seen - margin).min(0.0)
        };
        let by = (
            over(seen.0, size.0, MARGIN.0),
            over(seen.1, size.1, MARGIN.1),
        );
        self.dragged((-by.0, -by.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Pair = (500.0, 600.0);

    fn near(a: Pair, b: Pair) -> bool {
        (a.0 - b.0).abs() < 1e-6 && (a.1 - b.1).abs() < 1e-6
    }

    #[test]
    fn all_points_are_seen_after_fitting() {
        for points in [
            vec![(0.0, 0.0)],
            vec![(-900.0, 40.0), (700.0, 1_400.0), (0.0, 0.0)],
            vec![(0.0, 0.0), (3.0, 2.0)],
        ] {
            let camera = Camera::fit(&points, SIZE);
            for point in points {
                let (x, y) = camera.to_screen(point, SIZE);
                assert!((0.0..=SIZE.0).contains(&x) && (0.0..=SIZE.1).contains(&y));
            }
        }
        assert_eq!(Camera::fit(&[], SIZE).zoom, 1.0);
    }

    #[test]
    fn zooming_keeps_the_point_under_the_pointer_in_place() {
        let camera = Camera::fit(&[(0.0, 0.0), (300.0, 300.0)], SIZE);
        let pivot = (120.0, 480.0);
        let under = camera.to_world(pivot, SIZE);
        for factor in [1.25, 0.5, 100.0] {
            let zoomed = camera.zoomed(factor, pivot, SIZE);
            assert!(near(zoomed.to_screen(under, SIZE), pivot), "{factor}");
        }
    }

    #[test]
    fn zooming_ends_at_its_limits() {
        let camera = Camera::fit(&[(0.0, 0.0)], SIZE);
        assert_eq!(camera.zoomed(1e9, (0.0, 0.0), SIZE).zoom, ZOOMS.1);
        assert_eq!(camera.zoomed(1e-9, (0.0, 0.0), SIZE).zoom, ZOOMS.0);
    }

    #[test]
    fn dragging_moves_the_world_with_the_pointer() {
        let camera = Camera::fit(&[(0.0, 0.0), (900.0, 900.0)], SIZE);
        let before = camera.to_screen((30.0, 40.0), SIZE);
        let after = camera.dragged((15.0, -7.0)).to_screen((30.0, 40.0), SIZE);
        assert!(near(after, (before.0 + 15.0, before.1 - 7.0)));
    }

    #[test]
    fn a_node_outside_is_brought_in_and_one_inside_moves_nothing() {
        let camera = Camera {
            middle: (0.0, 0.0),
            zoom: 1.0,
        };
        assert_eq!(camera.showing((10.0, 10.0), SIZE), camera);
        let (x, y) = camera
            .showing((5_000.0, -5_000.0), SIZE)
            .to_screen((5_000.0, -5_000.0), SIZE);
        assert!((0.0..SIZE.0).contains(&x) && (0.0..SIZE.1).contains(&y));
    }
}
