//! Teaching the open repository: the questions to learn from, the training in slices, and what is
//! saved.

use std::rc::Rc;
use std::sync::Arc;

use footnote_core::eval::Item;
use footnote_core::eval::set::parse_set;
use footnote_core::index::taught::{Marks, Report, Taught, Teaching};
use footnote_core::lab::questions::{MakeQuestions, Order};
use footnote_core::teach::{Examples, Point, Shape, Teach, renewed};
use wasm_bindgen::JsValue;

use super::make::bytes;
use super::{Laboratory, MOST};
use crate::platform::clock::now_ms;
use crate::words::{count, thousands};
use crate::worker::protocol::{
    Event, ExportView, JobId, LabCurriculumView, LabEvent, LabLearningView, LabMarksView,
    LabPointView, LabTaughtView, LabTeachEvent, LabTeachRequest, Notice,
};
use crate::worker::serve::cancel::Cancel;
use crate::worker::serve::repo::OpenRepo;
use crate::worker::serve::{export, notices, slices, taught as kept};

/// The notes on a teaching, besides its own data.
#[derive(Clone, Debug, Default)]
struct Course {
    seconds: Option<f64>,
    curve: Vec<Point>,
    note: Option<String>,
    unsaved: Option<String>,
}

/// What is learnt from.
struct Material {
    examples: Examples,
    note: Option<String>,
    seed: u64,
    /// When it began, in milliseconds.
    started: f64,
}

impl Laboratory {
    pub(super) async fn teaching(
        &self,
        job: JobId,
        request: LabTeachRequest,
        body: JsValue,
        cancel: &Cancel,
    ) -> Result<(), Notice> {
        let Some(open) = self.shelf.when_open(job, cancel).await else {
            return Ok(());
        };
        // Teaching needs the static encoder's vectors.
        self.encoders.table_settled(&open, cancel).await;
        match request {
            LabTeachRequest::Show => self.tell_taught(job, &open, Course::default()),
            LabTeachRequest::Begin(wanted) => self.teach(job, &open, wanted, cancel).await?,
            LabTeachRequest::Renew => self.renew(job, &open, cancel).await?,
            LabTeachRequest::Threshold(percent) => {
                self.set_threshold(job, &open, percent).await?;
            }
            LabTeachRequest::Forget => {
                let forgotten = kept::forget(&self.services.storage, &open).await;
                forgotten.map_err(|error| notices::storage(&error))?;
                open.index.set_taught(None);
                self.tell_taught(job, &open, Course::default());
            }
            LabTeachRequest::Export => self.export_taught(job, &open)?,
            LabTeachRequest::Read { file_name } => {
                self.read_taught(job, &open, &file_name, body).await?;
            }
        }
        Ok(())
    }

    async fn teach(
        &self,
        job: JobId,
        open: &Rc<OpenRepo>,
        wanted: LabCurriculumView,
        cancel: &Cancel,
    ) -> Result<(), Notice> {
        let started = self.begin_learning(job);
        let Some(items) = self.curriculum(open, wanted, cancel).await? else {
            return Ok(());
        };
        let examples = Examples::of(&open.index, &items);
        let note = without_files(&examples);
        let material = Material {
            examples,
            note,
            seed: wanted.seed.into(),
            started,
        };
        self.learn(job, open, material, cancel).await
    }

    /// Teaches a version of the repository that changed since it was taught.
    async fn renew(&self, job: JobId, open: &Rc<OpenRepo>, cancel: &Cancel) -> Result<(), Notice> {
        let Some(taught) = open.index.taught() else {
            self.tell_taught(job, open, Course::default());
            return Ok(());
        };
        let started = self.begin_learning(job);
        let seed = taught.teaching().report.seed;
        let most = LabCurriculumView::default().made;
        let Some(made) = self.made(open, most, seed, cancel).await else {
            return Ok(());
        };
        let renewed = renewed(&taught, &open.index);
        let dropped = renewed.dropped;
        let before = Examples::of(&open.index, &renewed.kept).all.len();
        let items = renewed.with(&taught, &open.index, made);
        let examples = Examples::of(&open.index, &items);
        let note = format!(
            "Earlier questions that still hold: {}; no longer: {}. With new ones about changed and \
             new files, there are {}.",
            thousands(before as u64),
            thousands(dropped as u64),
            count(examples.all.len() as u64, "question")
        );
        let material = Material {
            examples,
            note: Some(note),
            seed,
            started,
        };
        self.learn(job, open, material, cancel).await
    }

    /// Tells the page that learning begins; returns when, in milliseconds.
    fn begin_learning(&self, job: JobId) -> f64 {
        self.begin(job);
        let learning = LabLearningView::default();
        self.services
            .tell(job, told(LabTeachEvent::Learning(learning)));
        now_ms()
    }

    /// Trains in slices, and keeps the result.
    async fn learn(
        &self,
        job: JobId,
        open: &Rc<OpenRepo>,
        material: Material,
        cancel: &Cancel,
    ) -> Result<(), Notice> {
        let questions = material.examples.all.len() as u32;
        let index = Arc::clone(&open.index);
        let teach = Teach::new(
            index,
            material.examples.all,
            Shape::default(),
            material.seed,
        );
        let teach = teach.map_err(|error| notices::not_taught(&error))?;
        let made = slices::run(teach, cancel, |teach, progress| {
            let learning = LabLearningView {
                questions,
                done: progress.done as u32,
                total: progress.total as u32,
                curve: teach.curve().iter().map(point).collect(),
            };
            self.services
                .tell(job, told(LabTeachEvent::Learning(learning)));
        });
        let made = made.await.map_err(|error| notices::not_taught(&error))?;
        let Some(made) = made.filter(|_| self.is_wanted(open, job)) else {
            return Ok(());
        };
        self.working.set(None);
        let course = Course {
            seconds: Some((now_ms() - material.started) / 1_000.0),
            curve: made.curve,
            note: material.note,
            unsaved: None,
        };
        self.take_taught(job, open, made.teaching, course).await
    }

