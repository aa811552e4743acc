//! What a click hit in HTML that was not written by the views.

use wasm_bindgen::JsCast;
use web_sys::{Element, Event};

/// Lines of a file, as given by an element's attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub path: String,
    /// First and last line, 1-based.
    pub lines: Option<(u32, u32)>,
}

/// Returns the place named by the nearest element around the click that has `data-path`.
pub fn place(event: &Event) -> Option<Place> {
    let target: Element = event.target()?.dyn_into().ok()?;
    let named = target.closest("[data-path]").ok()??;
    let number = |name| named.get_attribute(name)?.parse().ok();
    Some(Place {
        path: named.get_attribute("data-path")?,
        lines: number("data-start").zip(number("data-end")),
    })
}

/// A name in the code, as given by its element and its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub text: String,
    /// 1-based.
    pub line: u32,
    /// Number of characters before it on its line.
    pub column: u32,
}

/// Returns the name that was clicked, or `None` if the click ended a text selection.
pub fn name(event: &Event) -> Option<Name> {
    let selection = web_sys::window()?.get_selection().ok().flatten();
    if selection.is_some_and(|selection| !selection.is_collapsed()) {
        return None;
    }
    let target: Element = event.target()?.dyn_into().ok()?;
    let name = target.closest("[data-column]").ok()??;
    let line = name.closest("[data-line]").ok()??;
    Some(Name {
        text: name.text_content()?,
        line: line.get_attribute("data-line")?.parse().ok()?,
        column: name.get_attribute("data-column")?.parse().ok()?,
    })
}
