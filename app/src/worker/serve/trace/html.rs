//! A trace as HTML: parts for the page, and a self-contained file with its style. The engine writes
//! it instead of the page, so that page and exported file show the same and the page stays small.

use footnote_core::search::pack::BUDGET_CHARS;
use maud::{Markup, html};

use super::chart;
use super::doc::{ContextDoc, FileDoc, HitDoc, MoveDoc, RunDoc, StepDoc, TraceDoc};
use super::formats::Format;
use crate::worker::protocol::{FormatSpec, RunView};
use crate::worker::serve::document::{ALONE, Target, document, place};

pub const FORMAT: Format = Format {
    spec: FormatSpec::HTML,
    write: |doc| Ok(file(doc)),
};

/// The trace's own style, which the page also links.
const STYLE: &str = include_str!("../../../../style/trace.css");
/// Styles for the exported file only.
const OWN: &str = "h3,h4,p,ol,dl,dd,figure,pre{margin:0}ol{padding:0;list-style:none}";

/// How the question was understood.
pub fn reading(doc: &TraceDoc) -> Markup {
    html! {
        dl.reading {
            @for read in &doc.reading { div { dt { (read.label) } dd { (read.text) } } }
            @if let Some(encoder) = &doc.encoder {
                div {
                    dt { "read closely" }
                    dd { (doc.read_by_encoder) " of " (doc.chunks) " chunks, by " (encoder) }
                }
            }
        }
    }
}

/// The runs for the page. A place is a button with `data-path`, `data-start` and `data-end`.
pub fn runs(doc: &TraceDoc) -> Vec<RunView> {
    let all = doc.strategies.iter().enumerate();
    all.map(|(at, run)| RunView {
        title: run.title.clone(),
        milliseconds: time(doc, run),
        parts: parts(doc, at, run, Target::Page)
            .map(Markup::into_string)
            .into(),
    })
    .collect()
}

/// One self-contained file.
pub fn file(doc: &TraceDoc) -> String {
    let body = html! {
        header {
            h1 { (doc.question) }
            p {
                "How Footnote searched " (doc.repository) ": " (doc.chunks) " chunks, "
                (doc.compared_by_meaning) " of them compared by meaning."
            }
        }
        div.trace {
            (reading(doc))
            div.runs {
                @for (at, run) in doc.strategies.iter().enumerate() {
                    article.run
                        data-milliseconds=(format_args!("{:.2}", time(doc, run)))
                        aria-label=(run.title)
                        { @for part in parts(doc, at, run, Target::File) { (part) } }
                }
            }
        }
    };
    document(&doc.question, &[STYLE, ALONE, OWN], &body)
}

/// Milliseconds of a run, including the reading of the question.
fn time(doc: &TraceDoc, run: &RunDoc) -> f64 {
    doc.reading_milliseconds + run.milliseconds + run.token_milliseconds
}

/// The sections of a run, from the summary to the details, as elements to be placed one below the
/// other.
fn parts(doc: &TraceDoc, at: usize, run: &RunDoc, target: Target) -> [Markup; 6] {
    let others = doc.strategies.iter().enumerate();
    let mut other = others.filter(|(other, _)| *other != at).map(|(_, run)| run);
    let other = other.next_back();
    [
        head(run, time(doc, run)),
        figure(run),
        files(run, other),
        lines(run, other, target),
        steps(run, target),
        contexts(run, target),
    ]
}

fn head(run: &RunDoc, time: f64) -> Markup {
    let candidates = run.steps.first().map_or(0, |step| step.candidates);
    html! {
        h3 { (run.title) }
        p.about { (run.about) }
        p.sum {
            (candidates) " candidates · " (step_count(run.steps.len().saturating_sub(1))) " · "
            (milliseconds(time))
        }
    }
}

fn figure(run: &RunDoc) -> Markup {
    html! {
        @if let Some(chart) = chart::ranks(run) {
            figure tabindex="0" {
                figcaption { "Rank of the best lines after each step" }
                (chart)
            }
        }
    }
}

fn files(run: &RunDoc, other: Option<&RunDoc>) -> Markup {
    let there =
        |file: &FileDoc| other.map(|other| other.files.iter().position(|it| it.path == file.path));
    html! {
        h4 { "Files" }
        ol.files {
            @for (at, file) in run.files.iter().enumerate().take(5) {
                li {
                    b { (at + 1) } " " span.path { (file.path) } " "
                    small { (format_args!("{:.0} %", file.confidence * 100.0)) }
                    (elsewhere(there(file), at))
                }
            }
        }
    }
}

