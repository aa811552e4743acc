//! Why a run ended, as a sentence.

use super::WrittenOrder;
use super::turns::{ALL_ASKED, Turn};

/// What ends a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// There are as many questions as wanted.
    Enough,
    /// One more request could exceed the budget of requests.
    Requests,
    /// One more request could exceed the budget of tokens.
    Tokens,
    /// Every strategy rests.
    Rest,
    /// Several requests in a row failed; holds the last reason.
    Failed(String),
}

/// The sentence for a set of `n` questions, fewer than wanted.
pub(super) fn short(n: usize, order: &WrittenOrder, end: Option<&End>, turns: &[Turn]) -> String {
    let so_far = format!("{n} of {} questions", order.count);
    let said = match end {
        None | Some(End::Enough) => "the run has not finished.".to_owned(),
        Some(End::Requests) => format!(
            "the budget of {} requests is used up. Raise it to continue; what was written is kept.",
            order.budget.requests
        ),
        Some(End::Tokens) => format!(
            "one more request could exceed the budget of {} tokens. Raise it to continue; what was \
             written is kept.",
            order.budget.tokens
        ),
        Some(End::Failed(why)) => format!(
            "several requests in a row failed, the last one because: {}. What was written is kept; \
             continue once the service answers.",
            why.trim().trim_end_matches('.')
        ),
        Some(End::Rest) => rest(order, turns),
    };
    format!("{so_far}: {said}{}", troubles(turns))
}

fn rest(order: &WrittenOrder, turns: &[Turn]) -> String {
    if turns.is_empty() {
        return format!(
            "there is no strategy called {}.",
            order.strategies.join(", ")
        );
    }
    let is_untouched = |turn: &Turn| turn.count.asked == 0;
    if turns.iter().all(is_untouched) {
        return "the repository contains nothing that these strategies could show a model, or the \
                window of a prompt is too small for it."
            .to_owned();
    }
    let are_done = |turn: &Turn| turn.count.rests == Some(ALL_ASKED);
    match turns.iter().all(are_done) {
        true => "everything that these strategies show has been asked about. Other strategies, or \
                 another seed, give more."
            .to_owned(),
        false => "the model no longer gives anything new. Another model or another seed may give \
                  more."
            .to_owned(),
    }
}

/// The most frequent problem, if it was frequent.
fn troubles(turns: &[Turn]) -> String {
    let asked: usize = turns.iter().map(|turn| turn.count.asked).sum();
    let failed = turns.iter().flat_map(|turn| &turn.count.failed);
    let mut sums = std::collections::BTreeMap::new();
    for (why, n) in failed {
        *sums.entry(*why).or_insert(0) += n;
    }
    match sums.into_iter().max_by_key(|(_, n)| *n) {
        // A reply that cannot be read is requested once more: two requests.
        Some((why, n)) if 4 * n >= asked.max(1) => {
            format!(" Requests that gave no question because {why}: {n}.")
        }
        _ => String::new(),
    }
}
