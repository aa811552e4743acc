//! A conversation as Markdown. Citations are written into the text as `[path:start-end]`, so that
//! it can be pasted where footnotes are not supported, and listed with their verdicts below each
//! answer.

use super::formats::Format;
use super::parts::{Handout, Part, parts};
use crate::worker::protocol::{
    BlockView, FootnoteView, FormatSpec, InlineView, ShownIn, VerdictView,
};

pub const FORMAT: Format = Format {
    spec: FormatSpec {
        name: "markdown",
        title: "Markdown",
        about: "",
        extension: "md",
        media_type: "text/markdown",
    },
    write: |handout, _, _| Ok(file(handout)),
};

pub fn file(handout: &Handout<'_>) -> String {
    let mut out = format!("# {}\n", escaped(handout.title));
    out.push_str(&format!(
        "\nAsked of {} with Footnote; saved on {}.\n",
        escaped(handout.repository),
        handout.day
    ));
    if let Some(about) = &handout.conversation.about {
        out.push_str(&format!("\n{}\n", escaped(about)));
    }
    for turn in &handout.conversation.turns {
        let question = turn.answer.question.trim();
        out.push_str("\n## ");
        out.push_str(&escaped(question.lines().next().unwrap_or_default()));
        out.push('\n');
        if question.lines().count() > 1 {
            fenced(&mut out, "", question, "");
        }
        for part in parts(&turn.answer) {
            self::part(&mut out, &part);
        }
    }
    out
}

fn part(out: &mut String, part: &Part) {
    if !part.heading.is_empty() {
        out.push_str(&format!("\n### {}\n", part.heading));
    }
    blocks(out, &part.blocks, &part.notes, "");
    if !part.notes.is_empty() {
        out.push_str("\n**Footnotes**\n\n");
    }
    for note in &part.notes {
        let told = note.told(ShownIn::File);
        let place = told.place.as_ref();
        let place = place.map(|place| format!("{} – ", code(place)));
        out.push_str(&format!(
            "{}. {}{}\n",
            told.number,
            place.unwrap_or_default(),
            escaped(&told.line())
        ));
    }
    out.push_str(&format!("\n_{}_\n", escaped(&part.made)));
}

/// Writes blocks, each after an empty line and with `indent` before its lines.
fn blocks(out: &mut String, all: &[BlockView], notes: &[FootnoteView], indent: &str) {
    for block in all {
        match block {
            BlockView::Paragraph(inlines) => paragraph(out, "", inlines, notes, indent),
            BlockView::Heading { level, inlines } => {
                // Below the question, which is a level-2 heading.
                let marks = format!("{} ", "#".repeat(usize::from(*level).clamp(1, 4) + 2));
                paragraph(out, &marks, inlines, notes, indent);
            }
            BlockView::Code { language, text } => fenced(out, language, text, indent),
            BlockView::List { start, items } => list(out, *start, items, notes, indent),
            BlockView::Quote(inner) => blocks(out, inner, notes, &format!("{indent}> ")),
            BlockView::Table { head, rows } => {
                out.push_str(&format!("\n{indent}{}\n", row(head, notes)));
                out.push_str(&format!("{indent}|{}\n", " --- |".repeat(head.len())));
                for cells in rows {
                    out.push_str(&format!("{indent}{}\n", row(cells, notes)));
                }
            }
            BlockView::Rule => out.push_str(&format!("\n{indent}---\n")),
        }
    }
}

fn paragraph(
    out: &mut String,
    marks: &str,
    inlines: &[InlineView],
    notes: &[FootnoteView],
    indent: &str,
) {
    let text = inline(inlines, notes);
    let text = text.trim();
    // Text that looks like the start of a list, a quotation or a heading stays a paragraph.
    let is_marked = text.starts_with(['#', '+', '-', '>', '=', '~'])
        || text
            .trim_start_matches(|c: char| c.is_ascii_digit())
            .starts_with(['.', ')']);
    let guard = if is_marked { "\u{200b}" } else { "" };
    out.push_str(&format!("\n{indent}{marks}{guard}{text}\n"));
}

