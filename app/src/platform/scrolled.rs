//! How far a list is scrolled.

use web_sys::Element;

/// Number of pixels of `list` below its visible part.
pub fn pixels_to_end(list: &Element) -> i32 {
    list.scroll_height() - list.scroll_top() - list.client_height()
}
