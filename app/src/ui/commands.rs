//! The command bar: commands and files in one list, filtered as one writes, driven by keys.

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;

use super::conversations::begin;
use super::desk;
use super::dialog::Dialog;
use super::drop::open_sample;
use super::{Desk, format::split_path};
use crate::state::{Panel, State, Tab, Theme, TurnId};
use crate::worker::protocol::ConversationFormat;

const MAX_FILES: usize = 40;

/// What a line of the list does.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Action {
    Ask(String),
    Open(String),
    Show(Panel),
    Trace(TurnId),
    Context(TurnId),
    Tab(Tab),
    Question,
    Sample,
    PauseVectors(bool),
    Theme(Theme),
    NewConversation,
    SaveConversation(ConversationFormat),
    Close,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    label: String,
    detail: String,
    action: Action,
}

#[component]
pub fn Commands() -> impl IntoView {
    view! {
        <Dialog panel=Panel::Commands label="Commands" class="dialog commands" is_bare=true>
            <Palette/>
        </Dialog>
    }
}

#[component]
fn Palette() -> impl IntoView {
    let desk = desk();
    let store = desk.store;
    let filter = RwSignal::new(String::new());
    let cursor = RwSignal::new(0usize);
    let entries =
        Memo::new(move |_| filter.with(|filter| store.peek(|state| entries(state, filter))));
    let input = NodeRef::<html::Input>::new();
    let list = NodeRef::<html::Ul>::new();
    Effect::new(move |_| {
        if let Some(input) = input.get() {
            // The field was just made; if it cannot take the focus, a click still can.
            let _ = input.focus();
        }
    });
    let choose = move |at: usize| {
        let entry = entries.with_untracked(|entries| entries.get(at).cloned());
        if let Some(entry) = entry {
            store.change(|state| state.hide(Panel::Commands));
            carry_out(desk, entry.action);
        }
    };
    let on_key = move |event: KeyboardEvent| {
        let count = entries.with_untracked(Vec::len).max(1);
        let at = cursor.get_untracked();
        let next = match event.key().as_str() {
            "ArrowDown" => (at + 1) % count,
            "ArrowUp" => (at + count - 1) % count,
            "Enter" => {
                event.prevent_default();
                choose(at);
                return;
            }
            _ => return,
        };
        event.prevent_default();
        cursor.set(next);
        let row = list
            .get_untracked()
            .and_then(|list| list.children().item(next as u32));
        if let Some(row) = row {
            row.scroll_into_view_with_bool(false);
        }
    };
    let rows = move || {
        let entries = entries.get();
        let row = |(at, entry): (usize, Entry)| {
            view! {
                <li
                    id=format!("command-{at}")
                    role="option"
                    aria-selected=move || (cursor.get() == at).to_string()
                    on:click=move |_| choose(at)
                >
                    <span>{entry.label}</span>
                    <small>{entry.detail}</small>
                </li>
            }
        };
        entries.into_iter().enumerate().map(row).collect::<Vec<_>>()
    };
    view! {
        <input
            type="text"
            role="combobox"
            aria-label="Command or file"
            aria-expanded="true"
            aria-controls="command-list"
            aria-activedescendant=move || format!("command-{}", cursor.get())
            placeholder="Command or file"
            autocomplete="off"
            spellcheck="false"
            node_ref=input
            on:input=move |event| {
                filter.set(event_target_value(&event));
                cursor.set(0);
            }
            on:keydown=on_key
        />
        <ul id="command-list" role="listbox" aria-label="Commands and files" node_ref=list>{rows}</ul>
    }
    .into_any()
}

/// What can be done now, matching `filter`; what is written can always be asked.
fn entries(state: &State, filter: &str) -> Vec<Entry> {
    let filter = filter.trim().trim_start_matches('/');
    let lower = filter.to_lowercase();
    let mut entries: Vec<Entry> = commands(state)
        .into_iter()
        .filter(|(label, ..)| label.to_lowercase().contains(&lower))
        .map(|(label, detail, action)| Entry {
            label: label.into(),
            detail: detail.into(),
            action,
        })
        .collect();
    if filter.is_empty() {
        return entries;
    }
    if let Some(open) = state.summary() {
        entries.extend(
            open.tree
                .matching(filter, MAX_FILES)
                .into_iter()
                .map(|file| {
                    let (folder, name) = split_path(&file.path);
                    Entry {
                        label: name.into(),
                        detail: folder.trim_end_matches('/').into(),
                        action: Action::Open(file.path.clone()),
                    }
                }),
        );
    }
    entries.push(Entry {
        label: format!("Ask “{filter}”"),
        detail: String::new(),
        action: Action::Ask(filter.to_owned()),
    });
    entries
}

