//! The preview of what would be sent: how much, which lines, to whom. Lines can be taken out.

use leptos::prelude::*;

use crate::state::{Mark, Shared, TurnId, Written};
use crate::ui::desk;
use crate::ui::format::{bytes, count, lines, split_path, thousands};
use crate::worker::protocol::{OutgoingPartView, OutgoingView};

#[component]
pub fn Review(id: TurnId) -> impl IntoView {
    let store = desk().store;
    let outgoing = store.select(move |state| match &state.conversation.get(id)?.written {
        Some(Written::Review { outgoing, .. }) => Some(outgoing.clone()),
        _ => None,
    });
    let body = move || outgoing.get().map(|view| card(id, &view));
    view! { <section class="review" aria-label="What would be sent">{body}</section> }.into_any()
}

fn card(id: TurnId, view: &Shared<OutgoingView>) -> AnyView {
    let store = desk().store;
    let size = format!(
        "{} of {}, about {} tokens, {} in all.",
        count(view.lines.into(), "line"),
        count(view.files.into(), "file"),
        thousands(view.tokens.into()),
        bytes(view.bytes.into()),
    );
    let rewrites = view.rewrites_first.then_some(
        " Because this is a follow-up, Footnote first sends the conversation so far, to have the \
         follow-up rewritten as a standalone question.",
    );
    let again = store.peek(|state| state.connection.why_again(view));
    let again = again.map(|text| view! { <p class="warn">{text}</p> });
    let parts: Vec<_> = view.parts.iter().map(|part| row(id, part)).collect();
    let headers: Vec<_> = view
        .headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\n"))
        .collect();
    let exact = format!("POST {}\n{}\n{}", view.url, headers.concat(), view.body);
    view! {
        {again}
        <p>
            "To explain in its own words, "<b>{view.model.clone()}</b>" at "<b>{view.origin.clone()}</b>
            " would get the question and "{size}{rewrites}
        </p>
        <ul class="parts" aria-label="Lines that would be sent">{parts}</ul>
        <details>
            <summary>"The exact request"</summary>
            <pre tabindex="0" aria-label="The exact request">{exact}</pre>
        </details>
        <div class="actions">
            <button class="go small" on:click=move |_| store.act(|state| state.send_reviewed(id))>
                "Send"
            </button>
            <button
                class="quiet small"
                on:click=move |_| {
                    store.change(|state| state.decline(id));
                }
            >
                "Do not send"
            </button>
        </div>
    }
    .into_any()
}

fn row(id: TurnId, part: &OutgoingPartView) -> AnyView {
    let store = desk().store;
    let place = part.place.clone();
    let (folder, name) = split_path(&part.place.path);
    let shown = format!("{name}:{}", lines(place.start, place.end));
    let left_out: u32 = part
        .left_out
        .iter()
        .map(|(start, end)| end - start + 1)
        .sum();
    let cut = (left_out > 0).then(|| format!(", without {}", count(left_out.into(), "line")));
    let tokens = format!("{} tokens", thousands(part.tokens.into()));
    let (path, mark) = (
        place.path.clone(),
        Mark {
            start: place.start,
            end: place.end,
        },
    );
    let label = format!("Send {}:{}", place.path, lines(place.start, place.end));
    view! {
        <li class:out=!part.is_kept>
            <input
                type="checkbox"
                aria-label=label
                prop:checked=part.is_kept
                on:change=move |_| store.act(|state| state.toggle_evidence(id, &place))
            />
            <button
                class="path"
                on:click=move |_| store.act(|state| state.open_file(&path, Some(mark)))
            >
                <span class="folder">{folder.to_owned()}</span>
                {shown}
            </button>
            <small>{tokens}{cut}</small>
        </li>
    }
    .into_any()
}
