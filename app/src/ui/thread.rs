//! The conversation: the repository's stages, then questions and answers.

use leptos::html;
use leptos::prelude::*;

use super::answer::{Actions, Answer, Better};
use super::desk;
use super::drop::Empty;
use super::format::{count, duration};
use super::icons::{Draw, Icon};
use super::meaning::PauseButton;
use super::notices::Card;
use super::stages::{Line, Preparing, meaning_line, stage_list};
use super::written::WrittenPart;
use crate::platform::page;
use crate::state::{By, Panel, Stage, State, TurnId, TurnState};
use crate::worker::protocol::{AsksFirstView, Notice, SentFirst};

#[component]
pub fn Thread() -> impl IntoView {
    let store = desk().store;
    let phase = store.select(|state| state.phase.name());
    let turns = store.select(|state| {
        let ids = state.conversation.turns.iter().map(|turn| turn.id);
        ids.collect::<Vec<_>>()
    });
    let is_across = store.select(State::is_across);
    let has_turns = Memo::new(move |_| turns.with(|turns| !turns.is_empty()));
    let top = move || match phase.get() {
        "ready" if has_turns.get() => view! { <Heading/> }.into_any(),
        "ready" if is_across.get() => view! { <WelcomeAcross/> }.into_any(),
        "ready" => view! { <Welcome/> }.into_any(),
        "loading" => view! { <Preparing/> }.into_any(),
        _ => view! { <Empty/> }.into_any(),
    };
    let about = store.select(|state| state.conversation.about.clone());
    let about = move || {
        let text = about.get()?;
        Some(view! { <p class="note-line talk-about">{text}</p> })
    };
    let pointer = desk().pointer;
    view! {
        <div
            class="turns"
            tabindex="-1"
            on:pointerover=move |event| pointer.come(&event)
            on:pointerout=move |event| pointer.leave(&event)
            on:focusin=move |event| pointer.come(&event)
            on:focusout=move |event| pointer.leave(&event)
            on:click=move |_| pointer.hide()
            on:scroll=move |_| pointer.hide()
        >
            {about}
            {top}
            <For each=move || turns.get() key=|id| *id let:id>
                <Turn id/>
            </For>
        </div>
    }
    .into_any()
}

/// What the conversation is about, for screen readers and the browser's tab: its questions are
/// seen.
#[component]
fn Heading() -> impl IntoView {
    let store = desk().store;
    let title = store.select(|state| {
        let about = state.conversation.shown_title().to_owned();
        let repo = state.summary().map(|open| open.repo.name.clone());
        [Some(about), repo]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
    });
    Effect::new(move |_| page::set_title(&title.get().join(" · ")));
    on_cleanup(|| page::set_title(""));
    view! { <h1 class="visually-hidden">{move || title.get().join(", ")}</h1> }
}

/// The open repository before the first question.
#[component]
fn Welcome() -> impl IntoView {
    let store = desk().store;
    let open = store.select(|state| {
        state
            .summary()
            .map(|open| (open.repo.clone(), open.stages.clone()))
    });
    let vectors = store.select(|state| state.summary().and_then(|open| open.vectors.clone()));
    let meaning = Memo::new(move |_| vectors.with(|vectors| vectors.as_ref().map(meaning_line)));
    let body = move || {
        let (repo, stages) = open.get()?;
        let lead = format!(
            "{}, {} and {} are ready after {}.",
            count(repo.files.into(), "file"),
            count(repo.symbols.into(), "symbol"),
            count(repo.chunks.into(), "chunk"),
            duration(repo.ready_ms / 1000.0)
        );
        let unsaved = (!repo.saved).then_some(" This browser window cannot save anything.");
        let skipped = (repo.skipped > 0).then(|| {
            view! {
                <button
                    class="link"
                    on:click=move |_| store.act(|state| state.show(Panel::Skipped))
                >
                    {count(repo.skipped.into(), "skipped file")}
                </button>
            }
        });
        let ideas: Vec<_> = repo.suggestions.iter().cloned().map(suggestion).collect();
        let ask =
            (!ideas.is_empty()).then(|| view! { <h2 class="ideas-head">"You could ask"</h2> });
        Some(view! {
            <h1>{repo.name.clone()}</h1>
            <p class="lead">{lead}{unsaved}" "{skipped}</p>
            <ol class="stages" aria-label="Progress">
                {stages.as_ref().map(stage_list)}
                <Line line=meaning/>
            </ol>
            <PauseButton/>
            {ask}
            <ul class="ideas">{ideas}</ul>
            <Connecting/>
        })
    };
    view! { <div class="welcome">{body}</div> }.into_any()
}

