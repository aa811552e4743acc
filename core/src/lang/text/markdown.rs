//! Parses Markdown into sections. CommonMark decides what a heading is, so that `#` in a fenced
//! block or the `---` of a front matter is not one. A heading written in HTML counts too, as
//! READMEs often start with one.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::outline::{self, Heading};
use super::rows::Rows;
use super::{Cut, sentence};
use crate::lang::Symbol;

/// Depth of a cut before a block that is not a heading: below all six levels of headings.
const BLOCK_DEPTH: u16 = 6;

/// Number of bytes of an HTML block in which headings are searched.
const HTML_BYTES: usize = 16 * 1024;

/// Number of bytes of a section's text in which its first sentence is searched.
const PROSE_BYTES: usize = 2_000;

pub(super) fn parse(rows: &Rows<'_>) -> (Vec<Symbol>, Vec<Cut>) {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS;
    let mut reader = Reader::new(rows);
    for (event, bytes) in Parser::new_ext(rows.text, options).into_offset_iter() {
        reader.read(event, bytes);
    }
    reader.end_prose();
    (outline::sections(reader.headings, rows), reader.cuts)
}

struct Reader<'r, 't> {
    rows: &'r Rows<'t>,
    headings: Vec<Heading>,
    cuts: Vec<Cut>,
    /// Number of open blocks; a heading inside a quotation or list opens no section.
    depth: u16,
    /// The heading that is being read.
    heading: Option<Heading>,
    /// Text of the section's first paragraph, while it is being read.
    prose: String,
    in_prose: bool,
    /// Number of open images: their text describes a picture.
    images: u32,
    /// The bytes of an HTML block.
    html: Option<Range<usize>>,
}

impl<'r, 't> Reader<'r, 't> {
    fn new(rows: &'r Rows<'t>) -> Self {
        Self {
            rows,
            headings: Vec::new(),
            cuts: Vec::new(),
            depth: 0,
            heading: None,
            prose: String::new(),
            in_prose: false,
            images: 0,
            html: None,
        }
    }

    fn read(&mut self, event: Event<'_>, bytes: Range<usize>) {
        match event {
            Event::Start(tag) => self.open(&tag, bytes),
            Event::End(tag) => self.close(tag),
            Event::Text(text) | Event::Code(text) => self.add(&text),
            Event::SoftBreak | Event::HardBreak => self.add(" "),
            Event::Html(_) => {
                if let Some(block) = &mut self.html {
                    block.end = bytes.end;
                }
            }
            _ => {}
        }
    }

    fn open(&mut self, tag: &Tag<'_>, bytes: Range<usize>) {
        let row = self.rows.row_of(bytes.start);
        match tag {
            Tag::Heading { level, .. } if self.depth == 0 => {
                self.end_prose();
                let level = *level as u16;
                let depth = level.saturating_sub(1);
                self.cuts.push(Cut { row, depth });
                self.heading = Some(Heading {
                    level,
                    name: String::new(),
                    first: row,
                    name_row: row,
                    doc: String::new(),
                });
            }
            Tag::Paragraph | Tag::Item => {
                self.cut(row);
                self.in_prose = true;
            }
            Tag::Image { .. } => self.images += 1,
            Tag::HtmlBlock => {
                self.cut(row);
                self.html = Some(bytes.start..bytes.start);
            }
            Tag::CodeBlock(_) | Tag::Table(_) | Tag::List(_) | Tag::BlockQuote(_) => {
                self.cut(row);
                self.in_prose = false;
            }
            _ => {}
        }
        if is_container(tag) {
            self.depth = self.depth.saturating_add(1);
        }
    }

    fn close(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => self.headings.extend(self.heading.take()),
            TagEnd::Paragraph | TagEnd::Item => {
                self.in_prose = false;
                self.add_space();
            }
            TagEnd::Image => self.images = self.images.saturating_sub(1),
            TagEnd::HtmlBlock => self.end_html(),
            TagEnd::BlockQuote(_)
            | TagEnd::List(_)
            | TagEnd::Table
            | TagEnd::FootnoteDefinition => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }

    /// Adds text of a heading or of prose.
    fn add(&mut self, text: &str) {
        if let Some(heading) = &mut self.heading {
            heading.name.push_str(text);
        } else if self.in_prose && self.images == 0 && self.prose.len() < PROSE_BYTES {
            self.prose.push_str(text);
        }
    }

    fn add_space(&mut self) {
        if !self.prose.is_empty() && self.prose.len() < PROSE_BYTES {
            self.prose.push('\n');
        }
    }

    /// Sets the first sentence of the section read so far.
    fn end_prose(&mut self) {
        let prose = std::mem::take(&mut self.prose);
        if let Some(heading) = self.headings.last_mut().filter(|last| last.doc.is_empty()) {
            // The first paragraph with content: a row of badges leaves only white space.
            let paragraph = prose
                .split('\n')
                .find(|paragraph| paragraph.chars().any(char::is_alphanumeric));
            heading.doc = sentence::first(paragraph.unwrap_or(""));
        }
    }

    fn cut(&mut self, row: u32) {
        let depth = BLOCK_DEPTH.saturating_add(self.depth);
        self.cuts.push(Cut { row, depth });
    }

    /// Reads `<h1>…</h1>` from an HTML block.
    fn end_html(&mut self) {
        let Some(block) = self.html.take().filter(|_| self.depth == 0) else {
            return;
        };
        let html = self.rows.text.get(block.clone()).unwrap_or("");
        let html = html
            .get(..html.floor_char_boundary(HTML_BYTES))
            .unwrap_or("");
        for (level, at, name) in html_headings(html) {
            self.end_prose();
            let row = self.rows.row_of(block.start + at);
            self.headings.push(Heading {
                level,
                name,
                first: row,
                name_row: row,
                doc: String::new(),
            });
        }
    }
}

fn is_container(tag: &Tag<'_>) -> bool {
    matches!(
        tag,
        Tag::BlockQuote(_) | Tag::List(_) | Tag::Table(_) | Tag::FootnoteDefinition(_)
    )
}

/// Returns the headings of an HTML block: level, byte of the tag, text without tags.
fn html_headings(html: &str) -> Vec<(u16, usize, String)> {
    // ASCII lower case only, so that offsets stay the same.
    let lower = html.to_ascii_lowercase();
    let mut headings = Vec::new();
    let mut from = 0;
    while let Some(found) = lower.get(from..).and_then(|rest| rest.find("<h")) {
        let at = from + found;
        from = at + 2;
        let Some(digit @ b'1'..=b'6') = lower.as_bytes().get(from) else {
            continue;
        };
        let level = u16::from(digit - b'0');
        let inside = from + 1;
        let close = format!("</h{level}");
        let Some(length) = lower.get(inside..).and_then(|rest| rest.find(&close)) else {
            continue;
        };
        let name = without_tags(html.get(inside..inside + length).unwrap_or(""));
        from = inside + length;
        headings.push((level, at, name));
    }
    headings
}

/// Returns the text outside tags after `<h1`; the first tag is already open.
fn without_tags(html: &str) -> String {
    let mut text = String::new();
    let mut in_tag = true;
    for sign in html.chars() {
        match sign {
            '<' => in_tag = true,
            '>' => in_tag = false,
            _ if !in_tag => text.push(sign),
            _ => {}
        }
    }
    text
}
