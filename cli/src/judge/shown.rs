//! The report for people: what can be said, what to keep in mind, then the numbers.

use std::io::Write;

use footnote_core::lab::judge::{Estimate, Report};

use crate::Result;

pub fn print(report: &Report, out: &mut impl Write) -> Result<()> {
    writeln!(out, "{}", report.conclusion.sentence)?;
    for warning in &report.warnings {
        writeln!(out, "- {warning}")?;
    }
    writeln!(out)?;
    for (label, text) in counts(report) {
        writeln!(out, "{label:<26} {text}")?;
    }
    for (reason, n) in &report.failures {
        writeln!(out, "{:<26} {n}: {reason}", "  not read")?;
    }
    writeln!(out)?;
    writeln!(out, "{:<26} {:>6}  95 % interval", "", "value")?;
    for (label, estimate) in estimates(report) {
        writeln!(out, "{label:<26} {}", figure(estimate))?;
    }
    Ok(())
}

fn counts(report: &Report) -> [(&'static str, String); 6] {
    let judge = &report.judge;
    let temperature = judge.temperature.map(|it| it.to_string());
    let temperature = temperature.as_deref().unwrap_or("the service's");
    let [wins, draws, losses] = report.outcomes;
    let verdicts = &report.verdicts;
    let [one, two] = &report.sides;
    [
        (
            "judge",
            format!(
                "{}, temperature {temperature}, prompt {}",
                judge.model, judge.template
            ),
        ),
        ("sides", format!("{} against {}", one.name, two.name)),
        (
            "requests",
            format!(
                "{} planned, {} with an output, {} not read",
                report.planned,
                report.n_requests,
                report.n_failures()
            ),
        ),
        (
            "verdicts",
            format!(
                "{} for {}, {} for {}, {} draws, {} both bad",
                verdicts.one, one.name, verdicts.two, two.name, verdicts.draw, verdicts.both_bad
            ),
        ),
        (
            "pairs",
            format!(
                "{} with a verdict in both orders, of {} with an output",
                report.n_complete, report.n_pairs
            ),
        ),
        (
            "outcomes",
            format!(
                "{wins} for {}, {losses} for {}, {draws} draws",
                one.name, two.name
            ),
        ),
    ]
}

fn estimates(report: &Report) -> [(String, Option<Estimate>); 14] {
    let [wins, draws, losses] = report.outcome_shares;
    let [one, two] = &report.sides;
    let (order, own) = (&report.order, &report.own);
    [
        (format!("win rate of {}", one.name), report.win_rate),
        ("  at equal length".to_owned(), report.length.win_rate),
        ("  corrected by ratings".to_owned(), own.corrected.ok()),
        (format!("share for {}", one.name), wins),
        (format!("share for {}", two.name), losses),
        ("share of draws".to_owned(), draws),
        ("same in both orders".to_owned(), order.consistency),
        ("  beyond chance (κ)".to_owned(), order.kappa),
        ("picks the first".to_owned(), order.first_rate),
        ("same when repeated".to_owned(), order.repeats),
        ("picks the longer".to_owned(), report.length.longer_rate),
        (format!("agrees with {} ratings, κ", own.n), own.kappa),
        ("  sensitivity".to_owned(), own.sensitivity),
        ("  specificity".to_owned(), own.specificity),
    ]
}

/// `   .62  .51 to .72`
fn figure(estimate: Option<Estimate>) -> String {
    let Some(Estimate { value, interval }) = estimate else {
        return format!("{:>6}", "none");
    };
    let (low, high) = (number(interval.low), number(interval.high));
    format!("{:>6}  {low} to {high}", number(value))
}

/// Two digits, without the zero before the point.
fn number(value: f64) -> String {
    let text = format!("{:.2}", value.abs());
    let text = text.strip_prefix('0').unwrap_or(&text);
    let sign = if value <= -0.005 { "−" } else { "" };
    format!("{sign}{text}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use footnote_core::eval::Interval;

    #[test]
    fn a_figure_is_shown_with_its_interval_or_as_missing() {
        let estimate = Estimate {
            value: 0.618,
            interval: Interval {
                low: -0.052,
                high: 1.0,
            },
        };
        assert_eq!(figure(Some(estimate)), "   .62  −.05 to 1.00");
        assert_eq!(figure(None), "  none");
        assert_eq!(number(-0.001), ".00");
    }
}
