//! Anonymous answers: rated without knowing which pipeline gave them. They are a set of their own,
//! so that they are reviewed, saved and handed out like any other; the key is kept separate from
//! it.

use std::rc::Rc;

use footnote_core::eval::Item;
use footnote_core::lab::agreement::{Candidate, Key, draw, hide};
use footnote_core::pipeline::Pipeline;

use super::{Covered, views};
use crate::words;
use crate::worker::protocol::{Event, JobId, LabEvent, LabReviewEvent, LabSetView, Notice};
use crate::worker::serve::cancel::Cancel;
use crate::worker::serve::lab::evaluate::{Telling, pipeline};
use crate::worker::serve::lab::kept::{Blind, forget_blind, keep_blind, kept_blind, kept_reviews};
use crate::worker::serve::lab::{Laboratory, formats, views as lab_views};
use crate::worker::serve::notices;
use crate::worker::serve::repo::OpenRepo;
use crate::worker::serve::{export, slices};

impl Laboratory {
    /// Replaces the questions by a set of anonymous answers.
    pub(super) async fn hide(
        &self,
        job: JobId,
        names: &[String],
        (count, seed): (usize, u32),
        cancel: &Cancel,
    ) -> Result<(), Notice> {
        self.begin(job);
        let pipelines = names.iter().map(|name| pipeline(name));
        let pipelines: Vec<Pipeline> = pipelines.collect::<Result<_, Notice>>()?;
        let items = self.bench.borrow().kept();
        if items.is_empty() || pipelines.len() < 2 {
            return Err(notices::nothing_to_hide());
        }
        let Some(open) = self.shelf.when_open(job, cancel).await else {
            return Ok(());
        };
        let drawn = draw(&items, count, seed.into());
        let mut tell = Telling::new(self, job, drawn.len() * pipelines.len());
        let mut questions = Vec::new();
        for item in drawn {
            let made = self
                .answers(&open, &item, &pipelines, (cancel, &mut tell))
                .await;
            let Some(candidates) = made else {
                return Ok(());
            };
            questions.push((item, candidates));
        }
        let n = questions.len();
        let (items, key) = hide(questions, seed.into());
        let told = LabSetView {
            items: items.iter().map(lab_views::item).collect(),
            note: Some(format!(
                "{} answers to {}. Which pipeline made an answer is hidden, and the order is random \
                 for each question.",
                items.len(),
                words::count(n as u64, "question")
            )),
            ..LabSetView::default()
        };
        let mut blind = Blind { items, told, key };
        let below = self.bench.borrow().reviewing.set.clone();
        if !keep_blind(&self.services.storage, &open, &below, &blind).await
            && let Some(note) = &mut blind.told.note
        {
            *note += " They could not be saved: they are here until you leave the page. Save the \
                      set, the key and your reviews.";
        }
        if self.is_wanted(&open, job) {
            self.cover(blind);
            let view = self.bench.borrow().view();
            self.services.end(job, LabEvent::Set(view));
        }
        Ok(())
    }

    /// Returns each pipeline's answers; `None` if it was stopped.
    async fn answers(
        &self,
        open: &Rc<OpenRepo>,
        item: &Item,
        pipelines: &[Pipeline],
        (cancel, tell): (&Cancel, &mut Telling<'_>),
    ) -> Option<Vec<Candidate>> {
        let mut slice = slices::Slice::default();
        let mut candidates = Vec::new();
        for pipeline in pipelines {
            // The page is not told which pipeline is answering, because the order would give it
            // away.
            tell.next("All pipelines");
            let answer = self.answer(open, pipeline, item, cancel).await?;
            candidates.push(Candidate {
                maker: pipeline.name.clone(),
                answer,
            });
            slice.pause().await;
            if cancel.asked() {
                return None;
            }
        }
        Some(candidates)
    }

    /// Switches to the answers; the questions return afterwards.
    fn cover(&self, blind: Blind) {
        let Blind { items, told, key } = blind;
        let mut bench = self.bench.borrow_mut();
        let covered = Covered {
            items: std::mem::take(&mut bench.items),
            told: std::mem::take(&mut bench.told),
            set: bench.reviewing.set.clone(),
        };
        bench.begin(items, told, key.set.clone());
        bench.reviewing.covered = Some(covered);
        bench.reviewing.said.key = Some(key);
    }

    /// Restores the answers that were being rated when the page was closed, with their reviews.
    pub(in super::super) async fn restore_blind(&self, open: &OpenRepo) {
        let storage = &self.services.storage;
        let below = self.bench.borrow().reviewing.set.clone();
        let Some(blind) = kept_blind(storage, open, &below).await else {
            return;
        };
        let own = kept_reviews(storage, open, &blind.key.set).await;
        let is_of_now = {
            let bench = self.bench.borrow();
            bench.reviewing.covered.is_none() && bench.reviewing.set == below
        };
        if is_of_now {
            self.cover(blind);
            if let Some(own) = own {
                self.bench.borrow_mut().reviewing.restore(own);
            }
        }
    }

    /// Replaces the answers by the questions again.
    pub(super) async fn unhide(&self, job: JobId) -> Result<(), Notice> {
        self.stop();
        if let Some(open) = self.shelf.current() {
            forget_blind(&self.services.storage, &open).await;
        }
        let mut bench = self.bench.borrow_mut();
        let covered = bench.reviewing.covered.take();
        let Covered { items, told, set } = covered.ok_or_else(notices::no_questions_below)?;
        bench.begin(items, told, set);
        self.services.end(job, LabEvent::Set(bench.view()));
        Ok(())
    }

    pub(super) fn reveal(&self, job: JobId) -> Result<(), Notice> {
        let bench = self.bench.borrow();
        let reviewing = &bench.reviewing;
        let key = reviewing.said.key.as_ref().ok_or_else(notices::no_key)?;
        let revealed = key.reveal(reviewing.all());
        let revealed = revealed.iter().map(views::revealed).collect();
        self.tell_review(job, LabReviewEvent::Revealed(revealed));
        Ok(())
    }

    pub(super) fn take_key(&self, file_name: &str, key: Key) -> Result<(), Notice> {
        let mut bench = self.bench.borrow_mut();
        let known = bench.items.iter();
        let known = known.filter(|it| key.makers.contains_key(&it.id)).count();
        let refused = match known {
            0 => Some("it names none of the answers in this set"),
            // The key of another draw: the same names for other answers. If some answers have since
            // been removed from the set, this cannot be detected.
            n if n == key.makers.len()
                && n == bench.items.len()
                && key.set != bench.reviewing.set =>
            {
                Some("it is the key of other answers to the same questions")
            }
            _ => None,
        };
        if let Some(why) = refused {
            return Err(notices::not_a_key(file_name, why));
        }
        bench.reviewing.said.key = Some(key);
        Ok(())
    }

    pub(super) fn export_key(&self, job: JobId, format: &str) -> Result<(), Notice> {
        let bench = self.bench.borrow();
        let key = bench.reviewing.said.key.as_ref();
        let key = key.ok_or_else(notices::no_key)?;
        let stem = export::stem("key", bench.about());
        let file = export::file(&formats::KEY, format, &stem, |write| write(key));
        let file = file.map_err(|error| notices::not_exported(&error))?;
        self.services.end(job, Event::Exported(file));
        Ok(())
    }
}
