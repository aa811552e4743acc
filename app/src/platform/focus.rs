//! Where the keyboard focus is.

use wasm_bindgen::JsCast;
use web_sys::{Element, FocusEvent, Node};

/// Whether typing goes into a text field.
pub fn is_in_text_field() -> bool {
    focused().is_some_and(|element| {
        let is_choice = matches!(
            element.get_attribute("type").as_deref(),
            Some("radio" | "checkbox" | "file" | "button" | "submit")
        );
        match element.tag_name().as_str() {
            "TEXTAREA" | "SELECT" => true,
            "INPUT" => !is_choice,
            _ => false,
        }
    })
}

/// Whether the focused element uses space, Enter or the arrow keys itself.
pub fn is_on_control() -> bool {
    focused().is_some_and(|element| {
        let is_control = matches!(
            element.tag_name().as_str(),
            "A" | "BUTTON" | "INPUT" | "SELECT" | "SUMMARY" | "TEXTAREA"
        );
        // A region that takes the focus is one that scrolls.
        is_control || element.get_attribute("role").as_deref() == Some("region")
    })
}

fn focused() -> Option<Element> {
    web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.active_element())
}

/// Whether the focus moves from one part of the listening element to another part of the same
/// element.
pub fn stays_inside(event: &FocusEvent) -> bool {
    let listener = event.current_target();
    let listener = listener.and_then(|target| target.dyn_into::<Node>().ok());
    let next = event.related_target();
    let next = next.and_then(|target| target.dyn_into::<Node>().ok());
    match (listener, next) {
        (Some(listener), Some(next)) => listener.contains(Some(&next)),
        _ => false,
    }
}
