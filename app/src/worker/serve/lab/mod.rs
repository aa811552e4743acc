//! The laboratory: the current question set, and the runs on it. All figures are computed by
//! [`footnote_core::lab`], which the command line uses too.

mod asking;
mod describing;
mod evaluate;
pub(super) mod formats;
mod html;
mod judge;
mod kept;
mod kept_runs;
mod make;
mod pairs;
mod review;
mod take_along;
mod task;
mod teaching;
mod views;
mod write;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use footnote_core::eval::Item;
use footnote_core::eval::set::{digest, write_set};
use footnote_core::lab::judge::Record;
use footnote_core::lab::runs::RunMeta;
use wasm_bindgen::JsValue;

use self::evaluate::How;
use self::kept_runs::{KeptRuns, Slot};
use self::pairs::Pairs;
use self::review::Reviewing;
use super::cancel::Cancel;
use super::connect::Connector;
use super::conversations::Conversations;
use super::encoders::Encoders;
use super::repo::OpenRepo;
use super::runner::Runner;
use super::services::Services;
use super::shelf::Shelf;
use crate::worker::protocol::{
    Event, JobId, LabComparisonView, LabEvent, LabRequest, LabSetView, LabUnfinishedView,
};

/// Most questions of a set.
const MOST: u32 = 100_000;
/// Shortest time between two reports of a job, in milliseconds.
const REPORT_MS: f64 = 150.0;

/// The current set, and the results of pipelines on it.
#[derive(Default)]
struct Bench {
    items: Vec<Item>,
    told: LabSetView,
    reviewing: Reviewing,
    /// Those of the last finished evaluation.
    runs: Option<KeptRuns>,
    /// The questions that they were made on.
    measured: Vec<Item>,
    /// Those of a stopped evaluation.
    stopped: Option<KeptRuns>,
    pairs: Option<Pairs>,
    /// A judge's verdicts on them.
    judged: Vec<Record>,
}

impl Bench {
    /// Switches to another set with the hash `set`.
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

    /// The questions, with their notes and their hash; if a set of answers stands in for them,
    /// still the questions.
    fn questions(&self) -> (&[Item], &LabSetView, &str) {
        match &self.reviewing.covered {
            Some(covered) => (&covered.items, &covered.told, &covered.set),
            None => (&self.items, &self.told, self.reviewing.set()),
        }
    }

    /// The questions as reviewed, without the dropped ones.
    fn kept(&self) -> Vec<Item> {
        self.reviewing.kept(&self.items)
    }

    /// The results of the runs; `None` if there are no runs.
    fn compared(&self) -> Option<LabComparisonView> {
        let runs = self.runs.as_ref()?;
        let view = views::compared(&runs.runs, &self.measured, runs.baseline, runs.seconds);
        Some(LabComparisonView {
            closely: runs.closely,
            ..view
        })
    }

    /// The progress of a stopped evaluation; `None` if there is none.
    fn unfinished(&self) -> Option<LabUnfinishedView> {
        self.stopped.as_ref()?.unfinished(self.kept().len())
    }

    fn view(&self) -> LabSetView {
        LabSetView {
            begun: self.reviewing.begun(),
            ..self.told.clone()
        }
    }

    /// The subject of the set, for file names.
    fn about(&self) -> &str {
        self.items.first().map_or("", |item| &item.archive)
    }
}

/// Makes question sets, evaluates pipelines on them, and has answers judged.
pub struct Laboratory {
    services: Rc<Services>,
    shelf: Rc<Shelf>,
    encoders: Rc<Encoders>,
    runner: Rc<Runner>,
    connector: Rc<Connector>,
    conversations: Rc<Conversations>,
    bench: RefCell<Bench>,
    /// The job that evaluates or asks the connected model.
    working: Cell<Option<JobId>>,
    /// The job that asks the connected model.
    asking: Cell<Option<JobId>>,
}