    /// Returns the chosen questions; `None` if the job was stopped.
    async fn curriculum(
        &self,
        open: &OpenRepo,
        wanted: LabCurriculumView,
        cancel: &Cancel,
    ) -> Result<Option<Vec<Item>>, Notice> {
        let mut items = Vec::new();
        // Questions that people looked at come first, because the first wording of a question is
        // kept.
        if wanted.rated {
            let rated = self.conversations.good_answers(open).await?;
            items.extend(parse_set(&rated).unwrap_or_default());
        }
        if wanted.set {
            items.extend(self.bench.borrow().kept());
        }
        if wanted.made > 0 {
            let made = self.made(open, wanted.made, wanted.seed.into(), cancel);
            let Some(made) = made.await else {
                return Ok(None);
            };
            items.extend(made);
        }
        Ok(Some(items))
    }

    /// Returns questions that code makes; `None` if the job was stopped.
    async fn made(
        &self,
        open: &OpenRepo,
        count: u32,
        seed: u64,
        cancel: &Cancel,
    ) -> Option<Vec<Item>> {
        let order = Order {
            count: count.min(MOST) as usize,
            seed,
            ..Order::new(&open.index.repo.name)
        };
        let making = MakeQuestions::new(Arc::clone(&open.index), order);
        let Ok(made) = slices::run(making, cancel, |_, _| {}).await;
        Some(made?.items)
    }

    /// Gives the repository a teaching, saves it, and tells the page.
    async fn take_taught(
        &self,
        job: JobId,
        open: &OpenRepo,
        teaching: Teaching,
        course: Course,
    ) -> Result<(), Notice> {
        let taught = Taught::new(teaching, &open.index).ok_or_else(notices::other_encoder)?;
        if taught.is_of_another_repository() {
            return Err(notices::other_repository());
        }
        let taught = Arc::new(taught);
        open.index.set_taught(Some(Arc::clone(&taught)));
        let kept = kept::keep(&self.services.storage, open, taught.teaching()).await;
        let unsaved = kept.err();
        self.tell_taught(job, open, Course { unsaved, ..course });
        Ok(())
    }

    async fn set_threshold(&self, job: JobId, open: &OpenRepo, percent: u32) -> Result<(), Notice> {
        let Some(taught) = open.index.taught() else {
            self.tell_taught(job, open, Course::default());
            return Ok(());
        };
        let mut teaching = taught.teaching().clone();
        teaching.gate.threshold = percent.clamp(1, 99) as f32 / 100.0;
        self.take_taught(job, open, teaching, Course::default())
            .await
    }

    async fn read_taught(
        &self,
        job: JobId,
        open: &OpenRepo,
        file_name: &str,
        body: JsValue,
    ) -> Result<(), Notice> {
        let bytes = bytes(body).await;
        let bytes = bytes.map_err(|why| notices::not_a_teaching(file_name, &why))?;
        let teaching = Teaching::from_bytes(&bytes);
        let teaching =
            teaching.map_err(|error| notices::not_a_teaching(file_name, &error.to_string()))?;
        self.take_taught(job, open, teaching, Course::default())
            .await
    }

    fn export_taught(&self, job: JobId, open: &OpenRepo) -> Result<(), Notice> {
        let taught = open.index.taught().ok_or_else(notices::nothing_taught)?;
        let stem = export::stem("taught", &open.index.repo.name);
        let file = ExportView {
            file_name: format!("{stem}.footnote-taught"),
            media_type: "application/octet-stream".to_owned(),
            bytes: taught.teaching().to_bytes(),
        };
        self.services.end(job, Event::Exported(file));
        Ok(())
    }

    fn tell_taught(&self, job: JobId, open: &OpenRepo, course: Course) {
        let taught = open.index.taught();
        let view = taught.map(|taught| view(&taught, course));
        self.services.end(job, told(LabTeachEvent::Taught(view)));
    }
}

fn told(event: LabTeachEvent) -> LabEvent {
    LabEvent::Teaching(event)
}

fn view(taught: &Taught, course: Course) -> LabTaughtView {
    let (teaching, stale) = (taught.teaching(), taught.stale());
    let report: &Report = &teaching.report;
    LabTaughtView {
        questions: report.questions,
        measured: report.measured,
        files: teaching.files.len() as u32,
        bytes: teaching.to_bytes().len() as u32,
        seconds: course.seconds,
        untaught: marks(&report.untaught),
        calibrated: marks(&report.calibrated),
        taught: marks(&report.taught),
        shuffled: marks(&report.shuffled),
        is_worth_it: report.is_worth_it(),
        threshold: (teaching.gate.threshold * 100.0).round() as u32,
        changed: stale.changed.clone(),
        gone: stale.gone.clone(),
        curve: course.curve.iter().map(point).collect(),
        note: course.note,
        unsaved: course.unsaved,
    }
}

fn marks(marks: &Marks) -> LabMarksView {
    LabMarksView {
        exact: marks.exact,
        recall: marks.recall,
        first: marks.first,
    }
}

fn point(point: &Point) -> LabPointView {
    LabPointView {
        epoch: point.epoch,
        learnt: point.learnt,
        left_out: point.left_out,
    }
}

/// Says in a sentence which questions were left out.
fn without_files(examples: &Examples) -> Option<String> {
    let n = examples.without_files;
    (n > 0).then(|| {
        let questions = count(n as u64, "question");
        format!("{questions} left out: no file of this repository is among the answers.")
    })
}
