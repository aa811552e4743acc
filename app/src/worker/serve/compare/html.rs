//! A comparison as HTML: a column for the page, and a file of its own.

use maud::{Markup, html};

use super::doc::{ColumnDoc, CompareDoc, NoteDoc, RankDoc, StatementDoc};
use super::formats::Format;
use crate::words::count;
use crate::worker::protocol::FormatSpec;
use crate::worker::serve::document::{ALONE, Target, document, place};

pub const FORMAT: Format = Format {
    spec: FormatSpec::HTML,
    write: |doc| Ok(file(doc)),
};

/// The comparison's own style, which the page also links.
const STYLE: &str = include_str!("../../../../style/compare.css");
/// Styles for the exported file only.
const OWN: &str = "body{max-width:1440px}h2{font:600 19px/1.3 var(--serif);margin:0}h3,p,ol,ul{margin:0}ol,ul{padding:0;list-style:none}";

/// The full result of a pipeline.
pub fn column(doc: &ColumnDoc, target: Target) -> Markup {
    html! {
        p.about { (doc.about) }
        p.sum { (sum(doc)) }
        @if let Some(instead) = &doc.instead { p.instead { (instead) } }
        (answer(doc, target))
        h3 { "Ranks" }
        ol.ranks { @for (at, rank) in doc.ranks.iter().enumerate() { (ranked(at, rank, target)) } }
        h3 { "What a model would see" }
        @if doc.context.is_empty() { p.about { "Nothing." } }
        ul.shown {
            @for shown in &doc.context {
                li { (place(&shown.place, target)) " " small { (shown.tokens) " tokens" } }
            }
        }
        @if !doc.deviations.is_empty() {
            details.deviations {
                summary { "Differs from the paper" }
                ul { @for (what, why) in &doc.deviations { li { (what) ", because " (why) "." } } }
            }
        }
    }
}

/// `3 footnotes · 1,900 tokens of 4 files · 50 of 1,200 chunks compared by meaning · 12 ms`.
fn sum(doc: &ColumnDoc) -> String {
    let plural = |n: usize, one: &str| match n {
        1 => format!("1 {one}"),
        n => format!("{n} {one}s"),
    };
    let stages = doc.stages.iter().filter(|(_, ms)| *ms >= 0.5);
    let stages: Vec<String> = stages.map(|(name, ms)| format!("{name} {ms:.0}")).collect();
    let mut parts = vec![
        plural(doc.footnotes.len(), "footnote"),
        format!("{} tokens of {}", doc.tokens, plural(doc.files, "file")),
    ];
    if doc.compared > 0 {
        parts.push(format!(
            "{} of {} chunks compared by meaning",
            doc.compared, doc.chunks
        ));
    }
    let all = doc.milliseconds();
    parts.push(match stages.is_empty() {
        true => format!("{all:.0} ms"),
        false => format!("{all:.0} ms ({})", stages.join(", ")),
    });
    parts.join(" · ")
}

fn answer(doc: &ColumnDoc, target: Target) -> Markup {
    html! {
        h3 { "Answer without a language model" }
        @if let Some(why) = &doc.nothing { p.nothing { (why) } }
        @if doc.is_closest && !doc.statements.is_empty() { p.closest { "Closest I found" } }
        @if let Some(note) = &doc.note { p.note-line { (note) } }
        @for statement in &doc.statements { (said(statement)) }
        ol.sources { @for note in cited(doc) { (footnote(note, target)) } }
    }
}

/// The footnotes of the sentences; lists have further ones.
fn cited(doc: &ColumnDoc) -> impl Iterator<Item = &NoteDoc> {
    let is_cited = |note: &&NoteDoc| {
        let mut statements = doc.statements.iter();
        statements.any(|it| it.footnotes.contains(&note.number))
    };
    doc.footnotes.iter().filter(is_cited)
}

fn said(statement: &StatementDoc) -> Markup {
    html! {
        p.sentence {
            @for (at, part) in statement.text.split('`').enumerate() {
                @if at % 2 == 1 { code { (part) } } @else { (part) }
            }
            @for number in &statement.footnotes { sup { (number) } }
        }
    }
}

fn footnote(note: &NoteDoc, target: Target) -> Markup {
    html! { li { b { (note.number) } " " (place(&note.place, target)) " " small { (note.why) } } }
}

fn ranked(at: usize, rank: &RankDoc, target: Target) -> Markup {
    let (class, moved) = match rank.rose {
        _ if rank.is_new => ("new", "new".to_owned()),
        Some(rose) if rose > 0 => ("up", format!("▲ {rose}")),
        Some(rose) if rose < 0 => ("down", format!("▼ {}", -rose)),
        _ => ("", String::new()),
    };
    html! {
        li data-rank=(at + 1) {
            b { (at + 1) }
            " " (place(&rank.place, target))
            @if rank.title != rank.place.path { " " small { (rank.title) } }
            " " small { (format!("{:.3}", rank.score)) }
            @if !moved.is_empty() { " " small class=(class) { (moved) } }
        }
    }
}

/// One self-contained file.
fn file(doc: &CompareDoc) -> String {
    let columns = doc.columns.iter().flatten();
    let body = html! {
        header {
            h1 { (doc.question) }
            p { "Asked of " (doc.repository) ", in " (count(columns.clone().count() as u64, "way")) "." }
        }
        div.columns {
            @for column in columns {
                section.column {
                    h2 { (column.title) }
                    (self::column(column, Target::File))
                    (sent(column))
                }
            }
        }
    };
    document(&doc.question, &[STYLE, ALONE, OWN], &body)
}

/// The lines exactly as a model is shown them.
fn sent(doc: &ColumnDoc) -> Markup {
    html! {
        @if !doc.context.is_empty() {
            details.sent {
                summary { "As it would be sent" }
                @for shown in &doc.context { pre tabindex="0" { (shown.sent) } }
            }
        }
    }
}
