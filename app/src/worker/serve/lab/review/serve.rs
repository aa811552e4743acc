//! Requests about the review of the set.

use footnote_core::lab::agreement::Key;
use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};

use super::{Taken, views};
use crate::worker::protocol::{
    Event, JobId, LabAgreementView, LabEvent, LabHeldView, LabReviewEvent, LabReviewRequest,
    LabReviewView, Notice,
};
use crate::worker::serve::cancel::Cancel;
use crate::worker::serve::export;
use crate::worker::serve::lab::make::text;
use crate::worker::serve::lab::{Bench, Laboratory, formats};
use crate::worker::serve::notices;

impl Laboratory {
    pub async fn review(
        &self,
        job: JobId,
        request: LabReviewRequest,
        body: JsValue,
        cancel: &Cancel,
    ) -> Result<(), Notice> {
        match request {
            LabReviewRequest::Name(name) => {
                let taken = self.bench.borrow_mut().reviewing.name(&name);
                self.keep_reviews().await;
                self.held(job, vec![taken]);
                Ok(())
            }
            LabReviewRequest::Put(reviews) => self.put(job, reviews).await,
            LabReviewRequest::Read { file_names } => {
                self.read_reviews(job, &file_names, body).await;
                Ok(())
            }
            LabReviewRequest::Forget { annotator } => {
                self.bench.borrow_mut().reviewing.forget(&annotator);
                self.held(job, Vec::new());
                Ok(())
            }
            LabReviewRequest::Agree => {
                let view = agreement(&self.bench.borrow());
                self.tell_review(job, LabReviewEvent::Agreement(view));
                Ok(())
            }
            LabReviewRequest::Lines { id } => self.lines(job, &id),
            LabReviewRequest::Export { format } => self.export_reviews(job, &format),
            LabReviewRequest::ExportAgreement { format } => self.export_agreement(job, &format),
            LabReviewRequest::Hide {
                pipelines,
                count,
                seed,
            } => {
                let drawn = (count as usize, seed);
                self.hide(job, &pipelines, drawn, cancel).await
            }
            LabReviewRequest::Unhide => self.unhide(job).await,
            LabReviewRequest::Reveal => self.reveal(job),
            LabReviewRequest::ReadKey { file_name } => {
                let key = text(body).await.and_then(|text| Key::read(&text));
                let key = key.map_err(|why| notices::not_a_key(&file_name, &why))?;
                self.take_key(&file_name, key)?;
                self.reveal(job)
            }
            LabReviewRequest::ExportKey { format } => self.export_key(job, &format),
        }
    }

    pub(super) fn tell_review(&self, job: JobId, event: LabReviewEvent) {
        self.services.end(job, LabEvent::Review(event));
    }

    async fn put(&self, job: JobId, reviews: Vec<LabReviewView>) -> Result<(), Notice> {
        // A restarted engine has no set; answering “done” would lose the review.
        if self.bench.borrow().items.is_empty() {
            return Err(notices::no_set());
        }
        let reviews = reviews.into_iter().map(views::review);
        self.bench.borrow_mut().reviewing.put(reviews);
        self.keep_reviews().await;
        self.services.end(job, Event::Done);
        Ok(())
    }

    async fn read_reviews(&self, job: JobId, file_names: &[String], body: JsValue) {
        let files: Vec<JsValue> = body
            .dyn_into::<Array>()
            .map(|files| files.iter().collect())
            .unwrap_or_default();
        let mut all = Vec::new();
        for (name, file) in file_names.iter().zip(files) {
            let taken = match text(file).await {
                Err(why) => Taken {
                    told: format!("{name} was not opened: {why}."),
                    ..Taken::default()
                },
                Ok(text) => {
                    let bench = &mut *self.bench.borrow_mut();
                    bench.reviewing.read(name, &text, &bench.items)
                }
            };
            all.push(taken);
        }
        self.keep_reviews().await;
        self.held(job, all);
    }

    /// Sends the result of reading files or setting a name, and the agreement that follows from it.
    fn held(&self, job: JobId, all: Vec<Taken>) {
        let mut view = LabHeldView {
            agreement: agreement(&self.bench.borrow()),
            ..LabHeldView::default()
        };
        for taken in all {
            view.taken.extend(taken.reviews.iter().map(views::view));
            view.told
                .extend(Some(taken.told).filter(|it| !it.is_empty()));
        }
        self.tell_review(job, LabReviewEvent::Held(view));
    }

    fn lines(&self, job: JobId, id: &str) -> Result<(), Notice> {
        let bench = self.bench.borrow();
        let item = bench.items.iter().find(|item| item.id == id);
        let item = item.ok_or_else(notices::no_set)?;
        let view = views::lines(item, self.shelf.current().as_deref());
        self.tell_review(job, LabReviewEvent::Lines(view));
        Ok(())
    }

    fn export_reviews(&self, job: JobId, format: &str) -> Result<(), Notice> {
        let bench = self.bench.borrow();
        let own = bench.reviewing.own();
        if own.annotator.is_empty() {
            return Err(notices::no_annotator());
        }
        let stem = export::stem("reviews", &own.annotator);
        let file = export::file(&formats::REVIEWS, format, &stem, |write| write(&own));
        let file = file.map_err(|error| notices::not_exported(&error))?;
        self.services.end(job, Event::Exported(file));
        Ok(())
    }

    fn export_agreement(&self, job: JobId, format: &str) -> Result<(), Notice> {
        let bench = self.bench.borrow();
        let report = bench.reviewing.merged().agreement();
        let stem = export::stem("agreement", bench.about());
        let file = export::file(&formats::AGREEMENT, format, &stem, |write| write(&report));
        let file = file.map_err(|error| notices::not_exported(&error))?;
        self.services.end(job, Event::Exported(file));
        Ok(())
    }
}

fn agreement(bench: &Bench) -> LabAgreementView {
    let reviewing = &bench.reviewing;
    let merged = reviewing.merged();
    let has_own = !reviewing.said.own.is_empty();
    views::agreement(&merged, &merged.agreement(), has_own)
}
