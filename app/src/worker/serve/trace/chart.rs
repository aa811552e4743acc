//! The ranks of the best hits from step to step, as a drawing: who was overtaken, and where.

use std::fmt::Write;

use super::doc::{HitDoc, RunDoc};
use super::html::escape;

/// Hits that are drawn.
const LINES: usize = 6;
/// Ranks that have a row; further ones share the last.
const ROWS: usize = 10;
const ROW: f32 = 17.0;
const LEFT: f32 = 26.0;
const TOP: f32 = 14.0;
const STEPS: f32 = 400.0;
const LABELS: f32 = 190.0;
const FOOT: f32 = 74.0;

/// An `svg` whose colours and type come from the style sheet. Empty if there is nothing to draw.
pub fn ranks(run: &RunDoc) -> String {
    if run.lines.is_empty() || run.steps.len() < 2 {
        return String::new();
    }
    let width = LEFT + STEPS + LABELS;
    let height = TOP + ROW * ROWS as f32 + ROW + FOOT;
    let mut svg = format!(
        "<svg class=\"rank-chart\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">",
        escape(&spoken(run))
    );
    for (at, step) in run.steps.iter().enumerate() {
        let x = x(run, at);
        let bottom = y(ROWS + 1) + 14.0;
        let _ = write!(
            svg,
            "<path class=\"column\" d=\"M{x:.1} {TOP:.1}V{:.1}\"/><text class=\"step\" transform=\"translate({x:.1} {bottom:.1}) rotate(-40)\">{}</text>",
            y(ROWS + 1),
            escape(step.name)
        );
    }
    for rank in 1..=ROWS {
        let _ = write!(
            svg,
            "<text class=\"rank\" x=\"{:.1}\" y=\"{:.1}\">{rank}</text>",
            LEFT - 10.0,
            y(rank) + 4.0
        );
    }
    let _ = write!(
        svg,
        "<text class=\"rank\" x=\"{:.1}\" y=\"{:.1}\">…</text>",
        LEFT - 10.0,
        y(ROWS + 1) + 4.0
    );
    // The best on top.
    for (at, hit) in run.lines.iter().enumerate().take(LINES).rev() {
        line(&mut svg, run, at, hit);
    }
    svg.push_str("</svg>");
    svg
}

fn line(svg: &mut String, run: &RunDoc, at: usize, hit: &HitDoc) {
    let known = |(step, rank): (usize, &Option<usize>)| Some((x(run, step), y((*rank)?)));
    let points: Vec<(f32, f32)> = hit.ranks.iter().enumerate().filter_map(known).collect();
    let Some(&(_, last)) = points.last() else {
        return;
    };
    let path: Vec<String> = points
        .iter()
        .map(|(x, y)| format!("{x:.1} {y:.1}"))
        .collect();
    let class = format!("hit hit-{}", at + 1);
    let _ = write!(
        svg,
        "<g class=\"{class}\"><path d=\"M{}\"/>",
        path.join("L")
    );
    for (x, y) in &points {
        let _ = write!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.2\"/>");
    }
    let name = hit.place.path.rsplit('/').next().unwrap_or_default();
    let _ = write!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\">{}:{}</text></g>",
        LEFT + STEPS + 12.0,
        last + 4.0,
        escape(name),
        hit.place.start
    );
}

fn x(run: &RunDoc, step: usize) -> f32 {
    LEFT + 6.0 + step as f32 * (STEPS - 12.0) / (run.steps.len() - 1) as f32
}

fn y(rank: usize) -> f32 {
    TOP + ROW * (rank.min(ROWS + 1) as f32 - 0.5)
}

/// The same for those who do not see it.
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
