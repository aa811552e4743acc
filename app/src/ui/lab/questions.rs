//! Making questions, bringing a question set, and looking through it.

use leptos::ev::Event;
use leptos::prelude::*;

use super::task::{Ask, Spending};
use crate::state::{Maker, Shared, Stage, State};
use crate::ui::desk;
use crate::ui::format::{count, thousands};
use crate::ui::icons::{Draw, Icon};
use crate::ui::pick::PickFile;
use crate::ui::save::SaveAs;
use crate::worker::protocol::{
    LabCountView, LabGoldView, LabItemView, LabSetView, LabTask, StrategyView,
};
use crate::worker::serve::formats;

/// The most questions listed; the filter finds the others.
const LISTED: usize = 300;
/// The most places listed per question.
const PLACES: usize = 4;

#[component]
pub fn Questions() -> impl IntoView {
    let store = desk().store;
    let set = store.select(|state| state.lab.set.clone());
    let is_waiting = store.select(|state| state.lab.is_waiting);
    let is_writing = store.select(|state| state.lab.spending.is_some());
    let is_quiet = move || !is_waiting.get() || is_writing.get() || set.with(Option::is_some);
    let filter = RwSignal::new(String::new());
    let listed = move || set.get().map(|set| list(&set, &filter.get()));
    view! {
        <Order/>
        <Spending noun="question"/>
        <p class="pane-hint" hidden=is_quiet>"Making questions…"</p>
        <div class="lab-set" aria-busy=move || is_waiting.get().to_string()>
            {move || set.get().map(|set| about(&set, filter))}
            {listed}
        </div>
    }
    .into_any()
}

/// Which questions to make.
#[component]
fn Order() -> impl IntoView {
    let store = desk().store;
    let maker = store.select(|state| state.lab.maker);
    let is_busy = store.select(|state| state.lab.is_waiting);
    let make = move || match maker.get_untracked() {
        Maker::Code => store.act(State::make_questions),
        Maker::Model => store.act(State::estimate_questions),
    };
    view! {
        <form
            class="lab-order"
            on:submit=move |event| {
                event.prevent_default();
                make();
            }
        >
            <Makers/>
            <Size/>
            <button
                class="go"
                type="submit"
                hidden=move || maker.get() == Maker::Model
                disabled=move || is_busy.get()
            >
                "Make questions"
            </button>
            <Bring adds=false label="Open a question set"/>
            <button
                class="quiet small"
                type="button"
                disabled=move || is_busy.get()
                title="The questions whose answers you rated good, with the lines they cite"
                on:click=move |_| store.act(State::take_rated)
            >
                "Use my good answers"
            </button>
            <Kinds/>
            {move || (maker.get() == Maker::Model).then(|| view! {
                <Ask
                    what="write questions"
                    label="Estimate the cost"
                    estimate=State::estimate_questions
                    is_it=|task| matches!(task, LabTask::Write(_))
                />
            })}
        </form>
    }
    .into_any()
}

/// How many questions to make, and from which random draw.
#[component]
fn Size() -> impl IntoView {
    let store = desk().store;
    let amount = store.select(|state| state.lab.count);
    let seed = store.select(|state| state.lab.seed);
    let number = |event: &Event| event_target_value(event).parse::<u32>().ok();
    let set_count = move |event: Event| {
        let wanted = number(&event).unwrap_or(200).clamp(1, 5_000);
        store.change(|state| {
            state.lab.count = wanted;
            state.lab.forget_cost();
        });
    };
    let set_seed = move |event: Event| {
        let wanted = number(&event).unwrap_or(1);
        store.change(|state| {
            state.lab.seed = wanted;
            state.lab.forget_cost();
        });
    };
    view! {
        <label>
            "Questions "
            <input
                type="number"
                min="1"
                max="5000"
                prop:value=move || amount.get().to_string()
                on:change=set_count
            />
        </label>
        <label title="A different seed draws different questions">
            "Seed "
            <input
                type="number"
                min="0"
                prop:value=move || seed.get().to_string()
                on:change=set_seed
            />
        </label>
    }
    .into_any()
}

