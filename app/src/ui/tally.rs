//! The line above an answer that counts the verdicts on its statements, and what the verdicts mean.

use leptos::prelude::*;

use super::desk;
use super::icons::{Draw, Icon};
use crate::state::Panel;
use crate::worker::protocol::{CLOSEST, CountsView, IMPORTED, VERDICTS, VerdictSpec, VerdictView};

/// The verdicts on the statements, each with its count; a tick only if all are proven.
/// `is_imported` means that nothing vouches for them.
pub fn tally(counts: &CountsView, is_imported: bool) -> AnyView {
    let has_tick = counts.is_all_proven() && !is_imported;
    let parts: Vec<_> = counts
        .each()
        .map(|(spec, count)| {
            let tick = has_tick.then(|| view! { <Draw icon=Icon::Check/> });
            let detail = (!spec.detail.is_empty()).then(|| format!(": {}", spec.detail));
            view! {
                <span class=format!("count {}", spec.class)>
                    {tick}
                    <b>{format!("{count} {}", spec.label)}</b>
                    {detail}
                </span>
            }
        })
        .collect();
    let imported = is_imported.then(|| {
        let text = match counts.count(VerdictView::Proven) {
            0 => IMPORTED.to_owned(),
            _ => format!("the rest {IMPORTED}"),
        };
        view! { <span class="unvouched">{text}</span> }
    });
    let help = (counts.statements() > 0).then(|| view! { <Help/> });
    view! { {parts} {imported} {help} }.into_any()
}

/// The same for an answer that may miss its question: no tick and no praise.
pub fn closest(counts: &CountsView, is_imported: bool) -> AnyView {
    let imported = is_imported.then(|| view! { <span class="unvouched">{IMPORTED}</span> });
    view! { <span>{counts.told_as_closest()}</span> {imported} <Help/> }.into_any()
}

/// Opens the list of verdicts.
#[component]
fn Help() -> impl IntoView {
    let store = desk().store;
    view! {
        <button
            class="link words-link"
            aria-haspopup="dialog"
            on:click=move |_| store.act(|state| state.show(Panel::Verdicts))
        >
            "What do these words mean?"
        </button>
    }
}

/// The verdicts, each with what it means and what it does not.
#[component]
pub fn Words() -> impl IntoView {
    let row = |spec: VerdictSpec| {
        view! {
            <dt class=spec.class>{spec.label}</dt>
            <dd>{spec.means}" "<span class="not">{spec.means_not}</span></dd>
        }
    };
    let rows: Vec<_> = VERDICTS.into_iter().map(row).collect();
    view! {
        <p>
            "Two things are checked: whether the cited lines exist and were sent to the model, and whether the \
             sentence follows from them, as far as code can tell. Only "<b class="proven">"proven"</b>
            " is green and counts as verified."
        </p>
        <dl class="words">
            {rows}
            <dt>{CLOSEST.label}</dt>
            <dd>{CLOSEST.means}" "<span class="not">{CLOSEST.means_not}</span></dd>
        </dl>
        <p>
            "A statement imported from a file that this browser did not save is checked against the \
             lines only. It is never shown as proven, unless Footnote itself makes the same statement."
        </p>
    }
}
