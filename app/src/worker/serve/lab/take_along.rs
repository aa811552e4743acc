//! Files to save: the set, also in formats of tools, and the results of pipelines on it.

use footnote_core::eval::Item;
use footnote_core::lab::export::{
    self as tuning, Options, Preference, Repository, Set, Split, missing, of_pairs, zipped,
};
use footnote_core::lab::questions;

use super::{Bench, Laboratory, formats};
use crate::worker::protocol::{Event, ExportView, JobId, Notice};
use crate::worker::serve::{export, notices};

impl Laboratory {
    pub(super) fn export_set(&self, job: JobId, format: &str) -> Result<(), Notice> {
        let bench = self.bench.borrow();
        let stem = export::stem("questions", bench.about());
        let file = export::file(&formats::SET, format, &stem, |write| write(&bench.kept()));
        let file = file.map_err(|error| notices::not_exported(&error))?;
        self.services.end(job, Event::Exported(file));
        Ok(())
    }

    pub(super) fn export_runs(&self, job: JobId, format: &str) -> Result<(), Notice> {
        let bench = self.bench.borrow();
        let kept = bench.runs.as_ref();
        let kept = kept.ok_or_else(notices::nothing_to_evaluate)?;
        let stem = export::stem("evaluation", bench.about());
        let runs = formats::Runs {
            runs: &kept.runs,
            items: &bench.measured,
            baseline: kept.baseline,
        };
        let file = export::file(&formats::RUNS, format, &stem, |write| write(&runs));
        let file = file.map_err(|error| notices::not_exported(&error))?;
        self.services.end(job, Event::Exported(file));
        Ok(())
    }

    /// Exports the set as the files that a tool for tuning models reads, in one archive.
    pub(super) fn export_tuning(
        &self,
        job: JobId,
        format: &str,
        valid: u32,
        seed: u32,
    ) -> Result<(), Notice> {
        let (items, preferences) = self.bench.borrow().to_tune_with();
        let known = tuning::format(format).ok_or_else(|| {
            notices::not_exported(&export::ExportError::NoSuchFormat(format.to_owned()))
        })?;
        let (repository, notes) = match self.shelf.current() {
            Some(open) => {
                let (repository, mut notes) = Repository::of(&open.index.repo);
                notes.extend(missing(&items, &open.index.repo));
                (repository, notes)
            }
            None => Default::default(),
        };
        // The card is where the recipient of the files looks for their peculiarities.
        let mut about = vec![tuning::how_made(&items, seed.into(), share(valid))];
        about.extend(notes);
        let split = split(&items, valid, seed);
        let set = Set {
            items: &items,
            split: &split,
            repository: &repository,
            preferences: &preferences,
            facts: &Default::default(),
        };
        let options = Options {
            how_made: Some(about.join(" ")),
            ..Options::default()
        };
        let made = tuning::export(known, &set, &options);
        let made = made.map_err(|error| notices::no_tuning_set(&error))?;
        let stem = export::stem("tuning", &repository.name);
        let bytes = zipped(&stem, &made.files);
        let bytes = bytes.map_err(|error| notices::internal(&error.to_string()))?;
        let file = ExportView {
            file_name: format!("{stem}-{format}.zip"),
            media_type: "application/zip".to_owned(),
            bytes,
        };
        self.services.end(job, Event::Exported(file));
        Ok(())
    }
}

impl Bench {
    /// The questions, and the pairs of answers in which one is preferred.
    fn to_tune_with(&self) -> (Vec<Item>, Vec<Preference>) {
        let pairs = self.pairs.as_ref();
        let preferences = pairs.map(|it| of_pairs(&it.pairs, &it.ratings, &self.judged));
        (self.kept(), preferences.unwrap_or_default())
    }
}

/// Limited so that something is left to learn from.
fn share(percent: u32) -> f64 {
    f64::from(percent.min(90)) / 100.0
}

/// Splits the questions into parts that share no gold file, with `valid` percent held out for
/// measuring.
fn split(items: &[Item], valid: u32, seed: u32) -> Split {
    let questions::Split { train, valid } = questions::split(items, share(valid), seed.into());
    Split {
        train: train.into_iter().collect(),
        valid: valid.into_iter().collect(),
    }
}
