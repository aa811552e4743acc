//! What one strategy chose: its snippets, each with a slider.

use leptos::ev::Event;
use leptos::prelude::*;

use crate::state::context::Side;
use crate::state::{Mark, Panel, Shared, State};
use crate::ui::desk;
use crate::ui::format::{lines, thousands};
use crate::ui::later::growing;
use crate::worker::protocol::{SnippetAt, SnippetView};

/// The step of a slider, in percent.
const STEP: u32 = 5;

#[component]
pub fn OneSide(at: usize) -> impl IntoView {
    let store = desk().store;
    let head = store.select(move |state| {
        let side = state.choosing.sides.get(at)?;
        let read_by = side
            .read_by
            .as_ref()
            .map(|model| format!(" Read by {model}."));
        let ran = side.ran.as_ref().map(|ran| format!(" {ran}"));
        let judged_by = side.judged_by.as_ref();
        let judged_by = judged_by.map(|model| format!(" {model} said how much of each to keep."));
        let parts = [Some(side.about.clone()), read_by, ran, judged_by];
        let about: String = parts.into_iter().flatten().collect();
        Some((side.title.clone(), about, side.instead.clone()))
    });
    let sum = store.select(move |state| state.choosing.sides.get(at).map(sum));
    let count = store.select(move |state| {
        let side = state.choosing.sides.get(at);
        side.map_or(0, |side| side.snippets.len())
    });
    let made = growing(move || (0, count.get()));
    let head = move || {
        let (title, about, instead) = head.get()?;
        let instead = instead.map(|text| view! { <p class="instead">{text}</p> });
        Some(view! {
            <h3>{title}</h3>
            <p class="about">{about}</p>
            {instead}
        })
    };
    view! {
        <section class="context">
            {head}
            <p class="sum" aria-live="polite">
                {move || sum.get()}
            </p>
            <ol class="snippets" aria-busy=move || (made.get() < count.get()).to_string()>
                <For each=move || 0..made.get() key=|snippet| *snippet let:snippet>
                    <Snippet at=SnippetAt { side: at as u32, snippet: snippet as u32 }/>
                </For>
            </ol>
        </section>
    }
    .into_any()
}

/// `31,400 → 9,800 tokens, 69 % saved`.
fn sum(side: &Side) -> String {
    let (before, after) = side.tokens();
    let saved = 100
        - (u64::from(after) * 100)
            .div_ceil(u64::from(before.max(1)))
            .min(100);
    format!(
        "{} → {} tokens, {saved} % saved",
        thousands(before.into()),
        thousands(after.into())
    )
}

/// A snippet with its slider. The lines have their own element, so that the slider keeps the focus
/// while they change.
#[component]
fn Snippet(at: SnippetAt) -> impl IntoView {
    let store = desk().store;
    let snippet = store.select(move |state| snippet_at(state, at));
    let place = snippet.with_untracked(|snippet| {
        let snippet = snippet.as_ref()?;
        Some(snippet.offered.place.clone())
    });
    let place = place.unwrap_or_default();
    let shown = format!("{}:{}", place.path, lines(place.start, place.end));
    let label = format!("Share of {shown} to send");
    let percent = move || snippet.with(|it| it.as_ref().map_or(0, |it| it.percent()));
    let tokens = move || {
        snippet.with(|it| {
            let it = it.as_ref()?;
            Some(format!(
                "{} → {} tokens",
                thousands(it.tokens_before.into()),
                thousands(it.tokens_after.into())
            ))
        })
    };
    let html = move || snippet.with(|it| it.as_ref().map(|it| it.html.clone()));
    let open = move |_| {
        let mark = Mark {
            start: place.start,
            end: place.end,
        };
        store.act(|state| {
            state.hide(Panel::Context);
            state.open_file(&place.path, Some(mark))
        });
    };
    let slide = move |event: Event| {
        if let Ok(percent) = event_target_value(&event).parse() {
            store.act(|state| state.recut(at, percent));
        }
    };
    let is_empty = move || snippet.with(|it| it.as_ref().is_none_or(|it| it.tokens_after == 0));
    view! {
        <li class:none=is_empty>
            <div class="snippet-head">
                <button class="path" on:click=open>
                    {shown}
                </button>
                <small>{tokens}</small>
                <input
                    type="range"
                    min="0"
                    max="100"
                    step=STEP
                    aria-label=label
                    prop:value=move || percent().to_string()
                    on:input=slide
                />
            </div>
            <div inner_html=html></div>
        </li>
    }
    .into_any()
}

fn snippet_at(state: &State, at: SnippetAt) -> Option<Shared<SnippetView>> {
    let side = state.choosing.sides.get(at.side as usize)?;
    side.snippets.get(at.snippet as usize).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_says_how_much_is_saved() {
        let snippet = |before, after| {
            Shared::new(SnippetView {
                offered: crate::worker::protocol::OfferedView {
                    place: crate::worker::protocol::PlaceView::default(),
                    left_out: Vec::new(),
                },
                tokens_before: before,
                tokens_after: after,
                html: String::new(),
            })
        };
        let side = Side {
            title: String::new(),
            about: String::new(),
            instead: None,
            read_by: None,
            ran: None,
            judged_by: None,
            snippets: vec![snippet(31_000, 9_800), snippet(400, 0)],
        };
        assert_eq!(sum(&side), "31,400 → 9,800 tokens, 68 % saved");
    }
}
