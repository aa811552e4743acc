//! Runs pipelines on the open repository, cut as each of them says.

use std::cell::RefCell;
use std::rc::Rc;

use footnote_core::chunk::Cut;
use footnote_core::index::{Index, Recut};
use footnote_core::pipeline::{self, Made, PRESETS, Pipeline};
use footnote_core::search::Question;

use super::cancel::Cancel;
use super::code_model::CodeModels;
use super::encoders::Encoders;
use super::reader::{OtherCut, PageReader};
use super::repo::OpenRepo;
use super::shelf::Shelf;
use super::slices;
use crate::worker::protocol::StrategyView;

/// Runs pipelines and keeps the cuts that they need.
pub struct Runner {
    shelf: Rc<Shelf>,
    encoders: Rc<Encoders>,
    code_models: Rc<CodeModels>,
    /// Other cuts of the open repository.
    cuts: RefCell<Vec<Rc<OtherCut>>>,
}

/// What a pipeline made, and the cut that it was made of.
pub struct Ran {
    pub made: Made,
    pub other: RanOn,
}

/// The cut that a pipeline ran on; none if it is that of the open repository.
pub struct RanOn(Option<Rc<OtherCut>>);

/// All pipelines, as they are offered.
pub fn offered() -> Vec<StrategyView> {
    let offered = PRESETS.iter().map(|preset| StrategyView {
        name: preset.name.to_owned(),
        title: preset.title.to_owned(),
    });
    offered.collect()
}

impl RanOn {
    /// The index whose chunks the hits name.
    pub fn index<'a>(&'a self, open: &'a OpenRepo) -> &'a Index {
        self.0.as_ref().map_or(&open.index, |other| &other.index)
    }
}

impl Runner {
    pub fn new(
        shelf: &Rc<Shelf>,
        encoders: &Rc<Encoders>,
        code_models: &Rc<CodeModels>,
    ) -> Rc<Self> {
        let runner = Rc::new(Self {
            shelf: Rc::clone(shelf),
            encoders: Rc::clone(encoders),
            code_models: Rc::clone(code_models),
            cuts: RefCell::default(),
        });
        shelf.on_replaced(&runner, |runner| {
            runner.cuts.take();
        });
        runner
    }

    /// What a pipeline makes; `None` if that was stopped.
    pub async fn run(
        &self,
        open: &Rc<OpenRepo>,
        pipeline: &Pipeline,
        question: &Question,
        cancel: &Cancel,
    ) -> Option<Ran> {
        self.run_as(open, pipeline, question, cancel, true).await
    }

    /// The same without the transformer, which takes most of the time.
    pub async fn run_by_table(
        &self,
        open: &Rc<OpenRepo>,
        pipeline: &Pipeline,
        question: &Question,
        cancel: &Cancel,
    ) -> Option<Ran> {
        self.run_as(open, pipeline, question, cancel, false).await
    }

    async fn run_as(
        &self,
        open: &Rc<OpenRepo>,
        pipeline: &Pipeline,
        question: &Question,
        cancel: &Cancel,
        is_close: bool,
    ) -> Option<Ran> {
        self.encoders.table_settled(open, cancel).await;
        let other = match pipeline.cut == Cut::default() {
            true => None,
            false => Some(self.cut(open, pipeline.cut, cancel).await?),
        };
        let other = RanOn(other);
        let models = (&self.encoders, &self.code_models);
        let mut reader = PageReader::new(models, open, other.0.as_deref(), cancel);
        if !is_close {
            reader = reader.by_table_alone();
        }
        let made = pipeline::run(pipeline, other.index(open), question, &reader).await;
        let is_wanted = !cancel.asked() && self.shelf.is_current(open);
        is_wanted.then_some(Ran { made, other })
    }

    /// The open repository cut anew, or as it was cut before.
    async fn cut(&self, open: &Rc<OpenRepo>, cut: Cut, cancel: &Cancel) -> Option<Rc<OtherCut>> {
        let known = {
            let cuts = self.cuts.borrow();
            cuts.iter().find(|it| it.cut == cut).map(Rc::clone)
        };
        if known.is_some() {
            return known;
        }
        let job = Recut::new(&open.index, cut);
        let Ok(index) = slices::run(job, cancel, |_, _| {}).await;
        let other = Rc::new(OtherCut::new(cut, index?));
        if self.shelf.is_current(open) {
            self.cuts.borrow_mut().push(Rc::clone(&other));
        }
        Some(other)
    }
}
