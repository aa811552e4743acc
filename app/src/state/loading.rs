//! Reading a repository, stage by stage, with rate and time left.

use super::Choice;
use crate::worker::protocol::{ProgressView, ReadingView, Stage};

/// The stages in the order they run.
const STAGES: [Stage; 4] = [Stage::Unpack, Stage::Parse, Stage::Words, Stage::Save];

/// The number of stages.
pub const STAGE_COUNT: usize = STAGES.len();

/// No rate is shown before this many milliseconds: early rates jump about.
const RATE_AFTER_MS: f64 = 400.0;

#[derive(Clone, Debug, PartialEq)]
pub struct Loading {
    /// The name that the user knows it by.
    pub name: String,
    pub stages: Vec<StageRow>,
    /// Which folders are read, if the user may choose.
    pub choice: Option<Choice>,
    /// The files that the engine is reading right now.
    pub reading: Option<ReadingView>,
    /// The files that stopped an engine, in that order.
    pub unread: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageState {
    Waiting,
    Running,
    Done,
}

#[derive(Clone, Debug, PartialEq)]
pub struct StageRow {
    pub stage: Stage,
    pub state: StageState,
    pub done: u64,
    /// 0 while unknown.
    pub total: u64,
    pub unit: String,
    pub note: String,
    /// In milliseconds, on the page's clock.
    started: f64,
    updated: f64,
}

impl Loading {
    /// A reading that has not started; `now` is in milliseconds.
    pub fn new(name: &str, now: f64) -> Self {
        let row = |stage| StageRow {
            stage,
            state: StageState::Waiting,
            done: 0,
            total: 0,
            unit: String::new(),
            note: String::new(),
            started: now,
            updated: now,
        };
        Self {
            name: name.to_owned(),
            stages: STAGES.map(row).into(),
            choice: None,
            reading: None,
            unread: Vec::new(),
        }
    }

    /// The same reading, from its start.
    pub fn anew(&self, now: f64) -> Self {
        Self {
            unread: self.unread.clone(),
            ..Self::new(&self.name, now)
        }
    }

    /// Handles a progress report: earlier stages are done, this one is running.
    pub fn advance(&mut self, progress: &ProgressView, now: f64) {
        let at = STAGES
            .iter()
            .position(|stage| *stage == progress.stage)
            .unwrap_or(0);
        self.stages.iter_mut().take(at).for_each(StageRow::end);
        let Some(row) = self.stages.get_mut(at) else {
            return;
        };
        if row.state == StageState::Waiting {
            row.started = now;
        }
        let complete = progress.total > 0 && progress.done >= progress.total;
        row.state = if complete {
            StageState::Done
        } else {
            StageState::Running
        };
        row.done = progress.done;
        row.total = progress.total;
        row.unit.clone_from(&progress.unit);
        row.note.clone_from(&progress.note);
        row.updated = now;
    }

    /// The stages as they ended; `None` if none ran because a saved repository was opened.
    pub fn finish(&mut self) -> Option<Loading> {
        if self
            .stages
            .iter()
            .all(|row| row.state == StageState::Waiting)
        {
            return None;
        }
        let mut ended = self.clone();
        ended
            .stages
            .retain(|row| row.state != StageState::Waiting && row.stage != Stage::Save);
        ended.stages.iter_mut().for_each(StageRow::end);
        Some(ended)
    }

    /// The stage that is running, else the last one that ended.
    pub fn current(&self) -> Option<&StageRow> {
        let running = |row: &&StageRow| row.state == StageState::Running;
        self.stages.iter().find(running).or_else(|| {
            self.stages
                .iter()
                .rev()
                .find(|row| row.state == StageState::Done)
        })
    }
}

impl StageRow {
    /// Ends the stage. Its last report came shortly before the end, so its note is out of date.
    fn end(&mut self) {
        if self.state == StageState::Running {
            self.done = self.total.max(self.done);
            self.note.clear();
        }
        self.state = StageState::Done;
    }

    /// The fraction done, 0 to 1; `None` while the total is unknown.
    pub fn fraction(&self) -> Option<f64> {
        match self.state {
            StageState::Done => Some(1.0),
            StageState::Waiting => Some(0.0),
            StageState::Running if self.total == 0 => None,
            StageState::Running => Some((self.done as f64 / self.total as f64).min(1.0)),
        }
    }

    /// Units per second since the stage started; `None` until it can be measured.
    pub fn rate(&self) -> Option<f64> {
        let elapsed = self.updated - self.started;
        let known = elapsed >= RATE_AFTER_MS && self.done > 0;
        known.then(|| self.done as f64 * 1000.0 / elapsed)
    }

    /// Seconds until the stage ends, at the rate so far.
    pub fn seconds_left(&self) -> Option<f64> {
        let left = self.total.checked_sub(self.done).filter(|left| *left > 0)?;
        Some(left as f64 / self.rate()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(stage: Stage, done: u64, total: u64) -> ProgressView {
        ProgressView {
            stage,
            done,
            total,
            unit: "files".into(),
            note: String::new(),
        }
    }

    #[test]
    fn a_report_of_a_stage_ends_the_stages_before_it() {
        let mut loading = Loading::new("a", 0.0);
        loading.advance(
            &ProgressView {
                note: "2 files".into(),
                ..report(Stage::Unpack, 3, 0)
            },
            1.0,
        );
        loading.advance(&report(Stage::Words, 1, 10), 2.0);
        let states: Vec<_> = loading.stages.iter().map(|row| row.state).collect();
        use StageState::{Done, Running, Waiting};
        assert_eq!(states, [Done, Done, Running, Waiting]);
        assert_eq!(loading.stages[0].note, "", "it was counted before the end");
        assert_eq!(loading.current().map(|row| row.stage), Some(Stage::Words));
    }

    #[test]
    fn rate_and_time_left_come_from_the_time_since_the_stage_started() {
        let mut loading = Loading::new("a", 0.0);
        loading.advance(&report(Stage::Parse, 0, 1000), 5_000.0);
        loading.advance(&report(Stage::Parse, 250, 1000), 5_100.0);
        assert_eq!(loading.stages[1].rate(), None, "too early to tell");
        loading.advance(&report(Stage::Parse, 500, 1000), 6_000.0);
        assert_eq!(loading.stages[1].rate(), Some(500.0));
        assert_eq!(loading.stages[1].seconds_left(), Some(1.0));
        assert_eq!(loading.stages[1].fraction(), Some(0.5));
    }

    #[test]
    fn an_unknown_total_has_no_fraction_and_no_end() {
        let mut loading = Loading::new("a", 0.0);
        loading.advance(&report(Stage::Unpack, 7, 0), 1_000.0);
        assert_eq!(loading.stages[0].fraction(), None);
        assert_eq!(loading.stages[0].seconds_left(), None);
    }

    #[test]
    fn opening_a_saved_repository_leaves_no_stages() {
        assert_eq!(Loading::new("a", 0.0).finish(), None);
    }
}
