//! A chart of the best hits' ranks from step to step: which hit was overtaken, and where.

use maud::{Markup, html};

use super::doc::{HitDoc, RunDoc};

/// Most hits to draw.
const LINES: usize = 6;
/// Ranks with a row of their own; all further ones share the last row.
const ROWS: usize = 10;
const ROW: f32 = 17.0;
const LEFT: f32 = 26.0;
const TOP: f32 = 14.0;
const STEPS: f32 = 400.0;
const LABELS: f32 = 190.0;
const FOOT: f32 = 74.0;

/// Returns an `svg` whose colours and fonts come from the style sheet, if there is something to
/// draw.
pub fn ranks(run: &RunDoc) -> Option<Markup> {
    if run.lines.is_empty() || run.steps.len() < 2 {
        return None;
    }
    let width = LEFT + STEPS + LABELS;
    let height = TOP + ROW * ROWS as f32 + ROW + FOOT;
    let best = run.lines.iter().enumerate().take(LINES);
    Some(html! {
        svg.rank-chart
            viewBox={ "0 0 " (width) " " (height) }
            role="img"
            aria-label=(spoken(run))
        {
            @for (at, step) in run.steps.iter().enumerate() { (column(x(run, at), step.name)) }
            @for rank in 1..=ROWS { (row(rank, &rank.to_string())) }
            (row(ROWS + 1, "…"))
            // Reversed, so that the best hit is drawn on top.
            @for (at, hit) in best.rev() { (line(run, at, hit)) }
        }
    })
}

fn column(x: f32, name: &str) -> Markup {
    let end = y(ROWS + 1);
    let bottom = end + 14.0;
    html! {
        path.column d=(format_args!("M{x:.1} {TOP:.1}V{end:.1}")) {}
        text.step transform=(format_args!("translate({x:.1} {bottom:.1}) rotate(-40)")) { (name) }
    }
}

/// The number in front of a row.
fn row(rank: usize, shown: &str) -> Markup {
    html! { text.rank x=(number(LEFT - 10.0)) y=(number(y(rank) + 4.0)) { (shown) } }
}

fn line(run: &RunDoc, at: usize, hit: &HitDoc) -> Markup {
    let known = |(step, rank): (usize, &Option<usize>)| Some((x(run, step), y((*rank)?)));
    let points: Vec<(f32, f32)> = hit.ranks.iter().enumerate().filter_map(known).collect();
    let Some(&(_, last)) = points.last() else {
        return Markup::default();
    };
    let path: Vec<String> = points
        .iter()
        .map(|(x, y)| format!("{x:.1} {y:.1}"))
        .collect();
    let name = hit.place.path.rsplit('/').next().unwrap_or_default();
    html! {
        g class={ "hit hit-" (at + 1) } {
            path d={ "M" (path.join("L")) } {}
            @for (x, y) in &points { circle cx=(number(*x)) cy=(number(*y)) r="3.2" {} }
            text x=(number(LEFT + STEPS + 12.0)) y=(number(last + 4.0)) {
                (name) ":" (hit.place.start)
            }
        }
    }
}

fn number(number: f32) -> String {
    format!("{number:.1}")
}

fn x(run: &RunDoc, step: usize) -> f32 {
    LEFT + 6.0 + step as f32 * (STEPS - 12.0) / (run.steps.len() - 1) as f32
}

fn y(rank: usize) -> f32 {
    TOP + ROW * (rank.min(ROWS + 1) as f32 - 0.5)
}

/// The same as text for screen readers.
fn spoken(run: &RunDoc) -> String {
    let hits = run.lines.iter().take(LINES).enumerate().map(|(at, hit)| {
        let first = hit.ranks.first().copied().flatten();
        let from = first.map_or("not among the best".to_owned(), |rank| {
            format!("rank {rank}")
        });
        format!("{} went from {from} to rank {}", hit.place.path, at + 1)
    });
    hits.collect::<Vec<_>>().join("; ")
}
