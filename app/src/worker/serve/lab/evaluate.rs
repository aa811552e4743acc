//! Evaluates pipelines on the question set.

use std::rc::Rc;

use footnote_core::eval::Item;
use footnote_core::eval::set::write_set;
use footnote_core::lab::runs::{Row, Run, RunMeta};
use footnote_core::pipeline::{Pipeline, preset};
use footnote_core::search::Question;

use super::kept_runs::{self, KeptRuns, Slot};
use super::{Laboratory, REPORT_MS};
use crate::platform::clock::now_ms;
use crate::worker::protocol::{JobId, LabEvent, LabProgressView, Notice};
use crate::worker::serve::cancel::Cancel;
use crate::worker::serve::notices;
use crate::worker::serve::repo::OpenRepo;
use crate::worker::serve::runner::Ran;
use crate::worker::serve::slices::{self, Every};

/// Shortest time between two saves of a running evaluation, in milliseconds.
const SAVE_MS: f64 = 2_000.0;
/// Saving takes longer the more was done: for one part of saving there are this many of work.
const WORK_PER_SAVE: f64 = 20.0;

/// The options of an evaluation.
#[derive(Clone, Copy)]
pub struct How {
    /// Index of the pipeline that the others are compared with.
    pub baseline: usize,
    /// Whether the transformer is used.
    pub closely: bool,
}

/// Returns the pipeline of the preset with this name.
pub fn pipeline(name: &str) -> Result<Pipeline, Notice> {
    let preset = preset(name).ok_or_else(|| notices::no_such_pipeline(name))?;
    Ok((preset.make)())
}

impl Laboratory {
    pub(super) async fn evaluate(
        &self,
        job: JobId,
        names: &[String],
        how: How,
        cancel: &Cancel,
    ) -> Result<(), Notice> {
        self.begin(job);
        let pipelines = names.iter().map(|name| pipeline(name));
        let pipelines: Vec<Pipeline> = pipelines.collect::<Result<_, Notice>>()?;
        let items = self.bench.borrow().kept();
        if items.is_empty() || pipelines.is_empty() {
            return Err(notices::nothing_to_evaluate());
        }
        let Some(open) = self.shelf.when_open(job, cancel).await else {
            return Ok(());
        };
        let runs = self.begun(&open, &pipelines, &items, how);
        let (runs, is_over) = self
            .run_all(job, &open, &pipelines, &items, runs, cancel)
            .await;
        if !self.shelf.is_current(&open) {
            return Ok(());
        }
        let storage = &self.services.storage;
        if !is_over {
            kept_runs::keep(storage, &open, Slot::Stopped, &runs).await;
            self.bench.borrow_mut().stopped = Some(runs);
            return Ok(());
        }
        kept_runs::keep(storage, &open, Slot::Finished, &runs).await;
        kept_runs::forget_stopped(storage, &open).await;
        let mut bench = self.bench.borrow_mut();
        (bench.runs, bench.measured) = (Some(runs), items);
        if let Some(view) = bench.compared() {
            self.services.end(job, LabEvent::Compared(view));
        }
        Ok(())
    }

    /// Returns the runs to begin with: those of a stopped evaluation, if it was the same one.
    fn begun(&self, open: &OpenRepo, pipelines: &[Pipeline], items: &[Item], how: How) -> KeptRuns {
        let set = write_set(items);
        let mut new = KeptRuns {
            closely: how.closely,
            baseline: how.baseline,
            ..KeptRuns::default()
        };
        for pipeline in pipelines {
            let mut meta = RunMeta::of_pipeline(&set, pipeline, versions(open, how.closely));
            meta.of_repository(&open.index.repo);
            new.runs.push(Run {
                name: pipeline.name.clone(),
                meta,
                ..Run::default()
            });
        }
        match self.bench.borrow_mut().stopped.take() {
            Some(stopped) if stopped.can_continue(&new, items.len()) => KeptRuns {
                baseline: how.baseline,
                ..stopped
            },
            _ => new,
        }
    }

