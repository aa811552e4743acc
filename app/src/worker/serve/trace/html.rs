//! A trace as HTML: a fragment for the page, and a file of its own with style and nothing else.
//!
//! The engine writes it, not the page, so that page and exported file show the same and the page stays
//! small. Every text that comes from the repository or the user goes through [`escape`]; nothing is
//! styled by attributes, which the page's policy forbids.

use std::fmt::Write;

use footnote_core::search::pack::BUDGET_CHARS;

use super::chart;
use super::doc::{HitDoc, MoveDoc, Place, RunDoc, StepDoc, TraceDoc};

/// Colours and type, the same as the page's.
const TOKENS: &str = include_str!("../../../../style/tokens.css");
/// The trace's own style, which the page links too.
const STYLE: &str = include_str!("../../../../style/trace.css");
/// What the exported file needs because it is alone.
const ALONE: &str = "*{box-sizing:border-box}body{margin:0 auto;max-width:1240px;padding:24px;background:var(--paper);color:var(--ink);font:15px/1.5 var(--sans)}h1{font:600 26px/1.25 var(--serif);margin:0 0 4px;overflow-wrap:anywhere}header p{margin:0 0 16px;color:var(--ink-2)}h3,h4,p,ol,dl,dd,figure,pre{margin:0}ol{padding:0;list-style:none}";

/// Where the trace is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    /// In the page, where a place opens its lines.
    Page,
    File,
}

/// For the page. A place is a button with `data-path`, `data-start` and `data-end`.
pub fn fragment(doc: &TraceDoc) -> String {
    body(doc, Target::Page)
}

/// One file that needs nothing else: no script, no address.
pub fn file(doc: &TraceDoc) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<title>{title}</title>\n<style>\n{TOKENS}{STYLE}{ALONE}\n</style>\n</head>\n<body>\n<header><h1>{title}</h1><p>How Footnote searched {repository}: {chunks} chunks, {compared} of them compared by meaning.</p></header>\n{body}\n</body>\n</html>\n",
        title = escape(&doc.question),
        repository = escape(&doc.repository),
        chunks = doc.chunks,
        compared = doc.compared_by_meaning,
        body = body(doc, Target::File),
    )
}

fn body(doc: &TraceDoc, target: Target) -> String {
    let mut out = String::from("<div class=\"trace\"><dl class=\"reading\">");
    for read in &doc.reading {
        let _ = write!(
            out,
            "<div><dt>{}</dt><dd>{}</dd></div>",
            escape(read.label),
            escape(&read.text)
        );
    }
    out.push_str("</dl><div class=\"runs\">");
    for (at, run) in doc.strategies.iter().enumerate() {
        let others = doc.strategies.iter().enumerate();
        let mut other = others.filter(|(other, _)| *other != at).map(|(_, run)| run);
        let time = doc.reading_milliseconds + run.milliseconds + run.token_milliseconds;
        article(&mut out, run, other.next_back(), time, target);
    }
    out.push_str("</div></div>");
    out
}

/// `time` counts the reading of the question too.
fn article(out: &mut String, run: &RunDoc, other: Option<&RunDoc>, time: f64, target: Target) {
    let candidates = run.steps.first().map_or(0, |step| step.candidates);
    let _ = write!(
        out,
        "<article class=\"run\" data-milliseconds=\"{time:.2}\" aria-label=\"{title}\"><h3>{title}</h3><p class=\"about\">{}</p><p class=\"sum\">{candidates} candidates · {} · {}</p>",
        escape(&run.about),
        steps(run.steps.len().saturating_sub(1)),
        milliseconds(time),
        title = escape(&run.title),
    );
    let chart = chart::ranks(run);
    if !chart.is_empty() {
        let _ = write!(
            out,
            "<figure tabindex=\"0\"><figcaption>Rank of the best lines after each step</figcaption>{chart}</figure>"
        );
    }
    out.push_str("<h4>Files</h4><ol class=\"files\">");
    for (at, file) in run.files.iter().enumerate().take(5) {
        let there = other.map(|other| other.files.iter().position(|it| it.path == file.path));
        let _ = write!(
            out,
            "<li><b>{}</b> <span class=\"path\">{}</span> <small>{:.0} %</small>{}</li>",
            at + 1,
            escape(&file.path),
            file.confidence * 100.0,
            elsewhere(there, at)
        );
    }
    out.push_str("</ol><h4>Lines</h4><ol class=\"lines\">");
    let best = run.lines.first().map_or(1.0, |hit| hit.score);
    for (at, hit) in run.lines.iter().enumerate() {
        let there = other.map(|other| other.lines.iter().position(|it| it.place == hit.place));
        line(out, hit, at, best, &elsewhere(there, at), target);
    }
    out.push_str("</ol><h4>Steps</h4><ol class=\"steps\">");
    for (at, step) in run.steps.iter().enumerate() {
        step_item(out, step, at == 0, target);
    }
    out.push_str("</ol>");
    contexts(out, run, target);
    out.push_str("</article>");
}