/// All repositories of the page's server before the first question.
#[component]
fn WelcomeAcross() -> impl IntoView {
    let store = desk().store;
    let across = store.select(|state| state.summary()?.repo.across.clone());
    let lead = move || {
        let repositories = across.get()?.repositories;
        let all = count(repositories.into(), "repository");
        Some(format!(
            "Ask {all} at once. The server finds those that fit your question; Footnote reads them \
             here and checks every footnote against their lines."
        ))
    };
    view! {
        <div class="welcome">
            <h1>"All repositories"</h1>
            <p class="lead">{lead}</p>
            <p class="quiet-line">
                "Your questions go to this server, and the code comes from it. Archives that you \
                 drop still stay in this browser. You lose this conversation when you close or \
                 reload the page, unless you save it."
            </p>
            <Connecting/>
        </div>
    }
    .into_any()
}

/// A question that is being answered, and what is done for it.
#[component]
fn Looking(id: TurnId) -> impl IntoView {
    let store = desk().store;
    let line = store.select(move |state| {
        let gathering = state.gathering.as_ref().filter(|it| it.turn == id);
        let line = gathering.map(|it| it.line.clone());
        line.filter(|line| !line.is_empty())
    });
    // Kept separate: a button that is rendered again with every change of the text beside it loses
    // clicks.
    let is_read_for = Memo::new(move |_| line.with(Option::is_some));
    let stop = move || {
        is_read_for.get().then(|| {
            view! {
                <button
                    class="plain small"
                    on:click=move |_| store.act(|state| state.stop_gathering(id))
                >
                    <Draw icon=Icon::Close/>
                    "Stop"
                </button>
            }
        })
    };
    let line = move || line.get().unwrap_or_else(|| "Looking…".to_owned());
    view! {
        <p class="how" role="status">{line}</p>
        {stop}
    }
}

/// What a connected language model would add, or what is missing.
#[component]
fn Connecting() -> impl IntoView {
    let store = desk().store;
    let stage = store.select(|state| state.connection.stage());
    let model = store.select(|state| state.connection.remembered.model.clone());
    let body = move || {
        let (text, label) = match stage.get() {
            Stage::Connected => (
                format!("{} explains what Footnote finds. ", model.get()),
                "Connection settings",
            ),
            Stage::None => (
                "Footnote answers without a language model. With one, it also explains. ".into(),
                "Connect a language model",
            ),
            _ => (
                "The language model is not in use yet. ".into(),
                "Finish connecting it",
            ),
        };
        view! {
            {text}
            <button class="link" on:click=move |_| store.act(|state| state.show(Panel::Connect))>
                {label}
            </button>
        }
    };
    view! { <p class="quiet-line connecting">{body}</p> }.into_any()
}

fn suggestion(question: String) -> AnyView {
    let store = desk().store;
    let text = question.clone();
    view! {
        <li>
            <button on:click=move |_| store.act(|state| state.ask(&question))>{text}</button>
        </li>
    }
    .into_any()
}

/// What a turn shows below its question.
#[derive(Clone, Debug, PartialEq)]
enum Seen {
    Waiting,
    Asked,
    Failed(Notice),
    /// The number of the text; changes around it render nothing again.
    Answered(u32),
    /// The user has to agree first.
    AsksFirst(AsksFirstView),
}

/// One question and its answer. It scrolls into view when it is added.
#[component]
fn Turn(id: TurnId) -> impl IntoView {
    let store = desk().store;
    let seen = store.select(move |state| {
        let turn = state.conversation.get(id)?;
        Some(match &turn.state {
            TurnState::Waiting => Seen::Waiting,
            TurnState::Asked => Seen::Asked,
            TurnState::Failed(notice) => Seen::Failed(notice.clone()),
            TurnState::Answered(answer) => match &answer.asks_first {
                Some(first) => Seen::AsksFirst(first.clone()),
                None => Seen::Answered(turn.reading.text),
            },
        })
    });
    let node = NodeRef::<html::Article>::new();
    come_into_view(id, node);
    let question = store.peek(|state| Some(state.conversation.get(id)?.question.clone()));
    let question = question.unwrap_or_default();
    let is_long = question.len() > 300 || question.contains("```");
    let body = move || {
        seen.get().map(|seen| match seen {
            Seen::Waiting => view! { <Waiting id/> }.into_any(),
            Seen::Asked => view! { <Looking id/> }.into_any(),
            Seen::Failed(notice) => view! { <Card notice/> }.into_any(),
            Seen::Answered(_) => view! { <Answered id/> }.into_any(),
            Seen::AsksFirst(first) => asks_first(id, first),
        })
    };
    // The button that was pressed is gone by then. If the turn cannot take the focus, nothing
    // happens.
    let to_turn = move || _ = node.get_untracked().map(|node| node.focus());
    view! {
        <article class="turn" tabindex="-1" node_ref=node aria-label="Question and answer">
            <h2 class="question" class:long=is_long>{question}</h2>
            <Better id shown=to_turn/>
            {body}
        </article>
    }
    .into_any()
}

