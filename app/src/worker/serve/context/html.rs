//! A context as HTML: the lines of a snippet for the page, and a file of its own. As in the trace, every text of
//! the repository or the user goes through [`escape`], and nothing is styled by attributes.

use std::fmt::Write;

use footnote_core::compress::{Snippet, SnippetBlock};
use footnote_core::lines::Line;

use super::Inspected;
use super::doc::{ContextDoc, SideDoc};
use crate::worker::serve::trace::escape;

/// Colours and type, the same as the page's.
const TOKENS: &str = include_str!("../../../../style/tokens.css");
/// The context's own style, which the page links too.
const STYLE: &str = include_str!("../../../../style/context.css");
/// What the exported file needs because it is alone.
const ALONE: &str = "*{box-sizing:border-box}body{margin:0 auto;max-width:1240px;padding:24px;background:var(--paper);color:var(--ink);font:15px/1.5 var(--sans)}h1{font:600 26px/1.25 var(--serif);margin:0 0 4px;overflow-wrap:anywhere}h2{font:600 18px/1.3 var(--serif);margin:0}header p{margin:0 0 16px;color:var(--ink-2)}h3,p,ol{margin:0}ol{padding:0;list-style:none}";
/// Characters of a line that are shown: as many as are sent.
const MAX_LINE: usize = 400;

/// The lines of a snippet, block after block, dropped ones fainter; then what is sent of it.
pub fn snippet(snippet: &Snippet, sent: &str) -> String {
    let mut out = String::from("<div class=\"cut\">");
    let mut lines = snippet.text.lines();
    for block in &snippet.blocks {
        let _ = write!(
            out,
            "<div class=\"block\" tabindex=\"0\"><small>{}</small>",
            escape(&scores(block))
        );
        for number in block.lines.start().0..=block.lines.end().0 {
            let is_dropped = snippet.dropped.iter().any(|run| run.contains(Line(number)));
            let class = if is_dropped { "gone" } else { "kept" };
            let _ = write!(
                out,
                "<code class=\"{class}\" data-line=\"{number}\">{}</code>",
                escape(&cut(lines.next().unwrap_or_default()))
            );
        }
        out.push_str("</div>");
    }
    out.push_str("</div>");
    if !sent.is_empty() {
        let _ = write!(
            out,
            "<details class=\"sent\"><summary>As it is sent</summary><pre tabindex=\"0\">{}</pre></details>",
            escape(sent)
        );
    }
    out
}

fn cut(line: &str) -> String {
    let mut chars = line.chars();
    let mut shown: String = chars.by_ref().take(MAX_LINE).collect();
    if chars.next().is_some() {
        shown.push('…');
    }
    shown
}

/// What is known of a block, as it is read when it is pointed at.
fn scores(block: &SnippetBlock) -> String {
    let mut parts: Vec<String> = block
        .scores
        .iter()
        .map(|(name, score)| format!("{} {score:.2}", name_of(name)))
        .collect();
    parts.push(format!("{} tokens", block.tokens));
    parts.join(" · ")
}

/// A score's name for people.
fn name_of(name: &str) -> &str {
    match name {
        "bm25" => "words",
        "cosine" => "meaning",
        "ami" => "code model",
        "value" => "chosen by",
        other => other,
    }
}

/// One file that needs nothing else: no script, no address.
pub fn file(doc: &ContextDoc, inspected: &Inspected) -> String {
    let mut body = String::new();
    for (side, own) in doc.strategies.iter().zip(&inspected.sides) {
        head(&mut body, side);
        for (told, own) in side.snippets.iter().zip(&own.compressed.snippets) {
            let _ = write!(
                body,
                "<li><h3><span class=\"path\">{}:{}–{}</span> <small>{} → {} tokens</small></h3>{}</li>",
                escape(&told.path),
                told.start,
                told.end,
                told.tokens_before,
                told.tokens_after,
                snippet(own, &told.sent),
            );
        }
        body.push_str("</ol></section>");
    }
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<title>{title}</title>\n<style>\n{TOKENS}{STYLE}{ALONE}\n</style>\n</head>\n<body>\n<header><h1>{title}</h1><p>What a model would be shown of {repository}, within {tokens} tokens.</p></header>\n<div class=\"contexts\">{body}</div>\n</body>\n</html>\n",
        title = escape(&doc.question),
        repository = escape(&doc.repository),
        tokens = doc.token_budget,
    )
}

fn head(out: &mut String, side: &SideDoc) {
    let instead = side.instead.as_deref().unwrap_or_default();
    let model = side.code_model.as_ref();
    let mut read_by = model.map_or(String::new(), |model| format!("Read by {model}."));
    if let Some(model) = &side.judged_by {
        let _ = write!(read_by, " How much of each: {model}.");
    }
    let _ = write!(
        out,
        "<section class=\"context\"><h2>{}</h2><p class=\"about\">{} {} {}</p><p class=\"sum\">{} → {} tokens</p><ol class=\"snippets\">",
        escape(side.name),
        escape(&side.about),
        escape(&read_by),
        escape(instead),
        side.tokens_before,
        side.tokens_after,
    );
}
