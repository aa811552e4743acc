//! Markdown → blocks that can be shown without any HTML from the model: raw HTML becomes text,
//! links and images become text with their address beside it, and nothing loads by itself.

mod marked;
mod stops;

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use self::marked::{Marked, Piece, pieces};
use super::{Block, Inline, Insert};

/// Deeper nesting of blocks and inlines is flattened; a model can write a million `>`.
const MAX_DEPTH: usize = 16;

/// Most items of a list in one block. Otherwise a growing list would be sent and rendered again as
/// a whole each time, which is noticeable with hundreds of items.
const LIST_ITEMS: usize = 8;

/// The blocks of `text`; `inserts` are in order and do not overlap. Text in one of the ranges
/// `wrong` becomes [`Inline::Wrong`].
pub fn blocks(text: &str, inserts: &[Insert], wrong: &[Range<usize>]) -> Vec<Block> {
    let marked = Marked::new(text, inserts);
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut builder = Builder {
        text,
        inserts,
        wrong,
        marked: &marked,
        blocks: vec![Frame::root()],
        inlines: Vec::new(),
    };
    for (event, at) in Parser::new_ext(&marked.text, options).into_offset_iter() {
        builder.event(event, at);
    }
    builder.finish()
}

/// An unfinished block.
struct Frame {
    kind: Kind,
    blocks: Vec<Block>,
}

enum Kind {
    Root,
    Paragraph,
    Heading(u8),
    Code(String, String),
    Quote,
    List(Option<u32>, Vec<Vec<Block>>),
    Item,
    Table {
        head: Vec<Vec<Inline>>,
        rows: Vec<Vec<Vec<Inline>>>,
        in_head: bool,
    },
}

impl Frame {
    fn root() -> Self {
        Self::new(Kind::Root)
    }

    fn new(kind: Kind) -> Self {
        Self {
            kind,
            blocks: Vec::new(),
        }
    }
}

/// What an unfinished inline is wrapped in.
enum Wrap {
    Plain,
    Strong,
    Emphasis,
    Struck,
    Link(String),
}

struct Builder<'a> {
    text: &'a str,
    inserts: &'a [Insert],
    wrong: &'a [Range<usize>],
    marked: &'a Marked,
    blocks: Vec<Frame>,
    inlines: Vec<(Wrap, Vec<Inline>)>,
}

