//! What all exported HTML has in common: one file that needs nothing else. No script and no address of anything
//! outside; a policy in the file forbids both. Every text goes through `maud`, which escapes by type; only style sheets
//! of this project are written as they are. Nothing is styled by attributes, which the page's policy forbids.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Colours and type, the same as the page's.
const TOKENS: &str = include_str!("../../../style/tokens.css");

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
