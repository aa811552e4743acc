//! What all exported HTML has in common: one file that needs nothing else. No script and no address
//! of anything outside; a policy in the file forbids both. Every text goes through `maud`, which
//! escapes by type; only style sheets of this project are written as they are. Nothing is styled by
//! attributes, which the page's policy forbids.

use footnote_core::lines::LineRange;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde::Serialize;

/// Colours and type, the same as the page's.
pub const TOKENS: &str = include_str!("../../../style/tokens.css");

/// What a file needs because it is alone, unlike the page: margins, type, the width that can be
/// read.
pub const ALONE: &str = "*{box-sizing:border-box}body{margin:0 auto;max-width:1240px;padding:24px;background:var(--paper);color:var(--ink);font:15px/1.5 var(--sans)}h1{font:600 26px/1.25 var(--serif);margin:0 0 4px;overflow-wrap:anywhere}header p{margin:0 0 16px;color:var(--ink-2)}";

/// A file with its title, its own style sheets, and what stands in its body.
pub fn document(title: &str, styles: &[&str], body: &Markup) -> String {
    let file = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta
                    http-equiv="Content-Security-Policy"
                    content="default-src 'none'; style-src 'unsafe-inline'";
                title { (title) }
                style { (PreEscaped(TOKENS)) @for style in styles { (PreEscaped(style)) } }
            }
            body { (body) }
        }
    };
    file.into_string() + "\n"
}

/// Lines of a file, as documents name them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    pub path: String,
    pub start: u32,
    pub end: u32,
}

impl Place {
    pub fn new(path: &str, lines: LineRange) -> Self {
        Self {
            path: path.to_owned(),
            start: lines.start().0,
            end: lines.end().0,
        }
    }
}

/// Where HTML is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// In the page, where a place opens its lines.
    Page,
    File,
}

/// A place by its path and lines; in the page a button with `data-path`, `data-start` and
/// `data-end`.
pub fn place(place: &Place, target: Target) -> Markup {
    let Place { path, start, end } = place;
    let shown = html! { (path) ":" (start) @if start != end { "–" (end) } };
    match target {
        Target::Page => html! {
            button.path data-path=(path) data-start=(start) data-end=(end) { (shown) }
        },
        Target::File => html! { span.path { (shown) } },
    }
}
