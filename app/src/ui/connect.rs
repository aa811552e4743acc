//! The connection to a language model: choose a service, let the page reach it, enter the key,
//! choose the model.

mod key;
mod memory;
mod model;
mod patience;
mod service;

use leptos::prelude::*;

use super::desk;
use super::dialog::Dialog;
use super::report::ReportButton;
use super::switch::Switch;
use crate::state::connection::Stage;
use crate::state::{Panel, State};

pub use memory::{load, remember};
pub use service::Disconnect;

#[component]
pub fn Connect() -> impl IntoView {
    view! {
        <Dialog panel=Panel::Connect label="Language model" class="dialog connect">
            <Body/>
        </Dialog>
    }
}

#[component]
fn Body() -> impl IntoView {
    let store = desk().store;
    let stage = store.select(|state| state.connection.stage());
    let body = move || match stage.get() {
        Stage::None | Stage::Shut => view! { <service::Choose/> }.into_any(),
        Stage::Locked => view! { <service::Chosen/> <key::Unlock/> }.into_any(),
        Stage::Unfinished | Stage::Connected => view! {
            <service::Chosen/>
            <key::Key/>
            <model::Model/>
            <Review/>
            <patience::Patience/>
            <div class="to-report">
                <ReportButton/>
            </div>
        }
        .into_any(),
    };
    view! { {body} }
}

/// Whether each request is shown before it is sent.
#[component]
fn Review() -> impl IntoView {
    let store = desk().store;
    let is_on = store.select(|state| state.connection.remembered.reviews_each);
    let switch = move |is_on| {
        store.act(|state: &mut State| {
            state.connection.remembered.reviews_each = is_on;
            vec![crate::state::Effect::Remember]
        });
    };
    view! { <Switch label="Show me every request before it is sent" is_on switch/> }
}
