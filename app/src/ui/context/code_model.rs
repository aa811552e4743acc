//! Which language model reads code, if a strategy needs one.

use leptos::prelude::*;

use crate::state::State;
use crate::ui::bring::{self, Check, ModelFiles, UseOwn};
use crate::ui::{Desk, desk};

/// The model in use; the user may bring another.
#[component]
pub fn CodeModel() -> impl IntoView {
    let Desk { store, intake, .. } = desk();
    let is_wanted = store.select(|state| state.choosing.uses_model());
    let model = store.select(|state| state.choosing.code_model.clone());
    let input = NodeRef::<leptos::html::Input>::new();
    let keep = RwSignal::new(false);
    let pick = move |_| intake.pick_model(input, keep.get_untracked());
    let own = "Footnote’s own model of 5.7 MB, which comes with the page";
    let told = move || model.with(|it| bring::told(it.brought.as_ref(), it.is_kept, own));
    let use_own = move || store.act(State::use_own_model);
    let back = move || {
        let is_brought = model.with(|model| model.brought.is_some());
        is_brought.then(|| view! { <UseOwn use_own/> })
    };
    view! {
        <div class="code-model" hidden=move || !is_wanted.get()>
            <p>
                "Code is read by " <b>{told}</b> "."
            </p>
            <ModelFiles
                label="Choose a language model of your own"
                title="A decoder as one ONNX file, without a KV cache and with logits as output, and its tokenizer.json"
                input
                pick
            />
            <Check label="Keep it in this browser" checked=keep/>
            {back}
        </div>
    }
    .into_any()
}
