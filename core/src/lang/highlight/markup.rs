//! Highlights prose: headings, code, comments and directives.

use pulldown_cmark::{Event, Options, Parser, Tag};

use super::{HighlightClass, Span};
use crate::lang::text::rst_titles;

pub(crate) fn markdown(text: &str) -> Vec<Span> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let mut spans = Vec::new();
    for (event, bytes) in Parser::new_ext(text, options).into_offset_iter() {
        let class = match event {
            Event::Start(Tag::Heading { .. }) => HighlightClass::Heading,
            Event::Start(Tag::CodeBlock(_)) | Event::Code(_) => HighlightClass::String,
            Event::Start(Tag::MetadataBlock(_)) => HighlightClass::Comment,
            Event::Html(html) | Event::InlineHtml(html)
                if html.trim_start().starts_with("<!--") =>
            {
                HighlightClass::Comment
            }
            _ => continue,
        };
        spans.push(Span::new(bytes, class));
    }
    spans
}

pub(crate) fn rst(text: &str) -> Vec<Span> {
    let titles = rst_titles(text);
    let mut spans = Vec::new();
    let mut start = 0;
    let mut title = titles.iter().peekable();
    for line in text.split_inclusive('\n') {
        let end = start + line.trim_end().len();
        while title.peek().is_some_and(|title| title.end <= start) {
            title.next();
        }
        if title.peek().is_some_and(|title| title.contains(&start)) {
            spans.push(Span::new(start..end, HighlightClass::Heading));
        } else {
            rst_line(line.trim_end(), start, &mut spans);
        }
        start += line.len();
    }
    spans
}

/// Highlights one row that is not a title: `.. directive::`, `.. comment`, `:field:`,
/// ```` ``code`` ````.
fn rst_line(line: &str, start: usize, spans: &mut Vec<Span>) {
    let content = line.trim_start();
    let indent = line.len() - content.len();
    if let Some(markup) = content.strip_prefix(".. ") {
        let directive = markup.find("::");
        match directive {
            Some(end) => {
                let end = start + indent + 3 + end + 2;
                spans.push(Span::new(start + indent..end, HighlightClass::Keyword));
            }
            None if markup.starts_with(['_', '[', '|']) => {}
            None => {
                let bytes = start + indent..start + line.len();
                spans.push(Span::new(bytes, HighlightClass::Comment));
                return;
            }
        }
    } else if let Some((name, _)) = content
        .strip_prefix(':')
        .and_then(|rest| rest.split_once(':'))
        && !name.is_empty()
    {
        let end = start + indent + name.len() + 2;
        spans.push(Span::new(start + indent..end, HighlightClass::Keyword));
    }
    let mut at = 0;
    while let Some(open) = line.get(at..).and_then(|rest| rest.find('`')) {
        let open = at + open;
        let signs = if line.get(open..).is_some_and(|rest| rest.starts_with("``")) {
            "``"
        } else {
            "`"
        };
        let inside = open + signs.len();
        let Some(close) = line.get(inside..).and_then(|rest| rest.find(signs)) else {
            return;
        };
        at = inside + close + signs.len();
        spans.push(Span::new(start + open..start + at, HighlightClass::String));
    }
}
