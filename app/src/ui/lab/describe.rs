//! Descriptions of the repository's chunks, written by code or by the connected language model.

use leptos::ev::Event;
use leptos::prelude::*;

use super::task::{Ask, Spending};
use crate::state::lab::DescribedParts;
use crate::state::{Shared, State};
use crate::ui::desk;
use crate::ui::format::{count, lines};
use crate::ui::icons::{Draw, Icon};
use crate::ui::pick::PickFile;
use crate::worker::protocol::{LabDescribedView, LabGoldView, LabTask, LabTextView};

#[component]
pub fn Describe() -> impl IntoView {
    let store = desk().store;
    let described = store.select(|state| state.lab.describing.view.clone());
    view! {
        <p class="quiet-line">
            "Each part of this repository has a description in words, built from its signature, \
             its documentation and the graph. A language model can write better ones. The pipeline \
             “Code as text” searches the descriptions. (The paper Code2Text searches this way.)"
        </p>
        <Wanted/>
        <Ask
            what="describe code"
            label="Estimate the cost"
            estimate=State::estimate_describing
            is_it=|task| matches!(task, LabTask::Describe(_))
        />
        <Spending noun="part"/>
        {move || described.get().map(|view| result(&view))}
    }
    .into_any()
}

/// Which chunks a model should describe, and by which prompt.
#[component]
fn Wanted() -> impl IntoView {
    let store = desk().store;
    let parts = store.select(|state| state.lab.describing.parts);
    let prompts = store.select(|state| {
        let offer = state.lab.offer.as_ref();
        offer.map(|offer| offer.prompts.clone()).unwrap_or_default()
    });
    let choose = move |event: Event| {
        let prompt = event_target_value(&event);
        store.change(|state| {
            state.lab.describing.prompt = prompt;
            state.lab.forget_cost();
        });
    };
    view! {
        <div class="lab-order">
            <fieldset class="chips">
                <legend>"Have a model describe"</legend>
                {choice("a folder", DescribedParts::Folder)}
                {choice("the best hits of a question", DescribedParts::Best)}
                {choice("all code", DescribedParts::All)}
            </fieldset>
            <label hidden=move || parts.get() != DescribedParts::Folder>
                "Folder or file "
                {text("src", |state| &mut state.lab.describing.folder)}
            </label>
            <label hidden=move || parts.get() != DescribedParts::Best>
                "Question "
                {text("How are redirects followed?", |state| &mut state.lab.describing.question)}
            </label>
            <label>
                "Prompt "
                <select aria-label="Prompt" on:change=choose>
                    {move || {
                        let prompts = prompts.get().into_iter();
                        prompts
                            .map(|it| view! { <option value=it.name>{it.title}</option> })
                            .collect::<Vec<_>>()
                    }}
                </select>
            </label>
            <Bring/>
        </div>
    }
    .into_any()
}

fn choice(label: &'static str, parts: DescribedParts) -> AnyView {
    let store = desk().store;
    let is_on = store.select(move |state| state.lab.describing.parts == parts);
    let choose = move |_| {
        store.change(|state| {
            state.lab.describing.parts = parts;
            state.lab.forget_cost();
        });
    };
    view! {
        <label class="chip" class:on=move || is_on.get()>
            <input
                type="radio"
                name="described-parts"
                prop:checked=move || is_on.get()
                on:change=choose
            />
            {label}
        </label>
    }
    .into_any()
}

fn text(placeholder: &'static str, field: fn(&mut State) -> &mut String) -> AnyView {
    let store = desk().store;
    let set = move |event: Event| {
        let typed = event_target_value(&event);
        store.change(|state| {
            field(state).clone_from(&typed);
            state.lab.forget_cost();
        });
    };
    view! { <input type="text" placeholder=placeholder on:input=set/> }.into_any()
}

