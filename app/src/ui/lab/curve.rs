//! Precision and recall of the files that answers name, as curves.

use leptos::prelude::*;

use crate::worker::protocol::{LabComparisonView, LabCurveView};

/// The side of the square that holds the curves, in drawing units.
const SIDE: f64 = 200.0;

pub fn curves(comparison: &LabComparisonView) -> AnyView {
    let curves = &comparison.curves;
    if curves.is_empty() {
        return ().into_any();
    }
    let title = |name: &str| {
        let column = comparison.columns.iter().find(|it| it.name == name);
        column.map_or(name, |it| &it.title).to_owned()
    };
    let lines: Vec<_> = curves.iter().map(line).collect();
    let key = curves.iter().map(|curve| {
        let text = format!("{}: {}", title(&curve.name), told(curve));
        view! { <li><i></i>{text}</li> }
    });
    let key: Vec<_> = key.collect();
    let label = "Precision against recall of the files that answers name";
    view! {
        <figure class="lab-curves">
            <svg viewBox="-26 -6 238 232" role="img" aria-label=label>
                <path class="axis" d=format!("M0 0V{SIDE}H{SIDE}")/>
                {lines}
                <text x="-4" y="6" text-anchor="end">"1"</text>
                <text x="-4" y=SIDE text-anchor="end">"0"</text>
                <text x=SIDE y="214" text-anchor="end">"recall 1"</text>
                <text x="0" y="214">"0"</text>
            </svg>
            <figcaption>
                "Precision (vertical) against recall (horizontal), taking first the files an \
                 answer is most sure of. A line ends where no answer names more files."
                <ul>{key}</ul>
            </figcaption>
        </figure>
    }
    .into_any()
}

fn line(curve: &LabCurveView) -> AnyView {
    let points = curve.points.iter();
    let points = points
        .map(|(recall, precision)| format!("{:.1},{:.1}", recall * SIDE, (1.0 - precision) * SIDE));
    let points: Vec<String> = points.collect();
    view! { <polyline points=points.join(" ")/> }.into_any()
}

/// The ends of a curve in words.
fn told(curve: &LabCurveView) -> String {
    let end = |point: Option<&(f64, f64)>| {
        let (recall, precision) = point.copied().unwrap_or_default();
        format!("precision {precision:.2} at recall {recall:.2}")
    };
    match curve.points.len() {
        1 => end(curve.points.first()),
        _ => format!(
            "{} to {}",
            end(curve.points.first()),
            end(curve.points.last())
        ),
    }
}
