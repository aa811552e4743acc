//! The review of the set: the questions on the left, the current one or the agreement on the right.

mod agreement;
mod blind;
mod files;
mod keys;
mod list;
mod question;

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;

use crate::state::Beside;
use crate::ui::desk;
use crate::ui::notices::Card;
use agreement::Agreement;
use blind::Blind;
use files::Files;
use keys::HELP;
use list::List;
use question::Question;

/// The elements that the keyboard can move to.
#[derive(Clone, Copy)]
struct Hands {
    list: NodeRef<html::Div>,
    filter: NodeRef<html::Input>,
    question: NodeRef<html::Textarea>,
    /// The fields for the tags of the current question, and of all selected ones.
    tag: NodeRef<html::Input>,
    tag_chosen: NodeRef<html::Input>,
}

impl Hands {
    fn new() -> Self {
        Self {
            list: NodeRef::new(),
            filter: NodeRef::new(),
            question: NodeRef::new(),
            tag: NodeRef::new(),
            tag_chosen: NodeRef::new(),
        }
    }

    // In all of these: if the element cannot take the focus, the focus stays where it is.
    fn to_list(self) {
        if let Some(list) = self.list.get_untracked() {
            let _ = list.focus();
        }
    }

    fn to_question(self) {
        if let Some(question) = self.question.get_untracked() {
            let _ = question.focus();
        }
    }

    fn to_tags(self, of_chosen: bool) {
        let field = match of_chosen {
            true => self.tag_chosen,
            false => self.tag,
        };
        if let Some(field) = field.get_untracked() {
            let _ = field.focus();
        }
    }

    fn to_filter(self) {
        if let Some(filter) = self.filter.get_untracked() {
            let _ = filter.focus();
            filter.select();
        }
    }

    /// Esc returns to the list; left alone it would close the dialog.
    fn leave_on_escape(self, event: &KeyboardEvent) {
        if event.key() == "Escape" {
            event.prevent_default();
            event.stop_propagation();
            self.to_list();
        }
    }
}

#[component]
pub fn Review() -> impl IntoView {
    let store = desk().store;
    let has_set = store.select(|state| {
        let set = state.lab.set.as_ref();
        set.is_some_and(|set| !set.items.is_empty())
    });
    let body = move || match has_set.get() {
        true => view! { <Table/> }.into_any(),
        false => view! {
            <p class="nothing-yet">
                "There are no questions yet. Make some, or open a set, under “1 Questions”."
            </p>
        }
        .into_any(),
    };
    view! { {body} }.into_any()
}

#[component]
fn Table() -> impl IntoView {
    let store = desk().store;
    let hands = Hands::new();
    keys::listen(store, hands);
    let trouble = store.select(|state| state.lab.review.trouble.clone());
    let beside = store.select(|state| state.lab.review.beside);
    let help: Vec<_> = HELP
        .iter()
        .map(|(key, what)| view! { <span><kbd>{*key}</kbd>" "{*what}</span> })
        .collect();
    view! {
        <Files/>
        {move || trouble.get().map(|notice| view! { <Card notice/> })}
        <p class="review-help">{help}</p>
        <div class="lab-review">
            <List hands/>
            <div class="review-beside">
                <div class="review-tabs" role="tablist" aria-label="Beside the questions">
                    <Side beside=Beside::Question label="Question"/>
                    <Side beside=Beside::Agreement label="Agreement"/>
                    <Side beside=Beside::Blind label="Rate answers blind"/>
                </div>
                {move || match beside.get() {
                    Beside::Question => view! { <Question hands/> }.into_any(),
                    Beside::Agreement => view! { <Agreement/> }.into_any(),
                    Beside::Blind => view! { <Blind/> }.into_any(),
                }}
            </div>
        </div>
    }
    .into_any()
}

#[component]
fn Side(beside: Beside, label: &'static str) -> impl IntoView {
    let store = desk().store;
    let is_on = store.select(move |state| state.lab.review.beside == beside);
    view! {
        <button
            role="tab"
            aria-selected=move || is_on.get().to_string()
            on:click=move |_| store.act(|state| state.show_beside(beside))
        >
            {label}
        </button>
    }
    .into_any()
}
