//! A context as HTML: the lines of a snippet for the page, and a file of its own.

use footnote_core::compress::{Snippet, SnippetBlock};
use footnote_core::lines::Line;
use maud::{Markup, html};

use super::Inspected;
use super::doc::{ContextDoc, SideDoc};
use super::formats::Format;
use crate::worker::protocol::FormatSpec;
use crate::worker::serve::document::{ALONE, document};

pub const FORMAT: Format = Format {
    spec: FormatSpec::HTML,
    write: |doc, inspected| Ok(file(doc, inspected)),
};

/// The context's own style, which the page also links.
const STYLE: &str = include_str!("../../../../style/context.css");
/// Styles for the exported file only.
const OWN: &str =
    "h2{font:600 18px/1.3 var(--serif);margin:0}h3,p,ol{margin:0}ol{padding:0;list-style:none}";
/// Most characters of a line to show, the same number as is sent.
const MAX_LINE: usize = 400;

/// The lines of a snippet, block by block, with dropped ones fainter; then what is sent of it.
pub fn snippet(snippet: &Snippet, sent: &str) -> Markup {
    let mut lines = snippet.text.lines();
    let mut line = || cut(lines.next().unwrap_or_default());
    let is_dropped = |number| snippet.dropped.iter().any(|run| run.contains(Line(number)));
    html! {
        div.cut {
            @for block in &snippet.blocks {
                div.block tabindex="0" {
                    small { (scores(block)) }
                    @for number in block.lines.start().0..=block.lines.end().0 {
                        code class=(if is_dropped(number) { "gone" } else { "kept" }) data-line=(number) {
                            (line())
                        }
                    }
                }
            }
        }
        @if !sent.is_empty() {
            details.sent {
                summary { "As it would be sent" }
                pre tabindex="0" { (sent) }
            }
        }
    }
}

fn cut(line: &str) -> String {
    let mut chars = line.chars();
    let mut shown: String = chars.by_ref().take(MAX_LINE).collect();
    if chars.next().is_some() {
        shown.push('…');
    }
    shown
}

/// The facts about a block, shown on hover.
fn scores(block: &SnippetBlock) -> String {
    let mut parts: Vec<String> = block
        .scores
        .iter()
        .map(|(name, score)| {
            let shown = format!("{score:.2}");
            // What rounds to zero has no sign.
            format!("{} {}", name_of(name), shown.replace("-0.00", "0.00"))
        })
        .collect();
    parts.push(format!("{} tokens", block.tokens));
    parts.join(" · ")
}

/// A score's display name.
fn name_of(name: &str) -> &str {
    match name {
        "bm25" => "words",
        "cosine" => "meaning",
        "ami" => "code model",
        "value" => "worth",
        other => other,
    }
}

/// One self-contained file.
fn file(doc: &ContextDoc, inspected: &Inspected) -> String {
    let body = html! {
        header {
            h1 { (doc.question) }
            p {
                "What a model would see of " (doc.repository) ", within " (doc.token_budget)
                " tokens."
            }
        }
        div.contexts {
            @for (told, own) in doc.strategies.iter().zip(&inspected.sides) {
                (side(told, &own.compressed.snippets))
            }
        }
    };
    document(&doc.question, &[STYLE, ALONE, OWN], &body)
}

fn side(side: &SideDoc, snippets: &[Snippet]) -> Markup {
    let instead = side.instead.as_deref().unwrap_or_default();
    let model = side.code_model.as_ref();
    let mut read_by = model.map_or(String::new(), |model| format!("Read by {model}."));
    if let Some(ran) = &side.code_model_ran {
        read_by.push_str(&format!(" {ran}"));
    }
    if let Some(model) = &side.judged_by {
        read_by.push_str(&format!(" {model} said how much of each to keep."));
    }
    html! {
        section.context {
            h2 { (side.name) }
            p.about { (side.about) " " (read_by) " " (instead) }
            p.sum { (side.tokens_before) " → " (side.tokens_after) " tokens" }
            ol.snippets {
                @for (told, own) in side.snippets.iter().zip(snippets) {
                    li {
                        h3 {
                            span.path { (told.path) ":" (told.start) "–" (told.end) }
                            " "
                            small { (told.tokens_before) " → " (told.tokens_after) " tokens" }
                        }
                        (snippet(own, &told.sent))
                    }
                }
            }
        }
    }
}
