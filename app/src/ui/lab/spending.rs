//! What asking the connected model will cost, may cost and has cost.

use leptos::ev::Event;
use leptos::prelude::*;

use crate::state::{Panel, State};
use crate::ui::desk;
use crate::ui::format::{count, thousands};
use crate::worker::protocol::{LabBudgetView, LabEstimateView, LabSpendingView};

/// Tokens that a model writes in a second, for a first guess at the time: a small one on a laptop.
const SLOW: u32 = 20;
/// The same of a service.
const FAST: u32 = 80;

/// Where no model is connected.
#[component]
pub fn Unconnected(what: &'static str) -> impl IntoView {
    let store = desk().store;
    view! {
        <p class="quiet-line">
            {format!("No language model is connected, so none can {what}. ")}
            <button
                class="link"
                type="button"
                on:click=move |_| store.act(|state| state.show(Panel::Connect))
            >
                "Connect one"
            </button>
        </p>
    }
    .into_any()
}

/// What a run will cost, where it goes, and what its first request says.
#[component]
pub fn Cost(estimate: LabEstimateView, what: &'static str) -> impl IntoView {
    let LabEstimateView {
        requests,
        sent_tokens,
        written_tokens,
        model,
        address,
        first,
        ..
    } = estimate;
    let told = format!(
        "About {}, {} tokens sent and {} written: {}, if the model writes {SLOW} to {FAST} tokens \
         a second.",
        count(requests.into(), "request"),
        thousands(sent_tokens.into()),
        thousands(written_tokens.into()),
        span(written_tokens),
    );
    view! {
        <p>
            {format!("{what} goes to ")}
            <b>{model}</b>
            " at "
            <code>{address}</code>
            ". "
            {told}
        </p>
        <details>
            <summary>"What the first request says"</summary>
            <pre class="lab-request" tabindex="0">{first}</pre>
        </details>
    }
    .into_any()
}

/// `2 to 8 minutes`
fn span(tokens: u32) -> String {
    let minutes = |rate: u32| f64::from(tokens) / f64::from(rate) / 60.0;
    let (least, most) = (minutes(FAST).ceil(), minutes(SLOW).ceil());
    match most <= 1.0 {
        true => "about a minute".to_owned(),
        false => format!("{least:.0} to {most:.0} minutes"),
    }
}

/// What a run may cost, to be changed.
#[component]
pub fn Budget(
    most: Memo<LabBudgetView>,
    set_most: impl Fn(LabBudgetView) + Copy + 'static,
) -> impl IntoView {
    let number = |event: &Event| event_target_value(event).parse::<u32>().ok();
    let set_requests = move |event: Event| {
        let most = most.get_untracked();
        let requests = number(&event).unwrap_or(most.requests);
        set_most(LabBudgetView { requests, ..most });
    };
    let set_tokens = move |event: Event| {
        let most = most.get_untracked();
        let tokens = number(&event).unwrap_or(most.tokens);
        set_most(LabBudgetView { tokens, ..most });
    };
    view! {
        <div class="lab-budget">
            <label>
                "Requests at most "
                <input
                    type="number"
                    min="1"
                    prop:value=move || most.get().requests.to_string()
                    on:change=set_requests
                />
            </label>
            <label>
                "Tokens at most "
                <input
                    type="number"
                    min="1"
                    prop:value=move || most.get().tokens.to_string()
                    on:change=set_tokens
                />
            </label>
        </div>
    }
    .into_any()
}

/// How far a run is, with its counts and the button that pauses it.
#[component]
pub fn Spending(noun: &'static str) -> impl IntoView {
    let store = desk().store;
    let spending = store.select(|state| state.lab.spending.clone());
    move || spending.get().map(|view| shown(&view, noun))
}

fn shown(view: &LabSpendingView, noun: &'static str) -> AnyView {
    let store = desk().store;
    let told = match view.wanted {
        0 => "Starting…".to_owned(),
        wanted => format!(
            "{} of {}. {} of {} used, {} of {} tokens.",
            thousands(view.done.into()),
            count(wanted.into(), noun),
            thousands(view.requests.into()),
            count(view.most.requests.into(), "request"),
            thousands(view.tokens.into()),
            thousands(view.most.tokens.into()),
        ),
    };
    let earlier = (view.from_earlier > 0).then(|| {
        format!(
            " {} at hand from earlier.",
            count(view.from_earlier.into(), "answer")
        )
    });
    let counts = (!view.counts.is_empty()).then(|| super::questions::counts(&view.counts, true));
    view! {
        <div class="lab-progress" role="status">
            <progress
                max=view.wanted.max(1).to_string()
                value=view.done.min(view.wanted).to_string()
            ></progress>
            <span>{told} {earlier}</span>
            <button class="quiet small" on:click=move |_| store.act(State::pause_lab)>
                "Pause"
            </button>
        </div>
        {view.waiting.clone().map(|why| view! { <p class="quiet-line">{why}</p> })}
        {counts}
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_is_a_span_and_never_less_than_a_minute() {
        for (tokens, expected) in [
            (0, "about a minute"),
            (1_200, "about a minute"),
            (12_000, "3 to 10 minutes"),
        ] {
            assert_eq!(span(tokens), expected, "{tokens}");
        }
    }
}