/// Opens a file of descriptions.
#[component]
fn Bring() -> impl IntoView {
    let intake = desk().intake;
    view! {
        <PickFile
            label="Open descriptions"
            title="A file saved here or written by “footnote describe”"
            accept=".jsonl"
            class="described-file"
            pick=move |input| intake.pick_descriptions(input)
        />
    }
    .into_any()
}

fn result(view: &Shared<LabDescribedView>) -> AnyView {
    let store = desk().store;
    let told = match view.by_model {
        0 => format!("{} described by code.", count(view.parts.into(), "part")),
        n => format!(
            "{n} of {} described by a language model, the rest by code.",
            count(view.parts.into(), "part")
        ),
    };
    let doubtful = (view.doubtful > 0).then(|| {
        let told = format!(
            "{} marked as doubtful.",
            count(view.doubtful.into(), "description")
        );
        view! { <p class="warn">{told}</p> }
    });
    let unsaved = view.unsaved.as_ref();
    let unsaved =
        unsaved.map(|why| format!("They are lost when you leave this page, because {why}."));
    let has_model = view.by_model > 0;
    let forget = move || {
        has_model.then(|| {
            view! {
                <button
                    class="quiet small"
                    on:click=move |_| store.act(State::forget_descriptions)
                >
                    "Forget the model’s descriptions"
                </button>
            }
        })
    };
    view! {
        <section class="described" aria-label="Descriptions">
            <h3>{told}</h3>
            {view.note.clone().map(|note| view! { <p role="status">{note}</p> })}
            {unsaved.map(|why| view! { <p class="warn">{why}</p> })}
            {doubtful}
            <div class="lab-about">
                <button
                    class="go"
                    on:click=move |_| { store.change(State::answer_by_text); }
                >
                    "Search the descriptions"
                </button>
                <button
                    class="quiet small"
                    on:click=move |_| store.act(State::export_descriptions)
                >
                    <Draw icon=Icon::Save/>
                    "Save as a file"
                </button>
                {forget}
            </div>
            <Filter/>
            {list(view)}
        </section>
    }
    .into_any()
}

#[component]
fn Filter() -> impl IntoView {
    let store = desk().store;
    let filter = store.peek(|state| state.lab.describing.filter.clone());
    view! {
        <label class="described-filter">
            "Find in descriptions "
            <input
                type="search"
                prop:value=filter
                on:change=move |event| {
                    let typed = event_target_value(&event);
                    store.act(|state| state.filter_descriptions(&typed));
                }
            />
        </label>
    }
    .into_any()
}

fn list(view: &LabDescribedView) -> AnyView {
    let more = (view.found as usize).saturating_sub(view.shown.len());
    let more = (more > 0).then(|| {
        let told = format!(
            "and {} more. Type a word to narrow the list.",
            count(more as u64, "part")
        );
        view! { <p class="quiet-line">{told}</p> }
    });
    let shown: Vec<_> = view.shown.iter().cloned().map(part).collect();
    view! {
        <ul class="described-parts">{shown}</ul>
        {more}
    }
    .into_any()
}

/// A chunk with its description, who wrote it, and what is doubtful about it.
fn part(it: LabTextView) -> AnyView {
    let store = desk().store;
    let place = LabGoldView {
        path: it.path.clone(),
        start: it.start,
        end: it.end,
    };
    let writer = match &it.model {
        Some(model) => format!("by {model}, names checked"),
        None => "by code".to_owned(),
    };
    let where_it_is = format!("{} {}", it.path, lines(it.start, it.end));
    let doubts: Vec<_> = it
        .doubts
        .into_iter()
        .map(|doubt| view! { <p class="warn">{doubt}</p> })
        .collect();
    view! {
        <li class:by-model=it.model.is_some()>
            <p>
                <b>{it.title}</b>
                " "
                <button class="link" on:click=move |_| store.act(|state| state.open_gold(&place))>
                    {where_it_is}
                </button>
                " "
                <small>{writer}</small>
            </p>
            <p class="described-text">{it.text}</p>
            {doubts}
        </li>
    }
    .into_any()
}
