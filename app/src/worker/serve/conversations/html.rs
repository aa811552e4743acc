//! A conversation as one HTML file to hand out: every answer with its footnotes, and under each
//! footnote the cited lines themselves, so that a reader who has neither the repository nor
//! Footnote can check them.

use std::collections::BTreeSet;

use footnote_core::index::Index;
use footnote_core::lang::highlight::HighlightClass;
use maud::{Markup, html};

use super::cited::{CitedLine, Source};
use super::formats::Format;
use super::parts::{Handout, Part, parts};
use crate::worker::protocol::{
    BlockView, CLOSEST, FootnoteView, FormatSpec, InlineView, ShownIn, TurnView, VERDICTS,
    VerdictView,
};
use crate::worker::serve::document::document;

pub const FORMAT: Format = Format {
    spec: FormatSpec {
        about: "with all cited lines",
        ..FormatSpec::HTML
    },
    write: |handout, index, _| Ok(file(handout, index)),
};

const STYLE: &str = include_str!("../../../../style/handout.css");
const VERDICT_STYLE: &str = include_str!("../../../../style/verdicts.css");

pub fn file(handout: &Handout<'_>, index: &Index) -> String {
    let source = &mut Source::new(index);
    let turns = &handout.conversation.turns;
    let body = html! {
        header {
            h1 { (handout.title) }
            p.about {
                "Asked of " (handout.repository) " with Footnote; saved on " (handout.day)
                ". Each footnote is followed by the lines it cites."
            }
            @if let Some(about) = &handout.conversation.about { p.about { (about) } }
        }
        @if turns.len() > 1 { (contents(turns)) }
        main {
            @for (at, turn) in (1..).zip(turns) { (self::turn(at, turn, source)) }
        }
        footer { (words()) }
    };
    document(handout.title, &[STYLE, VERDICT_STYLE], &body)
}

/// Explains the verdicts.
fn words() -> Markup {
    html! {
        p {
            "Footnote checked each citation by code, not by a language model. Only “proven” says that a "
            "sentence follows from its lines."
        }
        dl {
            @for spec in VERDICTS {
                dt class=(spec.class) { (spec.label) }
                dd { (spec.means) " " (spec.means_not) }
            }
            dt { (CLOSEST.label) }
            dd { (CLOSEST.means) " " (CLOSEST.means_not) }
        }
    }
}

fn contents(turns: &[TurnView]) -> Markup {
    let first = |turn: &TurnView| {
        let question = turn.answer.question.trim();
        question.lines().next().unwrap_or_default().to_owned()
    };
    html! {
        nav aria-label="Questions" {
            ol {
                @for (at, turn) in (1..).zip(turns) {
                    li { a href={ "#q" (at) } { (first(turn)) } }
                }
            }
        }
    }
}

fn turn(at: usize, turn: &TurnView, source: &mut Source<'_>) -> Markup {
    let question = turn.answer.question.trim();
    let (first, rest) = question.split_once('\n').unwrap_or((question, ""));
    html! {
        article.turn id={ "q" (at) } {
            h2 { (first) }
            @if !rest.trim().is_empty() { pre.question { (rest) } }
            @for (which, part) in parts(&turn.answer).iter().enumerate() {
                (Writer::new(format!("q{at}-{which}"), part).part(source))
            }
        }
    }
}

/// Writes one part of an answer.
struct Writer<'a> {
    /// Distinguishes its anchors from those of other parts.
    name: String,
    part: &'a Part,
    /// Footnotes that already have a marker: the way back leads to the first one.
    marked: BTreeSet<u32>,
}

impl<'a> Writer<'a> {
    fn new(name: String, part: &'a Part) -> Self {
        Self {
            name,
            part,
            marked: BTreeSet::new(),
        }
    }

    fn part(&mut self, source: &mut Source<'_>) -> Markup {
        let part = self.part;
        html! {
            section.part {
                @if !part.heading.is_empty() { h3 { (part.heading) } }
                p.made { (part.made) }
                div.answer { (self.blocks(&part.blocks)) }
                @if !part.notes.is_empty() {
                    ol.notes aria-label="Footnotes" {
                        @for note in &part.notes { (self.note(note, source)) }
                    }
                }
            }
        }
    }

    fn blocks(&mut self, blocks: &[BlockView]) -> Markup {
        html! { @for block in blocks { (self.block(block)) } }
    }

