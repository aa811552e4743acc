//! What will be read, how much that is, and what it costs here; folders can be left out.

use leptos::prelude::*;

use super::desk;
use super::format::{bytes, count, duration, thousands};
use super::saved::close;
use crate::state::Choice;
use crate::worker::protocol::{FolderView, ScopeView};

/// The most reasons named; the rest are only counted.
const MAX_REASONS: usize = 3;

/// Nothing is read until the user has chosen.
#[component]
pub fn Choose() -> impl IntoView {
    let store = desk().store;
    let name = store.select(|state| Some(state.choice()?.view.name.clone()));
    view! {
        <div class="card scope">
            <h1>"Choose what to read from "{move || name.get()}</h1>
            <Folders/>
            <div class="promise">
                <ReadChosen/>
                <button class="quiet" on:click=move |_| close(store)>
                    "Cancel"
                </button>
            </div>
        </div>
    }
    .into_any()
}

/// Shown while something large is being read; leaving out folders restarts the reading.
#[component]
pub fn LeaveOut() -> impl IntoView {
    let store = desk().store;
    let has_choice = store.select(|state| state.choice().is_some());
    view! {
        <Show when=move || has_choice.get()>
            <details class="scope">
                <summary>"It is large: leave folders out"</summary>
                <Folders/>
                <div class="promise"><ReadChosen/></div>
            </details>
        </Show>
    }
    .into_any()
}

/// What will be read and what that costs, with a checkbox for each folder.
#[component]
fn Folders() -> impl IntoView {
    let store = desk().store;
    let costs = store.select(|state| state.choice().map(costs));
    let warning = store.select(|state| state.choice().and_then(warning));
    // The checkboxes change the choice, not the list, so its rows stay.
    let view = store.peek(|state| state.choice().map(|choice| choice.view.clone()));
    let rows: Vec<_> = view.as_ref().map(|view| rows(view)).unwrap_or_default();
    let skipped = view.as_ref().and_then(|view| skipped(view));
    view! {
        <p class="costs" aria-live="polite">{move || costs.get()}</p>
        <ul class="folders" aria-label="Folders">{rows}</ul>
        <p class="quiet-line">{skipped}</p>
        <p class="warning" role="status">{move || warning.get()}</p>
    }
    .into_any()
}

/// The button that reads the chosen folders. None is needed for what is being read anyway.
#[component]
fn ReadChosen() -> impl IntoView {
    let store = desk().store;
    let label = store.select(|state| {
        let choice = state.choice()?;
        let files = count(choice.files(), "file");
        Some(match choice.view.is_waiting {
            true => format!("Read {files}"),
            false => format!("Start over with {files}"),
        })
    });
    let can_read = store.select(|state| {
        state.choice().is_some_and(|choice| {
            let is_news = choice.view.is_waiting || !choice.left_out.is_empty();
            is_news && choice.files() > 0 && choice.excess() == 0
        })
    });
    let read = move |_| {
        let now = store.now();
        store.act(|state| state.read_chosen(now));
    };
    view! {
        <button class="go" disabled=move || !can_read.get() on:click=read>
            {move || label.get()}
        </button>
    }
    .into_any()
}

fn rows(view: &ScopeView) -> Vec<AnyView> {
    let total: u64 = view.folders.iter().map(|folder| folder.bytes).sum();
    let folders = (0..).zip(&view.folders);
    folders
        .map(|(at, folder)| row(at, folder, folder.bytes as f64 / total.max(1) as f64))
        .collect()
}

/// A folder with its checkbox, its share of the text, and its size.
fn row(at: u32, folder: &FolderView, share: f64) -> AnyView {
    let store = desk().store;
    let is_read = store.select(move |state| {
        let choice = state.choice();
        choice.is_some_and(|choice| !choice.left_out.contains(&at))
    });
    let change = move |event| {
        let is_read = event_target_checked(&event);
        store.change(|state| state.choose_folder(at, is_read));
    };
    let width = format!("{:.1}%", share * 100.0);
    let size = format!(
        "{} · {}",
        count(folder.files, "file"),
        bytes(folder.bytes as f64)
    );
    view! {
        <li>
            <label>
                <input type="checkbox" prop:checked=move || is_read.get() on:change=change/>
                <span class="folder">{name(folder)}</span>
                <span class="share"><i style:width=width></i></span>
                <small>{size}</small>
            </label>
        </li>
    }
    .into_any()
}

