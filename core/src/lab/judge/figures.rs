//! The figures of a report with their labels, as the page and the command line show them.

use super::{Estimate, Report};

impl Report {
    /// The counts, with their labels.
    pub fn counts(&self) -> [(&'static str, String); 6] {
        let judge = &self.judge;
        let temperature = judge.temperature.map(|it| it.to_string());
        let temperature = temperature.as_deref().unwrap_or("the service's");
        let [wins, draws, losses] = self.outcomes;
        let verdicts = &self.verdicts;
        let [one, two] = &self.sides;
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
                    self.planned,
                    self.n_requests,
                    self.n_failures()
                ),
            ),
            (
                "verdicts",
                format!(
                    "{} for {}, {} for {}, {} draws, {} both bad",
                    verdicts.one,
                    one.name,
                    verdicts.two,
                    two.name,
                    verdicts.draw,
                    verdicts.both_bad
                ),
            ),
            (
                "pairs",
                format!(
                    "{} with a verdict in both orders, of {} with an output",
                    self.n_complete, self.n_pairs
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

    /// The estimates, with their labels; indented if they refine the one before.
    pub fn figures(&self) -> [(String, Option<Estimate>); 14] {
        let [wins, draws, losses] = self.outcome_shares;
        let [one, two] = &self.sides;
        let (order, own) = (&self.order, &self.own);
        [
            (format!("win rate of {}", one.name), self.win_rate),
            ("  at equal length".to_owned(), self.length.win_rate),
            ("  corrected by ratings".to_owned(), own.corrected.ok()),
            (format!("share for {}", one.name), wins),
            (format!("share for {}", two.name), losses),
            ("share of draws".to_owned(), draws),
            ("same in both orders".to_owned(), order.consistency),
            ("  beyond chance (κ)".to_owned(), order.kappa),
            ("picks the first".to_owned(), order.first_rate),
            ("same when repeated".to_owned(), order.repeats),
            ("picks the longer".to_owned(), self.length.longer_rate),
            (format!("agrees with {} ratings, κ", own.n), own.kappa),
            ("  sensitivity".to_owned(), own.sensitivity),
            ("  specificity".to_owned(), own.specificity),
        ]
    }
}
