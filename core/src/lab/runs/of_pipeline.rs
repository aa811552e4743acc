//! A pipeline's result for a question → its row. The page and the command line both score with
//! this, so their figures are the same.

use super::{Row, RunMeta};
use crate::eval::set::digest;
use crate::eval::{ContextPrediction, Item, Prediction};
use crate::index::Index;
use crate::model::prompt::Block;
use crate::pipeline::{Budget, Made, Pipeline};
use crate::source::Repo;

impl Row {
    /// Scores the result of `pipeline` for a question on `index`, which is cut as the pipeline
    /// requires. Files are ranked by their place in the context; the set is the answer's, so EM
    /// measures whether exactly the right files were named.
    pub fn of_pipeline(item: &Item, index: &Index, pipeline: &Pipeline, made: &Made) -> Self {
        let shown = made.context().iter();
        let shown: Vec<_> = shown
            .map(|block| (block.path.clone(), block.sent_lines()))
            .collect();
        let mut files: Vec<String> = Vec::new();
        for (path, _) in &shown {
            if !files.contains(path) {
                files.push(path.clone());
            }
        }
        let lines = shown.iter();
        let lines = lines.flat_map(|(path, runs)| runs.iter().map(|run| (path.clone(), *run)));
        let answer = made.answer.files.iter();
        let answer = answer.filter_map(|it| {
            let file = index.repo.file(it.file)?;
            Some((file.path.clone(), f64::from(it.confidence)))
        });
        let (set, confidence) = answer.unzip();
        let prediction = Prediction {
            set,
            confidence,
            files,
            lines: lines.collect(),
            milliseconds: made.stages.iter().map(|stage| stage.milliseconds).sum(),
        };
        let (tokens, budget) = used(pipeline.budget, made);
        let shown = ContextPrediction {
            shown,
            tokens,
            budget,
        };
        Self::new(item, prediction, Some(shown))
    }
}

impl RunMeta {
    /// Records the digest of the repository that the questions are about.
    pub fn of_repository(&mut self, repo: &Repo) {
        self.index = short(&repo.digest());
    }

    /// The metadata for a run of `pipeline`; `set` is the text of the questions' file, `versions`
    /// names the program and its models. The caller fills in `index`, because a set can be about
    /// several.
    pub fn of_pipeline<'v>(
        set: &str,
        pipeline: &Pipeline,
        versions: impl IntoIterator<Item = (&'v str, String)>,
    ) -> Self {
        let versions = versions.into_iter();
        Self {
            versions: versions.map(|(name, it)| (name.to_owned(), it)).collect(),
            set: digest(set),
            settings: serde_json::to_value(pipeline).unwrap_or_default(),
            ..Self::default()
        }
    }
}

/// The first 16 hexadecimal digits of a digest.
fn short(digest: &[u8; 32]) -> String {
    digest
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// The tokens that are shown, and the budget in tokens: a budget in characters is converted at the
/// ratio of these lines.
fn used(budget: Budget, made: &Made) -> (usize, usize) {
    let tokens = made.tokens();
    match budget {
        Budget::Tokens(n) => (tokens, n),
        Budget::Characters(n) => {
            let chars = |block: &Block| block.text.chars().count();
            let chars: usize = made.context().iter().map(chars).sum();
            (tokens, (tokens * n).checked_div(chars).unwrap_or(n))
        }
    }
}
