//! The blocks of an answer's Markdown, line by line while it still grows: a block that was passed
//! never changes.
//!
//! It reads only what decides where statements and citations can be: fenced and indented code,
//! headings, lists, tables and paragraphs. [`super::blocks`] reads everything, with a real parser.

use std::ops::Range;

/// The kind of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A paragraph, or the text of a list item.
    Prose,
    Heading,
    /// A table row below the header.
    Row,
    /// A table header, or a line of punctuation such as a rule.
    Rule,
    /// A line of code.
    Code,
}

/// A block, or the rest of one that was passed in part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// Its bytes, without the markers in front of it.
    pub at: Range<usize>,
    pub kind: Kind,
    /// Whether more text cannot extend it.
    pub is_closed: bool,
}

/// The reading position in a growing text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blocks {
    /// The first byte that was not passed.
    at: usize,
    /// Whether `at` is inside a paragraph.
    in_prose: bool,
    /// Character and length of the fence around the code at `at`.
    fence: Option<(u8, usize)>,
    in_list: bool,
    in_table: bool,
    after_blank: bool,
}

/// What a line starts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Blank,
    Fence(u8, usize),
    Heading,
    Row,
    Rule,
    Item,
    Indented,
    Plain,
    /// Undecided: it depends on what follows.
    Open,
}

impl Blocks {
    /// The block at the reading position; `None` if there is none yet.
    pub(crate) fn next(&mut self, text: &str, finished: bool) -> Option<Block> {
        loop {
            if self.in_prose {
                return self.prose(text, self.at, finished);
            }
            let rest = text.get(self.at..).filter(|rest| !rest.is_empty())?;
            let (line, is_whole) = first_line(rest, finished);
            let end = self.at + line.len();
            if let Some((sign, length)) = self.fence {
                if !is_whole {
                    return None;
                }
                let trimmed = line.trim();
                let is_end = trimmed.len() >= length && trimmed.bytes().all(|byte| byte == sign);
                self.fence = (!is_end).then_some((sign, length));
                return Some(self.line(text, end, Kind::Code));
            }
            let (start, class) = classify(line, is_whole);
            let class = match class {
                Line::Indented if self.in_list || !self.after_blank => Line::Plain,
                other => other,
            };
            match class {
                Line::Open => return None,
                Line::Plain | Line::Item => {
                    let is_indented = line.starts_with([' ', '\t']);
                    self.in_list =
                        class == Line::Item || self.in_list && (is_indented || !self.after_blank);
                    self.in_table = false;
                    // The start of a paragraph is read only once: markers before it do not matter
                    // any more.
                    self.pass_part(self.at + start);
                }
                _ if !is_whole => return None,
                Line::Blank => {
                    self.pass(end);
                    self.after_blank = true;
                }
                Line::Fence(sign, length) => {
                    self.fence = Some((sign, length));
                    return Some(self.line(text, end, Kind::Code));
                }
                Line::Indented => return Some(self.line(text, end, Kind::Code)),
                Line::Heading => return Some(self.line(text, end, Kind::Heading)),
                Line::Rule => return Some(self.line(text, end, Kind::Rule)),
                Line::Row => {
                    let kind = if self.in_table { Kind::Row } else { Kind::Rule };
                    let block = self.line(text, end, kind);
                    self.in_table = true;
                    return Some(block);
                }
            }
        }
    }

    /// Moves past byte `to`, the end of the block that [`Blocks::next`] returned.
    pub(crate) fn pass(&mut self, to: usize) {
        self.at = to;
        self.in_prose = false;
        self.after_blank = false;
    }

    /// Moves to byte `to` inside the paragraph that [`Blocks::next`] returned.
    pub(crate) fn pass_part(&mut self, to: usize) {
        self.at = to;
        self.in_prose = true;
    }

    /// The first byte that was not passed.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    fn line(&mut self, text: &str, end: usize, kind: Kind) -> Block {
        let is_indented = text
            .get(self.at..)
            .is_some_and(|line| line.starts_with([' ', '\t']));
        self.in_list &= is_indented;
        if kind != Kind::Rule {
            self.in_table &= kind == Kind::Row;
        }
        Block {
            at: self.at..end,
            kind,
            is_closed: true,
        }
    }

    /// The paragraph that continues at `from`.
    fn prose(&self, text: &str, from: usize, finished: bool) -> Option<Block> {
        let mut end = from;
        let mut is_first = true;
        loop {
            let rest = text.get(end..).unwrap_or_default();
            if rest.is_empty() {
                break;
            }
            let (line, is_whole) = first_line(rest, finished);
            if !is_first {
                match classify(line, is_whole).1 {
                    Line::Plain | Line::Indented => {}
                    Line::Open => {
                        return Some(Block {
                            at: from..end,
                            kind: Kind::Prose,
                            is_closed: false,
                        });
                    }
                    _ => {
                        return Some(Block {
                            at: from..end,
                            kind: Kind::Prose,
                            is_closed: true,
                        });
                    }
                }
            }
            is_first = false;
            end += line.len();
        }
        Some(Block {
            at: from..end,
            kind: Kind::Prose,
            is_closed: finished,
        })
    }
}

/// The first line with its line end, and whether it is complete.
fn first_line(text: &str, finished: bool) -> (&str, bool) {
    match text.find('\n') {
        Some(at) => (text.get(..=at).unwrap_or(text), true),
        None => (text, finished),
    }
}

