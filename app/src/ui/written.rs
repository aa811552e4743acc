//! What a language model wrote: its text with footnotes, the verdicts, and what was sent for it.

mod blocks;
mod review;
mod state_line;

use leptos::prelude::*;

use super::desk;
use super::footnote::{marker, note_list};
use super::icons::{Draw, Icon};
use super::notices::Card;
use crate::state::{By, Shared, Stage, TurnId, Written};
use crate::worker::protocol::StepView;

/// The model's answer to a turn.
#[component]
pub fn WrittenPart(id: TurnId) -> impl IntoView {
    let store = desk().store;
    // Which kind of content it is. Each kind tracks its own changes, so that growing text replaces
    // nothing else.
    let kind = store.select(move |state| {
        let turn = state.conversation.get(id)?;
        Some(match turn.written.as_ref()? {
            Written::Preparing { .. } => "preparing",
            Written::Review { .. } => "review",
            Written::Answer(_) => "answer",
            Written::Failed(_) => "failed",
        })
    });
    let failure = move || {
        store.peek(|state| match &state.conversation.get(id)?.written {
            Some(Written::Failed(notice)) => Some(notice.clone()),
            _ => None,
        })
    };
    let body = move || match kind.get() {
        Some("preparing") => view! {
            <p class="how">"Preparing the request…"</p>
        }
        .into_any(),
        Some("review") => view! { <review::Review id/> }.into_any(),
        Some("answer") => view! { <Text id/> }.into_any(),
        Some("failed") => view! {
            {failure().map(|notice| view! { <Card notice/> })}
            <Again id/>
        }
        .into_any(),
        _ => ().into_any(),
    };
    view! { {body} }
}

/// The answer as far as it has arrived.
#[component]
fn Text(id: TurnId) -> impl IntoView {
    let store = desk().store;
    let blocks = store.select(move |state| {
        let turn = state.conversation.get(id);
        let answer = turn.and_then(|turn| turn.written_answer());
        answer.map_or(Vec::new(), |answer| answer.blocks.clone())
    });
    let count = Memo::new(move |_| blocks.with(Vec::len));
    let is_over = store.select(move |state| {
        let turn = state.conversation.get(id);
        let answer = turn.and_then(|turn| turn.written_answer());
        answer.is_some_and(|answer| answer.head.state.is_over())
    });
    let ended = store.select(move |state| {
        let turn = state.conversation.get(id)?;
        let head = &turn.written_answer()?.head;
        head.state.is_over().then(|| head.clone())
    });
    let notes = move || {
        let head = ended.get()?;
        (!head.footnotes.is_empty())
            .then(|| note_list(id, By::Model, &head.footnotes, head.weights()))
    };
    let shown = paced(count);
    // A block is rendered once: while the answer grows, only its last blocks change.
    let made = move || {
        let shown = shown.get();
        blocks.with(|blocks| blocks.iter().take(shown).cloned().collect::<Vec<_>>())
    };
    view! {
        <state_line::Head id/>
        <Standalone id/>
        <Steps id/>
        <div class="answer written" data-written=move || if is_over.get() { "over" } else { "writing" }>
            <For each=made key=Shared::id let:block>
                {blocks::element(id, &block)}
            </For>
        </div>
        {notes}
        <state_line::Foot id/>
        <Show when=move || is_over.get()>
            <Again id/>
        </Show>
    }
    .into_any()
}

/// How many blocks are rendered per frame. The rest of a large part follows in the next frames, so
/// that typing and scrolling go on in between.
const BLOCKS_A_FRAME: usize = 2;

/// How many of `count` blocks are shown: a few more each frame.
fn paced(count: Memo<usize>) -> RwSignal<usize> {
    let shown = RwSignal::new(count.get_untracked().min(BLOCKS_A_FRAME));
    Effect::new(move |_| {
        let (all, now) = (count.get(), shown.get());
        if all > now {
            let more = (all - now).min(BLOCKS_A_FRAME);
            match now {
                // The first words appear at once.
                0 => shown.set(more),
                _ => request_animation_frame(move || {
                    // The view may be gone by then.
                    let _ = shown.try_set(now + more);
                }),
            }
        }
    });
    shown
}

/// The follow-up as it was asked, with a way to reword it.
#[component]
fn Standalone(id: TurnId) -> impl IntoView {
    let store = desk().store;
    let standalone = store.select(move |state| {
        let turn = state.conversation.get(id)?;
        turn.written_answer()?.head.standalone.clone()
    });
    let is_editing = RwSignal::new(false);
    let text = RwSignal::new(String::new());
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        is_editing.set(false);
        store.act(|state| state.write_as(id, &text.get_untracked()));
    };
    let body = move || {
        let asked = standalone.get()?;
        if is_editing.get() {
            let view = view! {
                <form class="standalone" on:submit=submit>
                    <textarea
                        rows="2"
                        aria-label="The question to ask"
                        prop:value=move || text.get()
                        on:input=move |event| text.set(event_target_value(&event))
                    ></textarea>
                    <button class="go small" type="submit">"Ask this instead"</button>
                </form>
            };
            return Some(view.into_any());
        }
        let shown = asked.clone();
        let view = view! {
            <p class="note-line standalone">
                "Asked as: “"{shown}"” "
                <button
                    class="link"
                    on:click=move |_| {
                        text.set(asked.clone());
                        is_editing.set(true);
                    }
                >
                    "Edit"
                </button>
            </p>
        };
        Some(view.into_any())
    };
    view! { {body} }
}

/// What the model requested on the way.
#[component]
fn Steps(id: TurnId) -> impl IntoView {
    let store = desk().store;
    let steps = store.select(move |state| {
        let turn = state.conversation.get(id);
        let answer = turn.and_then(|turn| turn.written_answer());
        answer
            .map(|answer| answer.head.steps.clone())
            .unwrap_or_default()
    });
    let row = |step: StepView| view! { <li>{step.summary}</li> };
    let body = move || {
        let steps = steps.get();
        (!steps.is_empty()).then(|| {
            let rows: Vec<_> = steps.into_iter().map(row).collect();
            view! { <ol class="tool-steps" aria-label="Steps to the answer">{rows}</ol> }
        })
    };
    view! { {body} }
}

/// Asks the model, for the first time or again.
#[component]
pub fn Again(id: TurnId) -> impl IntoView {
    let store = desk().store;
    let stage = store.select(|state| state.connection.stage());
    let is_written = store.select(move |state| {
        let turn = state.conversation.get(id);
        turn.is_some_and(|turn| turn.written.is_some())
    });
    let body = move || {
        (stage.get() == Stage::Connected).then(|| {
            let label = match is_written.get() {
                true => "Ask the model again",
                false => "Ask the model",
            };
            view! {
                <button
                    class="quiet small"
                    on:click=move |_| store.act(|state| state.write_again(id))
                >
                    <Draw icon=Icon::Steps/>
                    {label}
                </button>
            }
        })
    };
    view! { {body} }
}

/// The raised number in the text. A statement is checked only once, and its block is rendered again
/// if its numbers change, so the footnote is read once. An answer can have hundreds.
fn note_marker(id: TurnId, number: u32) -> AnyView {
    let note = desk().store.peek(|state| {
        let turn = state.conversation.get(id)?;
        let mut notes = turn.footnotes(By::Model).iter();
        notes.find(|note| note.number == number).cloned()
    });
    marker(id, By::Model, number, note.as_ref())
}