/// Who makes the questions.
#[component]
fn Makers() -> impl IntoView {
    let store = desk().store;
    let maker = store.select(|state| state.lab.maker);
    let choice = move |which: Maker, label: &'static str| {
        view! {
            <label class="chip" class:on=move || maker.get() == which>
                <input
                    type="radio"
                    name="lab-maker"
                    prop:checked=move || maker.get() == which
                    on:change=move |_| {
                        store.change(|state| state.lab.maker = which);
                    }
                />
                {label}
            </label>
        }
    };
    view! {
        <fieldset class="chips lab-makers">
            <legend class="visually-hidden">"Who makes the questions"</legend>
            {choice(Maker::Code, "by code, from the index")}
            {choice(Maker::Model, "by the connected language model")}
        </fieldset>
    }
    .into_any()
}

/// Which kinds of questions are made, or by which strategies a model writes them.
#[component]
fn Kinds() -> impl IntoView {
    let store = desk().store;
    let offer = store.select(|state| state.lab.offer.clone());
    let maker = store.select(|state| state.lab.maker);
    let kind = move |name: String, title: String| {
        let known = name.clone();
        let is_on = store.select(move |state| !state.lab.unwanted.contains(&known));
        let toggle = {
            let name = name.clone();
            move |_| {
                store.change(|state| {
                    if !state.lab.unwanted.remove(&name) {
                        state.lab.unwanted.insert(name.clone());
                    }
                    state.lab.forget_cost();
                });
            }
        };
        view! {
            <label class="chip" class:on=move || is_on.get() title=title>
                <input type="checkbox" prop:checked=move || is_on.get() on:change=toggle/>
                {name}
            </label>
        }
    };
    let kinds = move || {
        let offer = offer.get()?;
        let kinds: &[StrategyView] = match maker.get() {
            Maker::Code => &offer.kinds,
            Maker::Model => &offer.strategies,
        };
        let kinds = kinds.iter();
        Some(
            kinds
                .map(|it| kind(it.name.clone(), it.title.clone()))
                .collect::<Vec<_>>(),
        )
    };
    view! {
        <fieldset class="chips">
            <legend class="visually-hidden">"Kinds of questions"</legend>
            {kinds}
        </fieldset>
    }
    .into_any()
}

/// Opens a set that was saved or comes from elsewhere, or adds it to the present one.
#[component]
fn Bring(adds: bool, label: &'static str) -> impl IntoView {
    let intake = desk().intake;
    view! {
        <PickFile
            label
            title="One JSON object per line (id, archive, query, gold_files, gold_spans), rows \
                of a tuning format, or the zip from “5 Export”"
            accept=".jsonl,.json,.txt,.zip"
            pick=move |input| intake.pick_questions(input, adds)
        />
    }
    .into_any()
}

/// What the set contains, where it came from, and a filter.
fn about(set: &Shared<LabSetView>, filter: RwSignal<String>) -> AnyView {
    let store = desk().store;
    let has_items = !set.items.is_empty();
    let save = move |format: &str| store.act(|state| state.export_set(format));
    let total = count(set.items.len() as u64, "question");
    let is_written = set.order.is_some();
    let counts = (!set.counts.is_empty()).then(|| counts(&set.counts, is_written));
    let is_connected = store.select(|state| state.connection.stage() == Stage::Connected);
    let is_busy = store.select(|state| state.lab.is_waiting);
    let go_on = set.is_partial.then(|| {
        view! {
            <button
                class="go"
                disabled=move || is_busy.get() || !is_connected.get()
                on:click=move |_| store.act(State::go_on_writing)
            >
                "Continue"
            </button>
        }
    });
    let granted = set.order.as_ref().filter(|_| set.is_partial);
    let granted = granted.map(|(_, grant)| {
        let most = count(grant.most.requests.into(), "request");
        format!("at most {most}, to {} at {}", grant.model, grant.address)
    });
    let unsaved = set.unsaved.clone().map(|why| {
        view! {
            <p class="quiet-line">
                {format!("The set is lost when you leave this page, because {why}. Save it as a file.")}
            </p>
        }
    });
    let dropped = store.select(|state| state.lab.review.tally().dropped);
    let dropped = move || match dropped.get() {
        0 => None,
        n => Some(format!("{} dropped in the review", thousands(n as u64))),
    };
    view! {
        <div class="lab-about">
            <b>{total}</b>
            <span class="quiet-note">{dropped}</span>
            {go_on}
            <span class="quiet-note">{granted}</span>
            <span class="spacer"></span>
            {has_items.then(|| view! {
                <input
                    type="search"
                    placeholder="Filter by word, kind or file"
                    aria-label="Filter questions"
                    prop:value=move || filter.get()
                    on:input=move |event| filter.set(event_target_value(&event))
                />
                <Bring adds=true label="Add a question set"/>
                <SaveAs formats=formats::QUESTIONS save/>
            })}
        </div>
        {unsaved}
        {set.note.clone().map(|note| view! { <p class="quiet-line">{note}</p> })}
        {counts}
    }
    .into_any()
}

