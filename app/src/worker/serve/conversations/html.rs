//! A conversation as one HTML file to be handed out: every answer with its footnotes, and under each
//! footnote the cited lines themselves, so that a reader who has neither the repository nor Footnote can
//! check them. No script, no address of anything outside; a policy in the file forbids both. Every text
//! goes through [`escape`].

use std::collections::BTreeSet;
use std::fmt::Write;

use footnote_core::lang::highlight::HighlightClass;

use super::cited::{CitedLine, Source};
use super::parts::{Handout, Part, parts, place};
use crate::worker::protocol::{BlockView, CheckView, FootnoteView, InlineView, TurnView};
use crate::worker::serve::trace::escape;

/// Colours and type, the same as the page's.
const TOKENS: &str = include_str!("../../../../style/tokens.css");
const STYLE: &str = include_str!("../../../../style/handout.css");

pub fn file(handout: &Handout<'_>, source: &mut Source<'_>) -> String {
    let title = escape(handout.title);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<title>{title}</title>\n<style>\n{TOKENS}{STYLE}\n</style>\n</head>\n<body>\n<header><h1>{title}</h1><p class=\"about\">Asked of {} with Footnote; saved on {}. Under each footnote stand the lines it cites.</p>",
        escape(handout.repository),
        escape(handout.day)
    );
    if let Some(about) = &handout.conversation.about {
        let _ = write!(out, "<p class=\"about\">{}</p>", escape(about));
    }
    out.push_str("</header>\n");
    let turns = &handout.conversation.turns;
    if turns.len() > 1 {
        contents(&mut out, turns);
    }
    out.push_str("<main>\n");
    for (at, turn) in (1..).zip(turns) {
        self::turn(&mut out, at, turn, source);
    }
    out.push_str("</main>\n<footer>Footnote checked each citation by its code, not by a language model: the file and the lines exist and hold what is attributed to them where it says “verified”.</footer>\n</body>\n</html>\n");
    out
}

fn contents(out: &mut String, turns: &[TurnView]) {
    out.push_str("<nav aria-label=\"Questions\"><ol>");
    for (at, turn) in (1..).zip(turns) {
        let question = turn.answer.question.trim();
        let line = question.lines().next().unwrap_or_default();
        let _ = write!(out, "<li><a href=\"#q{at}\">{}</a></li>", escape(line));
    }
    out.push_str("</ol></nav>\n");
}

fn turn(out: &mut String, at: usize, turn: &TurnView, source: &mut Source<'_>) {
    let question = turn.answer.question.trim();
    let (first, rest) = question.split_once('\n').unwrap_or((question, ""));
    let _ = write!(
        out,
        "<article class=\"turn\" id=\"q{at}\"><h2>{}</h2>",
        escape(first)
    );
    if !rest.trim().is_empty() {
        let _ = write!(out, "<pre class=\"question\">{}</pre>", escape(rest));
    }
    for (which, part) in parts(&turn.answer).iter().enumerate() {
        let mut writer = Writer {
            out,
            name: format!("q{at}-{which}"),
            part,
            marked: BTreeSet::new(),
        };
        writer.part(source);
    }
    out.push_str("</article>\n");
}

/// Writes one part of an answer.
struct Writer<'a> {
    out: &'a mut String,
    /// Tells its anchors from those of other parts.
    name: String,
    part: &'a Part,
    /// Footnotes that have a marker already: the way back leads to the first.
    marked: BTreeSet<u32>,
}

