//! What changed between the open repository and a saved version of it: a question, then all changes
//! by file. Lines of the open version open in their file; lines of the saved version appear below
//! the entry that names them.

use leptos::ev::SubmitEvent;
use leptos::prelude::*;

use super::desk;
use super::dialog::Dialog;
use super::format::{count, duration, lines, split_path};
use super::notices::Card;
use super::peek::code_of;
use crate::state::{Panel, Shared};
use crate::worker::protocol::{
    ChangeView, ChangedFileView, ChangedItemView, ChangedStatementView, ChangesView, PlaceView,
    SpanView, VersionedPlaceView,
};

/// The most files listed; two versions may differ in thousands.
const MAX_FILES: usize = 300;
/// With this many changes or fewer, all files are open at first.
const OPEN_AT_FIRST: usize = 40;

#[component]
pub fn Changes() -> impl IntoView {
    view! {
        <Dialog panel=Panel::Changes label="What changed" class="dialog changes-dialog">
            <Body/>
        </Dialog>
    }
}

/// A line below the files that leads here, if another version of the open repository is saved.
#[component]
pub fn Since() -> impl IntoView {
    let store = desk().store;
    let nearest = store.select(|state| {
        let other = state.other_versions().first().copied().cloned();
        other.map(|other| (other.repo, other.name))
    });
    let link = move || {
        let (repo, name) = nearest.get()?;
        let show = move |_| store.act(|state| state.show_changes(&repo));
        let label = format!("What changed: {name}");
        Some(view! { <button class="outline-foot link" on:click=show>{label}</button> })
    };
    view! { {link} }.into_any()
}

#[component]
fn Body() -> impl IntoView {
    let store = desk().store;
    let view = store.select(|state| state.versions.view.clone());
    let trouble = store.select(|state| state.versions.trouble.clone());
    let trouble = move || trouble.get().map(|notice| view! { <Card notice/> });
    let is_waiting =
        store.select(|state| state.versions.view.is_none() && state.versions.trouble.is_none());
    let body = move || view.get().map(|view| all(&view));
    view! {
        <div class="changes">
            <Choice/>
            {trouble}
            <p class="quiet-line" hidden=move || !is_waiting.get()>"Versions…"</p>
            {body}
        </div>
    }
    .into_any()
}

/// Chooses the version to compare with, if several are saved.
#[component]
fn Choice() -> impl IntoView {
    let store = desk().store;
    let others = store.select(|state| {
        let others = state.other_versions().into_iter();
        others
            .map(|other| (other.repo.clone(), other.name.clone()))
            .collect::<Vec<_>>()
    });
    let with = store.select(|state| state.versions.with.clone().unwrap_or_default());
    let choose = move |repo: String| store.act(|state| state.show_changes(&repo));
    let choice = move || {
        let others = others.get();
        (others.len() > 1).then(|| {
            let options: Vec<_> = others
                .into_iter()
                .map(|(repo, name)| {
                    let key = repo.clone();
                    let is_it = move || with.with(|with| *with == key);
                    view! { <option value=repo selected=is_it>{name}</option> }
                })
                .collect();
            view! {
                <label class="changes-choice">
                    "Compare with "
                    <select on:change=move |event| choose(event_target_value(&event))>
                        {options}
                    </select>
                </label>
            }
        })
    };
    view! { {choice} }.into_any()
}

fn all(view: &Shared<ChangesView>) -> AnyView {
    let ChangesView {
        old,
        new,
        equal_files,
        files,
        milliseconds,
        ..
    } = &**view;
    let n_changes: usize = files.iter().map(|file| file.entries.len()).sum();
    let same = count(u64::from(*equal_files), "file");
    let took = duration(milliseconds / 1_000.0);
    let counted = match files.len() {
        0 => format!("No files differ. {same} compared in {took}."),
        n => format!(
            "{} changed, {same} unchanged. Read and compared in {took}.",
            count(n as u64, "file")
        ),
    };
    let rest = files.len().saturating_sub(MAX_FILES);
    let rest = (rest > 0).then(|| {
        let more = format!("and {}", count(rest as u64, "more file"));
        view! { <p class="quiet-line">{more}</p> }
    });
    let is_open = n_changes <= OPEN_AT_FIRST;
    let shown = files.iter().take(MAX_FILES);
    let rows: Vec<_> = shown.map(|it| file(view, it, is_open)).collect();
    view! {
        <p class="quiet-line">
            "From " <b>{old.clone()}</b> " to " <b>{new.clone()}</b> ". " {counted}
        </p>
        <Asking view=view.clone()/>
        <div class="changed-files">{rows}{rest}</div>
    }
    .into_any()
}

/// The question and its answer.
#[component]
fn Asking(view: Shared<ChangesView>) -> impl IntoView {
    let store = desk().store;
    let written = RwSignal::new(String::new());
    let ask = move |event: SubmitEvent| {
        event.prevent_default();
        written.with_untracked(|written| store.act(|state| state.ask_changes(written)));
    };
    let answer = store.select(|state| state.versions.answer.clone());
    let is_asking = store.select(|state| state.versions.is_asking);
    let body = move || {
        let answer = answer.get()?;
        let nothing = answer.nothing.clone();
        let nothing = nothing.map(|text| view! { <p class="nothing">{text}</p> });
        let statements = answer.statements.iter();
        let statements: Vec<_> = statements.map(|it| statement(&view, it)).collect();
        Some(view! { {nothing} {statements} })
    };
    view! {
        <form class="changes-ask" on:submit=ask>
            <input
                type="text"
                aria-label="Ask what changed"
                placeholder="Ask, for example: what changed in Session.send"
                autocomplete="off"
                spellcheck="false"
                prop:value=move || written.get()
                on:input=move |event| written.set(event_target_value(&event))
            />
            <button class="quiet" type="submit">"Ask"</button>
        </form>
        <div class="changes-answer" aria-live="polite" aria-busy=move || is_asking.get().to_string()>
            {body}
        </div>
    }
    .into_any()
}

