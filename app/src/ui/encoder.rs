//! Which encoder makes the vectors, in the settings: Footnote's own, or one that the user brings.

use leptos::html;
use leptos::prelude::*;

use super::bring::{self, Check, ModelFiles, UseOwn};
use super::desk;
use super::switch::Switch;
use crate::state::State;
use crate::worker::encoder_protocol::PoolingView;

#[component]
pub fn EncoderChoice() -> impl IntoView {
    let store = desk().store;
    let encoder = store.select(|state| state.encoder.clone());
    let is_on = store.select(|state| !state.without_close_reading);
    let own = "all-MiniLM-L6-v2, which comes with the page";
    let told =
        move || encoder.with(|it| bring::told(it.view.brought.as_ref(), it.view.is_kept, own));
    let is_waiting = move || encoder.with(|encoder| encoder.is_waiting);
    let trouble = move || {
        let notice = encoder.with(|encoder| encoder.trouble.clone())?;
        Some(view! { <p class="trouble" role="alert">{notice.what} " " {notice.next}</p> })
    };
    let use_own = move || store.act(State::use_own_encoder);
    // This also gives up an encoder that is stored but could not be loaded.
    let back = move || {
        let view = encoder.with(|encoder| encoder.view.clone());
        (view.brought.is_some() || view.is_kept).then(|| view! { <UseOwn use_own/> })
    };
    view! {
        <h3>"Encoder"</h3>
        <div class="encoder" aria-busy=move || is_waiting().to_string()>
            <CloseReading/>
            <Show when=move || is_on.get()>
                <p>"Chunks are read closely by " <b>{told}</b> "."</p>
                <Show when=is_waiting><p role="status">"Loading the encoder…"</p></Show>
                {trouble}
                <Bring/>
                {back}
            </Show>
        </div>
    }
    .into_any()
}

#[component]
fn CloseReading() -> impl IntoView {
    let store = desk().store;
    let is_on = store.select(|state| !state.without_close_reading);
    let switch = move |is_on| store.act(|state| state.read_closely(is_on));
    let label = "Read the best chunks closely with a transformer. When off, answers arrive sooner \
                 and use less energy, but only words and the static encoder rank the chunks.";
    view! { <Switch label is_on switch/> }
}

#[component]
fn Bring() -> impl IntoView {
    let intake = desk().intake;
    let input = NodeRef::<html::Input>::new();
    let keep = RwSignal::new(false);
    let is_first = RwSignal::new(false);
    let pick = move |_| {
        let pooling = match is_first.get_untracked() {
            true => PoolingView::First,
            false => PoolingView::Mean,
        };
        intake.pick_encoder(input, pooling, keep.get_untracked());
    };
    view! {
        <ModelFiles
            label="Choose an encoder of your own"
            title="A BERT-like encoder as one ONNX file of at most 200 MB that outputs one vector for each token, and its tokenizer.json"
            input
            pick
        />
        <Check
            label="Use the first token’s vector (as BGE does), unless the file says otherwise"
            checked=is_first
        />
        <Check label="Keep it in this browser" checked=keep/>
    }
}