impl Laboratory {
    pub fn new(
        services: &Rc<Services>,
        shelf: &Rc<Shelf>,
        encoders: &Rc<Encoders>,
        runner: &Rc<Runner>,
        connector: &Rc<Connector>,
        conversations: &Rc<Conversations>,
    ) -> Rc<Self> {
        let laboratory = Rc::new(Self {
            services: Rc::clone(services),
            shelf: Rc::clone(shelf),
            encoders: Rc::clone(encoders),
            runner: Rc::clone(runner),
            connector: Rc::clone(connector),
            conversations: Rc::clone(conversations),
            bench: RefCell::default(),
            working: Cell::default(),
            asking: Cell::default(),
        });
        shelf.on_replaced(&laboratory, |laboratory| {
            laboratory.stop();
            laboratory.bench.take();
        });
        connector.on_change(&laboratory, Self::pause);
        laboratory
    }

    pub async fn serve(&self, job: JobId, request: LabRequest, body: JsValue, cancel: &Cancel) {
        let served = match request {
            LabRequest::Offer => {
                self.offer(job).await;
                Ok(())
            }
            LabRequest::Make { count, seed, kinds } => {
                self.make(job, count.min(MOST), seed, kinds, cancel).await
            }
            LabRequest::Estimate(task) => self.estimate(job, task, cancel).await,
            LabRequest::Run(task, grant) => self.run_task(job, task, grant, cancel).await,
            LabRequest::Pause => {
                self.pause();
                self.services.end(job, Event::Done);
                Ok(())
            }
            LabRequest::Read { file_name, adds } => self.read(job, &file_name, adds, body).await,
            LabRequest::Rated => self.rated(job, cancel).await,
            LabRequest::Leave { ids } => {
                self.leave(job, ids).await;
                Ok(())
            }
            LabRequest::Evaluate {
                pipelines,
                baseline,
                closely,
            } => {
                let how = How {
                    baseline: baseline as usize,
                    closely,
                };
                self.evaluate(job, &pipelines, how, cancel).await
            }
            LabRequest::Pair(wanted) => self.pair(job, wanted, cancel).await,
            LabRequest::Rate { id, choice } => self.rate(job, &id, choice).await,
            LabRequest::ExportSet { format } => self.export_set(job, &format),
            LabRequest::ExportTuning {
                format,
                valid,
                seed,
            } => self.export_tuning(job, &format, valid, seed),
            LabRequest::ExportRuns { format } => self.export_runs(job, &format),
            LabRequest::Review(request) => self.review(job, request, body, cancel).await,
            LabRequest::Describe(request) => self.descriptions(job, request, body, cancel).await,
            LabRequest::Teach(request) => self.teaching(job, request, body, cancel).await,
        };
        if let Err(notice) = served {
            self.services.fail(job, notice);
        }
    }

    /// Sends what there is to choose from, and the set that was used before the page was closed.
    async fn offer(&self, job: JobId) {
        let is_empty = self.bench.borrow().items.is_empty();
        if is_empty && let Some(open) = self.shelf.current() {
            self.restore(&open).await;
        }
        let view = self.bench.borrow().view();
        if !view.items.is_empty() {
            self.services.tell(job, LabEvent::Set(view));
        }
        let pairs = self.bench.borrow().pairs.clone();
        if let Some(pairs) = pairs {
            let view = pairs::pairs_view(&pairs);
            self.services.tell(job, LabEvent::Paired(view));
        }
        let compared = self.bench.borrow().compared();
        if let Some(view) = compared {
            self.services.tell(job, LabEvent::Compared(view));
        }
        let unfinished = self.bench.borrow().unfinished();
        if let Some(view) = unfinished {
            self.services.tell(job, LabEvent::Unfinished(view));
        }
        self.services.end(job, LabEvent::Offered(views::offer()));
    }

    /// Restores what was saved of the repository's laboratory.
    async fn restore(&self, open: &OpenRepo) {
        let storage = &self.services.storage;
        let Some((items, told, set)) = kept::kept_set(storage, open).await else {
            return;
        };
        let pairs = kept::kept_pairs(storage, open, &set).await;
        let reviews = kept::kept_reviews(storage, open, &set).await;
        {
            let mut bench = self.bench.borrow_mut();
            if bench.items.is_empty() {
                bench.begin(items, told, set);
                bench.pairs = pairs;
                if let Some(own) = reviews {
                    bench.reviewing.restore(own);
                }
            }
        }
        self.restore_runs(open).await;
        self.restore_blind(open).await;
    }

