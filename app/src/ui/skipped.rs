//! The files that were left out, by reason.

use std::collections::BTreeMap;

use leptos::prelude::*;

use super::desk;
use super::format::{count, thousands};
use crate::worker::protocol::SkippedView;

/// The most paths listed per reason; archives can hold hundreds of thousands.
const MAX_LISTED: usize = 200;

#[component]
pub fn Skipped() -> impl IntoView {
    let store = desk().store;
    let skipped = store.select(|state| state.skipped.clone());
    let body = move || match skipped.get() {
        None => view! { <p class="quiet-line">"Listing…"</p> }.into_any(),
        Some(skipped) if skipped.is_empty() => {
            view! { <p class="quiet-line">"No files were skipped."</p> }.into_any()
        }
        Some(skipped) => {
            let groups: Vec<_> = by_reason(&skipped).into_iter().map(group).collect();
            view! {
                <p class="quiet-line">
                    {format!("{} not read. Answers cannot cite skipped files.", count(skipped.len() as u64, "file"))}
                </p>
                {groups}
            }
            .into_any()
        }
    };
    view! { <div class="skipped">{body}</div> }.into_any()
}

/// The reasons with their paths, most paths first. Reasons that differ only in numbers count as
/// one.
fn by_reason(skipped: &[SkippedView]) -> Vec<(String, Vec<&SkippedView>)> {
    let mut groups: BTreeMap<String, Vec<&SkippedView>> = BTreeMap::new();
    for file in skipped {
        let reason = file.reason.split(" (").next().unwrap_or(&file.reason);
        groups.entry(reason.to_owned()).or_default().push(file);
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, files)| std::cmp::Reverse(files.len()));
    groups
}

fn group((reason, files): (String, Vec<&SkippedView>)) -> AnyView {
    let total = files.len();
    let rows: Vec<_> = files
        .into_iter()
        .take(MAX_LISTED)
        .map(|file| view! { <li title=file.reason.clone()>{file.path.clone()}</li> })
        .collect();
    let rest = (total > MAX_LISTED).then(|| {
        let more = thousands((total - MAX_LISTED) as u64);
        view! { <li class="quiet-line">{format!("and {more} more")}</li> }
    });
    view! {
        <details open=total <= 30>
            <summary>{reason}<small>{thousands(total as u64)}</small></summary>
            <ul>{rows}{rest}</ul>
        </details>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_grouped_without_their_numbers_most_frequent_first() {
        let skipped: Vec<SkippedView> = [
            ("a.png", "binary file"),
            ("b.csv", "larger than 1048576 bytes (2000000 bytes)"),
            ("c.csv", "larger than 1048576 bytes (3000000 bytes)"),
        ]
        .into_iter()
        .map(|(path, reason)| SkippedView {
            path: path.into(),
            reason: reason.into(),
        })
        .collect();
        let groups: Vec<_> = by_reason(&skipped)
            .into_iter()
            .map(|(reason, files)| (reason, files.len()))
            .collect();
        assert_eq!(
            groups,
            [
                ("larger than 1048576 bytes".into(), 2),
                ("binary file".into(), 1)
            ]
        );
    }
}
