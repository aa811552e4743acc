//! nDCG@10 by group of questions, as bars.

use leptos::ev::Event;
use leptos::prelude::*;

use super::figures::shown;
use crate::worker::protocol::{LabComparisonView, LabGroupView, LabGroupingView};

/// A bar per pipeline and group, grouped as the reader chooses.
pub fn groups(comparison: &LabComparisonView) -> AnyView {
    let titles = comparison.columns.iter().map(|it| it.title.clone());
    let titles: Vec<String> = titles.collect();
    let groupings = comparison.groupings.clone();
    let chosen = RwSignal::new(0_usize);
    let names: Vec<String> = groupings.iter().map(|it| it.by.clone()).collect();
    let key: Vec<_> = titles
        .iter()
        .map(|title| view! { <li><i></i>{title.clone()}</li> })
        .collect();
    let bars = move || {
        let grouping = groupings.get(chosen.get())?;
        Some(list(grouping, &titles))
    };
    view! {
        <figure class="lab-kinds">
            <figcaption>
                <label>"nDCG@10 by " {choice(names, chosen)}</label>
                <ul aria-hidden="true">{key}</ul>
            </figcaption>
            {bars}
        </figure>
    }
    .into_any()
}

fn choice(names: Vec<String>, chosen: RwSignal<usize>) -> AnyView {
    let options = names.into_iter().enumerate();
    let options: Vec<_> = options
        .map(|(at, name)| view! { <option value=at.to_string()>{name}</option> })
        .collect();
    let choose = move |event: Event| {
        chosen.set(event_target_value(&event).parse().unwrap_or(0));
    };
    view! { <select on:change=choose>{options}</select> }.into_any()
}

fn list(grouping: &LabGroupingView, titles: &[String]) -> AnyView {
    let group = |group: &LabGroupView| {
        let bars = group.values.iter().zip(titles);
        let bars: Vec<_> = bars.map(|(value, title)| bar(*value, title)).collect();
        view! {
            <li>
                <span>{group.name.clone()} <small>{format!(" {}", group.n)}</small></span>
                <span class="bars">{bars}</span>
            </li>
        }
    };
    let groups: Vec<_> = grouping.groups.iter().map(group).collect();
    view! { <ol>{groups}</ol> }.into_any()
}

fn bar(value: Option<f64>, title: &str) -> AnyView {
    let share = value.unwrap_or(0.0).clamp(0.0, 1.0);
    let text = value.map_or("–".to_owned(), |value| shown(value, true));
    let label = format!("{title}: {text}");
    view! {
        <span class="value" role="img" aria-label=label title=title.to_owned()>
            <i style:width=format!("{:.1}%", share * 100.0)></i>
            <small>{text}</small>
        </span>
    }
    .into_any()
}
