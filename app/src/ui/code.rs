//! The lines of a file. Only those near what is seen exist in the page, so that 30,000 lines scroll
//! as smoothly as 30.

use footnote_core::lang::highlight::HighlightClass;
use leptos::html;
use leptos::prelude::*;

use super::desk;
use super::format::thousands;
use super::window;
use crate::state::code::Piece;
use crate::state::{CodeText, Mark, Shared};

/// Height of a line in pixels; `app.css` says the same.
const LINE_HEIGHT: f64 = 20.0;

#[derive(Clone, Copy, Default, PartialEq)]
struct Scroll {
    top: f64,
    height: f64,
}

#[component]
pub fn Code() -> impl IntoView {
    let store = desk().store;
    let file = store.select(|state| state.reader.file.clone());
    let mark = store.select(|state| state.reader.mark);
    let jumps = store.select(|state| state.reader.jumps);
    let pane = NodeRef::<html::Div>::new();
    let scroll = RwSignal::new(Scroll::default());
    let measure = move || {
        if let Some(pane) = pane.get_untracked() {
            scroll.set(Scroll {
                top: f64::from(pane.scroll_top()),
                height: f64::from(pane.client_height()),
            });
        }
    };
    let total = move || file.with(|file| file.as_ref().map_or(0, |file| file.line_count()));
    let shown = Memo::new(move |_| {
        let Scroll { top, height } = scroll.get();
        window::rows(top, height, LINE_HEIGHT, total())
    });
    Effect::new(move |_| {
        jumps.track();
        // A file that has just come begins at its top unless lines are marked in it.
        file.track();
        if let Some(pane) = pane.get() {
            bring_into_view(&pane, mark.get_untracked());
            measure();
        }
    });
    let resized = window_event_listener(leptos::ev::resize, move |_| measure());
    on_cleanup(move || resized.remove());
    let lines = move || {
        let file = file.get()?;
        let rows: Vec<_> = shown.get().map(|row| line(&file, row + 1, mark)).collect();
        Some(rows)
    };
    let columns = move || file.with(|file| file.as_ref().map_or(0, |file| file.columns));
    let label =
        move || file.with(|file| file.as_ref().map(|file| format!("Text of {}", file.path())));
    view! {
        <div
            class="code"
            role="region"
            tabindex="0"
            aria-label=label
            node_ref=pane
            on:scroll=move |_| measure()
        >
            <div
                class="all-lines"
                style:height=move || format!("{}px", total() as f64 * LINE_HEIGHT)
                style:min-width=move || format!("calc({}ch + 88px)", columns())
            >
                <div
                    class="lines"
                    style:transform=move || {
                        format!("translateY({}px)", shown.get().start as f64 * LINE_HEIGHT)
                    }
                >
                    {lines}
                </div>
            </div>
        </div>
    }
    .into_any()
}

fn bring_into_view(pane: &<html::Div as html::ElementType>::Output, mark: Option<Mark>) {
    let target = match mark {
        None => Some(0.0),
        Some(mark) => window::scroll_to(
            mark.start.saturating_sub(1) as usize,
            mark.end.saturating_sub(1) as usize,
            f64::from(pane.scroll_top()),
            f64::from(pane.client_height()),
            LINE_HEIGHT,
        ),
    };
    if let Some(target) = target {
        pane.set_scroll_top(target as i32);
        pane.set_scroll_left(0);
    }
}

fn line(file: &Shared<CodeText>, number: usize, mark: Memo<Option<Mark>>) -> AnyView {
    let (pieces, hidden) = file.line(number);
    let pieces: Vec<_> = pieces.into_iter().map(piece).collect();
    let rest = (hidden > 0).then(|| {
        view! {
            <span class="cut">{format!(" … {} more characters", thousands(hidden as u64))}</span>
        }
    });
    let is_cited = move || mark.get().is_some_and(|mark| mark.contains(number));
    view! {
        <div class="line" class:cited=is_cited data-line=number>
            <code>{pieces}{rest}</code>
        </div>
    }
    .into_any()
}

pub fn piece(piece: Piece) -> AnyView {
    let class = match piece.class {
        None => return piece.text.into_any(),
        Some(HighlightClass::Keyword) => "k",
        Some(HighlightClass::String) => "s",
        Some(HighlightClass::Comment) => "c",
        Some(HighlightClass::Number) => "n",
        Some(HighlightClass::Function) => "f",
        Some(HighlightClass::Type) => "t",
        Some(HighlightClass::Heading) => "h",
    };
    view! { <span class=class>{piece.text}</span> }.into_any()
}
