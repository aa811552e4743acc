//! The visible page: one file per visible thing. Views read [`Store`] and send intents to it; they
//! fetch nothing and store nothing.

mod announce;
mod answer;
mod ask;
mod bar;
mod bring;
mod changes;
mod choosing;
mod code;
mod commands;
mod compare;
mod connect;
mod context;
mod conversations;
mod copy;
mod dialog;
mod drop;
mod editor;
mod encoder;
mod erase;
mod evidence;
mod footnote;
mod format;
mod graph;
mod icons;
mod intake;
mod items;
mod keys;
mod lab;
mod later;
mod leave;
mod lesson;
mod meaning;
mod mention;
mod names;
mod notices;
mod outline;
mod peek;
mod pick;
mod rating;
mod report;
mod save;
mod saved;
mod scope;
mod seal;
mod settings;
mod skipped;
mod source;
mod stages;
mod switch;
mod tally;
mod thread;
mod trace;
mod unfinished;
mod uses;
mod window;
mod written;

use leptos::html;
use leptos::prelude::*;

use crate::platform::{clock, page, theme, update};
use crate::state::{Panel, Stage, State, Store, Theme, TurnId};
use crate::worker::client::Client;
use crate::worker::protocol::{Notice, NoticeKind};
use intake::Intake;
use later::Later;

/// What views share besides the store.
#[derive(Clone, Copy)]
pub(crate) struct Desk {
    pub store: Store,
    pub intake: Intake,
    /// The question being typed; it outlives every phase of the page.
    pub draft: RwSignal<String>,
    pub question: NodeRef<html::Textarea>,
    /// The part that the user copied a moment ago.
    pub copied: RwSignal<Option<(TurnId, copy::Part)>>,
    /// A message shown briefly after a key press, where no button can show the result.
    pub said: RwSignal<Option<String>>,
    /// The visible part of the graph; it survives a change of tab.
    pub sight: graph::Sight,
    /// The footnote whose cited lines are previewed.
    pub pointer: peek::Pointer,
}

/// The desk, which [`App`] provides.
pub(crate) fn desk() -> Desk {
    expect_context::<Desk>()
}

impl Desk {
    /// Moves the keyboard to the question.
    pub fn focus_question(&self) {
        if let Some(question) = self.question.get_untracked() {
            // If the element cannot take the focus, the focus stays where it is.
            let _ = question.focus();
        }
    }
}

/// The whole page.
#[component]
pub fn App() -> impl IntoView {
    let theme = match theme::load().as_deref() {
        Some("light") => Theme::Light,
        Some("dark") => Theme::Dark,
        _ => Theme::System,
    };
    let mut state = State::default();
    state.theme = theme;
    state.note_order = settings::note_order();
    state.without_character_keys = settings::without_character_keys();
    state.without_close_reading = settings::without_close_reading();
    state.pipeline = settings::pipeline();
    state.editor = editor::load();
    state.connection = connect::load();
    if state.connection.stage() == Stage::Unfinished {
        // The page was just reloaded to let it reach the service: continue with the form.
        state.panel = Some(Panel::Connect);
    }
    let store = Store::new(state, clock::now_ms, trace::save, connect::remember);
    let client = Client::start(store);
    let desk = Desk {
        store,
        intake: Intake::new(store),
        draft: RwSignal::new(String::new()),
        question: NodeRef::new(),
        copied: RwSignal::new(None),
        said: RwSignal::new(None),
        sight: StoredValue::new(None),
        pointer: peek::Pointer::new(store),
    };
    provide_context(desk);
    let beside = page::beside();
    store.connect(client, beside.index.as_deref());
    if beside.lists {
        store.act(State::look_beside);
    }
    follow_link(desk);
    settings::keep_theme(store);
    settings::keep_note_order(store);
    settings::keep_character_keys(store);
    settings::keep_close_reading(store);
    settings::keep_pipeline(store);
    editor::keep(store);
    keys::listen(desk);
    footnote::keep_marked(store);
    update::on_new_version(move || {
        store.change(|state| state.post(new_version()));
    });
    view! { <Shell/> }
}

