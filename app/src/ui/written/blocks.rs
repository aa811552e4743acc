//! Blocks of a written answer as elements. No HTML of the model gets in: text is text, and a link
//! is its text with the address beside it, shown in full before it is followed.

use leptos::prelude::*;

use super::note_marker;
use crate::state::TurnId;
use crate::ui::footnote::uncited;
use crate::ui::leave;
use crate::worker::protocol::{BlockView, InlineView};

/// A block as an element.
pub fn element(id: TurnId, block: &BlockView) -> AnyView {
    match block {
        BlockView::Paragraph(inlines) => view! { <p>{line(id, inlines)}</p> }.into_any(),
        BlockView::Heading { level, inlines } => {
            let inner = line(id, inlines);
            match level {
                1 | 2 => view! { <h3>{inner}</h3> }.into_any(),
                _ => view! { <h4>{inner}</h4> }.into_any(),
            }
        }
        BlockView::Code { text, .. } => {
            let text = text.clone();
            view! { <pre tabindex="0" aria-label="Code">{text}</pre> }.into_any()
        }
        BlockView::List { start, items } => {
            let rows: Vec<_> = items.iter().map(|item| item_of(id, item)).collect();
            match start {
                Some(start) => view! { <ol start=*start>{rows}</ol> }.into_any(),
                None => view! { <ul>{rows}</ul> }.into_any(),
            }
        }
        BlockView::Quote(blocks) => {
            let inner: Vec<_> = blocks.iter().map(|block| element(id, block)).collect();
            view! { <blockquote>{inner}</blockquote> }.into_any()
        }
        BlockView::Table { head, rows } => {
            let head: Vec<_> = head
                .iter()
                .map(|cell| view! { <th scope="col">{line(id, cell)}</th> })
                .collect();
            let rows: Vec<_> = rows
                .iter()
                .map(|row| {
                    let cells = row.iter().map(|cell| view! { <td>{line(id, cell)}</td> });
                    view! { <tr>{cells.collect::<Vec<_>>()}</tr> }
                })
                .collect();
            view! {
                <div class="table" tabindex="0" role="region" aria-label="Table">
                    <table>
                        <thead>
                            <tr>{head}</tr>
                        </thead>
                        <tbody>{rows}</tbody>
                    </table>
                </div>
            }
            .into_any()
        }
        BlockView::Rule => view! { <hr/> }.into_any(),
    }
}

/// An item of a single paragraph is rendered without the paragraph, so that lists stay tight.
fn item_of(id: TurnId, blocks: &[BlockView]) -> AnyView {
    let inner: Vec<_> = blocks
        .iter()
        .map(|block| match block {
            BlockView::Paragraph(inlines) if blocks.len() == 1 => line(id, inlines).into_any(),
            block => element(id, block),
        })
        .collect();
    view! { <li>{inner}</li> }.into_any()
}

fn line(id: TurnId, inlines: &[InlineView]) -> Vec<AnyView> {
    inlines.iter().map(|inline| piece(id, inline)).collect()
}

fn piece(id: TurnId, inline: &InlineView) -> AnyView {
    match inline {
        InlineView::Text(text) => text.clone().into_any(),
        InlineView::Code(text) => view! { <code>{text.clone()}</code> }.into_any(),
        InlineView::Strong(inner) => view! { <strong>{line(id, inner)}</strong> }.into_any(),
        InlineView::Emphasis(inner) => view! { <em>{line(id, inner)}</em> }.into_any(),
        InlineView::Struck(inner) => view! { <s>{line(id, inner)}</s> }.into_any(),
        InlineView::Wrong(inner) => {
            view! { <span class="wrong">{line(id, inner)}</span> }.into_any()
        }
        InlineView::Link { inlines, address } => {
            let address = leave::address(address);
            view! { <span class="address">{line(id, inlines)}{address}</span> }.into_any()
        }
        InlineView::LineBreak => view! { <br/> }.into_any(),
        InlineView::Pending => {
            view! { <span class="note-ref pending" aria-hidden="true">"·"</span> }.into_any()
        }
        InlineView::Note(number) => note_marker(id, *number),
        InlineView::Uncited => uncited(),
    }
}
