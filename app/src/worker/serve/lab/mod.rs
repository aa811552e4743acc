//! The laboratory: the set of questions that is worked on, and the runs on it. Everything that is
//! counted is counted by [`footnote_core::lab`], which the command line uses too.

pub(super) mod formats;
mod review;
mod views;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use footnote_core::eval::Item;
use footnote_core::eval::set::{digest, parse_set, write_set};
use footnote_core::lab::questions::{MakeQuestions, Order};
use footnote_core::lab::runs::{Row, Run, RunMeta};
use footnote_core::pipeline::{Pipeline, preset};
use footnote_core::search::Question;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Blob;

use self::review::Reviewing;
use super::cancel::Cancel;
use super::encoders::Encoders;
use super::export;
use super::notices;
use super::repo::OpenRepo;
use super::runner::{Ran, Runner};
use super::services::Services;
use super::shelf::Shelf;
use super::slices;
use crate::platform::clock::now_ms;
use crate::platform::fetch;
use crate::worker::protocol::{
    Event, JobId, LabEvent, LabProgressView, LabRequest, LabSetView, Notice,
};

/// Questions of a set at most.
const MOST: u32 = 100_000;
/// Bytes of a file of questions at most.
const MAX_BYTES: f64 = 200e6;
/// Least time between two reports, in milliseconds.
const REPORT_MS: f64 = 150.0;

/// The set that is worked on, and what pipelines made of it.
#[derive(Default)]
struct Bench {
    items: Vec<Item>,
    told: LabSetView,
    reviewing: Reviewing,
    runs: Vec<Run>,
    /// What they were made on.
    measured: Vec<Item>,
    baseline: usize,
}

impl Bench {
    /// Works on another set, which has that hash, from now on.
    fn begin(&mut self, items: Vec<Item>, told: LabSetView, set: String) {
        let mut reviewing = std::mem::take(&mut self.reviewing);
        reviewing.turn_to(set);
        *self = Self {
            items,
            told,
            reviewing,
            ..Self::default()
        };
    }

    /// The questions as they were reviewed, without those that were dropped.
    fn kept(&self) -> Vec<Item> {
        self.reviewing.kept(&self.items)
    }

    fn view(&self) -> LabSetView {
        LabSetView {
            begun: self.reviewing.begun(),
            ..self.told.clone()
        }
    }

    /// What the set is about, for the name of a file.
    fn about(&self) -> &str {
        self.items.first().map_or("", |item| &item.archive)
    }
}

/// How pipelines are evaluated.
#[derive(Clone, Copy)]
struct How {
    /// The place of the pipeline that the others are held against.
    baseline: usize,
    /// Whether the transformer reads.
    closely: bool,
}

/// Makes sets of questions and evaluates pipelines on them.
pub struct Laboratory {
    services: Rc<Services>,
    shelf: Rc<Shelf>,
    encoders: Rc<Encoders>,
    runner: Rc<Runner>,
    bench: RefCell<Bench>,
    /// The job that evaluates.
    evaluating: Cell<Option<JobId>>,
}

impl Laboratory {
    pub fn new(
        services: &Rc<Services>,
        shelf: &Rc<Shelf>,
        encoders: &Rc<Encoders>,
        runner: &Rc<Runner>,
    ) -> Rc<Self> {
        let laboratory = Rc::new(Self {
            services: Rc::clone(services),
            shelf: Rc::clone(shelf),
            encoders: Rc::clone(encoders),
            runner: Rc::clone(runner),
            bench: RefCell::default(),
            evaluating: Cell::default(),
        });
        shelf.on_replaced(&laboratory, |laboratory| {
            laboratory.stop();
            laboratory.bench.take();
        });
        laboratory
    }

    pub async fn serve(&self, job: JobId, request: LabRequest, body: JsValue, cancel: &Cancel) {
        let served = match request {
            LabRequest::Offer => {
                self.services.end(job, LabEvent::Offered(views::offer()));
                Ok(())
            }
            LabRequest::Make { count, seed, kinds } => {
                self.make(job, count.min(MOST), seed, kinds, cancel).await
            }
            LabRequest::Read { file_name } => self.read(job, &file_name, body).await,
            LabRequest::Leave { ids } => {
                self.leave(job, &ids);
                Ok(())
            }
            LabRequest::Evaluate {
                pipelines,
                baseline,
                closely,
            } => {
                // What an earlier one still does is of no use.
                self.stop();
                self.evaluating.set(Some(job));
                let how = How {
                    baseline: baseline as usize,
                    closely,
                };
                self.evaluate(job, &pipelines, how, cancel).await
            }
            LabRequest::ExportSet { format } => self.export_set(job, &format),
            LabRequest::ExportRuns { format } => self.export_runs(job, &format),
            LabRequest::Review(request) => self.review(job, request, body, cancel).await,
        };
        if let Err(notice) = served {
            self.services.fail(job, notice);
        }
    }

