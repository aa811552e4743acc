//! The canvas of the graph: what it shows, when it is drawn, and what pointer and keys do to it.

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;

use super::camera::{Camera, Pair};
use super::caption;
use super::paint::{Colours, PROPERTIES, Special, label_font, paint};
use super::pointer;
use super::scene::{Scene, place};
use crate::platform::canvas::{Pen, properties};
use crate::platform::theme;
use crate::state::{Shared, Store};
use crate::ui::desk;
use crate::worker::protocol::GraphView;

/// The zoom factor of one key press or button.
const ZOOM_STEP: f64 = 1.3;
/// How far Shift and an arrow key move the view, in pixels.
const PAN_STEP: f64 = 60.0;

/// What is under the pointer, as positions in the view.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Hover {
    #[default]
    Nothing,
    Node(usize),
    Edge(usize),
}

/// The camera, and the round of the graph that it was aimed at. It outlives the tab.
pub type Sight = StoredValue<Option<(u32, Camera)>>;

/// What the parts of the graph tab share. Copying it copies references.
#[derive(Clone, Copy)]
pub struct Stage {
    pub store: Store,
    pub canvas: NodeRef<html::Canvas>,
    pub hover: RwSignal<Hover>,
    sight: Sight,
    /// The scene as last drawn.
    scene: StoredValue<Scene>,
    is_scheduled: StoredValue<bool>,
    /// Whether the next frame brings the chosen node into view.
    is_revealing: StoredValue<bool>,
}

impl Stage {
    pub fn new() -> Self {
        let desk = desk();
        Self {
            store: desk.store,
            canvas: NodeRef::new(),
            hover: RwSignal::new(Hover::Nothing),
            sight: desk.sight,
            scene: StoredValue::new(Scene::default()),
            is_scheduled: StoredValue::new(false),
            is_revealing: StoredValue::new(false),
        }
    }

    /// Draws before the browser's next frame, once for all changes until then.
    pub fn schedule(self) {
        if self.is_scheduled.get_value() {
            return;
        }
        self.is_scheduled.set_value(true);
        request_animation_frame(move || {
            // The tab may have been closed since.
            if self.is_scheduled.try_set_value(false).is_none() {
                self.draw();
            }
        });
    }

    /// Like [`Stage::schedule`], with the chosen node brought into view.
    pub fn reveal(self) {
        self.is_revealing.set_value(true);
        self.schedule();
    }

    fn draw(self) {
        let Some(canvas) = self.canvas.get_untracked() else {
            return;
        };
        let Some(pen) = Pen::begin(&canvas) else {
            return;
        };
        let graph = self.store.peek(|state| state.graph.clone());
        let (Some(view), Some(colours)) = (&graph.view, properties(&canvas, PROPERTIES)) else {
            return;
        };
        let chosen = graph.chosen_at();
        let camera = self.aimed(view, graph.round, chosen, pen.size);
        let special = self.special(chosen);
        let widths: Vec<f64> = view
            .nodes
            .iter()
            .map(|node| {
                pen.font(label_font(node.is_seed));
                pen.width(caption::label(node))
            })
            .collect();
        let first: Vec<usize> = special.node.into_iter().chain(chosen).collect();
        let scene = Scene::new(view, &graph.hidden, camera, pen.size, &widths, &first);
        paint(&pen, view, &scene, special, &Colours::new(colours));
        self.scene.set_value(scene);
    }

    /// The camera for this frame: unchanged, or fitted to a graph that is new.
    fn aimed(self, view: &GraphView, round: u32, chosen: Option<usize>, size: Pair) -> Camera {
        let known = self.sight.get_value().filter(|(of, _)| *of == round);
        let mut camera = match known {
            Some((_, camera)) => camera,
            None => {
                let places: Vec<Pair> = view.nodes.iter().map(place).collect();
                Camera::fit(&places, size)
            }
        };
        if self.is_revealing.get_value()
            && let Some(node) = chosen.and_then(|at| view.nodes.get(at))
        {
            camera = camera.showing(place(node), size);
        }
        self.is_revealing.set_value(false);
        self.sight.set_value(Some((round, camera)));
        camera
    }

    fn special(self, chosen: Option<usize>) -> Special {
        let hover = self.hover.get_untracked();
        Special {
            chosen,
            node: match hover {
                Hover::Node(at) => Some(at),
                _ => None,
            },
            edge: match hover {
                Hover::Edge(at) => Some(at),
                _ => None,
            },
        }
    }

    fn size(self) -> Pair {
        let canvas = self.canvas.get_untracked();
        canvas.map_or((1.0, 1.0), |canvas| {
            (
                f64::from(canvas.client_width()),
                f64::from(canvas.client_height()),
            )
        })
    }