/// What would be sent to the connected model before the search, and whether that is allowed.
fn asks_first(id: TurnId, first: AsksFirstView) -> AnyView {
    let store = desk().store;
    let (what, instead) = match first.sent {
        SentFirst::Question => (
            "With this pipeline, the language model first says what to search for. Your question \
             goes to ",
            "Search for the question itself",
        ),
        SentFirst::FileNames => (
            "With this pipeline, the language model chooses the files that answer. Your question, \
             the paths of the best files and names of what they define go to ",
            "Search without the model",
        ),
    };
    view! {
        <section class="asks-first" aria-label="Before the search">
            <p>
                {what}
                <b>{first.model}</b>
                " at "
                <code>{first.address}</code>
                ". No code of the repository is sent. Footnote sends later questions about this \
                 repository without asking, unless you chose to see each request."
            </p>
            <details>
                <summary>"What is sent"</summary>
                <pre class="lab-request" tabindex="0">{first.said}</pre>
            </details>
            <button class="go" on:click=move |_| store.act(|state| state.let_query(id))>
                "Send and search"
            </button>
            " "
            <button class="quiet small" on:click=move |_| store.act(|state| state.search_itself(id))>
                {instead}
            </button>
        </section>
    }
    .into_any()
}

/// Scrolls a turn into view when it is added, and when it is wanted.
fn come_into_view(id: TurnId, node: NodeRef<html::Article>) {
    let store = desk().store;
    Effect::new(move |_| {
        if let Some(node) = node.get()
            && store.peek(|state| state.summary().is_some())
        {
            node.scroll_into_view_with_bool(true);
        }
    });
    let wanted = store.select(move |state| {
        let (turn, times) = state.conversations.jump;
        (turn == Some(id)).then_some(times)
    });
    Effect::new(move |_| {
        if wanted.get().is_some() {
            // Only after the turns that came with it have scrolled into view themselves.
            request_animation_frame(move || {
                if let Some(node) = node.get_untracked() {
                    node.scroll_into_view_with_bool(true);
                }
            });
        }
    });
}

/// The answer: a model's first, if one wrote, then the one made without it. That one is there
/// earlier, and steps back once there is another.
#[component]
fn Answered(id: TurnId) -> impl IntoView {
    let store = desk().store;
    let is_written = store.select(move |state| {
        let turn = state.conversation.get(id);
        turn.is_some_and(|turn| turn.voice() == By::Model)
    });
    let answer = move || {
        let answer = store.peek(|state| state.conversation.get(id)?.answer().cloned());
        answer.map(|answer| view! { <Answer id answer/> })
    };
    let extract = move || match is_written.get() {
        false => answer().into_any(),
        true => view! {
            <details class="extract">
                <summary>"What Footnote found without the model"</summary>
                {answer()}
            </details>
        }
        .into_any(),
    };
    view! {
        <WrittenPart id/>
        {extract}
        <Actions id/>
    }
    .into_any()
}

/// A question that waits for a repository or its words.
#[component]
fn Waiting(id: TurnId) -> impl IntoView {
    let store = desk().store;
    let is_reading = store.select(|state| state.phase.name() == "loading");
    let is_across = store.select(State::is_across);
    let text = move || {
        if is_reading.get() {
            "Waiting: Footnote answers as soon as the words are indexed."
        } else if is_across.get() {
            "Waiting for the previous answer."
        } else {
            "Waiting: Footnote answers as soon as a repository is open."
        }
    };
    view! {
        <p class="how">
            {text}
            <button
                class="plain small"
                on:click=move |_| {
                    store.change(|state| state.withdraw(id));
                }
            >
                <Draw icon=Icon::Close/>
                "Withdraw"
            </button>
        </p>
    }
}
