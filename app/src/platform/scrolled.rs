//! How far a list was scrolled.

use web_sys::Element;

/// Pixels of `list` below what is seen of it.
pub fn pixels_to_end(list: &Element) -> i32 {
    list.scroll_height() - list.scroll_top() - list.client_height()
}
