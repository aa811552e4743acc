//! Pipelines evaluated on the set.

use std::rc::Rc;

use footnote_core::eval::Item;
use footnote_core::eval::set::write_set;
use footnote_core::lab::runs::{Row, Run, RunMeta};
use footnote_core::pipeline::{Pipeline, preset};
use footnote_core::search::Question;

use super::{Laboratory, REPORT_MS, views};
use crate::platform::clock::now_ms;
use crate::worker::protocol::{JobId, LabEvent, LabProgressView, Notice};
use crate::worker::serve::cancel::Cancel;
use crate::worker::serve::notices;
use crate::worker::serve::repo::OpenRepo;
use crate::worker::serve::runner::Ran;
use crate::worker::serve::slices::{self, Every};

/// How pipelines are evaluated.
#[derive(Clone, Copy)]
pub struct How {
    /// The place of the pipeline that the others are held against.
    pub baseline: usize,
    /// Whether the transformer reads.
    pub closely: bool,
}

/// The pipeline of a preset's name.
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
        let started = now_ms();
        let mut tell = Telling::new(self, job, items.len() * pipelines.len());
        let mut runs = Vec::new();
        for pipeline in &pipelines {
            let Some(run) = self
                .run(&open, pipeline, &items, how.closely, (cancel, &mut tell))
                .await
            else {
                return Ok(());
            };
            runs.push(run);
        }
        let seconds = (now_ms() - started) / 1_000.0;
        let mut view = views::compared(&runs, &items, how.baseline, seconds);
        view.closely = how.closely;
        let mut bench = self.bench.borrow_mut();
        (bench.runs, bench.measured, bench.baseline) = (runs, items, how.baseline);
        self.services.end(job, LabEvent::Compared(view));
        Ok(())
    }

    /// What one pipeline makes of all questions; `None` if that was stopped.
    async fn run(
        &self,
        open: &Rc<OpenRepo>,
        pipeline: &Pipeline,
        items: &[Item],
        closely: bool,
        (cancel, tell): (&Cancel, &mut Telling<'_>),
    ) -> Option<Run> {
        let versions = [("footnote", env!("CARGO_PKG_VERSION").to_owned())];
        let mut run = Run {
            name: pipeline.name.clone(),
            meta: RunMeta::of_pipeline(&write_set(items), pipeline, versions),
            ..Run::default()
        };
        run.meta.of_repository(&open.index.repo);
        let started = now_ms();
        let mut slice = slices::Slice::default();
        for item in items {
            tell.next(&pipeline.name);
            match Question::new(&item.query) {
                Ok(question) => {
                    let ran = match closely {
                        true => self.runner.run(open, pipeline, &question, cancel).await,
                        false => {
                            let runner = &self.runner;
                            runner.run_by_table(open, pipeline, &question, cancel).await
                        }
                    };
                    let Ran { made, other } = ran?;
                    let row = Row::of_pipeline(item, other.index(open), pipeline, &made);
                    run.rows.insert(item.id.clone(), row);
                }
                Err(error) => {
                    run.failed.insert(item.id.clone(), error.to_string());
                }
            }
            slice.pause().await;
            if cancel.asked() {
                return None;
            }
        }
        let all = now_ms() - started;
        run.meta.durations.insert("all".to_owned(), all);
        Some(run)
    }
}

/// Tells how far an evaluation is, a few times a second.
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

    /// The next question begins.
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