/// The rank under the other strategy, where one is beside it.
fn elsewhere(there: Option<Option<usize>>, here: usize) -> String {
    match there {
        None => String::new(),
        Some(Some(rank)) if rank == here => " <small>same rank</small>".to_owned(),
        Some(Some(rank)) => format!(" <small>{} there</small>", rank + 1),
        Some(None) => " <small class=\"only\">only here</small>".to_owned(),
    }
}

fn line(out: &mut String, hit: &HitDoc, at: usize, best: f32, there: &str, target: Target) {
    let _ = write!(
        out,
        "<li><p><b>{}</b> {}{there}</p><p class=\"title\">{}</p>{}<details><summary>Score {:.3}</summary><table><thead><tr><th scope=\"col\">Part</th><th scope=\"col\">Raw</th><th scope=\"col\">Adds</th></tr></thead><tbody>",
        at + 1,
        place(&hit.place, target),
        escape(&hit.title),
        bar(hit.score, best),
        hit.score
    );
    for part in &hit.parts {
        let _ = write!(
            out,
            "<tr><th scope=\"row\">{}</th><td>{:.3}</td><td>{:+.3}</td></tr>",
            escape(&part.name),
            part.raw,
            part.weighted
        );
    }
    let _ = write!(
        out,
        "</tbody></table><pre tabindex=\"0\">{}</pre></details></li>",
        escape(&hit.excerpt)
    );
}

/// The score as a bar; drawn, because lengths in a style would need an attribute.
fn bar(score: f32, best: f32) -> String {
    let share = (score / best.max(f32::EPSILON)).clamp(0.0, 1.0) * 100.0;
    format!(
        "<svg class=\"score-bar\" viewBox=\"0 0 100 1\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect width=\"{share:.1}\" height=\"1\"/></svg>"
    )
}

fn step_item(out: &mut String, step: &StepDoc, is_list: bool, target: Target) {
    let changed = match is_list {
        true => String::new(),
        false => format!("{} · ", changes(step)),
    };
    let _ = write!(
        out,
        "<li><details><summary><b>{}</b> <span>{}</span> <small>{changed}{} candidates · {}</small></summary>",
        escape(step.name),
        escape(step.about),
        step.candidates,
        milliseconds(step.milliseconds)
    );
    if !step.moves.is_empty() {
        out.push_str("<table><thead><tr><th scope=\"col\">Rank</th><th scope=\"col\">Lines</th><th scope=\"col\">Score</th></tr></thead><tbody>");
        for moved in &step.moves {
            let _ = write!(
                out,
                "<tr class=\"{}\"><td>{}</td><td>{}<small>{}</small></td><td>{:+.3}</td></tr>",
                direction(moved),
                ranks(moved),
                place(&moved.place, target),
                escape(&moved.why),
                moved.gain
            );
        }
        out.push_str("</tbody></table>");
    }
    out.push_str("</details></li>");
}

/// What a reader, or a language model, would be given of the hits.
fn contexts(out: &mut String, run: &RunDoc, target: Target) {
    let _ = write!(
        out,
        "<h4>What fits into {BUDGET_CHARS} characters</h4><ol class=\"steps\">"
    );
    for context in &run.contexts {
        let _ = write!(
            out,
            "<li><details><summary><b>{}</b> <span>{} line ranges of {} files, {} characters</span></summary><ol class=\"files\">",
            escape(context.packing),
            context.lines.len(),
            context.files,
            context.characters
        );
        for lines in &context.lines {
            let _ = write!(out, "<li>{}</li>", place(lines, target));
        }
        out.push_str("</ol></details></li>");
    }
    out.push_str("</ol>");
}

fn changes(step: &StepDoc) -> String {
    match step.moves.len() {
        0 => "nothing changed".to_owned(),
        1 => "1 change".to_owned(),
        n => format!("{n} changes shown"),
    }
}

fn direction(moved: &MoveDoc) -> &'static str {
    match moved.from {
        None => "new",
        Some(from) if from > moved.to => "up",
        Some(from) if from < moved.to => "down",
        Some(_) => "kept",
    }
}

fn ranks(moved: &MoveDoc) -> String {
    match moved.from {
        None => format!("new → {}", moved.to),
        Some(from) if from == moved.to => from.to_string(),
        Some(from) => format!("{from} → {}", moved.to),
    }
}

fn place(place: &Place, target: Target) -> String {
    let path = escape(&place.path);
    let (start, end) = (place.start, place.end);
    let shown = if start == end {
        format!("{path}:{start}")
    } else {
        format!("{path}:{start}–{end}")
    };
    match target {
        Target::Page => format!(
            "<button class=\"path\" data-path=\"{path}\" data-start=\"{start}\" data-end=\"{end}\">{shown}</button>"
        ),
        Target::File => format!("<span class=\"path\">{shown}</span>"),
    }
}

/// What follows the list of candidates.
fn steps(count: usize) -> String {
    match count {
        0 => "no further step".to_owned(),
        1 => "1 step".to_owned(),
        n => format!("{n} steps"),
    }
}

fn milliseconds(time: f64) -> String {
    // Browsers round their clocks.
    if time < 0.05 {
        "less than 0.1 ms".to_owned()
    } else if time < 9.95 {
        format!("{time:.1} ms")
    } else {
        format!("{time:.0} ms")
    }
}

/// Text for HTML, also inside attributes in double quotes.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}
