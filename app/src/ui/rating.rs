//! Thumbs up and down below an answer.

use leptos::prelude::*;

use super::desk;
use super::icons::{Draw, Icon};
use crate::state::TurnId;
use crate::worker::protocol::Rating;

#[component]
pub fn Thumbs(id: TurnId) -> impl IntoView {
    let store = desk().store;
    let given = store.select(move |state| state.conversation.get(id)?.rating);
    let thumb = move |rating: Rating, label: &'static str, icon: Icon| {
        let is_given = move || given.get() == Some(rating);
        view! {
            <button
                class="plain thumb"
                class:on=is_given
                aria-label=label
                title=label
                aria-pressed=move || is_given().to_string()
                on:click=move |_| store.act(|state| state.rate(id, rating))
            >
                <Draw icon/>
            </button>
        }
        .into_any()
    };
    view! {
        <span class="thumbs">
            {thumb(Rating::Good, "Good answer", Icon::Good)}
            {thumb(Rating::Bad, "Bad answer", Icon::Bad)}
        </span>
    }
    .into_any()
}
