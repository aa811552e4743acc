//! Which footnote marker the pointer or the keyboard is at, and where on the screen it is.

use wasm_bindgen::JsCast;
use web_sys::{Element, Event, PointerEvent};

/// Width of the preview beside a marker, in pixels; `conversations.css` has the same value.
const WIDTH: f64 = 620.0;
/// Space kept at the edges of the window, and between the marker and the preview.
const SPACE: f64 = 8.0;

/// A marker with `data-turn`, `data-by` and `data-number`; positions are pixels from the window's
/// edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hovered {
    pub turn: u32,
    pub number: u32,
    /// Whether the marker is in text written by a language model.
    pub is_written: bool,
    /// Left edge of the preview, chosen so that the preview ends inside the window.
    pub left: f64,
    /// Top of the preview if it is shown below the marker.
    pub bottom: f64,
    /// Distance from the bottom of the preview to the bottom of the window if it is shown above the
    /// marker.
    pub above: f64,
    /// Whether the marker is in the lower half of the window.
    pub is_low: bool,
}

/// Whether the event's target is a marker.
pub fn is_footnote(event: &Event) -> bool {
    marker(event).is_some()
}

fn marker(event: &Event) -> Option<Element> {
    let target: Element = event.target()?.dyn_into().ok()?;
    target.closest("[data-number]").ok()?
}

/// Returns the marker that an event hit. Returns `None` for touch, which cannot hover, and for
/// focus that came from a click.
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