    fn aim(self, change: impl FnOnce(Camera, Pair) -> Camera) {
        let size = self.size();
        self.sight.update_value(|sight| {
            if let Some((_, camera)) = sight {
                *camera = change(*camera, size);
            }
        });
        self.schedule();
    }

    pub fn drag(self, by: Pair) {
        self.aim(|camera, _| camera.dragged(by));
    }

    pub fn zoom(self, factor: f64, pivot: Pair) {
        self.aim(|camera, size| camera.zoomed(factor, pivot, size));
    }

    /// Zooms in about the middle by one step.
    pub fn zoom_in(self) {
        let (width, height) = self.size();
        self.zoom(ZOOM_STEP, (width / 2.0, height / 2.0));
    }

    pub fn zoom_out(self) {
        let (width, height) = self.size();
        self.zoom(1.0 / ZOOM_STEP, (width / 2.0, height / 2.0));
    }

    pub fn fit(self) {
        self.sight.set_value(None);
        self.schedule();
    }

    pub fn view(self) -> Option<Shared<GraphView>> {
        self.store.peek(|state| state.graph.view.clone())
    }

    /// What was drawn at a point.
    pub fn at(self, point: Pair) -> Hover {
        self.scene.with_value(|scene| {
            let node = scene.node_at(point).map(Hover::Node);
            let edge = || scene.edge_at(point).map(Hover::Edge);
            node.or_else(edge).unwrap_or_default()
        })
    }

    pub fn id_of(self, at: usize) -> Option<u32> {
        Some(self.view()?.nodes.get(at)?.id)
    }

    /// Moves the choice to the next node in a direction.
    fn step(self, direction: Pair) {
        let chosen = self.store.peek(|state| state.graph.chosen_at());
        let next = chosen.and_then(|at| self.scene.with_value(|scene| scene.next(at, direction)));
        if let Some(id) = next.and_then(|at| self.id_of(at)) {
            self.store.change(|state| state.choose_node(id));
            self.reveal();
        }
    }

    fn on_key(self, event: &KeyboardEvent) {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        let key = event.key();
        let direction = match key.as_str() {
            "ArrowLeft" => Some((-1.0, 0.0)),
            "ArrowRight" => Some((1.0, 0.0)),
            "ArrowUp" => Some((0.0, -1.0)),
            "ArrowDown" => Some((0.0, 1.0)),
            _ => None,
        };
        let chosen = self.store.peek(|state| state.graph.chosen);
        match (direction, key.as_str(), chosen) {
            (Some((x, y)), _, _) if event.shift_key() => {
                self.drag((-x * PAN_STEP, -y * PAN_STEP));
            }
            (Some(direction), _, _) => self.step(direction),
            (_, "Enter" | " ", Some(id)) => self.store.act(|state| state.open_node(id)),
            (_, "e" | "E", Some(id)) => self.store.act(|state| state.expand_node(id)),
            (_, "+" | "=", _) => self.zoom_in(),
            (_, "-", _) => self.zoom_out(),
            (_, "0", _) => self.fit(),
            _ => return,
        }
        event.prevent_default();
    }
}

#[component]
pub fn Canvas(stage: Stage) -> impl IntoView {
    let store = stage.store;
    let drawn = store.select(|state| {
        let graph = &state.graph;
        (graph.view.clone(), graph.hidden.clone(), graph.chosen)
    });
    let is_reading = store.select(|state| state.graph.is_reading);
    let theme = store.select(|state| state.theme);
    Effect::new(move |_| {
        drawn.track();
        theme.track();
        stage.hover.track();
        stage.canvas.track();
        stage.schedule();
    });
    Effect::new(move |before: Option<bool>| {
        let is_reading = is_reading.get();
        // The canvas has changed size.
        if before.is_some_and(|before| before != is_reading) {
            stage.reveal();
        }
        is_reading
    });
    let resized = window_event_listener(leptos::ev::resize, move |_| stage.schedule());
    let recoloured = StoredValue::new_local(theme::on_system_change(move || stage.schedule()));
    on_cleanup(move || {
        resized.remove();
        recoloured.dispose();
    });
    let label = move || {
        let (view, _, _) = drawn.get();
        view.map_or_else(String::new, |view| caption::overview(&view))
    };
    let pointer = pointer::Pointer::new(stage);
    view! {
        <canvas
            node_ref=stage.canvas
            tabindex="0"
            role="application"
            aria-label=label
            aria-describedby="graph-caption graph-keys"
            on:keydown=move |event| stage.on_key(&event)
            on:wheel=move |event| pointer.wheel(&event)
            on:pointerdown=move |event| pointer.down(&event)
            on:pointermove=move |event| pointer.moved(&event)
            on:pointerup=move |event| pointer.up(&event)
            on:pointercancel=move |event| pointer.up(&event)
            on:pointerleave=move |_| stage.hover.set(Hover::Nothing)
            on:click=move |event| pointer.click(&event)
        ></canvas>
    }
    .into_any()
}
