//! A trace as HTML: parts for the page, and a file of its own with style and nothing else.
//!
//! The engine writes it, not the page, so that page and exported file show the same and the page stays
//! small. Every text that comes from the repository or the user goes through [`escape`]; nothing is
//! styled by attributes, which the page's policy forbids.

use std::fmt::Write;

use footnote_core::search::pack::BUDGET_CHARS;

use super::chart;
use super::doc::{HitDoc, MoveDoc, Place, RunDoc, StepDoc, TraceDoc};
use crate::worker::protocol::RunView;

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

/// What was read of the question, for the page.
pub fn reading(doc: &TraceDoc) -> String {
    let mut out = String::from("<dl class=\"reading\">");
    for read in &doc.reading {
        let _ = write!(
            out,
            "<div><dt>{}</dt><dd>{}</dd></div>",
            escape(read.label),
            escape(&read.text)
        );
    }
    out.push_str("</dl>");
    out
}

/// For the page. A place is a button with `data-path`, `data-start` and `data-end`.
pub fn runs(doc: &TraceDoc) -> Vec<RunView> {
    let all = doc.strategies.iter().enumerate();
    all.map(|(at, run)| RunView {
        title: run.title.clone(),
        milliseconds: time(doc, run),
        parts: parts(doc, at, run, Target::Page),
    })
    .collect()
}

/// One file that needs nothing else: no script, no address.
pub fn file(doc: &TraceDoc) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<title>{title}</title>\n<style>\n{TOKENS}{STYLE}{ALONE}\n</style>\n</head>\n<body>\n<header><h1>{title}</h1><p>How Footnote searched {repository}: {chunks} chunks, {compared} of them compared by meaning.</p></header>\n{body}\n</body>\n</html>\n",
        title = escape(&doc.question),
        repository = escape(&doc.repository),
        chunks = doc.chunks,
        compared = doc.compared_by_meaning,
        body = body(doc),
    )
}

fn body(doc: &TraceDoc) -> String {
    let mut out = format!("<div class=\"trace\">{}<div class=\"runs\">", reading(doc));
    for (at, run) in doc.strategies.iter().enumerate() {
        let _ = write!(
            out,
            "<article class=\"run\" data-milliseconds=\"{:.2}\" aria-label=\"{}\">{}</article>",
            time(doc, run),
            escape(&run.title),
            parts(doc, at, run, Target::File).concat()
        );
    }
    out.push_str("</div></div>");
    out
}

/// Milliseconds of a run, the reading of the question among them.
fn time(doc: &TraceDoc, run: &RunDoc) -> f64 {
    doc.reading_milliseconds + run.milliseconds + run.token_milliseconds
}

/// What is told of a run, from the sum of it to the last detail: elements that stand below each other.
fn parts(doc: &TraceDoc, at: usize, run: &RunDoc, target: Target) -> Vec<String> {
    let others = doc.strategies.iter().enumerate();
    let mut other = others.filter(|(other, _)| *other != at).map(|(_, run)| run);
    let other = other.next_back();
    vec![
        head(run, time(doc, run)),
        figure(run),
        files(run, other),
        lines(run, other, target),
        step_list(run, target),
        contexts(run, target),
    ]
}

fn head(run: &RunDoc, time: f64) -> String {
    let candidates = run.steps.first().map_or(0, |step| step.candidates);
    format!(
        "<h3>{}</h3><p class=\"about\">{}</p><p class=\"sum\">{candidates} candidates · {} · {}</p>",
        escape(&run.title),
        escape(&run.about),
        step_count(run.steps.len().saturating_sub(1)),
        milliseconds(time),
    )
}

fn figure(run: &RunDoc) -> String {
    let chart = chart::ranks(run);
    if chart.is_empty() {
        return chart;
    }
    format!(
        "<figure tabindex=\"0\"><figcaption>Rank of the best lines after each step</figcaption>{chart}</figure>"
    )
}

fn files(run: &RunDoc, other: Option<&RunDoc>) -> String {
    let mut out = String::from("<h4>Files</h4><ol class=\"files\">");
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
    out.push_str("</ol>");
    out
}

fn lines(run: &RunDoc, other: Option<&RunDoc>, target: Target) -> String {
    let mut out = String::from("<h4>Lines</h4><ol class=\"lines\">");
    let best = run.lines.first().map_or(1.0, |hit| hit.score);
    for (at, hit) in run.lines.iter().enumerate() {
        let there = other.map(|other| other.lines.iter().position(|it| it.place == hit.place));
        line(&mut out, hit, at, best, &elsewhere(there, at), target);
    }
    out.push_str("</ol>");
    out
}

fn step_list(run: &RunDoc, target: Target) -> String {
    let mut out = String::from("<h4>Steps</h4><ol class=\"steps\">");
    for (at, step) in run.steps.iter().enumerate() {
        step_item(&mut out, step, at == 0, target);
    }
    out.push_str("</ol>");
    out
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
fn contexts(run: &RunDoc, target: Target) -> String {
    let mut out = format!("<h4>What fits into {BUDGET_CHARS} characters</h4><ol class=\"steps\">");
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
    out
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
fn step_count(count: usize) -> String {
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
