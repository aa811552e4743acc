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
    for (label, text) in report.counts() {
        writeln!(out, "{label:<26} {text}")?;
    }
    for (reason, n) in &report.failures {
        writeln!(out, "{:<26} {n}: {reason}", "  not read")?;
    }
    writeln!(out)?;
    writeln!(out, "{:<26} {:>6}  95 % interval", "", "value")?;
    for (label, estimate) in report.figures() {
        writeln!(out, "{label:<26} {}", figure(estimate))?;
    }
    Ok(())
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
