//! Removes full stops that a citation leaves behind. Models put the citation after the stop and
//! then another stop, or put it on a line of its own: once a small number takes the citation's
//! place, only the stop is left.

use crate::markdown::{Block, Inline};

/// Characters that end a sentence or introduce what follows.
const STOPS: [char; 6] = ['.', ',', ';', ':', '!', '?'];

fn is_marker(inline: &Inline) -> bool {
    matches!(inline, Inline::Note(_) | Inline::Uncited | Inline::Pending)
}

/// The last character, ignoring markers.
fn last_character(inlines: &[Inline]) -> Option<char> {
    let last = inlines.iter().rev().find(|inline| !is_marker(inline))?;
    match last {
        Inline::Text(text) | Inline::Code(text) => text.trim_end().chars().next_back(),
        Inline::Wrong(inner) | Inline::Strong(inner) | Inline::Emphasis(inner) => {
            last_character(inner)
        }
        _ => None,
    }
}

/// Removes a full stop after a marker if the sentence before it already has one.
pub(super) fn without_second(inlines: Vec<Inline>) -> Vec<Inline> {
    let mut out: Vec<Inline> = Vec::with_capacity(inlines.len());
    for inline in inlines {
        let follows = out.last().is_some_and(is_marker)
            && last_character(&out).is_some_and(|last| ['.', '!', '?'].contains(&last));
        match inline {
            Inline::Text(text) if follows && text.starts_with('.') && !text.starts_with("..") => {
                let rest = text.get(1..).unwrap_or_default();
                if !rest.is_empty() {
                    out.push(Inline::Text(rest.to_owned()));
                }
            }
            inline => out.push(inline),
        }
    }
    out
}

/// Adds a paragraph. If it has only markers and stops, they are appended to the paragraph before
/// it.
pub(super) fn add_paragraph(blocks: &mut Vec<Block>, inlines: Vec<Inline>) {
    let is_bare = |inline: &Inline| match inline {
        Inline::Text(text) => text
            .chars()
            .all(|c| c.is_whitespace() || STOPS.contains(&c)),
        inline => is_marker(inline),
    };
    let is_left_over = inlines.iter().any(is_marker) && inlines.iter().all(is_bare);
    match (is_left_over, blocks.last_mut()) {
        (true, Some(Block::Paragraph(before))) => {
            before.extend(inlines);
            *before = without_second(std::mem::take(before));
        }
        (true, _) => {
            let markers = inlines.into_iter().filter(is_marker);
            blocks.push(Block::Paragraph(markers.collect()));
        }
        (false, _) => blocks.push(Block::Paragraph(without_second(inlines))),
    }
}
