//! Long lists and files: only the rows near the visible part exist in the page.

use std::ops::Range;

/// How many rows are rendered beyond each edge of the visible part.
const OVERSCAN: usize = 24;
/// The window moves in steps of this many rows, so that most scrolling changes nothing.
const STEP: usize = 12;
/// The height assumed while the real one is unknown, in pixels.
const UNKNOWN_HEIGHT: f64 = 1_400.0;

/// The rows to render, as a half-open range of indices below `total`. All lengths are in pixels.
pub fn rows(scroll_top: f64, height: f64, row_height: f64, total: usize) -> Range<usize> {
    let height = if height > 0.0 { height } else { UNKNOWN_HEIGHT };
    let first_seen = (scroll_top.max(0.0) / row_height) as usize;
    let last_seen = first_seen + (height / row_height).ceil() as usize;
    let first = first_seen.saturating_sub(OVERSCAN) / STEP * STEP;
    let last = (last_seen + OVERSCAN).div_ceil(STEP) * STEP;
    first.min(total)..last.min(total)
}

/// Where to scroll to show rows `first..=last` (indices): their start a third below the top, or
/// `None` if they are visible already.
pub fn scroll_to(
    first: usize,
    last: usize,
    scroll_top: f64,
    height: f64,
    row_height: f64,
) -> Option<f64> {
    let start = first as f64 * row_height;
    let end = (last + 1) as f64 * row_height;
    let is_seen = start >= scroll_top && end <= scroll_top + height;
    (!is_seen).then(|| (start - height / 3.0).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_holds_the_visible_rows_and_stays_small() {
        for scroll_top in [0.0, 17.0, 4_321.0, 599_000.0] {
            let window = rows(scroll_top, 800.0, 20.0, 30_000);
            let first_seen = (scroll_top / 20.0) as usize;
            let last_seen = (first_seen + 40).min(30_000 - 1);
            assert!(window.contains(&first_seen), "{scroll_top}: {window:?}");
            assert!(window.contains(&last_seen), "{scroll_top}: {window:?}");
            assert!(window.len() <= 120, "{scroll_top}: {window:?}");
        }
    }

    #[test]
    fn scrolling_a_little_keeps_the_window() {
        let at = |scroll_top| rows(scroll_top, 800.0, 20.0, 30_000);
        assert_eq!(at(10_040.0), at(10_060.0));
        assert_ne!(at(10_000.0), at(11_000.0));
    }

    #[test]
    fn the_window_never_leaves_the_list() {
        assert_eq!(rows(9e9, 800.0, 20.0, 10), 10..10);
        assert_eq!(rows(0.0, 800.0, 20.0, 0), 0..0);
        assert_eq!(rows(-50.0, 0.0, 20.0, 5), 0..5);
    }

    #[test]
    fn rows_that_are_seen_are_not_scrolled_to() {
        assert_eq!(scroll_to(10, 12, 0.0, 900.0, 20.0), None);
        assert_eq!(scroll_to(100, 110, 0.0, 900.0, 20.0), Some(1_700.0));
        assert_eq!(scroll_to(2, 3, 5_000.0, 900.0, 20.0), Some(0.0));
    }
}
