//! What a judge said, and how far to trust it.

use leptos::prelude::*;

use super::figures::shown as number;
use crate::worker::protocol::{LabFigureView, LabVerdictView};

pub fn shown(view: &LabVerdictView) -> AnyView {
    let warnings = view.warnings.iter();
    let warnings: Vec<_> = warnings
        .map(|text| view! { <li>{text.clone()}</li> })
        .collect();
    let counts = view.counts.iter();
    let counts: Vec<_> = counts
        .map(|(label, text)| {
            view! {
                <dt>{label.clone()}</dt>
                <dd>{text.clone()}</dd>
            }
        })
        .collect();
    let figures: Vec<_> = view.figures.iter().map(figure).collect();
    let partial = view.partial.as_ref().map(|kept| {
        let text = format!("The run ended before everything was judged. {kept}");
        view! { <p class="quiet-line">{text}</p> }
    });
    view! {
        <section class="lab-verdict" aria-label="What the judge said">
            <p class="lab-sentence">{view.sentence.clone()}</p>
            {partial}
            <ul class="lab-warnings">{warnings}</ul>
            <div class="lab-table" tabindex="0" role="region" aria-label="Figures of the judge">
                <table>
                    <thead>
                        <tr>
                            <th scope="col">"figure"</th>
                            <th scope="col">"value"</th>
                            <th scope="col">"95 % interval"</th>
                        </tr>
                    </thead>
                    <tbody>{figures}</tbody>
                </table>
            </div>
            <details>
                <summary>"Judge, prompt and counts"</summary>
                <dl class="lab-facts">{counts}</dl>
            </details>
        </section>
    }
    .into_any()
}

fn figure(figure: &LabFigureView) -> AnyView {
    let interval = figure.interval.map_or_else(String::new, |(low, high)| {
        format!("{} to {}", number(low, true), number(high, true))
    });
    let is_part = figure.label.starts_with(' ');
    view! {
        <tr>
            <th scope="row" class:part=is_part>{figure.label.trim().to_owned()}</th>
            <td>{figure.value.map_or("–".to_owned(), |value| number(value, true))}</td>
            <td>{interval}</td>
        </tr>
    }
    .into_any()
}