impl Builder<'_> {
    /// Handles a parser event; `at` is its range in the marked text.
    fn event(&mut self, event: Event<'_>, at: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text, at.start),
            Event::Code(text) => self.code(&text, at.start),
            // Shown as plain text, which is what someone wrote.
            Event::Html(text) | Event::InlineHtml(text) => self.text(&text, at.start),
            Event::SoftBreak => self.words(" ", self.marked.original(at.start)),
            Event::HardBreak => self.push(Inline::LineBreak),
            Event::Rule => self.add(Block::Rule),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => self.open(Kind::Paragraph),
            Tag::Heading { level, .. } => self.open(Kind::Heading(depth(level))),
            Tag::CodeBlock(kind) => {
                let language = match kind {
                    CodeBlockKind::Fenced(info) => {
                        info.split_whitespace().next().unwrap_or("").to_owned()
                    }
                    CodeBlockKind::Indented => String::new(),
                };
                self.open(Kind::Code(language, String::new()));
            }
            Tag::BlockQuote(_) => self.open(Kind::Quote),
            Tag::List(start) => {
                let start = start.and_then(|start| u32::try_from(start).ok());
                self.open(Kind::List(start, Vec::new()));
            }
            Tag::Item => self.open(Kind::Item),
            Tag::Table(_) => self.open(Kind::Table {
                head: Vec::new(),
                rows: Vec::new(),
                in_head: false,
            }),
            Tag::TableHead => self.table(|_, _, in_head| *in_head = true),
            Tag::TableRow => self.table(|_, rows, _| rows.push(Vec::new())),
            Tag::TableCell => self.wrap(Wrap::Plain),
            Tag::Strong => self.wrap(Wrap::Strong),
            Tag::Emphasis => self.wrap(Wrap::Emphasis),
            Tag::Strikethrough => self.wrap(Wrap::Struck),
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.wrap(Wrap::Link(dest_url.to_string()));
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Strong
            | TagEnd::Emphasis
            | TagEnd::Strikethrough
            | TagEnd::Link
            | TagEnd::Image => self.unwrap(),
            TagEnd::TableCell => {
                let cell = self.inlines.pop().map(|(_, inlines)| inlines);
                let cell = cell.unwrap_or_default();
                self.table(|head, rows, in_head| match (in_head, rows.last_mut()) {
                    (true, _) => head.push(cell),
                    (false, Some(row)) => row.push(cell),
                    (false, None) => {}
                });
            }
            TagEnd::TableHead => self.table(|_, _, in_head| *in_head = false),
            TagEnd::Paragraph
            | TagEnd::HtmlBlock
            | TagEnd::Heading(_)
            | TagEnd::CodeBlock
            | TagEnd::BlockQuote(_)
            | TagEnd::List(_)
            | TagEnd::Item
            | TagEnd::Table => self.close(),
            _ => {}
        }
    }

    /// Adds text that starts at a byte of the marked text, with the markers in it.
    fn text(&mut self, text: &str, at: usize) {
        if let Some(Frame {
            kind: Kind::Code(_, code),
            ..
        }) = self.blocks.last_mut()
        {
            // Code is shown as written, including what looks like a citation.
            for piece in pieces(text) {
                match piece {
                    Piece::Text(text, _) => code.push_str(text),
                    Piece::Marker(number) => {
                        let at = self.inserts.get(number).map(|insert| insert.at.clone());
                        let original = at.and_then(|at| self.text.get(at));
                        code.push_str(original.unwrap_or_default());
                    }
                }
            }
            return;
        }
        for piece in pieces(text) {
            match piece {
                Piece::Text(text, from) => self.words(text, self.marked.original(at + from)),
                Piece::Marker(number) => self.marker(number),
            }
        }
    }

    /// Adds words that start at a byte of the answer, and marks the wrong ones.
    fn words(&mut self, text: &str, mut at: usize) {
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let inside = self.wrong.iter().find(|range| range.contains(&at));
            let end = match inside {
                Some(range) => range.end,
                None => {
                    let starts = self.wrong.iter().map(|range| range.start);
                    starts
                        .filter(|start| *start > at)
                        .min()
                        .unwrap_or(usize::MAX)
                }
            };
            let length = rest.floor_char_boundary((end - at).min(rest.len()));
            let (piece, after) = rest.split_at(length.max(first.len_utf8()));
            let words = Inline::Text(piece.to_owned());
            self.push(match inside {
                Some(_) => Inline::Wrong(vec![words]),
                None => words,
            });
            at += piece.len();
            rest = after;
        }
    }

    /// Adds inline code; a marker inside it is moved after it.
    fn code(&mut self, text: &str, at: usize) {
        let (mut code, mut numbers) = (String::new(), Vec::new());
        for piece in pieces(text) {
            match piece {
                Piece::Text(text, _) => code.push_str(text),
                Piece::Marker(number) => numbers.push(number),
            }
        }
        if !code.is_empty() {
            let at = self.marked.original(at);
            let code = Inline::Code(code);
            self.push(match self.wrong.iter().any(|range| range.contains(&at)) {
                true => Inline::Wrong(vec![code]),
                false => code,
            });
        }
        for number in numbers {
            self.marker(number);
        }
    }

    fn marker(&mut self, number: usize) {
        let Some(insert) = self.inserts.get(number) else {
            return;
        };
        // The marker stays next to its word, wherever the model put the citation.
        if let Some((_, inlines)) = self.inlines.last_mut() {
            trim_end(inlines);
        }
        self.push(insert.marker.clone());
    }

    fn open(&mut self, kind: Kind) {
        // A tight list has no paragraphs: text before a nested block becomes one.
        self.flush();
        self.blocks.push(Frame::new(kind));
    }

    fn close(&mut self) {
        if !matches!(
            self.blocks.last().map(|frame| &frame.kind),
            Some(Kind::Paragraph | Kind::Heading(_))
        ) {
            self.flush();
        }
        if self.blocks.len() < 2 {
            return;
        }
        let Some(Frame { kind, blocks }) = self.blocks.pop() else {
            return;
        };
        match kind {
            Kind::Paragraph => {
                let inlines = self.taken();
                self.add_paragraph(inlines);
            }
            Kind::Heading(level) => {
                let inlines = self.taken();
                self.add(Block::Heading { level, inlines });
            }
            Kind::Code(language, text) => {
                let text = text.trim_end_matches('\n').to_owned();
                self.add(Block::Code { language, text });
            }
            Kind::Quote => self.add_nested(blocks, Block::Quote),
            Kind::Item => {
                if let Some(Frame {
                    kind: Kind::List(_, items),
                    ..
                }) = self.blocks.last_mut()
                {
                    items.push(blocks);
                }
            }
            Kind::List(start, items) => {
                if self.blocks.len() > MAX_DEPTH {
                    return items
                        .into_iter()
                        .flatten()
                        .for_each(|block| self.add(block));
                }
                self.add(Block::List { start, items });
            }
            Kind::Table { head, rows, .. } => self.add(Block::Table { head, rows }),
            Kind::Root => {}
        }
    }

    fn add(&mut self, block: Block) {
        if let Some(frame) = self.blocks.last_mut() {
            frame.blocks.push(block);
        }
    }

    fn add_nested(&mut self, blocks: Vec<Block>, wrap: fn(Vec<Block>) -> Block) {
        if self.blocks.len() > MAX_DEPTH {
            return blocks.into_iter().for_each(|block| self.add(block));
        }
        self.add(wrap(blocks));
    }

    fn table(
        &mut self,
        change: impl FnOnce(&mut Vec<Vec<Inline>>, &mut Vec<Vec<Vec<Inline>>>, &mut bool),
    ) {
        if let Some(Frame {
            kind:
                Kind::Table {
                    head,
                    rows,
                    in_head,
                },
            ..
        }) = self.blocks.last_mut()
        {
            change(head, rows, in_head);
        }
    }

    fn wrap(&mut self, wrap: Wrap) {
        if self.inlines.is_empty() {
            self.inlines.push((Wrap::Plain, Vec::new()));
        }
        self.inlines.push((wrap, Vec::new()));
    }

    fn unwrap(&mut self) {
        if self.inlines.len() < 2 {
            return;
        }
        let Some((wrap, inlines)) = self.inlines.pop() else {
            return;
        };
        // Only markers inside: they need no emphasis.
        let is_bare = inlines
            .iter()
            .all(|inline| matches!(inline, Inline::Note(_) | Inline::Uncited | Inline::Pending));
        let is_deep = self.inlines.len() > MAX_DEPTH;
        match wrap {
            Wrap::Link(address) => self.push(Inline::Link { inlines, address }),
            _ if is_bare || is_deep => inlines.into_iter().for_each(|inline| self.push(inline)),
            Wrap::Strong => self.push(Inline::Strong(inlines)),
            Wrap::Emphasis => self.push(Inline::Emphasis(inlines)),
            Wrap::Struck => self.push(Inline::Struck(inlines)),
            Wrap::Plain => inlines.into_iter().for_each(|inline| self.push(inline)),
        }
    }

    fn push(&mut self, inline: Inline) {
        if self.inlines.is_empty() {
            self.inlines.push((Wrap::Plain, Vec::new()));
        }
        let Some((_, inlines)) = self.inlines.last_mut() else {
            return;
        };
        join(inlines, inline);
    }

    /// Takes all inlines so far, and closes those that a cut text left open.
    fn taken(&mut self) -> Vec<Inline> {
        while self.inlines.len() > 1 {
            self.unwrap();
        }
        let all = self.inlines.pop().map(|(_, inlines)| inlines);
        all.unwrap_or_default()
    }

    fn flush(&mut self) {
        let inlines = self.taken();
        self.add_paragraph(inlines);
    }

    fn add_paragraph(&mut self, inlines: Vec<Inline>) {
        if let Some(frame) = self.blocks.last_mut().filter(|_| !inlines.is_empty()) {
            stops::add_paragraph(&mut frame.blocks, inlines);
        }
    }

    fn finish(mut self) -> Vec<Block> {
        while self.blocks.len() > 1 {
            self.close();
        }
        self.flush();
        let blocks = self.blocks.pop().map(|frame| frame.blocks);
        blocks.into_iter().flatten().flat_map(parts).collect()
    }
}