fn commands(state: &State) -> Vec<(&'static str, &'static str, Action)> {
    let mut list = vec![("Ask a question", "", Action::Question)];
    if let Some(open) = state.summary() {
        list.push(("Show evidence", "", Action::Tab(Tab::Evidence)));
        list.push(("Show graph", "", Action::Tab(Tab::Graph)));
        if let Some(turn) = state.conversation.current() {
            list.push((
                "Show how it was found",
                "steps and scores",
                Action::Trace(turn.id),
            ));
            list.push((
                "Show what a model is shown",
                "lines and budget",
                Action::Context(turn.id),
            ));
        }
        list.push(("Show skipped files", "", Action::Show(Panel::Skipped)));
        match &open.vectors {
            Some(vectors) if vectors.failed.is_some() || vectors.done >= vectors.total => {}
            Some(vectors) if vectors.paused => {
                list.push(("Resume adding meaning", "", Action::PauseVectors(false)));
            }
            Some(_) => list.push(("Pause adding meaning", "", Action::PauseVectors(true))),
            None => {}
        }
        list.extend(conversations(state));
        list.push(("Close repository", "it stays saved", Action::Close));
    }
    list.push((
        "Open another repository",
        "",
        Action::Show(Panel::Repositories),
    ));
    list.push(("Try the sample repository", "", Action::Sample));
    list.push(("Theme: as the system", "", Action::Theme(Theme::System)));
    list.push(("Theme: light", "", Action::Theme(Theme::Light)));
    list.push(("Theme: dark", "", Action::Theme(Theme::Dark)));
    list.push((
        "Connect a language model",
        "Ollama, OpenAI, Anthropic …",
        Action::Show(Panel::Connect),
    ));
    list.push(("Settings", "theme, keys", Action::Show(Panel::Settings)));
    list.push(("What leaves this page", "", Action::Show(Panel::Seal)));
    list
}

/// What can be done with conversations; deleting is left to their list, which asks twice.
fn conversations(state: &State) -> Vec<(&'static str, &'static str, Action)> {
    let mut list = vec![(
        "Conversations",
        "search, rename, delete, import",
        Action::Show(Panel::Conversations),
    )];
    if state.conversation.turns.is_empty() {
        return list;
    }
    list.push(("New conversation", "", Action::NewConversation));
    for (label, detail, format) in [
        (
            "Save conversation as HTML",
            "with all cited lines",
            ConversationFormat::Html,
        ),
        (
            "Save conversation as Markdown",
            "",
            ConversationFormat::Markdown,
        ),
        (
            "Save conversation as JSON",
            "can be imported again",
            ConversationFormat::Json,
        ),
    ] {
        list.push((label, detail, Action::SaveConversation(format)));
    }
    list
}

fn carry_out(desk: Desk, action: Action) {
    let store = desk.store;
    match action {
        Action::Ask(question) => store.act(|state| state.ask(&question)),
        Action::Open(path) => store.act(|state| state.open_file(&path, None)),
        Action::Show(panel) => store.act(|state| state.show(panel)),
        Action::Trace(turn) => store.act(|state| state.show_trace(turn)),
        Action::Context(turn) => store.act(|state| state.show_context(turn)),
        Action::Question => desk.focus_question(),
        Action::Sample => open_sample(store),
        Action::PauseVectors(paused) => store.act(|state| state.pause_vectors(paused)),
        Action::NewConversation => begin(desk),
        Action::SaveConversation(format) => store.act(|state| state.export_conversation(format)),
        Action::Close => store.act(State::close),
        Action::Theme(theme) => {
            store.change(|state| state.theme = theme);
        }
        Action::Tab(tab) => store.act(|state| {
            state.reader.is_sheet_open = true;
            state.show_tab(tab)
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(filter: &str) -> Vec<String> {
        let entries = entries(&State::default(), filter);
        entries.into_iter().map(|entry| entry.label).collect()
    }

    #[test]
    fn the_list_holds_the_commands_that_match_and_the_question() {
        assert_eq!(labels("theme: l"), ["Theme: light", "Ask “theme: l”"]);
        assert_eq!(labels("/dark"), ["Theme: dark", "Ask “dark”"]);
    }

    #[test]
    fn without_a_repository_nothing_is_offered_that_needs_one() {
        let all = labels("");
        assert!(all.contains(&"Try the sample repository".to_owned()));
        assert!(!all.contains(&"Close repository".to_owned()));
    }
}
