//! The list below a statement: closed until the reader opens it unless the statement introduces it,
//! and shown in parts if it is long.

use leptos::html;
use leptos::prelude::*;

use super::desk;
use super::footnote::{marker, uncited};
use super::format::thousands;
use crate::state::conversation::PAGE;
use crate::state::{By, Shared, TurnId};
use crate::worker::protocol::{AnswerView, Below, ItemView, StatementView};

/// The list of the statement at position `at` of the answer, if it has one.
pub fn items(id: TurnId, at: usize, answer: &Shared<AnswerView>) -> Option<AnyView> {
    let store = desk().store;
    let statement = answer.statements.get(at)?;
    let count = statement.items.len();
    let label = offer(statement)?;
    let shown = store.select(move |state| {
        let turn = state.conversation.get(id)?;
        turn.reading.shown(at, count)
    });
    let is_open = Memo::new(move |_| shown.with(Option::is_some));
    let label = move || match is_open.get() {
        true => "Hide the list".to_owned(),
        false => label.clone(),
    };
    let toggle = move |_| {
        store.change(|state| state.toggle_list(id, at));
    };
    let name = format!("items-{}-{at}", id.0);
    let answer = answer.clone();
    let list = move || {
        let answer = answer.clone();
        is_open
            .get()
            .then(|| view! { <List id at answer shown count/> })
    };
    let view = view! {
        <div class="items">
            <button
                class="quiet small"
                aria-expanded=move || is_open.get().to_string()
                aria-controls=name.clone()
                on:click=toggle
            >
                {label}
            </button>
            <div id=name hidden=move || !is_open.get()>{list}</div>
        </div>
    };
    Some(view.into_any())
}

/// The label of the button while the list is closed; `None` if there is no list.
fn offer(statement: &StatementView) -> Option<String> {
    match statement.below() {
        Below::Nothing => None,
        Below::Details => Some("Show as a list".to_owned()),
        Below::More => {
            let count = thousands(statement.items.len() as u64);
            Some(format!("Show all {count}"))
        }
    }
}

/// The entries shown so far; present ones stay when more are added.
#[component]
fn List(
    id: TurnId,
    at: usize,
    answer: Shared<AnswerView>,
    shown: Memo<Option<usize>>,
    count: usize,
) -> impl IntoView {
    let statement = answer.statements.get(at);
    let is_ordered = statement.is_some_and(StatementView::introduces);
    let shown = Memo::new(move |_| shown.get().unwrap_or(0));
    let pages = move || 0..shown.get().div_ceil(PAGE);
    let page = move |page: usize| {
        let items = answer.statements.get(at).map(|it| it.items.as_slice());
        let items = items.unwrap_or_default().iter();
        let items = items.skip(page * PAGE).take(PAGE);
        items.map(|item| row(id, &answer, item)).collect::<Vec<_>>()
    };
    let rows = view! { <For each=pages key=|page| *page children=page/> };
    let list = match is_ordered {
        true => view! { <ol aria-label="The whole list">{rows}</ol> }.into_any(),
        false => view! { <ul aria-label="The whole list">{rows}</ul> }.into_any(),
    };
    view! {
        {list}
        <More id at shown count/>
    }
    .into_any()
}

/// The button for the next entries. At the end of a long list, a line says that it is complete.
#[component]
fn More(id: TurnId, at: usize, shown: Memo<usize>, count: usize) -> impl IntoView {
    let store = desk().store;
    let end = NodeRef::<html::P>::new();
    let has_more = Memo::new(move |_| shown.get() < count);
    let label = move || {
        let next = count.saturating_sub(shown.get()).min(PAGE);
        format!("Show {next} more")
    };
    let more = move |_| {
        store.change(|state| state.more_of_list(id, at));
        // The button goes away with the last entries; keep the keyboard where it was.
        request_animation_frame(move || {
            if let Some(end) = end.get_untracked() {
                // If the element cannot take the focus, the focus stays where it is.
                let _ = end.focus();
            }
        });
    };
    let body = move || match has_more.get() {
        true => view! { <button class="quiet small" on:click=more>{label}</button> }.into_any(),
        false if count > PAGE => view! {
            <p class="quiet-line" tabindex="-1" node_ref=end>
                {format!("All {} are shown.", thousands(count as u64))}
            </p>
        }
        .into_any(),
        false => ().into_any(),
    };
    view! { {body} }
}

/// An entry: its name, its detail in quiet type, and its footnote.
fn row(id: TurnId, answer: &AnswerView, item: &ItemView) -> AnyView {
    let mark = match answer.footnote(item.footnote) {
        Some(note) => marker(id, By::Extract, note.number, Some(note)),
        None => uncited(),
    };
    let detail = (!item.detail.is_empty()).then(|| {
        view! { " "<span class="why">{item.detail.clone()}</span> }
    });
    view! { <li><code>{item.name.clone()}</code>{detail}{mark}</li> }.into_any()
}
