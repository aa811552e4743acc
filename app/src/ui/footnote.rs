//! A footnote on the page: the raised number in the text, and its row under the answer.

use leptos::prelude::*;

use super::copy::CopyCitation;
use super::desk;
use super::format::{lines, split_path, spoken_lines};
use super::icons::{Draw, Icon};
use crate::platform::marked;
use crate::state::leave::Elsewhere;
use crate::state::{By, NoteOrder, Store, TurnId};
use crate::worker::protocol::{FootnoteView, IMPORTED, ShownIn, VerdictView, WeightsView};

/// How many footnotes are listed under an answer before the reader asks for all. A model can cite
/// hundreds of places, and rendering their rows would block the page.
const NOTES_AT_ONCE: usize = 40;

/// Explains the order that lists the weightiest footnotes first.
const BY_WEIGHT: &str = "Footnotes that carry most of the answer come first, judged by how many \
                         statements cite them and what the checks found";

/// The raised number in the text.
pub fn marker(id: TurnId, by: By, number: u32, note: Option<&FootnoteView>) -> AnyView {
    let store = desk().store;
    let (name, is_on) = mark(id, by, number);
    let verdict = note.map(|note| note.check.verdict().spec().class);
    let verdict = verdict.unwrap_or_default();
    let label = note.map(label).unwrap_or_default();
    let class = format!("note-ref {verdict}{}", if is_on { " on" } else { "" });
    view! {
        // Joins the number to the word before it, so that no line begins with a footnote.
        "\u{2060}"
        <button
            class=class
            data-turn=id.0
            data-by=by.name()
            data-number=number
            data-note=name
            aria-label=label
            aria-pressed=is_on.to_string()
            on:click=move |_| store.act(|state| state.choose_footnote(id, by, number))
        >
            {number}
        </button>
        // Joins it to a full stop after it, which would otherwise wrap to the next line.
        "\u{2060}"
    }
    .into_any()
}

/// The mark after a statement without a source.
pub fn uncited() -> AnyView {
    let spec = VerdictView::Uncited.spec();
    view! {
        <span class="uncited" role="img" aria-label="This statement has no source" title=spec.means>
            "?"
        </span>
    }
    .into_any()
}

/// A footnote's label for screen readers.
fn label(note: &FootnoteView) -> String {
    let told = note.told(ShownIn::Page);
    let (number, verdict) = (note.number, told.verdict.label);
    if told.place.is_none() {
        return format!("Footnote {number}, {verdict}: {}", told.remark);
    }
    let imported = match note.is_imported {
        true => format!(", {IMPORTED}"),
        false => String::new(),
    };
    let lines = spoken_lines(note.start, note.end);
    let instead = told.instead.map(|instead| format!(". {instead}"));
    let instead = instead.unwrap_or_default();
    format!(
        "Footnote {number}, {verdict}{imported}: {} {lines}{instead}",
        note.path
    )
}

/// The footnotes under an answer: by number or, if `weights` are known and the reader wants it, the
/// weightiest first.
pub fn note_list(
    id: TurnId,
    by: By,
    notes: &[FootnoteView],
    weights: Option<WeightsView>,
) -> AnyView {
    let order = desk().store.select(|state| state.note_order);
    let choice = (notes.len() > 1 && weights.is_some()).then(|| view! { <Order/> });
    let notes = notes.to_vec();
    let list = move || match (order.get(), &weights) {
        (NoteOrder::Weight, Some(weights)) => {
            rows(id, by, &weights.weightiest_first(&notes), Some(weights))
        }
        _ => rows(id, by, &notes, None),
    };
    view! { {choice} {list} }.into_any()
}

/// Chooses the order of the footnotes under all answers.
#[component]
fn Order() -> impl IntoView {
    let store = desk().store;
    let chosen = store.select(|state| state.note_order);
    let button = move |order: NoteOrder, label: &'static str, title: &'static str| {
        view! {
            <button
                class="link"
                title=title
                aria-pressed=move || (chosen.get() == order).to_string()
                on:click=move |_| {
                    store.change(|state| state.note_order = order);
                }
            >
                {label}
            </button>
        }
    };
    view! {
        <div class="note-order" role="group" aria-label="Order of the footnotes">
            {button(NoteOrder::Numbers, "as numbered", "In the order of the text")}
            {button(NoteOrder::Weight, "by weight", BY_WEIGHT)}
        </div>
    }
    .into_any()
}

/// The rows, each with its weight if `weights` are given.
fn rows(id: TurnId, by: By, notes: &[FootnoteView], weights: Option<&WeightsView>) -> AnyView {
    let row = {
        let weights = weights.cloned();
        move |note: &FootnoteView| row(id, by, note, weights.as_ref())
    };
    let first = notes.get(..NOTES_AT_ONCE).unwrap_or(notes);
    let rows: Vec<_> = first.iter().map(&row).collect();
    let rest: Vec<FootnoteView> = notes.get(first.len()..).unwrap_or_default().to_vec();
    let is_open = RwSignal::new(false);
    let more = move || {
        let rest = &rest;
        match (rest.is_empty(), is_open.get()) {
            (true, _) => ().into_any(),
            (false, true) => {
                let rows = rest.iter().map(&row);
                rows.collect::<Vec<_>>().into_any()
            }
            (false, false) => view! {
                <li>
                    <button class="link small" on:click=move |_| is_open.set(true)>
                        {format!("Show {} more", rest.len())}
                    </button>
                </li>
            }
            .into_any(),
        }
    };
    view! { <ol class="notes" aria-label="Footnotes">{rows}{more}</ol> }.into_any()
}

