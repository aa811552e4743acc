//! What the trace and the context inspector share: lists to choose a strategy from, and what is shown as a file.

use leptos::prelude::*;

use super::icons::{Draw, Icon};
use crate::worker::protocol::{ExportFormat, StrategyView};

/// The options of a list: `nothing`, where that can be chosen, as an empty name; then all that is known.
pub fn options(
    known: &[StrategyView],
    nothing: Option<&'static str>,
    chosen: Memo<String>,
) -> Vec<AnyView> {
    let nothing = nothing.map(|title| (String::new(), title.to_owned()));
    let known = known
        .iter()
        .map(|option| (option.name.clone(), option.title.clone()));
    let option = |(name, title): (String, String)| {
        let value = name.clone();
        view! {
            <option value=value selected=move || chosen.with(|chosen| *chosen == name)>
                {title}
            </option>
        }
        .into_any()
    };
    nothing.into_iter().chain(known).map(option).collect()
}

/// Saves what is shown.
#[component]
pub fn SaveAs(save: impl Fn(ExportFormat) + Copy + Send + 'static) -> impl IntoView {
    view! {
        <button class="quiet small" on:click=move |_| save(ExportFormat::Html)>
            <Draw icon=Icon::Save/>
            "Save as HTML"
        </button>
        <button class="quiet small" on:click=move |_| save(ExportFormat::Json)>
            <Draw icon=Icon::Save/>
            "Save as JSON"
        </button>
    }
}