fn list(
    out: &mut String,
    start: Option<u32>,
    items: &[Vec<BlockView>],
    notes: &[FootnoteView],
    indent: &str,
) {
    for (at, item) in (0..).zip(items) {
        let mark = match start {
            Some(first) => format!("{}. ", first.saturating_add(at)),
            None => "- ".to_owned(),
        };
        let inner = format!("{indent}{}", " ".repeat(mark.len()));
        let mut body = String::new();
        blocks(&mut body, item, notes, &inner);
        let body = body.trim_start_matches('\n');
        let body = body.strip_prefix(inner.as_str()).unwrap_or(body);
        out.push_str(&format!("\n{indent}{mark}{body}"));
        if !body.ends_with('\n') {
            out.push('\n');
        }
    }
}

fn row(cells: &[Vec<InlineView>], notes: &[FootnoteView]) -> String {
    let cells = cells
        .iter()
        .map(|cell| inline(cell, notes).replace('|', "\\|").replace('\n', " "));
    let cells: Vec<String> = cells.collect();
    format!("| {} |", cells.join(" | "))
}

fn inline(inlines: &[InlineView], notes: &[FootnoteView]) -> String {
    let mut out = String::new();
    for piece in inlines {
        match piece {
            InlineView::Text(text) => out.push_str(&escaped(text)),
            InlineView::Code(text) => out.push_str(&code(text)),
            InlineView::Strong(inner) => wrapped(&mut out, "**", inner, notes),
            InlineView::Emphasis(inner) => wrapped(&mut out, "*", inner, notes),
            InlineView::Struck(inner) => wrapped(&mut out, "~~", inner, notes),
            // The verdict follows it.
            InlineView::Wrong(inner) => out.push_str(&inline(inner, notes)),
            InlineView::Link { inlines, address } => {
                out.push_str(&inline(inlines, notes));
                if !address.is_empty() {
                    out.push_str(&format!(" ({})", code(address)));
                }
            }
            InlineView::LineBreak => out.push_str("  \n"),
            InlineView::Note(number) => out.push_str(&citation(*number, notes)),
            // A citation that was never completed.
            InlineView::Pending => {}
            InlineView::Uncited => {
                out.push_str(&format!(" ({})", VerdictView::Uncited.spec().label));
            }
        }
    }
    out
}

fn wrapped(out: &mut String, mark: &str, inner: &[InlineView], notes: &[FootnoteView]) {
    out.push_str(mark);
    out.push_str(&inline(inner, notes));
    out.push_str(mark);
}

/// ` [path:start-end]`, with the verdict unless it is proven.
fn citation(number: u32, notes: &[FootnoteView]) -> String {
    let Some(note) = notes.iter().find(|note| note.number == number) else {
        return String::new();
    };
    let told = note.told(ShownIn::File);
    match &told.place {
        Some(place) if told.is_proven() => format!(" [{place}]"),
        Some(place) => format!(" [{place}] ({})", told.verdict.label),
        None => {
            let original = told.original.unwrap_or_default();
            format!(" ({}: {})", told.verdict.label, code(&original))
        }
    }
}

/// Wraps code in as many backticks as it needs.
fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    let fence = "`".repeat(longest_run(&text) + 1);
    match text.starts_with('`') || text.ends_with('`') {
        true => format!("{fence} {text} {fence}"),
        false => format!("{fence}{text}{fence}"),
    }
}

fn fenced(out: &mut String, language: &str, text: &str, indent: &str) {
    let fence = "`".repeat((longest_run(text) + 1).max(3));
    let named = language
        .chars()
        .all(|c| c.is_alphanumeric() || "+-#_.".contains(c));
    let language = if named { language } else { "" };
    out.push_str(&format!("\n{indent}{fence}{language}\n"));
    for line in text.lines() {
        out.push_str(&format!("{indent}{line}\n"));
    }
    out.push_str(&format!("{indent}{fence}\n"));
}

/// The length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    let runs = text.split(|character| character != '`').map(str::len);
    runs.max().unwrap_or(0)
}

/// Escapes text so that nothing in it is markup. An underscore inside a word is not markup anyway.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let after = characters.peek().copied().unwrap_or(' ');
        let is_markup = match character {
            '\\' | '*' | '`' | '[' | ']' | '<' | '>' | '~' | '|' | '&' => true,
            '_' => !(before.is_alphanumeric() && after.is_alphanumeric()),
            _ => false,
        };
        if is_markup {
            out.push('\\');
        }
        out.push(character);
        before = character;
    }
    out
}
