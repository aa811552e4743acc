//! Highlights every element that stands for the chosen footnote. This changes the document
//! directly: an answer can have hundreds of markers, and if each watched the page's state, each
//! would be checked at every change.

use web_sys::{Document, Element};

/// Names a footnote; its markers and its row carry this name in `data-note`.
pub fn name(turn: u32, by: &str, number: u32) -> String {
    format!("{turn}-{by}-{number}")
}

/// Highlights every element of the named footnote, and no others.
pub fn show(name: Option<&str>) {
    let document = web_sys::window().and_then(|window| window.document());
    let Some(document) = document else {
        return;
    };
    for element in all(&document, ".on[data-note]") {
        set(&element, false);
    }
    // Names consist of numbers and the words of `By`, so nothing needs escaping.
    if let Some(name) = name {
        for element in all(&document, &format!("[data-note=\"{name}\"]")) {
            set(&element, true);
        }
    }
}

fn all(document: &Document, selector: &str) -> Vec<Element> {
    let found = document.query_selector_all(selector).ok();
    let found = found.into_iter().flat_map(|list| {
        let length = list.length();
        (0..length).filter_map(move |at| list.get(at))
    });
    found
        .filter_map(|node| wasm_bindgen::JsCast::dyn_into(node).ok())
        .collect()
}

fn set(element: &Element, is_on: bool) {
    // Neither can fail: the names are fixed and valid.
    let _ = element.class_list().toggle_with_force("on", is_on);
    if element.has_attribute("aria-pressed") {
        let _ = element.set_attribute("aria-pressed", if is_on { "true" } else { "false" });
    }
}
