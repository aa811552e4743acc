//! Estimates what a run will take, before anything is sent.

use super::desk::Desk;
use super::turns::Turn;
use super::{Estimate, WrittenOrder};
use crate::model::prompt::estimate_tokens;

/// Number of a strategy's prompts that are built to estimate their length.
const SAMPLES: usize = 3;

/// What is known of a strategy before it asks.
struct Outlook {
    /// Most questions that it can give.
    most: f64,
    /// Tokens of one unit's first prompt.
    prompt: f64,
    /// Number of questions that it should give.
    share: f64,
}

/// All strategies give the same number of questions, as far as they can.
pub(super) fn estimate(desk: &Desk, order: &WrittenOrder, turns: &[Turn]) -> Estimate {
    let mut outlooks: Vec<Outlook> = turns.iter().map(|turn| outlook(desk, turn)).collect();
    share(&mut outlooks, order.count as f64);
    let mut estimate = Estimate::default();
    for (turn, outlook) in turns.iter().zip(&outlooks) {
        let gives = &turn.strategy.gives;
        let units = (outlook.share / gives.questions)
            .ceil()
            .min(turn.units.len() as f64);
        let requests = units * f64::from(gives.requests);
        estimate.requests += requests as u32;
        estimate.prompt_tokens += (requests * outlook.prompt) as u64;
        estimate.answer_tokens += (units * f64::from(gives.answer_tokens)) as u64;
    }
    estimate
}

fn outlook(desk: &Desk, turn: &Turn) -> Outlook {
    let units = turn.units.iter();
    let talks = units.filter_map(|unit| (turn.strategy.begin)(desk, unit, &[]));
    let tokens = talks.take(SAMPLES);
    let tokens: Vec<f64> = tokens
        .map(|talk| (estimate_tokens(&talk.system) + estimate_tokens(&talk.user)) as f64)
        .collect();
    let most = match tokens.is_empty() {
        true => 0.0,
        false => turn.units.len() as f64 * turn.strategy.gives.questions,
    };
    Outlook {
        most,
        prompt: tokens.iter().sum::<f64>() / tokens.len().max(1) as f64,
        share: 0.0,
    }
}

/// Divides `count` into equal shares; what one cannot give is divided among the others.
fn share(outlooks: &mut [Outlook], count: f64) {
    let mut left = count;
    loop {
        let n_open = outlooks.iter().filter(|it| it.share < it.most).count();
        if n_open == 0 || left < 0.5 {
            return;
        }
        let each = left / n_open as f64;
        for outlook in outlooks.iter_mut().filter(|it| it.share < it.most) {
            let before = outlook.share;
            outlook.share = (before + each).min(outlook.most);
            left -= outlook.share - before;
        }
    }
}