fn row(id: TurnId, by: By, note: &FootnoteView, weights: Option<&WeightsView>) -> AnyView {
    let store = desk().store;
    let number = note.number;
    let (name, is_on) = mark(id, by, number);
    let told = note.told(ShownIn::Page);
    let instead = told
        .instead
        .map(|instead| view! { <span class="instead">{code_in(&instead)}</span> });
    let place = told.place.is_some().then(|| {
        let (folder, name) = split_path(&note.path);
        view! {
            <span class="path">
                <span class="folder">{folder.to_owned()}</span>
                {name.to_owned()}":"{lines(note.start, note.end)}
            </span>
            " "
        }
    });
    let permalink = told.place.is_some().then(|| permalink(note));
    let in_editor = told.place.is_some().then(|| in_editor(note));
    let copy = told
        .place
        .map(|place| view! { <CopyCitation turn=id by number place/> });
    view! {
        <li data-note=name class:on=is_on>
            <button
                class=told.verdict.class
                on:click=move |_| store.act(|state| state.choose_footnote(id, by, number))
            >
                <span class="n">{number}</span>
                <span>{place} <span class="why">{told.remark}</span></span>
                <span class="tag">{told.verdict.label}</span>
                {instead}
                {weights.map(|weights| weight(weights, number))}
            </button>
            {permalink}
            {in_editor}
            {copy}
        </li>
    }
    .into_any()
}

/// A button that shows the address of a footnote's lines at the repository's host, if the archive
/// says where that is.
fn permalink(note: &FootnoteView) -> AnyView {
    let store = desk().store;
    let found = store.peek(|state| {
        let links = state.summary()?.repo.permalinks.as_ref()?;
        let address = links.address(&note.path, note.start, note.end);
        Some((Elsewhere::own(&address)?, links.promise()))
    });
    let Some((to, promise)) = found else {
        return ().into_any();
    };
    let label = format!(
        "{promise}: {} {}",
        note.path,
        spoken_lines(note.start, note.end)
    );
    view! {
        <button
            class="plain cite"
            aria-haspopup="dialog"
            aria-label=label
            title=promise
            on:click=move |_| {
                store.change(|state| state.look_at_link(to.clone()));
            }
        >
            <Draw icon=Icon::Leave/>
        </button>
    }
    .into_any()
}

/// A link that opens a footnote's lines in the user's editor, if there is one.
fn in_editor(note: &FootnoteView) -> AnyView {
    let store = desk().store;
    let (path, start) = (note.path.clone(), note.start);
    let found = store.select(move |state| state.in_editor(&path, start));
    let path = note.path.clone();
    let link = move || {
        let (title, address) = found.get()?;
        let label = format!("Open in {title}: {path} line {start}");
        // public/seal.js follows no other link that leads elsewhere.
        Some(view! {
            <a
                class="plain cite"
                href=address
                target="_blank"
                rel="noopener noreferrer"
                referrerpolicy="no-referrer"
                data-leave=""
                aria-label=label
                title=format!("Open in {title}")
            >
                <Draw icon=Icon::Pencil/>
            </a>
        })
    };
    view! { {link} }.into_any()
}

/// How much of the answer a footnote supports, compared with the one that supports most.
fn weight(weights: &WeightsView, number: u32) -> AnyView {
    let share = weights.of(number).share / weights.most().max(f32::EPSILON) * 100.0;
    view! {
        <span class="weight">
            <span class="score" aria-hidden="true">
                <i style:width=format!("{share:.0}%")></i>
            </span>
            {weights.told(number)}
        </span>
    }
    .into_any()
}

/// A sentence with its text in backticks shown as code.
pub fn code_in(sentence: &str) -> Vec<AnyView> {
    let parts: Vec<&str> = sentence.split('`').collect();
    // A backtick without a partner stands for itself.
    if parts.len().is_multiple_of(2) {
        return vec![sentence.to_owned().into_any()];
    }
    let part = |(at, part): (usize, &&str)| match at.is_multiple_of(2) {
        true => (*part).to_owned().into_any(),
        false => view! { <code>{(*part).to_owned()}</code> }.into_any(),
    };
    parts.iter().enumerate().map(part).collect()
}

/// The name that every element of a footnote carries, and whether the footnote is chosen now.
/// [`keep_marked`] handles later choices.
fn mark(id: TurnId, by: By, number: u32) -> (String, bool) {
    let focus = desk().store.peek(|state| state.conversation.focus);
    let is_on =
        focus.is_some_and(|focus| focus.turn == id && focus.by == by && focus.number == number);
    (marked::name(id.0, by.name(), number), is_on)
}

/// Marks the chosen footnote wherever it appears, now and after every change.
pub fn keep_marked(store: Store) {
    let focus = store.select(|state| state.conversation.focus);
    Effect::new(move |_| {
        let focus = focus.get();
        let name = focus.map(|focus| marked::name(focus.turn.0, focus.by.name(), focus.number));
        marked::show(name.as_deref());
    });
}