fn new_version() -> Notice {
    Notice {
        what: "A new version of Footnote is ready.".into(),
        next: "Reload the page to use it. Your repositories and conversations stay.".into(),
        kind: NoticeKind::NewVersion,
    }
}

/// Fills the question box and chooses the pipelines that a link to a comparison names.
fn follow_link(desk: Desk) {
    let linked = page::linked();
    let question = desk.store.change(|state| state.follow_link(&linked));
    if let Some(question) = question.flatten() {
        desk.draft.set(question);
    }
}

#[component]
fn Shell() -> impl IntoView {
    let Desk { store, intake, .. } = desk();
    let phase = store.select(|state| state.phase.name());
    let is_ready = move || phase.get() == "ready";
    let vectors = move |read: fn(&crate::worker::protocol::VectorsView) -> u32| {
        store.select(move |state| {
            state
                .summary()
                .and_then(|open| open.vectors.as_ref())
                .map(read)
        })
    };
    let done = vectors(|vectors| vectors.done);
    let total = vectors(|vectors| vectors.total);
    let table_ms = store.select(|state| {
        let vectors = state.summary()?.vectors.as_ref()?;
        vectors.table_ms.map(f64::round)
    });
    view! {
        <div
            class="shell"
            data-phase=move || phase.get()
            data-vectors-done=move || done.get()
            data-vectors-total=move || total.get()
            data-table-ms=move || table_ms.get()
            class:is-dragged-over=move || intake.is_dragged_over()
            on:dragenter=move |event| intake.drag_enter(&event)
            on:dragover=move |event| event.prevent_default()
            on:dragleave=move |_| intake.drag_leave()
            on:drop=move |event| intake.drop(&event)
        >
            <bar::Bar/>
            <main class="main" class:is-ready=is_ready>
                <Show when=is_ready>
                    <outline::Outline/>
                </Show>
                <section class="thread" aria-label="Conversation">
                    <conversations::Head/>
                    <thread::Thread/>
                    <meaning::Unchecked/>
                    <meaning::Meaning/>
                    <ask::Ask/>
                </section>
                <Show when=is_ready>
                    <source::Source/>
                </Show>
            </main>
            <Later>
                <peek::Peek/>
                <notices::Notices/>
                <copy::Said/>
                <announce::Announce/>
            </Later>
            <Later>
                <Panels/>
            </Later>
            <div class="veil" aria-hidden="true">
                <p>"Drop it anywhere"</p>
            </div>
        </div>
    }
}

/// The panels that open over the page.
#[component]
fn Panels() -> impl IntoView {
    view! {
        <commands::Commands/>
        <dialog::Dialog panel=Panel::Repositories label="Repositories">
            <saved::Repositories/>
        </dialog::Dialog>
        <dialog::Dialog panel=Panel::Conversations label="Conversations">
            <conversations::Conversations/>
        </dialog::Dialog>
        <dialog::Dialog panel=Panel::Skipped label="Skipped files">
            <skipped::Skipped/>
        </dialog::Dialog>
        <changes::Changes/>
        <dialog::Dialog panel=Panel::Settings label="Settings">
            <settings::Settings/>
        </dialog::Dialog>
        <dialog::Dialog panel=Panel::Verdicts label="What the verdicts mean">
            <tally::Words/>
        </dialog::Dialog>
        <dialog::Dialog panel=Panel::Seal label="What leaves this page">
            <seal::Seal/>
        </dialog::Dialog>
        <connect::Connect/>
        <leave::Leave/>
        <trace::Trace/>
        <compare::Compare/>
        <lesson::Lesson/>
        <report::Report/>
        <lab::Lab/>
        <unfinished::Unfinished/>
        <context::Context/>
    }
    .into_any()
}
