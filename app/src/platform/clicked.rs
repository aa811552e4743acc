//! What a click hit in HTML that was written outside of the views.

use wasm_bindgen::JsCast;
use web_sys::{Element, Event};

/// Lines of a file, as an element names them by its attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub path: String,
    /// First and last line, 1-based.
    pub lines: Option<(u32, u32)>,
}

/// The place of the nearest element around the click that has `data-path`.
pub fn place(event: &Event) -> Option<Place> {
    let target: Element = event.target()?.dyn_into().ok()?;
    let named = target.closest("[data-path]").ok()??;
    let number = |name| named.get_attribute(name)?.parse().ok();
    Some(Place {
        path: named.get_attribute("data-path")?,
        lines: number("data-start").zip(number("data-end")),
    })
}