/// Splits a long list into several, each continuing the one before; returns any other block
/// unchanged.
fn parts(block: Block) -> Vec<Block> {
    let Block::List { start, items } = block else {
        return vec![block];
    };
    let chunks = items.chunks(LIST_ITEMS).enumerate();
    chunks
        .map(|(at, items)| Block::List {
            start: start.map(|start| start.saturating_add((at * LIST_ITEMS) as u32)),
            items: items.to_vec(),
        })
        .collect()
}

/// Adds an inline; text after text is merged.
fn join(inlines: &mut Vec<Inline>, inline: Inline) {
    match (inlines.last_mut(), inline) {
        (Some(Inline::Text(before)), Inline::Text(text)) => before.push_str(&text),
        (Some(Inline::Wrong(before)), Inline::Wrong(inner)) => {
            inner.into_iter().for_each(|inline| join(before, inline));
        }
        (_, inline) => inlines.push(inline),
    }
}

/// Removes trailing spaces.
fn trim_end(inlines: &mut [Inline]) {
    match inlines.last_mut() {
        Some(Inline::Text(text)) => text.truncate(text.trim_end_matches(' ').len()),
        Some(Inline::Wrong(inner)) => trim_end(inner),
        _ => {}
    }
}

fn depth(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        _ => 4,
    }
}

#[cfg(test)]
mod tests;