/// The number of bytes in front of the line's content, and what the line starts.
fn classify(line: &str, is_whole: bool) -> (usize, Line) {
    let mut body = line;
    loop {
        let trimmed = body.trim_start_matches([' ', '\t']);
        match trimmed.strip_prefix('>') {
            Some(inside) => body = inside,
            None => break,
        }
    }
    let content = body.trim_start_matches([' ', '\t']);
    let indent = body.len() - content.len();
    let before = line.len() - content.len();
    let class = class_of(content, is_whole);
    let is_deep = indent >= 4 || body.starts_with('\t');
    match class {
        Line::Item => (before + marker(content), class),
        Line::Plain | Line::Heading | Line::Row if is_deep => (before, Line::Indented),
        _ => (before, class),
    }
}

fn class_of(content: &str, is_whole: bool) -> Line {
    let trimmed = content.trim_end();
    if trimmed.is_empty() {
        return if is_whole { Line::Blank } else { Line::Open };
    }
    let undecided = |otherwise: Line| if is_whole { otherwise } else { Line::Open };
    let first = content.bytes().next().unwrap_or_default();
    match first {
        b'`' | b'~' => {
            let length = content.bytes().take_while(|&byte| byte == first).count();
            if length >= 3 {
                // A paragraph can start with inline code between three backticks.
                let is_inline = content.get(length..).unwrap_or_default().contains('`');
                return undecided(if is_inline {
                    Line::Plain
                } else {
                    Line::Fence(first, length)
                });
            }
            if length == content.len() {
                undecided(Line::Plain)
            } else {
                Line::Plain
            }
        }
        b'#' => {
            let rest = content.trim_start_matches('#');
            match rest.chars().next() {
                None => undecided(Line::Heading),
                Some(next) if next.is_whitespace() && content.len() - rest.len() <= 6 => {
                    undecided(Line::Heading)
                }
                Some(_) => Line::Plain,
            }
        }
        b'|' => undecided(Line::Row),
        b'-' | b'*' | b'+' | b'_' | b'=' => signs(content, undecided),
        b'0'..=b'9' => {
            let rest = content.trim_start_matches(|c: char| c.is_ascii_digit());
            let mut next = rest.chars();
            match (next.next(), next.next()) {
                (None, _) | (Some('.' | ')'), None) => undecided(Line::Plain),
                (Some('.' | ')'), Some(after)) if after.is_whitespace() => Line::Item,
                _ => Line::Plain,
            }
        }
        _ => Line::Plain,
    }
}

/// Classifies a line that starts with a character of a list, an emphasis or a rule.
fn signs(content: &str, undecided: impl Fn(Line) -> Line) -> Line {
    let first = content.chars().next().unwrap_or('-');
    let rest = content.trim_start_matches([first, ' ', '\t', '\r', '\n']);
    let is_marker = marker(content) > 0;
    if rest.is_empty() {
        let count = content.matches(first).count();
        return undecided(match (count >= 3 || first == '=', is_marker) {
            (true, _) => Line::Rule,
            (false, true) => Line::Item,
            (false, false) => Line::Plain,
        });
    }
    if is_marker && first != '_' && first != '=' {
        Line::Item
    } else {
        Line::Plain
    }
}

/// The length of a list marker and the white space after it; 0 if there is none.
fn marker(content: &str) -> usize {
    let digits = content.len()
        - content
            .trim_start_matches(|c: char| c.is_ascii_digit())
            .len();
    let rest = content.get(digits..).unwrap_or_default();
    let sign = match digits {
        0 => rest.starts_with(['-', '*', '+']),
        _ => rest.starts_with(['.', ')']),
    };
    let behind = rest.get(1..).unwrap_or_default();
    let spaces = behind.len() - behind.trim_start_matches([' ', '\t']).len();
    if sign && spaces > 0 {
        digits + 1 + spaces
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(text: &str) -> Vec<(Kind, &str)> {
        let mut blocks = Blocks::default();
        let mut found = Vec::new();
        while let Some(block) = blocks.next(text, true) {
            found.push((block.kind, text[block.at.clone()].trim_end()));
            blocks.pass(block.at.end);
        }
        found
    }

    #[test]
    fn markdown_is_cut_into_blocks() {
        let text = "# Title\nOne\ntwo.\n\n- item a\n  more\n- item b\n1. first\n\n```py\nx = 1\n\n```\n| a | b |\n|---|---|\n| 1 | 2 |\n---\n> quoted\n\n    indented\n";
        assert_eq!(
            blocks(text),
            [
                (Kind::Heading, "# Title"),
                (Kind::Prose, "One\ntwo."),
                (Kind::Prose, "item a\n  more"),
                (Kind::Prose, "item b"),
                (Kind::Prose, "first"),
                (Kind::Code, "```py"),
                (Kind::Code, "x = 1"),
                (Kind::Code, ""),
                (Kind::Code, "```"),
                (Kind::Rule, "| a | b |"),
                (Kind::Row, "|---|---|"),
                (Kind::Row, "| 1 | 2 |"),
                (Kind::Rule, "---"),
                (Kind::Prose, "quoted"),
                (Kind::Code, "    indented"),
            ]
        );
    }

    #[test]
    fn bold_text_and_inline_code_start_paragraphs() {
        for text in [
            "**Bold** text",
            "`code` text",
            "*emphasis* here",
            "10 jobs",
            "-x is a flag",
            "#hash",
        ] {
            assert_eq!(blocks(text), [(Kind::Prose, text)]);
        }
    }
}
