//! Which language model reads code, where a strategy needs one.

use leptos::prelude::*;

use crate::state::State;
use crate::ui::{Desk, desk};

/// The model that is used; the user may bring another.
#[component]
pub fn CodeModel() -> impl IntoView {
    let Desk { store, intake, .. } = desk();
    let is_wanted = store.select(|state| state.choosing.uses_model());
    let model = store.select(|state| state.choosing.code_model.clone());
    let input = NodeRef::<leptos::html::Input>::new();
    let keep = RwSignal::new(false);
    let pick = move |_| intake.pick_model(input, keep.get_untracked());
    let told = move || {
        model.with(|model| match (&model.brought, model.is_kept) {
            (Some(name), true) => format!("{name}, which you brought; it is kept in this browser"),
            (Some(name), false) => format!("{name}, which you brought, until the page is closed"),
            (None, _) => "Footnote's own model of 5.7 MB, which comes with the page".to_owned(),
        })
    };
    let back = move || {
        model.with(|model| model.brought.is_some()).then(|| {
            view! {
                <button class="quiet small" on:click=move |_| store.act(State::use_own_model)>
                    "Use Footnote's own"
                </button>
            }
        })
    };
    view! {
        <div class="code-model" hidden=move || !is_wanted.get()>
            <p>
                "Code is read by " <b>{told}</b> "."
            </p>
            <label class="picker quiet small">
                <input
                    type="file"
                    multiple
                    accept=".onnx,.json"
                    aria-label="Bring a language model"
                    title="A decoder in one ONNX file without cache, with logits as output, and its tokenizer.json"
                    node_ref=input
                    on:change=pick
                />
                "Bring another (.onnx and tokenizer.json)"
            </label>
            <label class="check">
                <input
                    type="checkbox"
                    prop:checked=move || keep.get()
                    on:change=move |event| keep.set(event_target_checked(&event))
                />
                " keep it in this browser"
            </label>
            {back}
        </div>
    }
    .into_any()
}
