//! Having the connected model do some work: what it would cost, and the button that sends it.

use leptos::ev::Event;
use leptos::prelude::*;

use crate::state::{Costed, Panel, Stage, State};
use crate::ui::desk;
use crate::ui::format::{count, thousands};
use crate::worker::protocol::{LabBudgetView, LabEstimateView, LabSpendingView, LabTask};

/// Tokens per second that a slow model writes, for a first guess at the time: a small one on a
/// laptop.
const SLOW: u32 = 20;
/// The same for a service.
const FAST: u32 = 80;

/// A button that requests an estimate, and then the estimate; `is_it` picks the tasks shown here.
#[component]
pub fn Ask(
    what: &'static str,
    label: &'static str,
    estimate: fn(&mut State) -> Vec<crate::state::Effect>,
    is_it: fn(&LabTask) -> bool,
) -> impl IntoView {
    let store = desk().store;
    let is_connected = store.select(|state| state.connection.stage() == Stage::Connected);
    let is_busy = store.select(|state| state.lab.is_waiting);
    let ready = move || {
        view! {
            <p class="lab-first">
                <button
                    class="quiet"
                    type="button"
                    disabled=move || is_busy.get()
                    on:click=move |_| store.act(estimate)
                >
                    {label}
                </button>
                <span class="quiet-line">"The estimate sends nothing."</span>
            </p>
            <Card is_it/>
        }
    };
    move || match is_connected.get() {
        true => ready().into_any(),
        false => view! { <Unconnected what/> }.into_any(),
    }
}

/// Shown if no model is connected.
#[component]
fn Unconnected(what: &'static str) -> impl IntoView {
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

/// The estimate, the limit, and the button that sends the work.
#[component]
pub fn Card(is_it: fn(&LabTask) -> bool) -> impl IntoView {
    let store = desk().store;
    // The fields of the budget must stay while it is changed.
    let estimated = store.select(move |state| {
        let Costed { task, estimate, .. } = state.lab.costed.as_ref()?;
        let estimate = estimate.clone().filter(|_| is_it(task))?;
        Some((task.clone(), estimate))
    });
    let shows_each = store.select(|state| state.connection.remembered.reviews_each);
    let is_busy = store.select(|state| state.lab.is_waiting);
    let card = move |task: LabTask, estimate: LabEstimateView| {
        let (what, send) = words(&task);
        view! {
            <div class="lab-cost">
                {cost(estimate, what)}
                <Budget/>
                <button
                    class="go"
                    type="button"
                    disabled=move || is_busy.get() || shows_each.get()
                    on:click=move |_| store.act(State::send_task)
                >
                    {send}
                </button>
                {move || shows_each.get().then(|| view! {
                    <p class="quiet-line">
                        "You chose to see every request before it is sent, and this sends many. To \
                         continue, turn off “Show me every request before it is sent” in the connection \
                         settings."
                    </p>
                })}
            </div>
        }
    };
    move || estimated.get().map(|(task, estimate)| card(task, estimate))
}

/// What is sent for a task, and the label of its button.
fn words(task: &LabTask) -> (&'static str, &'static str) {
    match task {
        LabTask::Write(_) => (
            "Text of this repository, including whole files,",
            "Send and write questions",
        ),
        LabTask::Answer(_) => (
            "Each question, once per pipeline with the lines it shows,",
            "Send and write answers",
        ),
        LabTask::Judge => (
            "Each question with its two answers",
            "Send and have them judged",
        ),
        LabTask::Describe(_) => ("The code of each part with its path", "Send and describe"),
    }
}

/// What a run will cost, where it goes, and what its first request says.
fn cost(estimate: LabEstimateView, what: &'static str) -> AnyView {
    let LabEstimateView {
        requests,
        sent_tokens,
        written_tokens,
        first,
        grant,
    } = estimate;
    let told = format!(
        "About {}, {} tokens sent and {} written: {}, if the model writes {SLOW} to {FAST} \
         tokens per second.",
        count(requests.into(), "request"),
        thousands(sent_tokens.into()),
        thousands(written_tokens.into()),
        span(written_tokens),
    );
    view! {
        <p>
            {format!("{what} goes to ")}
            <b>{grant.model}</b>
            " at "
            <code>{grant.address}</code>
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

/// The limit of the run, which the user can change.
#[component]
fn Budget() -> impl IntoView {
    type Part = fn(&mut LabBudgetView) -> &mut u32;
    let store = desk().store;
    let most = store.select(|state| state.lab.costed.as_ref().map(|it| it.most));
    let field = move |label: &'static str, part: Part| {
        let value = move || most.get().map(|mut most| part(&mut most).to_string());
        let set = move |event: Event| {
            let Ok(typed) = event_target_value(&event).parse() else {
                return;
            };
            store.change(|state| {
                if let Some(costed) = &mut state.lab.costed {
                    *part(&mut costed.most) = typed;
                }
            });
        };
        view! {
            <label>
                {label}
                <input type="number" min="1" prop:value=value on:change=set/>
            </label>
        }
    };
    view! {
        <div class="lab-budget">
            {field("Request limit ", |most| &mut most.requests)}
            {field("Token limit ", |most| &mut most.tokens)}
        </div>
    }
    .into_any()
}

/// The progress of a run, with its counts and the button that pauses it.
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
            " {} reused from before.",
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