    /// Restores evaluations, if the set and the repository are still the same.
    async fn restore_runs(&self, open: &OpenRepo) {
        let items = self.bench.borrow().kept();
        let mut meta = RunMeta::default();
        meta.of_repository(&open.index.repo);
        let set = digest(&write_set(&items));
        let storage = &self.services.storage;
        let is_of_now = |runs: &KeptRuns| runs.are_of(&set, &meta.index);
        let finished = kept_runs::kept(storage, open, Slot::Finished, &items).await;
        let stopped = kept_runs::kept(storage, open, Slot::Stopped, &items).await;
        let mut bench = self.bench.borrow_mut();
        if bench.runs.is_none()
            && let Some(runs) = finished.filter(is_of_now)
        {
            (bench.runs, bench.measured) = (Some(runs), items);
        }
        if bench.stopped.is_none() {
            bench.stopped = stopped.filter(is_of_now);
        }
    }

    /// Makes `job` the working one, and stops an earlier one, whose result is no longer needed.
    fn begin(&self, job: JobId) {
        self.stop();
        self.working.set(Some(job));
    }

    fn stop(&self) {
        if let Some(job) = self.working.take()
            && self.services.jobs.stop(job)
        {
            self.services.cancelled(job);
        }
    }

    /// Makes the job that asks the connected model end with what it has.
    fn pause(&self) {
        if let Some(job) = self.asking.get() {
            self.services.jobs.interrupt(job);
        }
    }

    /// Whether the result of a job is still wanted.
    fn is_wanted(&self, open: &OpenRepo, job: JobId) -> bool {
        self.shelf.is_current(open) && self.services.jobs.is_under_way(job)
    }

    /// Makes a set the current one, together with its saved reviews and results, and saves it;
    /// `set` is its hash.
    async fn take(&self, job: JobId, items: Vec<Item>, told: LabSetView, set: String) {
        if self.working.get() != Some(job) {
            self.stop();
        }
        self.working.set(None);
        self.bench.borrow_mut().begin(items, told, set.clone());
        if let Some(open) = self.shelf.current() {
            let own = kept::kept_reviews(&self.services.storage, &open, &set).await;
            let mut bench = self.bench.borrow_mut();
            if let Some(own) = own.filter(|_| bench.reviewing.set() == set) {
                bench.reviewing.restore(own);
            }
        }
        self.keep().await;
        let view = self.bench.borrow().view();
        self.services.end(job, LabEvent::Set(view));
    }

    async fn leave(&self, job: JobId, ids: Vec<String>) {
        {
            let mut bench = self.bench.borrow_mut();
            bench.items.retain(|item| !ids.contains(&item.id));
            bench.told.items.retain(|item| !ids.contains(&item.id));
            let set = digest(&write_set(&bench.items));
            bench.reviewing.without(&ids, set);
        }
        self.keep().await;
        self.keep_reviews().await;
        let unsaved = self.bench.borrow().told.unsaved.clone();
        self.services.end(job, LabEvent::Left { ids, unsaved });
    }

    /// Saves the set, so that it is there when the page is opened again.
    async fn keep(&self) {
        let Some(open) = self.shelf.current() else {
            return;
        };
        let record = kept::Record::of(&self.bench.borrow());
        let unsaved = kept::keep_set(&self.services.storage, &open, &record).await;
        self.bench.borrow_mut().told.unsaved = unsaved;
    }

    /// Saves the reviews of the set by this page's annotator.
    async fn keep_reviews(&self) {
        let Some(open) = self.shelf.current() else {
            return;
        };
        let own = self.bench.borrow().reviewing.own();
        kept::keep_reviews(&self.services.storage, &open, &own).await;
    }
}
