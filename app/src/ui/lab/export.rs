//! Exports of the set for tools that tune and evaluate models.

use leptos::ev::Event;
use leptos::prelude::*;

use super::WithSet;
use crate::state::State;
use crate::ui::desk;
use crate::ui::icons::{Draw, Icon};
use crate::ui::save::SaveAs;
use crate::worker::protocol::StrategyView;
use crate::worker::serve::formats;

#[component]
pub fn Export() -> impl IntoView {
    let store = desk().store;
    let offer = store.select(|state| state.lab.offer.clone());
    let valid = store.select(|state| state.lab.valid);
    let has_pairs = store.select(|state| {
        let judging = &state.lab.judging;
        judging.rated() > 0 || judging.verdict.is_some()
    });
    let has_pairs = Signal::derive(move || has_pairs.get());
    let set_valid = move |event: Event| {
        let wanted = event_target_value(&event).parse().unwrap_or(20);
        store.change(|state| state.lab.valid = u32::min(wanted, 90));
    };
    let rows = move || {
        let offer = offer.get()?;
        let always = Signal::derive(|| true);
        let of_answers = offer.tuning.iter().map(|it| row(it, always));
        let of_pairs = offer.preferences.iter().map(|it| row(it, has_pairs));
        Some(of_answers.chain(of_pairs).collect::<Vec<_>>())
    };
    view! {
        <WithSet>
            <p class="quiet-line">
                "Each format is a zip: train.jsonl and valid.jsonl (no gold file is in both), \
                 metadata, and a card with the source, the licence and what was left out. Where \
                 they apply, it also contains settings for Axolotl and LLaMA-Factory with the \
                 papers’ values, and an Ollama Modelfile. “Open a question set” reads the zip back."
            </p>
            <div class="lab-about">
                <label>
                    "Keep for validation "
                    <input
                        type="number"
                        min="0"
                        max="90"
                        prop:value=move || valid.get().to_string()
                        on:change=set_valid
                    />
                    " % of the questions"
                </label>
            </div>
            <div class="lab-table" tabindex="0" role="region" aria-label="Formats">
                <table>
                    <tbody>{rows}</tbody>
                </table>
            </div>
            <SaveAs
                formats=formats::QUESTIONS
                save=move |format: &str| store.act(|state| state.export_set(format))
            />
        </WithSet>
    }
    .into_any()
}

/// `can_save` is false while there is nothing to save in this format.
fn row(format: &StrategyView, can_save: Signal<bool>) -> AnyView {
    let store = desk().store;
    let name = format.name.clone();
    let label = format!("Save as {name}");
    view! {
        <tr>
            <th scope="row">{name.clone()}</th>
            <td>
                {format.title.clone()}
                <small hidden=move || can_save.get()>
                    "Rate answers first, or have them judged, under “4 Judge”."
                </small>
            </td>
            <td>
                <button
                    class="quiet small"
                    disabled=move || !can_save.get()
                    on:click=move |_| store.act(|state: &mut State| state.export_tuning(&name))
                >
                    <Draw icon=Icon::Save/>
                    {label}
                </button>
            </td>
        </tr>
    }
    .into_any()
}