    /// Asks all pipelines. Returns their results, and false if it was stopped.
    async fn run_all(
        &self,
        job: JobId,
        open: &Rc<OpenRepo>,
        pipelines: &[Pipeline],
        items: &[Item],
        mut runs: KeptRuns,
        cancel: &Cancel,
    ) -> (KeptRuns, bool) {
        let started = now_ms();
        let before = runs.seconds;
        let mut tell = Telling::new(self, job, items.len() * pipelines.len());
        let mut next_save = started + SAVE_MS;
        let mut slice = slices::Slice::default();
        let mut is_over = true;
        'all: for (at, pipeline) in pipelines.iter().enumerate() {
            let closely = runs.closely;
            for item in items {
                tell.next(&pipeline.name);
                let Some(run) = runs.runs.get_mut(at) else {
                    break 'all;
                };
                if run.rows.contains_key(&item.id) || run.failed.contains_key(&item.id) {
                    continue;
                }
                is_over = self.ask(open, pipeline, (item, closely), run, cancel).await;
                slice.pause().await;
                if !is_over || cancel.asked() {
                    is_over = false;
                    break 'all;
                }
                let now = now_ms();
                if now >= next_save {
                    runs.seconds = before + (now - started) / 1_000.0;
                    kept_runs::keep(&self.services.storage, open, Slot::Stopped, &runs).await;
                    let saved = now_ms();
                    next_save = saved + f64::max(SAVE_MS, (saved - now) * WORK_PER_SAVE);
                }
            }
        }
        runs.seconds = before + (now_ms() - started) / 1_000.0;
        (runs, is_over)
    }

    /// Adds a pipeline's result for a question to its run; returns false if it was stopped.
    async fn ask(
        &self,
        open: &Rc<OpenRepo>,
        pipeline: &Pipeline,
        (item, closely): (&Item, bool),
        run: &mut Run,
        cancel: &Cancel,
    ) -> bool {
        let question = match Question::new(&item.query) {
            Ok(question) => question,
            Err(error) => {
                run.failed.insert(item.id.clone(), error.to_string());
                return true;
            }
        };
        let started = now_ms();
        let runner = &self.runner;
        let ran = match closely {
            true => runner.run(open, pipeline, &question, cancel).await,
            false => runner.run_by_table(open, pipeline, &question, cancel).await,
        };
        let Some(Ran { made, other }) = ran else {
            return false;
        };
        let row = Row::of_pipeline(item, other.index(open), pipeline, &made);
        run.rows.insert(item.id.clone(), row);
        *run.meta.durations.entry("all".to_owned()).or_default() += now_ms() - started;
        true
    }
}

/// The versions of everything besides the pipeline that affects a run. A run can continue only if
/// all of them are the same.
fn versions(open: &OpenRepo, closely: bool) -> Vec<(&'static str, String)> {
    let mut all = vec![("footnote", env!("CARGO_PKG_VERSION").to_owned())];
    let work = open.work.borrow();
    if let Some(model) = work.model.as_ref().filter(|_| closely) {
        all.push(("encoder", model.id.clone()));
    }
    if let Some(taught) = open.index.taught() {
        all.push(("teaching", taught.teaching().digest()));
    }
    all
}

/// Reports the progress of an evaluation, a few times a second.
pub struct Telling<'l> {
    laboratory: &'l Laboratory,
    job: JobId,
    done: usize,
    total: usize,
    reports: Every,
}

impl<'l> Telling<'l> {
    pub fn new(laboratory: &'l Laboratory, job: JobId, total: usize) -> Self {
        Self {
            laboratory,
            job,
            done: 0,
            total,
            reports: Every::new(REPORT_MS),
        }
    }

    /// Notes that the next question begins.
    pub fn next(&mut self, pipeline: &str) {
        if self.reports.is_due() {
            let view = LabProgressView {
                done: self.done as u32,
                total: self.total as u32,
                pipeline: pipeline.to_owned(),
            };
            let services = &self.laboratory.services;
            services.tell(self.job, LabEvent::Progress(view));
        }
        self.done += 1;
    }
}