impl Writer<'_> {
    fn part(&mut self, source: &mut Source<'_>) {
        let part = self.part;
        self.out.push_str("<section class=\"part\">");
        if !part.heading.is_empty() {
            let _ = write!(self.out, "<h3>{}</h3>", escape(part.heading));
        }
        let _ = write!(
            self.out,
            "<p class=\"made\">{}</p><div class=\"answer\">",
            escape(&part.made)
        );
        self.blocks(&part.blocks);
        self.out.push_str("</div>");
        if !part.notes.is_empty() {
            self.out
                .push_str("<ol class=\"notes\" aria-label=\"Footnotes\">");
            for note in &part.notes {
                self.note(note, source);
            }
            self.out.push_str("</ol>");
        }
        self.out.push_str("</section>");
    }

    fn blocks(&mut self, blocks: &[BlockView]) {
        for block in blocks {
            self.block(block);
        }
    }

    fn block(&mut self, block: &BlockView) {
        match block {
            BlockView::Paragraph(inlines) => self.element("p", inlines),
            BlockView::Heading { level, inlines } => {
                // Below the question, which is a heading of the second level, and the part's.
                let tag = match level {
                    0..=1 => "h4",
                    2 => "h5",
                    _ => "h6",
                };
                self.element(tag, inlines);
            }
            BlockView::Code { text, .. } => {
                let _ = write!(self.out, "<pre><code>{}</code></pre>", escape(text));
            }
            BlockView::List { start, items } => self.list(*start, items),
            BlockView::Quote(inner) => {
                self.out.push_str("<blockquote>");
                self.blocks(inner);
                self.out.push_str("</blockquote>");
            }
            BlockView::Table { head, rows } => self.table(head, rows),
            BlockView::Rule => self.out.push_str("<hr>"),
        }
    }

    fn element(&mut self, tag: &str, inlines: &[InlineView]) {
        let _ = write!(self.out, "<{tag}>");
        self.inlines(inlines);
        let _ = write!(self.out, "</{tag}>");
    }

    fn list(&mut self, start: Option<u32>, items: &[Vec<BlockView>]) {
        let tag = if start.is_some() { "ol" } else { "ul" };
        match start {
            Some(first) => {
                let _ = write!(self.out, "<ol start=\"{first}\">");
            }
            None => self.out.push_str("<ul>"),
        }
        for item in items {
            self.out.push_str("<li>");
            self.blocks(item);
            self.out.push_str("</li>");
        }
        let _ = write!(self.out, "</{tag}>");
    }

    fn table(&mut self, head: &[Vec<InlineView>], rows: &[Vec<Vec<InlineView>>]) {
        self.out.push_str("<table><thead><tr>");
        for cell in head {
            self.element("th", cell);
        }
        self.out.push_str("</tr></thead><tbody>");
        for row in rows {
            self.out.push_str("<tr>");
            for cell in row {
                self.element("td", cell);
            }
            self.out.push_str("</tr>");
        }
        self.out.push_str("</tbody></table>");
    }

    fn inlines(&mut self, inlines: &[InlineView]) {
        for inline in inlines {
            match inline {
                InlineView::Text(text) => self.out.push_str(&escape(text)),
                InlineView::Code(text) => {
                    let _ = write!(self.out, "<code>{}</code>", escape(text));
                }
                InlineView::Strong(inner) => self.element("strong", inner),
                InlineView::Emphasis(inner) => self.element("em", inner),
                InlineView::Struck(inner) => self.element("s", inner),
                InlineView::Link { inlines, address } => {
                    self.inlines(inlines);
                    let _ = write!(
                        self.out,
                        " <span class=\"address\">({})</span>",
                        escape(address)
                    );
                }
                InlineView::LineBreak => self.out.push_str("<br>"),
                InlineView::Note(number) => self.marker(*number),
                // A citation that never came to its end.
                InlineView::Pending => {}
                InlineView::Uncited => self
                    .out
                    .push_str(" <span class=\"verdict repaired\">no source</span>"),
            }
        }
    }

    fn marker(&mut self, number: u32) {
        let Some(note) = self.part.notes.iter().find(|note| note.number == number) else {
            return;
        };
        let name = &self.name;
        let anchor = match self.marked.insert(number) {
            true => format!(" id=\"{name}-m{number}\""),
            false => String::new(),
        };
        let _ = write!(
            self.out,
            "\u{2060}<a class=\"note-ref {}\"{anchor} href=\"#{name}-n{number}\" aria-label=\"Footnote {number}, {}\">{number}</a>",
            class(&note.check),
            note.check.word()
        );
    }

    fn note(&mut self, note: &FootnoteView, source: &mut Source<'_>) {
        let (name, number) = (&self.name, note.number);
        let back = match self.marked.contains(&number) {
            true => format!("href=\"#{name}-m{number}\" aria-label=\"Back to footnote {number}\""),
            false => "role=\"presentation\"".to_owned(),
        };
        let _ = write!(
            self.out,
            "<li class=\"note {}\" id=\"{name}-n{number}\"><header><a class=\"n\" {back}>{number}</a>",
            class(&note.check)
        );
        let leads = note.check.leads_somewhere();
        if leads {
            let _ = write!(
                self.out,
                "<span class=\"path\">{}</span>",
                escape(&place(note))
            );
        }
        let _ = write!(
            self.out,
            "<span class=\"verdict\">{}</span><span class=\"why\">{}</span></header>",
            note.check.word(),
            escape(&remark(note))
        );
        match source.lines(&note.path, note.start, note.end) {
            Some(lines) if leads => cited(self.out, &lines, note),
            None if leads => self
                .out
                .push_str("<p class=\"why\">The repository has no such lines.</p>"),
            _ => {}
        }
        self.out.push_str("</li>");
    }
}

/// What the verdict leaves to be said.
fn remark(note: &FootnoteView) -> String {
    match &note.check {
        CheckView::Verified | CheckView::AutoCited => note.why.clone(),
        CheckView::Repaired { original, why } | CheckView::Rejected { original, why } => {
            format!("was {original}: {why}")
        }
        CheckView::OutsideEvidence { original } => format!("was {original}"),
    }
}

fn cited(out: &mut String, lines: &[CitedLine], note: &FootnoteView) {
    let _ = write!(
        out,
        "<pre class=\"lines\" tabindex=\"0\" aria-label=\"Lines of {}\">",
        escape(&place(note))
    );
    for line in lines {
        let _ = write!(out, "<span><span class=\"no\">{}</span><code>", line.number);
        for (class, text) in &line.pieces {
            match class {
                None => out.push_str(&escape(text)),
                Some(class) => {
                    let _ = write!(
                        out,
                        "<span class=\"{}\">{}</span>",
                        colour(*class),
                        escape(text)
                    );
                }
            }
        }
        out.push_str("</code></span>");
    }
    out.push_str("</pre>");
}

fn class(check: &CheckView) -> &'static str {
    match check {
        CheckView::Verified => "ok",
        CheckView::Repaired { .. } | CheckView::OutsideEvidence { .. } | CheckView::AutoCited => {
            "repaired"
        }
        CheckView::Rejected { .. } => "bad",
    }
}

fn colour(class: HighlightClass) -> &'static str {
    match class {
        HighlightClass::Keyword => "k",
        HighlightClass::String => "s",
        HighlightClass::Comment => "c",
        HighlightClass::Number => "num",
        HighlightClass::Function => "f",
        HighlightClass::Type => "t",
        HighlightClass::Heading => "h",
    }
}
