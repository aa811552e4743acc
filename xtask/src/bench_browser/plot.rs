//! A chart of how memory and time grow with the text of a repository, as an SVG that needs nothing
//! but a viewer.

use serde_json::Value;

use super::table::by_size;

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 400.0;
/// The margin around each of the two charts, for the labels of its axes.
const MARGIN: f64 = 60.0;
/// The largest width and height of a name.
const NAME: (f64, f64) = (80.0, 12.0);
/// The number of parts of an axis.
const TICKS: usize = 4;

/// A value of one archive, by the size of its text.
struct Point {
    name: String,
    text_mb: f64,
    value: f64,
}

/// Two charts side by side: peak memory until the first answer, and the time until then.
pub fn growth(report: &Value) -> String {
    let memory = points(report, "peak_memory_ready_mb", 1.0);
    let time = points(report, "first_answer_ms", 1000.0);
    let charts = [
        chart(&memory, "peak memory until ready, MB", 0.0),
        chart(&time, "drop → first cited answer, s", WIDTH / 2.0),
    ];
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"11\" fill=\"#333\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{}</svg>\n",
        charts.concat()
    )
}

fn points(report: &Value, key: &str, unit: f64) -> Vec<Point> {
    let archives = by_size(report).into_iter();
    let points = archives.filter_map(|(name, archive)| {
        Some(Point {
            text_mb: archive["text_mb"].as_f64()?,
            value: archive[key].as_f64()? / unit,
            name,
        })
    });
    points.collect()
}

fn chart(points: &[Point], title: &str, left: f64) -> String {
    let (width, height) = (WIDTH / 2.0 - 1.5 * MARGIN, HEIGHT - 2.0 * MARGIN);
    let most = |value: fn(&Point) -> f64| round_up(points.iter().map(value).fold(0.0, f64::max));
    let (most_text, most_value) = (most(|point| point.text_mb), most(|point| point.value));
    let x = |text_mb: f64| left + MARGIN + width * text_mb / most_text;
    let y = |value: f64| MARGIN + height * (1.0 - value / most_value);
    let mut svg = text(left + MARGIN, MARGIN - 24.0, "start", title);
    for tick in 0..=TICKS {
        let share = tick as f64 / TICKS as f64;
        let (across, up) = (share * most_text, share * most_value);
        svg += &format!(
            "<path d=\"M{:.1} {:.1}h{width:.1}\" stroke=\"#ddd\"/>\n",
            x(0.0),
            y(up)
        );
        svg += &text(x(0.0) - 6.0, y(up) + 4.0, "end", &format!("{up:.0}"));
        svg += &text(x(across), y(0.0) + 18.0, "middle", &format!("{across:.0}"));
    }
    svg += &text(x(most_text), y(0.0) + 36.0, "end", "text that is read, MB");
    // The largest first: a small one gets no name if it would overlap another's.
    let mut named: Vec<(f64, f64)> = Vec::new();
    for point in points.iter().rev() {
        let (x, y) = (x(point.text_mb), y(point.value));
        svg += &format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"#8a2b2b\"/>\n");
        let is_over =
            |&(left, top): &(f64, f64)| (left - x).abs() < NAME.0 && (top - y).abs() < NAME.1;
        if !named.iter().any(is_over) {
            svg += &text(x + 7.0, y - 5.0, "start", &point.name);
            named.push((x, y));
        }
    }
    svg
}

fn text(x: f64, y: f64, anchor: &str, text: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>\n")
}

/// The end of an axis: the next value that its ticks divide evenly.
fn round_up(most: f64) -> f64 {
    let step = 10f64.powf(most.max(1.0).log10().floor()) * TICKS as f64 / 10.0;
    (most * 1.05 / step).ceil().max(1.0) * step
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_archive_is_a_point_of_both_charts_and_others_are_left_out() {
        let report = json!({ "archives": {
            "one": { "chunks": 10, "text_mb": 2.0, "peak_memory_ready_mb": 300.0, "first_answer_ms": 900.0 },
            "two": { "chunks": 20, "text_mb": 50.0, "peak_memory_ready_mb": 900.0, "first_answer_ms": 9000.0 },
            "old": { "chunks": 30 },
        }});
        let svg = growth(&report);
        assert_eq!(svg.matches("<circle").count(), 4);
        assert!(svg.contains(">two</text>") && !svg.contains(">old</text>"));
    }

    #[test]
    fn axes_end_above_the_largest_value_at_a_round_one() {
        for (most, end) in [(787.0, 840.0), (14.0, 16.0), (0.0, 0.4), (3.9, 4.4)] {
            assert!(
                (round_up(most) - end).abs() < 1e-9,
                "{most}: {}",
                round_up(most)
            );
            assert!(round_up(most) > most);
        }
    }
}