fn lines(run: &RunDoc, other: Option<&RunDoc>, target: Target) -> Markup {
    let best = run.lines.first().map_or(1.0, |hit| hit.score);
    let there =
        |hit: &HitDoc| other.map(|other| other.lines.iter().position(|it| it.place == hit.place));
    html! {
        h4 { "Lines" }
        ol.lines {
            @for (at, hit) in run.lines.iter().enumerate() {
                li {
                    p { b { (at + 1) } " " (place(&hit.place, target)) (elsewhere(there(hit), at)) }
                    p.title { (hit.title) }
                    (bar(hit.score, best))
                    (score(hit))
                }
            }
        }
    }
}

fn steps(run: &RunDoc, target: Target) -> Markup {
    html! {
        h4 { "Steps" }
        ol.steps {
            @for (at, step) in run.steps.iter().enumerate() { (step_item(step, at == 0, target)) }
        }
    }
}

/// The rank under the other strategy, if there is one beside it.
fn elsewhere(there: Option<Option<usize>>, here: usize) -> Markup {
    match there {
        None => Markup::default(),
        Some(Some(rank)) if rank == here => html! { " " small { "same rank" } },
        Some(Some(rank)) => html! { " " small { "rank " (rank + 1) " in the other" } },
        Some(None) => html! { " " small.only { "only here" } },
    }
}

fn score(hit: &HitDoc) -> Markup {
    html! {
        details {
            summary { "Score " (format_args!("{:.3}", hit.score)) }
            table {
                thead {
                    tr { th scope="col" { "Part" } th scope="col" { "Raw" } th scope="col" { "Adds" } }
                }
                tbody {
                    @for part in &hit.parts {
                        tr {
                            th scope="row" { (part.name) }
                            td { (format_args!("{:.3}", part.raw)) }
                            td { (format_args!("{:+.3}", part.weighted)) }
                        }
                    }
                }
            }
            pre tabindex="0" { (hit.excerpt) }
        }
    }
}

/// The score as a bar; drawn, because a width in a style would need an attribute.
fn bar(score: f32, best: f32) -> Markup {
    let share = (score / best.max(f32::EPSILON)).clamp(0.0, 1.0) * 100.0;
    html! {
        svg.score-bar viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" {
            rect width=(format_args!("{share:.1}")) height="1" {}
        }
    }
}

fn step_item(step: &StepDoc, is_list: bool, target: Target) -> Markup {
    html! {
        li {
            details {
                summary {
                    b { (step.name) } " " span { (step.about) } " "
                    small {
                        @if !is_list { (changes(step)) " · " }
                        (step.candidates) " candidates · " (milliseconds(step.milliseconds))
                    }
                }
                @if !step.moves.is_empty() { (moves(step, target)) }
            }
        }
    }
}

fn moves(step: &StepDoc, target: Target) -> Markup {
    html! {
        table {
            thead {
                tr { th scope="col" { "Rank" } th scope="col" { "Lines" } th scope="col" { "Score" } }
            }
            tbody {
                @for moved in &step.moves {
                    tr class=(direction(moved)) {
                        td { (ranks(moved)) }
                        td { (place(&moved.place, target)) small { (moved.why) } }
                        td { (format_args!("{:+.3}", moved.gain)) }
                    }
                }
            }
        }
    }
}

/// The part of the hits that a reader, or a language model, would be given.
fn contexts(run: &RunDoc, target: Target) -> Markup {
    html! {
        h4 { "What fits into " (BUDGET_CHARS) " characters" }
        ol.steps {
            @for context in &run.contexts { li { (self::context(context, target)) } }
        }
    }
}

fn context(context: &ContextDoc, target: Target) -> Markup {
    html! {
        details {
            summary {
                b { (context.packing) } " "
                span {
                    (context.lines.len()) " line ranges of " (context.files) " files, "
                    (context.characters) " characters"
                }
            }
            ol.files { @for lines in &context.lines { li { (place(lines, target)) } } }
        }
    }
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

/// The number of steps after the list of candidates.
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