    fn block(&mut self, block: &BlockView) -> Markup {
        match block {
            BlockView::Paragraph(inlines) => html! { p { (self.inlines(inlines)) } },
            // One level below the question, which is a level-2 heading, and the part's heading.
            BlockView::Heading {
                level: 0..=1,
                inlines,
            } => html! { h4 { (self.inlines(inlines)) } },
            BlockView::Heading { level: 2, inlines } => html! { h5 { (self.inlines(inlines)) } },
            BlockView::Heading { inlines, .. } => html! { h6 { (self.inlines(inlines)) } },
            BlockView::Code { text, .. } => html! { pre { code { (text) } } },
            BlockView::List {
                start: Some(start),
                items,
            } => {
                html! { ol start=(start) { (self.items(items)) } }
            }
            BlockView::List { start: None, items } => html! { ul { (self.items(items)) } },
            BlockView::Quote(inner) => html! { blockquote { (self.blocks(inner)) } },
            BlockView::Table { head, rows } => self.table(head, rows),
            BlockView::Rule => html! { hr; },
        }
    }

    fn items(&mut self, items: &[Vec<BlockView>]) -> Markup {
        html! { @for item in items { li { (self.blocks(item)) } } }
    }

    fn table(&mut self, head: &[Vec<InlineView>], rows: &[Vec<Vec<InlineView>>]) -> Markup {
        html! {
            table {
                thead { tr { @for cell in head { th { (self.inlines(cell)) } } } }
                tbody {
                    @for row in rows { tr { @for cell in row { td { (self.inlines(cell)) } } } }
                }
            }
        }
    }

    fn inlines(&mut self, inlines: &[InlineView]) -> Markup {
        html! { @for inline in inlines { (self.inline(inline)) } }
    }

    fn inline(&mut self, inline: &InlineView) -> Markup {
        match inline {
            InlineView::Text(text) => html! { (text) },
            InlineView::Code(text) => html! { code { (text) } },
            InlineView::Strong(inner) => html! { strong { (self.inlines(inner)) } },
            InlineView::Emphasis(inner) => html! { em { (self.inlines(inner)) } },
            InlineView::Struck(inner) => html! { s { (self.inlines(inner)) } },
            InlineView::Wrong(inner) => html! { span.wrong { (self.inlines(inner)) } },
            InlineView::Link { inlines, address } => html! {
                (self.inlines(inlines)) " " span.address { "(" (address) ")" }
            },
            InlineView::LineBreak => html! { br; },
            InlineView::Note(number) => self.marker(*number),
            // A citation that was never completed.
            InlineView::Pending => Markup::default(),
            InlineView::Uncited => {
                let spec = VerdictView::Uncited.spec();
                html! { " " span class={ "verdict " (spec.class) } { (spec.label) } }
            }
        }
    }

    fn marker(&mut self, number: u32) -> Markup {
        let Some(note) = self.part.notes.iter().find(|note| note.number == number) else {
            return Markup::default();
        };
        let told = note.told(ShownIn::File);
        let name = &self.name;
        let anchor = self
            .marked
            .insert(number)
            .then(|| format!("{name}-m{number}"));
        html! {
            "\u{2060}"
            a
                class={ "note-ref " (told.verdict.class) }
                id=[anchor]
                href={ "#" (name) "-n" (number) }
                aria-label={ "Footnote " (number) ", " (told.verdict.label) }
                { (number) }
        }
    }

    fn note(&self, note: &FootnoteView, source: &mut Source<'_>) -> Markup {
        let (name, number) = (&self.name, note.number);
        let told = note.told(ShownIn::File);
        let lines = source.lines(&note.path, note.start, note.end);
        html! {
            li class={ "note " (told.verdict.class) } id={ (name) "-n" (number) } {
                header {
                    @if self.marked.contains(&number) {
                        a.n href={ "#" (name) "-m" (number) }
                            aria-label={ "Back to footnote " (number) } { (number) }
                    } @else {
                        a.n role="presentation" { (number) }
                    }
                    @if let Some(place) = &told.place { span.path { (place) } }
                    span.verdict { (told.verdict.label) }
                    span.why { (told.remark) }
                }
                @if let Some(instead) = &told.instead { p.instead { (instead) } }
                @match (&told.place, lines) {
                    (Some(place), Some(lines)) => (cited(place, &lines)),
                    (Some(_), None) => p.why { "The repository has no such lines." },
                    (None, _) => {},
                }
            }
        }
    }
}

fn cited(place: &str, lines: &[CitedLine]) -> Markup {
    html! {
        pre.lines tabindex="0" aria-label={ "Lines of " (place) } {
            @for line in lines {
                span {
                    span.no { (line.number) }
                    code {
                        @for (class, text) in &line.pieces {
                            @match class {
                                None => (text),
                                Some(class) => span class=(colour(*class)) { (text) },
                            }
                        }
                    }
                }
            }
        }
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
