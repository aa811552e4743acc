//! What a pipeline made of a question → its row. The page and the command line score by this alone,
//! so their figures are the same.

use super::{Row, RunMeta};
use crate::eval::set::digest;
use crate::eval::{ContextPrediction, Item, Prediction};
use crate::index::Index;
use crate::model::prompt::Block;
use crate::pipeline::{Budget, Made, Pipeline};
use crate::source::Repo;

impl Row {
    /// Scores what `pipeline` made of a question on `index`, which is cut as the pipeline says.
    /// Files are ranked by their place in the context; the set is the answer's, so that EM asks
    /// whether just the right files were named.
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
    /// Names the repository that the questions are about, by the digest of its files.
    pub fn of_repository(&mut self, repo: &Repo) {
        self.index = short(&repo.digest());
    }

    /// Of a run of `pipeline`; `set` is the text of the questions' file, `versions` names the
    /// program and its models. `index` is left to the caller: a set can be about several.
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

/// Tokens that are shown, and the budget in tokens: of one in characters, as many as these lines
/// would have at that length.
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
