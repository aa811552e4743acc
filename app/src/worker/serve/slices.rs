//! Runs long work in slices, so that messages are handled in between.

use std::cell::Cell;

use footnote_core::job::{Job, Progress, Step};

use super::cancel::Cancel;
use crate::platform::clock::{next_turn, now_ms, sleep};

/// Shortest duration of a slice; its last step may exceed it.
const SLICE_MS: f64 = 20.0;
/// Shortest time between two reports.
const REPORT_MS: f64 = 100.0;
/// How long a job sleeps while it waits for others.
const WAIT_MS: u32 = 2;

/// Runs `job` step by step to its end; returns `None` if it was stopped. Calls `report` at most ten
/// times a second.
pub async fn run<J: Job>(
    job: J,
    cancel: &Cancel,
    report: impl FnMut(&J, Progress),
) -> Result<Option<J::Output>, J::Error> {
    run_beside(job, cancel, report, |_| false).await
}

/// Like [`run`], for a job with helpers: it sleeps while it `is_waiting` for them.
pub async fn run_beside<J: Job>(
    mut job: J,
    cancel: &Cancel,
    mut report: impl FnMut(&J, Progress),
    is_waiting: impl Fn(&J) -> bool,
) -> Result<Option<J::Output>, J::Error> {
    let reports = Every::new(REPORT_MS);
    reports.is_due();
    loop {
        let slice_end = now_ms() + SLICE_MS;
        let progress = loop {
            match job.step()? {
                Step::Done(output) => return Ok((!cancel.asked()).then_some(output)),
                Step::Working(progress) if now_ms() >= slice_end || is_waiting(&job) => {
                    break progress;
                }
                Step::Working(_) => {}
            }
        };
        if reports.is_due() {
            report(&job, progress);
        }
        match is_waiting(&job) {
            true => sleep(WAIT_MS).await,
            false => next_turn().await,
        }
        if cancel.asked() {
            return Ok(None);
        }
    }
}

/// Limits how often something is reported.
#[derive(Debug)]
pub struct Every {
    milliseconds: f64,
    last: Cell<f64>,
}

impl Every {
    pub fn new(milliseconds: f64) -> Self {
        Self {
            milliseconds,
            last: Cell::new(f64::NEG_INFINITY),
        }
    }

    /// Whether enough time has passed since the last time this returned true.
    pub fn is_due(&self) -> bool {
        let is_due = now_ms() - self.last.get() >= self.milliseconds;
        if is_due {
            self.last.set(now_ms());
        }
        is_due
    }
}

/// A time slice for loops without a [`Job`].
#[derive(Debug)]
pub struct Slice {
    end: f64,
}

impl Default for Slice {
    fn default() -> Self {
        Self {
            end: now_ms() + SLICE_MS,
        }
    }
}

impl Slice {
    /// Lets other tasks run if the slice is used up.
    pub async fn pause(&mut self) {
        if now_ms() >= self.end {
            next_turn().await;
            *self = Self::default();
        }
    }
}