/// `lib/`, or `lib/ (the rest)` if folders inside it have rows of their own.
fn name(folder: &FolderView) -> String {
    match (folder.folder.as_str(), folder.is_rest) {
        ("", true) => "everything else".to_owned(),
        ("", false) => "everything".to_owned(),
        (folder, true) => format!("{folder}/ (the rest)"),
        (folder, false) => format!("{folder}/"),
    }
}

fn costs(choice: &Choice) -> String {
    let mut parts = vec![
        count(choice.files(), "file"),
        format!("{} of text", bytes(choice.bytes() as f64)),
    ];
    parts.extend(
        choice
            .seconds()
            .map(|seconds| format!("about {} on this machine", duration(seconds))),
    );
    parts.push(format!("about {} of memory", memory(choice.memory_mb())));
    parts.join(" · ")
}

/// An estimate, no more precise than it is.
fn memory(megabytes: f64) -> String {
    if megabytes < 995.0 {
        format!("{} MB", (megabytes / 10.0).round() * 10.0)
    } else {
        bytes(megabytes * 1e6)
    }
}

/// Why the chosen folders cannot be read, or may not fit.
fn warning(choice: &Choice) -> Option<String> {
    if choice.excess() > 0 {
        return Some(format!(
            "A browser tab can index {} of text. Leave out {} more to continue.",
            bytes(choice.view.most_bytes as f64),
            bytes(choice.excess() as f64),
        ));
    }
    let device = bytes(choice.scarce_mb()? * 1e6);
    Some(format!(
        "This device has {device} of memory: the browser may close the tab. Leave folders out to be safe."
    ))
}

/// How much is skipped in any case, and why.
fn skipped(view: &ScopeView) -> Option<String> {
    let files: usize = view.skipped.iter().map(|(_, count)| count).sum();
    let reasons = view.skipped.iter().take(MAX_REASONS);
    let mut reasons: Vec<_> = reasons
        .map(|(reason, count)| format!("{} × {reason}", thousands(*count as u64)))
        .collect();
    if view.skipped.len() > MAX_REASONS {
        reasons.push("and others".to_owned());
    }
    let files = count(files as u64, "file");
    (!reasons.is_empty())
        .then(|| format!("{files} will be skipped anyway: {}.", reasons.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::protocol::MemoryView;

    fn choice(bytes: u64, device: Option<f64>) -> Choice {
        Choice::new(ScopeView {
            name: "a".into(),
            folders: vec![FolderView {
                folder: "src".into(),
                files: 1200,
                bytes,
                is_rest: true,
            }],
            skipped: vec![("binary file".into(), 1200), ("lock file".into(), 1)],
            most_bytes: 500_000_000,
            ms_per_mb: Some(100.0),
            memory: MemoryView {
                empty: 300.0,
                per_mb: 5.0,
                per_file: 0.0,
                device,
            },
            is_waiting: true,
        })
    }

    #[test]
    fn the_costs_of_a_choice_are_stated() {
        let choice = choice(200_000_000, None);
        assert_eq!(
            costs(&choice),
            "1,200 files · 200.0 MB of text · about 20 s on this machine · about 1.3 GB of memory"
        );
        assert_eq!(warning(&choice), None);
        assert_eq!(name(&choice.view.folders[0]), "src/ (the rest)");
        assert_eq!(
            skipped(&choice.view).unwrap(),
            "1,201 files will be skipped anyway: 1,200 × binary file, 1 × lock file."
        );
    }

    #[test]
    fn an_estimate_of_memory_is_rounded() {
        assert_eq!(memory(332.1), "330 MB");
        assert_eq!(memory(1_273.0), "1.3 GB");
    }

    #[test]
    fn a_choice_that_does_not_fit_gets_a_warning_before_it_is_read() {
        let too_much = warning(&choice(600_000_000, None)).unwrap();
        assert!(too_much.contains("Leave out 100.0 MB more"), "{too_much}");
        let scarce = warning(&choice(200_000_000, Some(2_000.0))).unwrap();
        assert!(scarce.contains("2.0 GB of memory"), "{scarce}");
    }
}
