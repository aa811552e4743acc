//! The common frame of all exported HTML: one self-contained file. It has no script and no outside
//! address, and a policy in the file forbids both. All text goes through `maud`, which escapes by
//! type; only this project's style sheets are written verbatim. Nothing is styled with attributes,
//! because the page's policy forbids them.

use footnote_core::lines::LineRange;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde::Serialize;

/// Colours and fonts, the same as on the page.
pub const TOKENS: &str = include_str!("../../../style/tokens.css");

/// Extra styles for a file on its own, outside the page: margins, fonts, a readable width.
pub const ALONE: &str = "*{box-sizing:border-box}body{margin:0 auto;max-width:1240px;padding:24px;background:var(--paper);color:var(--ink);font:15px/1.5 var(--sans)}h1{font:600 26px/1.25 var(--serif);margin:0 0 4px;overflow-wrap:anywhere}header p{margin:0 0 16px;color:var(--ink-2)}";

/// Returns a file with this title, these style sheets and this body.
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

/// Lines of a file, as shown in documents.
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

/// Where the HTML is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// In the page, where a place opens its lines.
    Page,
    File,
}

/// A place with its path and lines; on the page a button with `data-path`, `data-start` and
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