    fn stop(&self) {
        if let Some(job) = self.evaluating.take()
            && self.services.jobs.stop(job)
        {
            self.services.cancelled(job);
        }
    }

    async fn make(
        &self,
        job: JobId,
        count: u32,
        seed: u32,
        kinds: Vec<String>,
        cancel: &Cancel,
    ) -> Result<(), Notice> {
        let Some(open) = self.shelf.when_open(job, cancel).await else {
            return Ok(());
        };
        // Near duplicates are found by the static encoder.
        self.encoders.table_settled(&open, cancel).await;
        let order = Order {
            count: count as usize,
            seed: seed.into(),
            kinds,
            ..Order::new(&open.index.repo.name)
        };
        let making = MakeQuestions::new(Arc::clone(&open.index), order);
        let Ok(made) = slices::run(making, cancel, |_, _| {}).await;
        if let Some(made) = made {
            let told = views::made(&made);
            let set = digest(&write_set(&made.items));
            self.take(job, made.items, told, set);
        }
        Ok(())
    }

    async fn read(&self, job: JobId, file_name: &str, body: JsValue) -> Result<(), Notice> {
        let text = text(body).await;
        let text = text.map_err(|why| notices::not_a_set(file_name, &why))?;
        let items = parse_set(&text);
        let items = items.map_err(|error| notices::not_a_set(file_name, &error.to_string()))?;
        let mut known = BTreeMap::new();
        let n_read = items.len();
        let items: Vec<Item> = items
            .into_iter()
            .filter(|item| known.insert(item.id.clone(), ()).is_none())
            .take(MOST as usize)
            .collect();
        let told = views::read(file_name, n_read, &items, self.shelf.current().as_deref());
        self.take(job, items, told, digest(&text));
        Ok(())
    }

    fn take(&self, job: JobId, items: Vec<Item>, told: LabSetView, set: String) {
        self.stop();
        let mut bench = self.bench.borrow_mut();
        bench.begin(items, told, set);
        self.services.end(job, LabEvent::Set(bench.view()));
    }

    fn leave(&self, job: JobId, ids: &[String]) {
        let mut bench = self.bench.borrow_mut();
        bench.items.retain(|item| !ids.contains(&item.id));
        bench.told.items.retain(|item| !ids.contains(&item.id));
        let set = digest(&write_set(&bench.items));
        bench.reviewing.without(ids, set);
        self.services.end(job, LabEvent::Set(bench.view()));
    }

    async fn evaluate(
        &self,
        job: JobId,
        names: &[String],
        how: How,
        cancel: &Cancel,
    ) -> Result<(), Notice> {
        let pipelines = names.iter().map(|name| {
            let preset = preset(name).ok_or_else(|| notices::no_such_pipeline(name))?;
            Ok((preset.make)())
        });
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

    fn export_set(&self, job: JobId, format: &str) -> Result<(), Notice> {
        let bench = self.bench.borrow();
        let stem = export::stem("questions", bench.about());
        let file = export::file(&formats::SET, format, &stem, |write| write(&bench.kept()));
        let file = file.map_err(|error| notices::not_exported(&error))?;
        self.services.end(job, Event::Exported(file));
        Ok(())
    }

    fn export_runs(&self, job: JobId, format: &str) -> Result<(), Notice> {
        let bench = self.bench.borrow();
        if bench.runs.is_empty() {
            return Err(notices::nothing_to_evaluate());
        }
        let stem = export::stem("evaluation", bench.about());
        let runs = formats::Runs {
            runs: &bench.runs,
            items: &bench.measured,
            baseline: bench.baseline,
        };
        let file = export::file(&formats::RUNS, format, &stem, |write| write(&runs));
        let file = file.map_err(|error| notices::not_exported(&error))?;
        self.services.end(job, Event::Exported(file));
        Ok(())
    }
}

/// The text of a file of the user, or why there is none.
async fn text(body: JsValue) -> Result<String, String> {
    let missing = |_| "no file came with it".to_owned();
    let blob: Blob = body.dyn_into().map_err(missing)?;
    if blob.size() > MAX_BYTES {
        return Err(format!("it has more than {:.0} MB", MAX_BYTES / 1e6));
    }
    let bytes = fetch::read(&blob).await?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Tells how far an evaluation is, a few times a second.
struct Telling<'l> {
    laboratory: &'l Laboratory,
    job: JobId,
    done: usize,
    total: usize,
    told: f64,
}

impl<'l> Telling<'l> {
    fn new(laboratory: &'l Laboratory, job: JobId, total: usize) -> Self {
        Self {
            laboratory,
            job,
            done: 0,
            total,
            told: 0.0,
        }
    }

    /// The next question begins.
    fn next(&mut self, pipeline: &str) {
        if now_ms() - self.told >= REPORT_MS {
            self.told = now_ms();
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
