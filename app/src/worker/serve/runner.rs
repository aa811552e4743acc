//! Runs pipelines on the open repository, which each pipeline cuts in its own way.

use std::cell::RefCell;
use std::rc::Rc;

use footnote_core::chunk::Cut;
use footnote_core::index::{Index, Recut};
use footnote_core::pipeline::{self, Made, PRESETS, Pipeline};
use footnote_core::search::Question;

use super::cancel::Cancel;
use super::code_model::CodeModels;
use super::encoders::Encoders;
use super::reader::{OtherCut, PageReader, Writer};
use super::repo::OpenRepo;
use super::services::Services;
use super::shelf::Shelf;
use super::{described, slices};
use crate::worker::protocol::StrategyView;

/// Runs pipelines and caches the cuts that they need.
pub struct Runner {
    services: Rc<Services>,
    shelf: Rc<Shelf>,
    encoders: Rc<Encoders>,
    code_models: Rc<CodeModels>,
    /// The cuts of the open repository other than its own.
    cuts: RefCell<Vec<Rc<OtherCut>>>,
}

/// The options of a run.
struct How<'a> {
    /// Whether the transformer is used.
    is_close: bool,
    writer: Writer<'a>,
}

/// The result of a pipeline, and the cut it ran on.
pub struct Ran {
    pub made: Made,
    pub other: RanOn,
}

/// The cut that a pipeline ran on; `None` for the open repository's own.
pub struct RanOn(Option<Rc<OtherCut>>);

/// All pipelines for the user to choose from.
pub fn offered() -> Vec<StrategyView> {
    let offered = PRESETS.iter().map(|preset| StrategyView {
        name: preset.name.to_owned(),
        title: preset.title.to_owned(),
    });
    offered.collect()
}

impl RanOn {
    /// The index of the chunks that the hits refer to.
    pub fn index<'a>(&'a self, open: &'a OpenRepo) -> &'a Index {
        self.0.as_ref().map_or(&open.index, |other| &other.index)
    }
}

impl Runner {
    pub fn new(
        services: &Rc<Services>,
        shelf: &Rc<Shelf>,
        encoders: &Rc<Encoders>,
        code_models: &Rc<CodeModels>,
    ) -> Rc<Self> {
        let runner = Rc::new(Self {
            services: Rc::clone(services),
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

    /// Runs a pipeline; returns `None` if it was stopped.
    pub async fn run(
        &self,
        open: &Rc<OpenRepo>,
        pipeline: &Pipeline,
        question: &Question,
        cancel: &Cancel,
    ) -> Option<Ran> {
        let nobody = Writer::Nobody("no language model was asked");
        self.run_with(open, pipeline, question, nobody, cancel)
            .await
    }

    /// Like [`run`](Self::run), but `writer` may write the search query.
    pub async fn run_with(
        &self,
        open: &Rc<OpenRepo>,
        pipeline: &Pipeline,
        question: &Question,
        writer: Writer<'_>,
        cancel: &Cancel,
    ) -> Option<Ran> {
        let how = How {
            is_close: true,
            writer,
        };
        self.run_as(open, pipeline, question, cancel, how).await
    }

    /// Like [`run`](Self::run), but without the transformer, which takes most of the time.
    pub async fn run_by_table(
        &self,
        open: &Rc<OpenRepo>,
        pipeline: &Pipeline,
        question: &Question,
        cancel: &Cancel,
    ) -> Option<Ran> {
        let how = How {
            is_close: false,
            writer: Writer::Nobody("this is asked without a language model"),
        };
        self.run_as(open, pipeline, question, cancel, how).await
    }

    async fn run_as(
        &self,
        open: &Rc<OpenRepo>,
        pipeline: &Pipeline,
        question: &Question,
        cancel: &Cancel,
        how: How<'_>,
    ) -> Option<Ran> {
        self.encoders.table_settled(open, cancel).await;
        if pipeline.search.uses_texts() {
            described::settle(&self.services.storage, open, cancel).await;
        }
        let other = match pipeline.cut == Cut::default() {
            true => None,
            false => Some(self.cut(open, pipeline.cut, cancel).await?),
        };
        let other = RanOn(other);
        let models = (&self.encoders, &self.code_models);
        let mut reader = PageReader::new(models, open, other.0.as_deref(), cancel);
        reader = reader.with_writer(how.writer);
        if !how.is_close {
            reader = reader.by_table_alone();
        }
        let made = pipeline::run(pipeline, other.index(open), question, &reader).await;
        let is_wanted = !cancel.asked() && self.shelf.is_current(open);
        is_wanted.then_some(Ran { made, other })
    }

    /// Returns the open repository in another cut, computed now or earlier.
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
