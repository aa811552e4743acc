//! The lines of a file. Only those near the visible part exist in the page, so that 30,000 lines
//! scroll as smoothly as 30.

use footnote_core::lang::highlight::HighlightClass;
use leptos::html;
use leptos::prelude::*;

use super::desk;
use super::format::thousands;
use super::names::{self, NameMenu};
use super::window;
use crate::state::code::Piece;
use crate::state::{CodeText, Mark, NameAt, Shared};

/// The height of a line in pixels; must match `app.css`.
const LINE_HEIGHT: f64 = 20.0;

/// The id of the chosen name.
const CHOSEN: &str = "chosen-name";

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
        // A file that has just arrived starts at its top unless lines are marked in it.
        file.track();
        if let Some(pane) = pane.get() {
            bring_into_view(&pane, mark.get_untracked());
            measure();
        }
    });
    let chosen = store.select(|state| state.reader.names.at.clone());
    keep_in_view(chosen, pane, measure);
    names::keep_keyboard(store, pane);
    let from = move || (scroll.get_untracked().top / LINE_HEIGHT) as u32 + 1;
    let resized = window_event_listener(leptos::ev::resize, move |_| measure());
    on_cleanup(move || resized.remove());
    let lines = move || {
        let file = file.get()?;
        let rows: Vec<_> = shown
            .get()
            .map(|row| line(&file, row + 1, mark, chosen))
            .collect();
        Some(rows)
    };
    let columns = move || file.with(|file| file.as_ref().map_or(0, |file| file.columns));
    let label =
        move || file.with(|file| file.as_ref().map(|file| format!("Text of {}", file.path())));
    view! {
        <div
            class="code"
            role="group"
            tabindex="0"
            aria-label=label
            aria-activedescendant=move || chosen.with(Option::is_some).then_some(CHOSEN)
            node_ref=pane
            on:scroll=move |_| measure()
            on:click=move |event| names::on_click(store, &event)
            on:keydown=move |event| names::on_key(store, &event, from())
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
                <NameMenu/>
            </div>
        </div>
    }
    .into_any()
}

/// Scrolls to the chosen name whenever the choice changes; `measure` then updates the visible part.
fn keep_in_view(
    chosen: Memo<Option<NameAt>>,
    pane: NodeRef<html::Div>,
    measure: impl Fn() + 'static,
) {
    Effect::new(move |_| {
        if let (Some(at), Some(pane)) = (chosen.get(), pane.get()) {
            let line = Mark {
                start: at.line,
                end: at.line,
            };
            bring_into_view(&pane, Some(line));
            measure();
        }
    });
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

fn line(
    file: &Shared<CodeText>,
    number: usize,
    mark: Memo<Option<Mark>>,
    chosen: Memo<Option<NameAt>>,
) -> AnyView {
    let file = file.clone();
    // Renders again only the lines that the choice enters or leaves.
    let column = Memo::new(move |_| {
        let here = |at: &NameAt| (at.line as usize == number).then_some(at.column);
        chosen.with(|at| at.as_ref().and_then(here))
    });
    let text = move || {
        let (pieces, hidden) = file.line(number);
        let column = column.get();
        let pieces: Vec<_> = pieces.into_iter().map(|it| named(it, column)).collect();
        let rest = (hidden > 0).then(|| {
            let more = thousands(hidden as u64);
            view! { <span class="cut">{format!(" … {more} more characters")}</span> }
        });
        view! { <code>{pieces}{rest}</code> }
    };
    let is_cited = move || mark.get().is_some_and(|mark| mark.contains(number));
    view! {
        <div class="line" class:cited=is_cited data-line=number>
            {text}
        </div>
    }
    .into_any()
}

/// A piece of code. A name that leads somewhere can be clicked, and screen readers announce which
/// one is chosen.
fn named(piece: Piece, chosen: Option<u32>) -> AnyView {
    let Some(column) = piece.name else {
        return plain(piece);
    };
    let class = format!("name-ref {}", piece.class.map_or("", class));
    match chosen == Some(column) {
        false => view! { <span class=class data-column=column>{piece.text}</span> }.into_any(),
        true => view! {
            <span
                id=CHOSEN
                class=class + " here"
                role="button"
                aria-haspopup="menu"
                data-column=column
            >
                {piece.text}
            </span>
        }
        .into_any(),
    }
}

/// A piece in its colour.
pub fn plain(piece: Piece) -> AnyView {
    match piece.class {
        None => piece.text.into_any(),
        Some(found) => view! { <span class=class(found)>{piece.text}</span> }.into_any(),
    }
}

fn class(class: HighlightClass) -> &'static str {
    match class {
        HighlightClass::Keyword => "k",
        HighlightClass::String => "s",
        HighlightClass::Comment => "c",
        HighlightClass::Number => "n",
        HighlightClass::Function => "f",
        HighlightClass::Type => "t",
        HighlightClass::Heading => "h",
    }
}
