//! RepoDistill's reward for the decisions of a budget policy, and the preference pairs that follow
//! from it.

use std::collections::BTreeMap;

use super::{Preference, Why};

/// The three parts of the reward (RepoDistill, section 2.3.3): for the format, the answer and the
/// brevity.
///
/// R = R_format + R_metric + R_efficiency, with equation (5): R_efficiency = R_metric ·
/// σ(ln(L_input / L_used)).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reward {
    /// R_format: for output in the requested format. The paper gives no value; 1 or 0 is in the
    /// range of a metric.
    pub format: f64,
    /// R_metric: the quality of the answer, at least 0. The paper uses the benchmark's own metric.
    pub metric: f64,
    /// R_efficiency, between 0 and `metric`.
    pub efficiency: f64,
}

impl Reward {
    /// The reward of a decision that shortened `input` tokens to `used`. Any unit of length will
    /// do, as long as both have the same.
    ///
    /// σ(ln x) is x / (1 + x), so the factor is input / (input + used): ½ if nothing was shortened,
    /// 1 if nothing is left. Two lengths of 0 count as nothing shortened.
    pub fn new(format: f64, metric: f64, input: u64, used: u64) -> Self {
        let (input, used) = (input as f64, used as f64);
        let factor = if input + used == 0.0 {
            0.5
        } else {
            input / (input + used)
        };
        Self {
            format,
            metric,
            efficiency: metric * factor,
        }
    }

    /// The sum R.
    pub fn total(&self) -> f64 {
        self.format + self.metric + self.efficiency
    }
}

/// One decision of a budget policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// [`Item::id`](crate::eval::Item::id) of the question.
    pub id: String,
    /// The policy's input: problem, memory, chunk.
    pub prompt: String,
    /// The policy's output: the JSON with a share for each snippet.
    pub output: String,
    /// The reward of the conversation that the decision belongs to.
    pub reward: Reward,
}

/// Pairs of decisions, and counts of those that could not be paired.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decided {
    /// Within a question, the best reward first.
    pub pairs: Vec<Preference>,
    /// Number of decisions for which no other with the same question and prompt differed by the
    /// margin.
    pub unpaired: usize,
    /// Number of decisions whose reward is not a number.
    pub without_reward: usize,
}

/// Pairs the best decision with each one that is worse by more than `margin`, among decisions with
/// the same question and prompt. A trainer compares answers to one prompt, so decisions about other
/// chunks or memories cannot be paired.
pub fn pairs(decisions: &[Decision], margin: f64) -> Decided {
    let mut decided = Decided::default();
    let mut groups: BTreeMap<(&str, &str), Vec<&Decision>> = BTreeMap::new();
    for decision in decisions {
        if decision.reward.total().is_finite() {
            let key = (decision.id.as_str(), decision.prompt.as_str());
            groups.entry(key).or_default().push(decision);
        } else {
            decided.without_reward += 1;
        }
    }
    for mut group in groups.into_values() {
        group.sort_by(|a, b| b.reward.total().total_cmp(&a.reward.total()));
        let Some((best, others)) = group.split_first() else {
            continue;
        };
        let worse: Vec<Preference> = others
            .iter()
            .filter(|other| best.reward.total() - other.reward.total() > margin.max(0.0))
            .filter(|other| other.output != best.output)
            .map(|other| pair(best, other))
            .collect();
        let paired = if worse.is_empty() { 0 } else { worse.len() + 1 };
        decided.unpaired += group.len() - paired;
        decided.pairs.extend(worse);
    }
    decided
}

fn pair(best: &Decision, other: &Decision) -> Preference {
    Preference {
        id: best.id.clone(),
        question: best.prompt.clone(),
        chosen: best.output.clone(),
        rejected: other.output.clone(),
        why: Why::Reward {
            chosen: best.reward.total(),
            rejected: other.reward.total(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_form_of_the_reward_is_the_papers_formula() {
        for (metric, input, used) in [(0.8, 10_000, 2_500), (0.3, 7, 7), (1.0, 1, 1_000)] {
            let ratio = f64::from(input) / f64::from(used);
            let sigmoid = 1.0 / (1.0 + (-ratio.ln()).exp());
            let reward = Reward::new(1.0, metric, input as u64, used as u64);
            assert!((reward.total() - (1.0 + metric + metric * sigmoid)).abs() < 1e-12);
        }
    }

    #[test]
    fn lengths_of_zero_give_numbers() {
        for (input, used, factor) in [(0, 0, 0.5), (10, 0, 1.0), (0, 10, 0.0), (u64::MAX, 1, 1.0)] {
            assert_eq!(
                Reward::new(0.0, 1.0, input, used).efficiency,
                factor,
                "{input} {used}"
            );
        }
    }

    #[test]
    fn a_wrong_answer_earns_nothing_by_being_short() {
        assert_eq!(Reward::new(1.0, 0.0, 1_000, 1).total(), 1.0);
    }

    fn decision(id: &str, prompt: &str, output: &str, metric: f64, used: u64) -> Decision {
        Decision {
            id: id.to_owned(),
            prompt: prompt.to_owned(),
            output: output.to_owned(),
            reward: Reward::new(1.0, metric, 100, used),
        }
    }

    #[test]
    fn the_best_decision_is_paired_with_the_worse_of_its_prompt() {
        let decisions = [
            decision("q", "p", "long", 0.9, 90),
            decision("q", "p", "short", 0.9, 10),
            decision("q", "p", "wrong", 0.1, 10),
            decision("q", "another memory", "alone", 0.9, 10),
            decision("r", "p", "alone too", 0.9, 10),
            decision("q", "p", "nothing", f64::NAN, 10),
        ];
        let decided = pairs(&decisions, 0.0);
        let texts: Vec<_> = decided
            .pairs
            .iter()
            .map(|pair| (pair.chosen.as_str(), pair.rejected.as_str()))
            .collect();
        assert_eq!(texts, [("short", "long"), ("short", "wrong")]);
        assert_eq!((decided.unpaired, decided.without_reward), (2, 1));
    }

    #[test]
    fn equal_rewards_and_equal_outputs_make_no_pair() {
        let tie = [
            decision("q", "p", "a", 0.5, 50),
            decision("q", "p", "b", 0.5, 50),
        ];
        assert_eq!(pairs(&tie, 0.0).unpaired, 2);
        let same = [
            decision("q", "p", "a", 0.9, 50),
            decision("q", "p", "a", 0.5, 50),
        ];
        assert_eq!(pairs(&same, 0.0).pairs, []);
        let near = [
            decision("q", "p", "a", 0.9, 50),
            decision("q", "p", "b", 0.89, 50),
        ];
        assert_eq!(pairs(&near, 0.0).pairs.len(), 1);
        assert_eq!(pairs(&near, 0.5).pairs.len(), 0);
    }
}
