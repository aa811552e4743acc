//! Lets the user leave folders out of a repository: before it is indexed, on request or if it does
//! not fit; and while it is indexed, if that takes long on this machine.

use std::convert::Infallible;

use footnote_core::source::limits::MAX_TEXT_BYTES;
use footnote_core::source::{Repo, Scope, Skipped, SourceFile, Survey, reasons};

use super::source::Ended;
use super::{Opener, Opening};
use crate::platform::clock::now_ms;
use crate::platform::device;
use crate::worker::protocol::{FolderView, JobId, MemoryView, OpenEvent, ScopeView};
use crate::worker::serve::slices::run;

/// Milliseconds of reading from which the folders are offered.
const TOLD_FROM_MS: f64 = 10_000.0;
/// Smaller repositories are not even measured.
const MEASURED_FROM_BYTES: usize = 40_000_000;
/// Bytes of text to index when measuring the speed on this machine.
const SAMPLE_BYTES: usize = 600_000;
/// The first time measures code that the browser has not optimised yet.
const MEASURED_TIMES: u32 = 2;
/// Memory of the tab up to its first answer compared by meaning, in millions of bytes: a fixed
/// amount, an amount per million bytes of text, and an amount per file. Fitted to the ladder of
/// repositories in `core/benches/runs/2026-11-browser`, from 8 files to 200,000 and from 0.1 to 291
/// MB of text, with an error of at most a thirteenth.
const MEMORY_EMPTY: f64 = 470.0;
const MEMORY_PER_MB: f64 = 3.9;
const MEMORY_PER_FILE: f64 = 0.002_1;

impl Opening {
    /// Reports what was unpacked, if it is large for this machine, so that folders can be left out
    /// while it is read. Returns what was reported.
    pub(super) async fn tell_scope(&self, repo: &Repo) -> Result<Option<Survey>, Ended> {
        let bytes: usize = repo.files.iter().map(|file| file.text.len()).sum();
        if bytes < MEASURED_FROM_BYTES {
            return Ok(None);
        }
        let ms_per_mb = self.measure(repo).await?;
        if ms_per_mb * bytes as f64 / 1e6 < TOLD_FROM_MS {
            return Ok(None);
        }
        let survey = repo.survey();
        let view = view(&repo.name, &survey, &repo.skipped, Some(ms_per_mb));
        self.services().tell(self.job, OpenEvent::Scope(view));
        Ok(Some(survey))
    }

    /// Asks which of the unpacked folders to leave out.
    pub(super) async fn ask_scope(&self, repo: &Repo) -> Result<Scope, Ended> {
        let ms_per_mb = self.measure(repo).await?;
        let survey = repo.survey();
        let view = view(&repo.name, &survey, &repo.skipped, Some(ms_per_mb));
        self.ask(view, &survey).await
    }

    /// Asks which folders to leave out because not all of them fit.
    pub(super) async fn smaller_scope(&self, name: &str, survey: &Survey) -> Result<Scope, Ended> {
        self.ask(view(name, survey, &[], None), survey).await
    }

    /// Asks, and waits for the user's choice. The wait does not count as reading time.
    async fn ask(&self, mut view: ScopeView, survey: &Survey) -> Result<Scope, Ended> {
        view.is_waiting = true;
        self.services().tell(self.job, OpenEvent::Scope(view));
        let asked = now_ms();
        loop {
            if let Some(scope) = self.chosen_scope(survey) {
                self.started.set(self.started.get() + now_ms() - asked);
                return Ok(scope);
            }
            if self.cancel.asked() {
                return Err(Ended::Stopped);
            }
            self.services().changed.changed().await;
        }
    }

    /// Returns the milliseconds that indexing a million bytes takes here, by indexing some of the
    /// files and discarding the result.
    async fn measure(&self, repo: &Repo) -> Result<f64, Ended> {
        let files = sample(&repo.files);
        let bytes: usize = files.iter().map(|file| file.text.len()).sum();
        let mut least = f64::INFINITY;
        for _ in 0..MEASURED_TIMES {
            let part = Repo {
                files: files.clone(),
                ..Repo::default()
            };
            let start = now_ms();
            let reading = self.reading(part, None, None);
            let built: Result<_, Infallible> = run(reading, &self.cancel, |_, _| {}).await;
            if let Ok(None) = built {
                return Err(Ended::Stopped);
            }
            least = least.min(now_ms() - start);
        }
        Ok(least * 1e6 / bytes.max(1) as f64)
    }

    /// Returns what the user has chosen since the last call; the job then continues.
    pub(super) fn chosen_scope(&self, survey: &Survey) -> Option<Scope> {
        let left_out = self.opener.take_chosen(self.job)?;
        self.cancel.take_back();
        Some(Scope::new(survey.clone(), left_out))
    }
}

impl Opener {
    /// Takes the choice made for a job.
    fn take_chosen(&self, job: JobId) -> Option<Vec<usize>> {
        let (of, left_out) = self.chosen.take()?;
        if of != job {
            self.chosen.set(Some((of, left_out)));
            return None;
        }
        Some(left_out)
    }

    /// Forgets the choice for a stopped job, so that it is not restarted with that choice.
    pub fn forget_choice(&self, job: JobId) {
        self.take_chosen(job);
    }

    /// Stores the user's choice, and stops what was begun with another choice.
    pub(super) fn choose_scope(&self, of: JobId, left_out: &[u32]) {
        if self.services.jobs.interrupt(of) {
            let left_out = left_out.iter().map(|&row| row as usize).collect();
            self.chosen.set(Some((of, left_out)));
        }
        self.services.changed.notify();
    }
}

/// Picks files from all over the repository, up to the size of a sample.
fn sample(files: &[SourceFile]) -> Vec<SourceFile> {
    let bytes: usize = files.iter().map(|file| file.text.len()).sum();
    let every = (bytes / SAMPLE_BYTES).max(1);
    let mut left = SAMPLE_BYTES;
    let fits = |file: &&SourceFile| {
        let rest = left.checked_sub(file.text.len());
        left = rest.unwrap_or(left);
        rest.is_some()
    };
    files.iter().step_by(every).filter(fits).cloned().collect()
}

fn view(name: &str, survey: &Survey, skipped: &[Skipped], ms_per_mb: Option<f64>) -> ScopeView {
    let rows = survey.rows().iter();
    ScopeView {
        name: name.to_owned(),
        folders: rows
            .map(|row| FolderView {
                folder: row.folder.clone(),
                files: row.files,
                bytes: row.bytes,
                is_rest: row.is_rest,
            })
            .collect(),
        skipped: reasons(skipped),
        most_bytes: MAX_TEXT_BYTES,
        ms_per_mb,
        memory: MemoryView {
            empty: MEMORY_EMPTY,
            per_mb: MEMORY_PER_MB,
            per_file: MEMORY_PER_FILE,
            device: device::memory_mb(),
        },
        is_waiting: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_comes_from_everywhere_and_stays_small() {
        let file = |at: usize| SourceFile {
            path: format!("{at:03}.py"),
            text: "x".repeat(100_000),
        };
        let files: Vec<_> = (0..200).map(file).collect();
        let sample = sample(&files);
        let paths: Vec<_> = sample.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(
            paths,
            ["000.py", "033.py", "066.py", "099.py", "132.py", "165.py"]
        );
    }
}