fn statement(view: &Shared<ChangesView>, of: &ChangedStatementView) -> AnyView {
    let spans = of.spans.iter().map(|span| match span {
        SpanView::Text(text) => text.clone().into_any(),
        SpanView::Code(code) => view! { <code>{code.clone()}</code> }.into_any(),
    });
    let spans: Vec<_> = spans.collect();
    let places: Vec<_> = match of.items.is_empty() {
        true => of.notes.iter().map(|note| place(view, note)).collect(),
        false => Vec::new(),
    };
    let items: Vec<_> = of.items.iter().map(|it| item(view, it)).collect();
    let items = (!items.is_empty()).then(|| view! { <ul>{items}</ul> });
    let looked = looked(of.notes.iter().map(|note| &note.place).cloned().collect());
    view! { <p>{spans} " " {places}</p> {looked} {items} }.into_any()
}

fn item(view: &Shared<ChangesView>, of: &ChangedItemView) -> AnyView {
    let ChangedItemView { name, detail, note } = of.clone();
    view! {
        <li>
            <code>{name}</code> " " <small>{detail}</small> " " {place(view, &note)}
            {looked(vec![note.place.clone()])}
        </li>
    }
    .into_any()
}

/// A file; its changes are rendered when it is first opened.
fn file(view: &Shared<ChangesView>, of: &ChangedFileView, is_open: bool) -> AnyView {
    let (folder, name) = split_path(&of.path);
    let (folder, name) = (folder.to_owned(), name.to_owned());
    let what = of.what.clone();
    if of.entries.is_empty() {
        return view! {
            <p class="changed-file">
                <span class="path">{folder} <b>{name}</b></span> " " <small>{what}</small>
            </p>
        }
        .into_any();
    }
    let is_made = RwSignal::new(is_open);
    let (view, of) = (view.clone(), of.clone());
    let n = of.entries.len() as u32 + of.more;
    let n_changes = match what.is_empty() {
        true => count(n.into(), "change"),
        false => format!("{}, {what}", count(n.into(), "change")),
    };
    let more = (of.more > 0).then(|| {
        let more = format!("and {}", count(of.more.into(), "more change"));
        view! { <li class="quiet-line">{more}</li> }
    });
    let entries = move || {
        let entries = of.entries.iter();
        is_made
            .get()
            .then(|| entries.map(|it| entry(&view, it)).collect::<Vec<_>>())
    };
    view! {
        <details
            class="changed-file"
            open=is_open
            // The first opening renders the changes, even if the file starts open; closing keeps
            // them.
            on:toggle=move |_| is_made.set(true)
        >
            <summary>
                <span class="path">{folder} <b>{name}</b></span>
                " "
                <small>{n_changes}</small>
            </summary>
            <ul>{entries}{more}</ul>
        </details>
    }
    .into_any()
}

fn entry(view: &Shared<ChangesView>, of: &ChangeView) -> AnyView {
    let ChangeView {
        what,
        name,
        is_part,
        old,
        new,
    } = of.clone();
    let is_open_newer = view.is_open_newer;
    let side = |is_new: bool, place: Option<PlaceView>| {
        Some(VersionedPlaceView {
            is_open: is_new == is_open_newer,
            place: place?,
        })
    };
    let sides: Vec<VersionedPlaceView> = [side(false, old), side(true, new)]
        .into_iter()
        .flatten()
        .collect();
    let places: Vec<_> = sides.iter().map(|it| place(view, it)).collect();
    let name = (!name.is_empty()).then(|| view! { <code>{name}</code> " " });
    view! {
        <li class:is-part=is_part>
            {name} <small>{what}</small> " " {places}
            {looked(sides.into_iter().map(|side| side.place).collect())}
        </li>
    }
    .into_any()
}

/// A button that names a version and lines, and shows those lines.
fn place(view: &Shared<ChangesView>, at: &VersionedPlaceView) -> AnyView {
    let store = desk().store;
    let at = at.clone();
    let is_new = at.is_open == view.is_open_newer;
    let version = if is_new { &view.new } else { &view.old };
    let PlaceView { path, start, end } = at.place.clone();
    let shown = format!("{version}:{}", lines(start, end));
    let what = match at.is_open {
        true => "Open",
        false => "Show here",
    };
    let label = format!("{what}: {version}, {path}:{}", lines(start, end));
    let is_on = {
        let at = at.clone();
        store.select(move |state| !at.is_open && state.versions.place.as_ref() == Some(&at.place))
    };
    view! {
        <button
            class="changed-place"
            class:is-open-version=at.is_open
            aria-label=label.clone()
            aria-pressed=move || is_on.get().to_string()
            title=label
            on:click=move |_| {
                let at = at.clone();
                store.act(|state| state.look_at_change(at));
            }
        >
            {shown}
        </button>
        " "
    }
    .into_any()
}

/// The lines of the saved version, if they are the ones asked for.
fn looked(places: Vec<PlaceView>) -> AnyView {
    let store = desk().store;
    let shown = store.select(move |state| {
        let lines = state.versions.lines.clone()?;
        places.contains(&lines.place).then_some(lines)
    });
    let body = move || {
        let lines = shown.get()?;
        Some(view! { <div class="changed-lines">{code_of(&lines)}</div> })
    };
    view! { {body} }.into_any()
}
