//! Buttons that save something in each of its formats.

use leptos::prelude::*;

use super::icons::{Draw, Icon};
use crate::worker::protocol::FormatSpec;

/// `save` receives the name of the format.
#[component]
pub fn SaveAs(
    formats: &'static [FormatSpec],
    save: impl Fn(&'static str) + Copy + 'static,
) -> impl IntoView {
    let button = move |format: &'static FormatSpec| {
        view! {
            <button class="quiet small" on:click=move |_| save(format.name)>
                <Draw icon=Icon::Save/>
                {format!("Save as {}", format.title)}
            </button>
        }
    };
    formats.iter().map(button).collect::<Vec<_>>()
}
