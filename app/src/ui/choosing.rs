//! The strategy lists that the trace and the context inspector share.

use leptos::prelude::*;

use crate::worker::protocol::StrategyView;

/// The options of a list: `nothing` with an empty name, if that may be chosen, then every known
/// strategy.
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
