//! Runs that are kept across visits: what pipelines found for each question, whether all questions
//! were asked or the evaluation was stopped. Rows are scored again when they are read, so that
//! figures always follow this version's metrics.

use footnote_core::eval::Item;
use footnote_core::lab::runs::Run;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::worker::protocol::LabUnfinishedView;
use crate::worker::serve::repo::OpenRepo;
use crate::worker::serve::storage::Storage;

/// The most rows that are saved. A row takes a kilobyte or two, and all of them are one text.
const MOST: usize = 20_000;

/// Which runs are saved.
#[derive(Clone, Copy)]
pub enum Slot {
    /// Those of the last finished evaluation.
    Finished,
    /// Those of a stopped evaluation, which can be continued.
    Stopped,
}

impl Slot {
    /// The name of the record.
    fn name(self) -> &'static str {
        match self {
            Self::Finished => "runs",
            Self::Stopped => "runs-stopped",
        }
    }
}

/// Runs of some pipelines on one set, finished or not.
#[derive(Clone, Default)]
pub struct KeptRuns {
    pub closely: bool,
    /// Index of the pipeline that the others are compared with.
    pub baseline: usize,
    /// Time taken so far.
    pub seconds: f64,
    /// One per pipeline, in the order in which they were chosen.
    pub runs: Vec<Run>,
}

#[derive(Serialize, Deserialize)]
struct Record {
    closely: bool,
    baseline: usize,
    seconds: f64,
    runs: Vec<Value>,
}

impl KeptRuns {
    /// Whether these are the first rows of the evaluation `new`, which has no rows yet: the same
    /// pipelines on the same questions, run in the same way.
    pub fn can_continue(&self, new: &Self, n: usize) -> bool {
        let mut both = self.runs.iter().zip(&new.runs);
        self.unfinished(n).is_some()
            && self.runs.len() == new.runs.len()
            && self.closely == new.closely
            && both.all(|(old, new)| {
                old.name == new.name && old.meta.differences(&new.meta).is_empty()
            })
    }

    /// Whether they were made on that set and index; both are hashes.
    pub fn are_of(&self, set: &str, index: &str) -> bool {
        let mut runs = self.runs.iter();
        !self.runs.is_empty() && runs.all(|run| run.meta.set == set && run.meta.index == index)
    }

    /// Number of questions asked, over all pipelines.
    fn done(&self) -> usize {
        let each = self.runs.iter();
        each.map(|run| run.rows.len() + run.failed.len()).sum()
    }

    /// Progress of an evaluation with `n` questions per pipeline; `None` if it is complete, or
    /// nothing was done.
    pub fn unfinished(&self, n: usize) -> Option<LabUnfinishedView> {
        let (done, total) = (self.done(), n * self.runs.len());
        (done > 0 && done < total).then(|| LabUnfinishedView {
            pipelines: self.runs.iter().map(|run| run.name.clone()).collect(),
            closely: self.closely,
            done: done as u32,
            total: total as u32,
        })
    }
}

/// Saves runs. If that fails, or there are too many, they last until the page is closed.
pub async fn keep(storage: &Storage, open: &OpenRepo, slot: Slot, runs: &KeptRuns) {
    if !open.keep.get() || runs.done() > MOST {
        return;
    }
    if let Some(text) = write(runs) {
        // The set reports when nothing can be saved.
        let _ = storage.keep_lab_text(&open.key, slot.name(), &text).await;
    }
}

/// Deletes a stopped evaluation. If that fails, it is offered once more after a reload.
pub async fn forget_stopped(storage: &Storage, open: &OpenRepo) {
    if open.keep.get() {
        let _ = storage.forget_lab(&open.key, Slot::Stopped.name()).await;
    }
}

/// Returns the saved runs, scored again for `items`; `None` if there are none or they cannot be
/// read.
pub async fn kept(
    storage: &Storage,
    open: &OpenRepo,
    slot: Slot,
    items: &[Item],
) -> Option<KeptRuns> {
    let text = storage.lab_text(&open.key, slot.name()).await.ok()??;
    read(&text, items)
}

fn read(text: &str, items: &[Item]) -> Option<KeptRuns> {
    let record: Record = serde_json::from_str(text).ok()?;
    let items: Vec<&Item> = items.iter().collect();
    let mut runs = Vec::new();
    for value in &record.runs {
        let mut run = Run::from_json(value).ok()?;
        run.rescore(&items);
        runs.push(run);
    }
    Some(KeptRuns {
        closely: record.closely,
        baseline: record.baseline,
        seconds: record.seconds,
        runs,
    })
}

fn write(kept: &KeptRuns) -> Option<String> {
    let record = Record {
        closely: kept.closely,
        baseline: kept.baseline,
        seconds: kept.seconds,
        runs: kept.runs.iter().map(Run::to_json).collect(),
    };
    serde_json::to_string(&record).ok()
}

#[cfg(test)]
mod tests {
    use footnote_core::eval::Prediction;
    use footnote_core::lab::runs::Row;

    use super::*;

    fn item(id: &str) -> Item {
        Item {
            id: id.to_owned(),
            archive: "tea".to_owned(),
            query: "where is tea made?".to_owned(),
            gold_files: vec!["pot.py".to_owned()],
            gold_spans: Vec::new(),
            category: None,
            reference_answer: None,
            source: None,
        }
    }

    fn runs(asked: &[&str]) -> KeptRuns {
        let mut run = Run {
            name: "grounded".to_owned(),
            ..Run::default()
        };
        run.meta.set = "s".to_owned();
        run.meta.index = "i".to_owned();
        for id in asked {
            let prediction = Prediction {
                files: vec!["pot.py".to_owned()],
                ..Prediction::default()
            };
            let row = Row::new(&item(id), prediction, None);
            run.rows.insert((*id).to_owned(), row);
        }
        KeptRuns {
            runs: vec![run],
            ..KeptRuns::default()
        }
    }

    #[test]
    fn saved_runs_are_read_back_and_scored_again() {
        let items = [item("a"), item("b")];
        let text = write(&runs(&["a", "b"])).unwrap();
        let read = read(&text, &items).unwrap();
        assert!(read.are_of("s", "i") && !read.are_of("s", "j"));
        let rows = &read.runs[0].rows;
        assert_eq!(rows.len(), 2);
        assert_eq!(rows["a"].scores.as_ref().unwrap().mrr10, 1.0);
        assert!(super::read("{}", &items).is_none());
    }

    #[test]
    fn only_a_stopped_evaluation_of_the_same_kind_continues() {
        let new = runs(&[]);
        assert!(runs(&["a"]).can_continue(&new, 2));
        assert!(!runs(&["a", "b"]).can_continue(&new, 2), "it is finished");
        assert!(!runs(&[]).can_continue(&new, 2), "nothing was done");
        let closely = KeptRuns {
            closely: true,
            ..runs(&[])
        };
        assert!(!runs(&["a"]).can_continue(&closely, 2));
        let mut other = runs(&[]);
        let meta = &mut other.runs[0].meta;
        meta.versions.insert("teaching".to_owned(), "1".to_owned());
        assert!(!runs(&["a"]).can_continue(&other, 2));
    }
}
