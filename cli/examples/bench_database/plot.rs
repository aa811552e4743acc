//! How times and sizes grow with the parts, as an SVG that needs nothing but a viewer.

use crate::Round;
use crate::load::Load;

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 340.0;
/// The margin around each of the two charts, for the labels of its axes.
const MARGIN: f64 = 56.0;
const TICKS: usize = 4;
const COLOURS: [&str; 3] = ["#1c7c54", "#b3541e", "#3a5a9b"];

/// A line: its name, and its points as (parts, value).
struct Line {
    name: String,
    points: Vec<(f64, f64)>,
}

/// Two charts side by side: the 95th percentile by number of clients, and the size of the database.
pub fn chart(rounds: &[Round]) -> String {
    let line = |name: String, value: &dyn Fn(&Round) -> Option<f64>| {
        let points = rounds
            .iter()
            .filter_map(|it| Some((it.chunks as f64, value(it)?)));
        Line {
            name,
            points: points.collect(),
        }
    };
    let p95 = |clients: usize| {
        let of = move |it: &Round| {
            let load = it
                .loads
                .iter()
                .find(|load: &&Load| load.clients == clients)?;
            Some(load.p95)
        };
        line(format!("{clients} at once"), &of)
    };
    let size = line("database".to_owned(), &|it| {
        Some(it.database_bytes as f64 / 1e6)
    });
    let memory = line("memory, 16 at once".to_owned(), &|it| {
        let load = it.loads.iter().find(|load| load.clients == 16)?;
        Some(load.memory_bytes as f64 / 1e6)
    });
    let times = [p95(1), p95(4), p95(16)];
    let charts = [
        one(&times, "question, 95th percentile, ms, by parts", 0.0),
        one(&[size, memory], "MB, by parts", WIDTH / 2.0),
    ];
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"11\" fill=\"#333\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{}</svg>\n",
        charts.concat()
    )
}

fn one(lines: &[Line], title: &str, left: f64) -> String {
    let (width, height) = (WIDTH / 2.0 - 1.5 * MARGIN, HEIGHT - 2.0 * MARGIN);
    let points = || lines.iter().flat_map(|line| &line.points);
    let most_parts = round_up(points().map(|it| it.0).fold(0.0, f64::max));
    let most = round_up(points().map(|it| it.1).fold(0.0, f64::max));
    let x = |parts: f64| left + MARGIN + width * parts / most_parts;
    let y = |value: f64| MARGIN + height * (1.0 - value / most);
    let mut svg = text(left + MARGIN, MARGIN - 30.0, "start", title);
    for tick in 0..=TICKS {
        let share = tick as f64 / TICKS as f64;
        let (at, up) = (x(share * most_parts), y(share * most));
        let (start, end) = (left + MARGIN, left + MARGIN + width);
        svg += &format!(
            "<line x1=\"{start:.1}\" y1=\"{up:.1}\" x2=\"{end:.1}\" y2=\"{up:.1}\" stroke=\"#ddd\"/>\n"
        );
        svg += &text(start - 6.0, up + 4.0, "end", &number(share * most));
        let parts = number(share * most_parts);
        svg += &text(at, MARGIN + height + 18.0, "middle", &parts);
    }
    for (place, (line, colour)) in lines.iter().zip(COLOURS).enumerate() {
        let at = line.points.iter();
        let at: Vec<String> = at
            .map(|it| format!("{:.1},{:.1}", x(it.0), y(it.1)))
            .collect();
        svg += &format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n",
            at.join(" ")
        );
        let legend = left + MARGIN + 8.0;
        let down = MARGIN + 2.0 + 15.0 * place as f64;
        svg += &format!(
            "<rect x=\"{legend:.1}\" y=\"{:.1}\" width=\"10\" height=\"3\" fill=\"{colour}\"/>\n",
            down - 4.0
        );
        svg += &text(legend + 16.0, down, "start", &line.name);
    }
    svg
}

/// The next round number: 1, 2 or 5 with zeros.
fn round_up(value: f64) -> f64 {
    let unit = 10f64.powf(value.max(1.0).log10().floor());
    let factors = [1.0, 2.0, 5.0, 10.0].into_iter();
    factors
        .map(|it| it * unit)
        .find(|it| *it >= value)
        .unwrap_or(value)
}

fn number(value: f64) -> String {
    match value {
        v if v >= 1e6 => format!("{:.1}M", v / 1e6),
        v if v >= 1e4 => format!("{:.0}k", v / 1e3),
        v => format!("{v:.0}"),
    }
}

fn text(x: f64, y: f64, anchor: &str, text: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>\n")
}