/// The result for each kind; if a model writes, with the requests per strategy.
pub fn counts(counts: &[LabCountView], is_written: bool) -> AnyView {
    let row = |it: &LabCountView| {
        let why = it.dropped.iter();
        let why: Vec<String> = why
            .map(|(why, n)| format!("{}: {why}", thousands((*n).into())))
            .collect();
        view! {
            <tr>
                <th scope="row">{it.kind.clone()}</th>
                {is_written.then(|| view! { <td>{thousands(it.asked.into())}</td> })}
                <td>{thousands(it.made.into())}</td>
                <td>{thousands(it.kept.into())}</td>
                <td class="why">{why.join("; ")}</td>
            </tr>
        }
    };
    let rows: Vec<_> = counts.iter().map(row).collect();
    view! {
        <details class="lab-counts">
            <summary>"What was made, kept and dropped"</summary>
            <table>
                <thead>
                    <tr>
                        <th scope="col">{if is_written { "strategy" } else { "kind" }}</th>
                        {is_written.then(|| view! { <th scope="col">"requests"</th> })}
                        <th scope="col">"made"</th>
                        <th scope="col">"in the set"</th>
                        <th scope="col">"dropped, and why"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </details>
    }
    .into_any()
}

fn list(set: &Shared<LabSetView>, filter: &str) -> AnyView {
    let wanted = filter.trim().to_lowercase();
    let fits = |it: &&LabItemView| {
        wanted.is_empty()
            || it.question.to_lowercase().contains(&wanted)
            || it.kind.contains(&wanted)
            || it
                .gold
                .iter()
                .any(|gold| gold.path.to_lowercase().contains(&wanted))
    };
    let found: Vec<&LabItemView> = set.items.iter().filter(fits).collect();
    let rest = found.len().saturating_sub(LISTED);
    let rest = (rest > 0).then(|| format!("and {} more", thousands(rest as u64)));
    let rows: Vec<_> = found.into_iter().take(LISTED).map(row).collect();
    view! {
        <ol class="lab-items">{rows}</ol>
        {rest.map(|text| view! { <p class="quiet-line">{text}</p> })}
    }
    .into_any()
}

fn row(item: &LabItemView) -> AnyView {
    let store = desk().store;
    let is_busy = store.select(|state| state.lab.is_waiting);
    let id = item.id.clone();
    let places: Vec<_> = item.gold.iter().take(PLACES).map(place).collect();
    let rest = item.gold.len().saturating_sub(PLACES);
    let rest = (rest > 0).then(|| format!("and {rest} more"));
    let (question, answer) = store.peek(|state| state.lab.review.worded(item));
    view! {
        <li data-kind=item.kind.clone()>
            <div class="asked">
                <small class="kind">{item.kind.clone()}</small>
                <span>{question}</span>
                <button
                    class="plain small"
                    aria-label="Leave this question out"
                    title="Leave this question out"
                    disabled=move || is_busy.get()
                    on:click=move |_| store.act(|state| state.leave_question(&id))
                >
                    <Draw icon=Icon::Trash/>
                </button>
            </div>
            <p class="answer-line">{answer}</p>
            <div class="gold">{places} {rest}</div>
        </li>
    }
    .into_any()
}

/// Gold lines; a click opens them.
pub fn place(gold: &LabGoldView) -> AnyView {
    let store = desk().store;
    let label = match (gold.start, gold.end) {
        (0, _) => gold.path.clone(),
        (start, end) if start == end => format!("{}:{start}", gold.path),
        (start, end) => format!("{}:{start}–{end}", gold.path),
    };
    let gold = gold.clone();
    view! {
        <button class="place" on:click=move |_| store.act(|state| state.open_gold(&gold))>
            {label}
        </button>
    }
    .into_any()
}
