//! Which encoder makes the vectors, in the settings: Footnote's own, or one that the user brings.

use leptos::html;
use leptos::prelude::*;

use super::desk;
use crate::state::State;
use crate::worker::protocol::PoolingView;

#[component]
pub fn EncoderChoice() -> impl IntoView {
    let store = desk().store;
    let encoder = store.select(|state| state.encoder.clone());
    let told = move || {
        encoder.with(
            |encoder| match (&encoder.view.brought, encoder.view.is_kept) {
                (Some(name), true) => {
                    format!("{name}, which you brought; it is kept in this browser")
                }
                (Some(name), false) => {
                    format!("{name}, which you brought, until the page is closed")
                }
                (None, _) => "all-MiniLM-L6-v2, which comes with the page".to_owned(),
            },
        )
    };
    let is_waiting = move || encoder.with(|encoder| encoder.is_waiting);
    let trouble = move || {
        let trouble = encoder.with(|encoder| encoder.trouble.clone());
        trouble.map(
            |notice| view! { <p class="trouble" role="alert">{notice.what} " " {notice.next}</p> },
        )
    };
    let back =
        move || {
            encoder.with(|encoder| encoder.view.brought.is_some()).then(|| {
            view! {
                <button class="quiet small" on:click=move |_| store.act(State::use_own_encoder)>
                    "Use Footnote's own"
                </button>
            }
        })
        };
    view! {
        <h3>"Encoder"</h3>
        <div class="encoder" aria-busy=move || is_waiting().to_string()>
            <p>"Passages are compared closely by " <b>{told}</b> "."</p>
            <Show when=is_waiting><p role="status">"Loading the encoder …"</p></Show>
            {trouble}
            <Bring/>
            {back}
        </div>
    }
    .into_any()
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
        <label class="picker quiet small">
            <input
                type="file"
                multiple
                accept=".onnx,.json"
                aria-label="Bring an encoder"
                title="A BERT-like encoder in one ONNX file of at most 200 MB, with one vector for each token as output, and its tokenizer.json"
                node_ref=input
                on:change=pick
            />
            "Bring another (.onnx and tokenizer.json)"
        </label>
        <label class="check">
            <input
                type="checkbox"
                prop:checked=move || is_first.get()
                on:change=move |event| is_first.set(event_target_checked(&event))
            />
            " the first token's vector stands for the text (as in BGE), unless the file tells"
        </label>
        <label class="check">
            <input
                type="checkbox"
                prop:checked=move || keep.get()
                on:change=move |event| keep.set(event_target_checked(&event))
            />
            " keep it in this browser"
        </label>
    }
}
