//! A model as a judge, and how far it can be trusted.
//!
//! [`plan()`] lists the requests for [`Pair`]s of answers: both orders, several times, shuffled.
//! [`Pair::prompt`] writes the messages of one request, [`parse_verdict`] reads the output,
//! [`Pair::record`] makes a record of it. [`Report::new`] turns records, and the user's own ratings
//! if there are any, into figures with intervals, warnings and one sentence that claims no more
//! than they allow.
//!
//! A single answer is scored by [`prompt::scores`] and [`parse_scores`] (five criteria), or by
//! [`prompt::rubric`] and [`parse_rubric`] (against a reference answer); [`score_summary`]
//! averages.
//!
//! A judge is asked only what code cannot decide: other code checks whether citations, paths and
//! names exist, and the prompts say so.
//!
//! Methods: pairwise verdicts after RepoQA-SA (section 5.1, figure 18), five scores after
//! RepoDistill (table 6), both orders after Zheng et al. 2023 (MT-Bench), length control after
//! AlpacaEval 2 (arXiv 2404.04475), correction by own ratings after Lee et al. (arXiv 2511.21140).

mod conclude;
mod estimate;
mod family;
mod figures;
mod length;
mod own;
mod plan;
mod pointwise;
pub mod prompt;
mod record;
mod report;
mod scores;
mod tally;
#[cfg(test)]
mod tests;
mod verdict;

pub use conclude::{Conclusion, MIN_PAIRS, Standing};
pub use estimate::Estimate;
pub use family::shared_family;
pub use length::Length;
pub use own::{MIN_RATINGS, NoCorrection, Own, Ratings, rogan_gladen};
pub use plan::{Pair, PlanError, REPETITIONS, Request, plan, remaining, sample_to_rate};
pub use pointwise::{ScoreRecord, ScoreSummary, score_summary};
pub use prompt::{Prompt, Template};
pub use record::{Preference, Record, Side};
pub use report::{Answerer, Comparison, Judge, Order, Report};
pub use scores::{CRITERIA, Scores, parse_rubric, parse_scores};
pub use tally::{Verdicts, outcomes};
pub use verdict::{Failure, Verdict, parse_verdict};
