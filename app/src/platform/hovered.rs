//! Which footnote marker the pointer or the keyboard is at, and where on the screen it is.

use wasm_bindgen::JsCast;
use web_sys::{Element, Event, PointerEvent};

/// Width of what is shown beside a marker, in pixels; `conversations.css` says the same.
const WIDTH: f64 = 620.0;
/// Space that stays at the edges of the window, and between marker and lines.
const SPACE: f64 = 8.0;

/// A marker that carries `data-turn`, `data-by` and `data-number`; positions in pixels from the
/// window's edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hovered {
    pub turn: u32,
    pub number: u32,
    /// The marker stands in what a language model wrote.
    pub is_written: bool,
    /// Where what is shown begins so that it ends inside the window.
    pub left: f64,
    /// Its top where it is below the marker.
    pub bottom: f64,
    /// The distance of its bottom from the window's where it is above the marker.
    pub above: f64,
    /// The marker is in the lower half of the window.
    pub is_low: bool,
}

/// Whether an event hit a marker.
pub fn is_footnote(event: &Event) -> bool {
    marker(event).is_some()
}

fn marker(event: &Event) -> Option<Element> {
    let target: Element = event.target()?.dyn_into().ok()?;
    target.closest("[data-number]").ok()?
}

/// The marker that an event hit. Nothing for fingers, which cannot rest on one, and for a focus
/// that a click gave.
pub fn footnote(event: &Event) -> Option<Hovered> {
    if let Some(pointer) = event.dyn_ref::<PointerEvent>()
        && pointer.pointer_type() != "mouse"
    {
        return None;
    }
    let marker = marker(event)?;
    let is_focus = event.type_() == "focusin";
    if is_focus && !marker.matches(":focus-visible").unwrap_or(false) {
        return None;
    }
    let number = |name| marker.get_attribute(name)?.parse().ok();
    let window = web_sys::window()?;
    let width = window.inner_width().ok()?.as_f64()?;
    let height = window.inner_height().ok()?.as_f64()?;
    let edges = marker.get_bounding_client_rect();
    let last = (width - WIDTH.min(width - 2.0 * SPACE) - SPACE).max(SPACE);
    Some(Hovered {
        turn: number("data-turn")?,
        number: number("data-number")?,
        is_written: marker.get_attribute("data-by").as_deref() == Some("model"),
        left: (edges.left() - 2.0 * SPACE).clamp(SPACE, last),
        bottom: edges.bottom() + SPACE,
        above: height - edges.top() + SPACE,
        is_low: edges.top() > height / 2.0,
    })
}
