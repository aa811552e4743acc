//! What mouse, pen and fingers do on the canvas: drag, pinch, wheel, hover, click.

use std::time::Duration;

use leptos::ev::{MouseEvent, PointerEvent, WheelEvent};
use leptos::prelude::*;

use super::camera::Pair;
use super::stage::{Hover, Stage};

/// How far a pressed pointer may move before it counts as dragging, in pixels.
const SLACK: f64 = 4.0;
/// How long a click waits for a second one before it opens something, in milliseconds.
const SECOND_CLICK_MS: u64 = 230;
/// The zoom per pixel of wheel; the next constant is for a pinch on a touchpad, which browsers
/// report as a wheel with Ctrl.
const WHEEL: f64 = 0.0015;
const PINCH: f64 = 0.01;
/// The pixels per line, for wheels that scroll by lines.
const LINE: f64 = 16.0;

/// The pointers that are down, at most two, with their positions.
type Down = Vec<(i32, Pair)>;

#[derive(Clone, Copy)]
pub struct Pointer {
    stage: Stage,
    down: StoredValue<Down>,
    /// How far the pointer has moved since it went down.
    travelled: StoredValue<f64>,
    /// Counts clicks, so that the second of two keeps the first from opening something.
    clicks: StoredValue<u32>,
}

impl Pointer {
    pub fn new(stage: Stage) -> Self {
        Self {
            stage,
            down: StoredValue::new(Vec::new()),
            travelled: StoredValue::new(0.0),
            clicks: StoredValue::new(0),
        }
    }

    pub fn wheel(self, event: &WheelEvent) {
        event.prevent_default();
        let pixels = match event.delta_mode() {
            0 => event.delta_y(),
            _ => event.delta_y() * LINE,
        };
        let speed = if event.ctrl_key() { PINCH } else { WHEEL };
        self.stage.zoom((-pixels * speed).exp(), point(event));
    }

    pub fn down(self, event: &PointerEvent) {
        if let Some(canvas) = self.stage.canvas.get_untracked() {
            // Without capture, the pointer is followed only while it stays on the canvas.
            let _ = canvas.set_pointer_capture(event.pointer_id());
        }
        self.travelled.set_value(0.0);
        self.down.update_value(|down| {
            down.retain(|(id, _)| *id != event.pointer_id());
            down.truncate(1);
            down.push((event.pointer_id(), point(event)));
        });
    }

    pub fn up(self, event: &PointerEvent) {
        self.down
            .update_value(|down| down.retain(|(id, _)| *id != event.pointer_id()));
    }

    pub fn moved(self, event: &PointerEvent) {
        let before = self.down.get_value();
        let Some(was) = before.iter().position(|(id, _)| *id == event.pointer_id()) else {
            self.stage.hover.set(self.stage.at(point(event)));
            return;
        };
        let mut after = before.clone();
        if let Some(pointer) = after.get_mut(was) {
            pointer.1 = point(event);
        }
        self.down.set_value(after.clone());
        let (old, new) = (Grip::of(&before), Grip::of(&after));
        let by = (new.middle.0 - old.middle.0, new.middle.1 - old.middle.1);
        self.travelled
            .update_value(|travelled| *travelled += by.0.hypot(by.1));
        if self.travelled.get_value() < SLACK && before.len() < 2 {
            return;
        }
        self.stage.drag(by);
        if before.len() == 2 {
            self.stage.zoom(new.width / old.width, new.middle);
        }
    }

    /// A click chooses and opens; a double click adds the neighbours.
    pub fn click(self, event: &MouseEvent) {
        if self.travelled.get_value() >= SLACK {
            return; // it was a drag
        }
        self.clicks.update_value(|clicks| *clicks += 1);
        let (stage, store) = (self.stage, self.stage.store);
        if event.detail() > 1 {
            if let Some(id) = store.peek(|state| state.graph.chosen) {
                store.act(|state| state.expand_node(id));
            }
            return;
        }
        let number = self.clicks.get_value();
        match stage.at(point(event)) {
            Hover::Nothing => {}
            Hover::Edge(at) => {
                let edge = stage.view().and_then(|view| view.edges.get(at).cloned());
                if let Some(edge) = edge {
                    store.act(|state| state.open_edge(&edge));
                }
            }
            Hover::Node(at) => {
                let Some(id) = stage.id_of(at) else { return };
                store.change(|state| state.choose_node(id));
                let open = move || {
                    if self.clicks.try_get_value() == Some(number) {
                        store.act(|state| state.open_node(id));
                    }
                };
                set_timeout(open, Duration::from_millis(SECOND_CLICK_MS));
            }
        }
    }
}

/// The middle and the spread of one or two pointers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Grip {
    middle: Pair,
    /// The distance between two pointers; 1 for one.
    width: f64,
}

impl Grip {
    fn of(down: &Down) -> Self {
        match down.as_slice() {
            [(_, a), (_, b), ..] => Self {
                middle: ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0),
                width: (a.0 - b.0).hypot(a.1 - b.1).max(1.0),
            },
            [(_, only)] => Self {
                middle: *only,
                width: 1.0,
            },
            [] => Self {
                middle: (0.0, 0.0),
                width: 1.0,
            },
        }
    }
}

fn point(event: &MouseEvent) -> Pair {
    (f64::from(event.offset_x()), f64::from(event.offset_y()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_pointers_are_held_by_their_middle_and_distance() {
        let grip = Grip::of(&vec![(1, (0.0, 0.0)), (2, (30.0, 40.0))]);
        assert_eq!(grip.middle, (15.0, 20.0));
        assert_eq!(grip.width, 50.0);
        assert_eq!(Grip::of(&vec![(1, (7.0, 8.0))]).middle, (7.0, 8.0));
    }
}
