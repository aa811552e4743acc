//! The laboratory: the question set, the pipelines evaluated on it, and the results.

mod describing;
mod judging;
mod review;
mod task;
mod teaching;

use std::collections::BTreeSet;

pub use review::{Beside, GoldLines, Reviewing, Tally, WHICH, Which, Wording};

use super::{Effect, Mark, Panel, Purpose, Shared, State};
use crate::worker::protocol::{
    LabComparisonView, LabEvent, LabGoldView, LabOfferView, LabProgressView, LabRequest,
    LabSetView, LabSpendingView, LabUnfinishedView, Notice,
};
pub use describing::{BY_TEXT, Describing, Parts as DescribedParts};
pub use judging::Judging;
pub use task::{Costed, Maker};
pub use teaching::{CHOSEN, TAUGHT, Teaching};

/// The tab of the laboratory that is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LabStep {
    #[default]
    Questions,
    Review,
    Evaluate,
    Judge,
    Export,
    Teach,
    Describe,
}

/// What the laboratory shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Lab {
    pub step: LabStep,
    pub offer: Option<Shared<LabOfferView>>,
    pub maker: Maker,
    /// The kinds of questions, and the strategies of models, that the user has unticked.
    pub unwanted: BTreeSet<String>,
    pub count: u32,
    pub seed: u32,
    pub costed: Option<Costed>,
    pub set: Option<Shared<LabSetView>>,
    pub review: Reviewing,
    /// The pipelines to evaluate, in the order they were ticked. The first is the baseline.
    pub pipelines: Vec<String>,
    /// Whether the transformer reads the best chunks.
    pub closely: bool,
    pub comparison: Option<Shared<LabComparisonView>>,
    /// A stopped evaluation that can be continued.
    pub unfinished: Option<LabUnfinishedView>,
    /// Whether the progress is that of an evaluation.
    is_evaluating: bool,
    pub progress: Option<LabProgressView>,
    /// What a run with the connected model has cost so far.
    pub spending: Option<LabSpendingView>,
    pub judging: Judging,
    pub teaching: Teaching,
    pub describing: Describing,
    /// The percentage of the questions exported for tuning that is set aside to measure on.
    pub valid: u32,
    pub is_waiting: bool,
    pub trouble: Option<Notice>,
}

/// The pipelines ticked at first.
const FIRST: [&str; 2] = ["footnote", "grounded"];

impl Default for Lab {
    fn default() -> Self {
        Self {
            step: LabStep::default(),
            offer: None,
            maker: Maker::default(),
            unwanted: BTreeSet::new(),
            count: 200,
            seed: 1,
            costed: None,
            set: None,
            review: Reviewing::default(),
            pipelines: FIRST.map(str::to_owned).to_vec(),
            closely: false,
            comparison: None,
            is_evaluating: false,
            unfinished: None,
            progress: None,
            spending: None,
            judging: Judging::default(),
            teaching: Teaching::default(),
            describing: Describing::default(),
            valid: 20,
            is_waiting: false,
            trouble: None,
        }
    }
}

impl Lab {
    pub(super) fn failed(&mut self, notice: Notice) {
        self.stopped();
        self.trouble = Some(notice);
    }

    pub(super) fn stopped(&mut self) {
        self.is_waiting = false;
        self.is_evaluating = false;
        self.progress = None;
        self.spending = None;
        self.teaching.learning = None;
    }

    /// The progress of a stopped evaluation, if it is the one chosen now.
    pub fn continues(&self) -> Option<&LabUnfinishedView> {
        let stopped = self.unfinished.as_ref()?;
        let is_same = stopped.pipelines == self.pipelines && stopped.closely == self.closely;
        is_same.then_some(stopped)
    }

    /// Sends a request, unless another is running: nobody could tell what an unseen run costs.
    fn ask(&mut self, request: LabRequest, begin: impl FnOnce(&mut Self)) -> Vec<Effect> {
        if self.is_waiting {
            return Vec::new();
        }
        begin(self);
        self.is_waiting = true;
        self.trouble = None;
        vec![Effect::send(Purpose::Lab, request)]
    }

    /// Takes a new set, or the one that was there before the page was left. Results of another set
    /// are dropped.
    fn set_told(&mut self, set: LabSetView) {
        self.stopped();
        (self.comparison, self.unfinished) = (None, None);
        self.judging.forget();
        if let Some((order, _)) = set.order.as_ref().filter(|_| self.set.is_none()) {
            self.maker = Maker::Model;
            (self.count, self.seed) = (order.count, order.seed);
        }
        self.review.begin(&set);
        self.set = Some(Shared::new(set));
    }

    /// Removes questions that are no longer in the set.
    fn left(&mut self, ids: &[String], unsaved: Option<String>) {
        self.stopped();
        let Some(known) = &self.set else {
            return;
        };
        let mut set = LabSetView::clone(known);
        set.items.retain(|item| !ids.contains(&item.id));
        set.unsaved = unsaved;
        self.review.without(ids, &set.items);
        self.set = Some(Shared::new(set));
    }
}

impl State {
    /// Shows the laboratory.
    pub fn show_lab(&mut self) -> Vec<Effect> {
        self.panel = Some(Panel::Lab);
        match self.lab.offer {
            Some(_) => Vec::new(),
            None => vec![Effect::send(Purpose::LabOffer, LabRequest::Offer)],
        }
    }

    /// Makes questions from the open repository.
    pub fn make_questions(&mut self) -> Vec<Effect> {
        let lab = &mut self.lab;
        let offered = lab.offer.as_ref().map(|offer| offer.kinds.iter());
        let kinds = lab.wanted(offered.into_iter().flatten());
        let (count, seed) = (lab.count, lab.seed);
        lab.ask(LabRequest::Make { count, seed, kinds }, |_| {})
    }

    /// Makes the answers that the user rated good the set.
    pub fn take_rated(&mut self) -> Vec<Effect> {
        self.lab.ask(LabRequest::Rated, |_| {})
    }

    /// A file of questions is on its way to the engine.
    pub fn awaits_questions(&mut self) {
        self.panel = Some(Panel::Lab);
        self.lab.step = LabStep::Questions;
        self.lab.is_waiting = true;
        self.lab.trouble = None;
    }

    /// Removes a question from the set.
    pub fn leave_question(&mut self, id: &str) -> Vec<Effect> {
        let ids = vec![id.to_owned()];
        self.lab.ask(LabRequest::Leave { ids }, |lab| {
            (lab.comparison, lab.unfinished) = (None, None);
        })
    }

    /// Ticks or unticks a pipeline.
    pub fn tick_pipeline(&mut self, name: &str) {
        let pipelines = &mut self.lab.pipelines;
        match pipelines.iter().position(|known| known == name) {
            Some(at) => {
                pipelines.remove(at);
            }
            None => pipelines.push(name.to_owned()),
        }
    }

    /// Evaluates the ticked pipelines on all questions of the set.
    pub fn evaluate(&mut self) -> Vec<Effect> {
        let lab = &mut self.lab;
        let (pipelines, closely) = (lab.pipelines.clone(), lab.closely);
        let request = LabRequest::Evaluate {
            pipelines,
            baseline: 0,
            closely,
        };
        lab.ask(request, |lab| {
            lab.progress = Some(Default::default());
            lab.is_evaluating = true;
        })
    }

    /// Stops what the laboratory is doing. A stopped evaluation can continue where it ended.
    pub fn stop_lab(&mut self) -> Vec<Effect> {
        if self.lab.is_evaluating
            && let Some(progress) = self.lab.progress.as_ref().filter(|it| it.done > 0)
        {
            self.lab.unfinished = Some(LabUnfinishedView {
                pipelines: self.lab.pipelines.clone(),
                closely: self.lab.closely,
                done: progress.done,
                total: progress.total,
            });
        }
        let jobs = self.jobs.with(|purpose| purpose == Purpose::Lab);
        jobs.into_iter()
            .map(|(job, _)| Effect::cancel(job))
            .collect()
    }

    /// Lets a run that asks the connected model end early and keep what it has.
    pub fn pause_lab(&mut self) -> Vec<Effect> {
        vec![Effect::send(Purpose::Other, LabRequest::Pause)]
    }

    /// Exports the set as files for a tool that tunes models.
    pub fn export_tuning(&mut self, format: &str) -> Vec<Effect> {
        let (valid, seed) = (self.lab.valid, self.lab.seed);
        let format = format.to_owned();
        let request = LabRequest::ExportTuning {
            format,
            valid,
            seed,
        };
        vec![Effect::send(Purpose::Export, request)]
    }

    /// Exports the set as a file.
    pub fn export_set(&mut self, format: &str) -> Vec<Effect> {
        let format = format.to_owned();
        vec![Effect::send(
            Purpose::Export,
            LabRequest::ExportSet { format },
        )]
    }

    /// Exports the figures as a file.
    pub fn export_runs(&mut self, format: &str) -> Vec<Effect> {
        let format = format.to_owned();
        vec![Effect::send(
            Purpose::Export,
            LabRequest::ExportRuns { format },
        )]
    }

    /// Opens a question's gold lines.
    pub fn open_gold(&mut self, gold: &LabGoldView) -> Vec<Effect> {
        self.hide(Panel::Lab);
        let mark = (gold.start > 0).then_some(Mark {
            start: gold.start,
            end: gold.end,
        });
        self.open_file(&gold.path, mark)
    }

    pub(super) fn lab_event(&mut self, purpose: Purpose, event: LabEvent) {
        let lab = &mut self.lab;
        match event {
            LabEvent::Review(event) => self.review_event(purpose, event),
            LabEvent::Teaching(event) => self.teach_event(purpose, event),
            LabEvent::Described(view) => lab.described(purpose, view),
            LabEvent::Offered(offer) => lab.offer = Some(Shared::new(offer)),
            // The questions being made replace the kept ones.
            _ if purpose == Purpose::LabOffer && lab.is_waiting => {}
            _ if !matches!(purpose, Purpose::Lab | Purpose::LabOffer) => {}
            LabEvent::Estimated(estimate) => lab.estimated(estimate),
            LabEvent::Progress(progress) => lab.progress = Some(progress),
            LabEvent::Spending(spending) => lab.spending = Some(spending),
            LabEvent::Set(set) => lab.set_told(set),
            LabEvent::Left { ids, unsaved } => lab.left(&ids, unsaved),
            LabEvent::Paired(pairs) => lab.paired(pairs),
            LabEvent::Judged(verdict) => lab.judged(verdict),
            LabEvent::Compared(view) => {
                lab.stopped();
                lab.unfinished = None;
                lab.comparison = Some(Shared::new(view));
            }
            LabEvent::Unfinished(view) => {
                lab.pipelines = view.pipelines.clone();
                lab.closely = view.closely;
                lab.unfinished = Some(view);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::protocol::{Event, JobId, Part, Request, StrategyView, Told};

    fn told(state: &mut State, request: LabRequest, part: Part, event: LabEvent) {
        let job = state.begin(Purpose::Lab, &request.into());
        receive(state, job, part, event);
    }

    fn receive(state: &mut State, job: JobId, part: Part, event: LabEvent) {
        let event = Event::Lab(event);
        state.receive(Told { job, part, event }, 0.0);
    }

    fn asked(effects: &[Effect]) -> &LabRequest {
        match effects {
            [Effect::Send(Purpose::Lab, Request::Lab(request))] => request,
            other => panic!("{other:?}"),
        }
    }

    fn named(name: &str) -> StrategyView {
        StrategyView {
            name: name.to_owned(),
            title: String::new(),
        }
    }

    #[test]
    fn kinds_that_are_not_wanted_are_not_made() {
        let mut state = State::default();
        let offer = LabOfferView {
            kinds: vec![named("calls"), named("tests")],
            ..LabOfferView::default()
        };
        told(
            &mut state,
            LabRequest::Offer,
            Part::Last,
            LabEvent::Offered(offer),
        );
        state.lab.unwanted.insert("calls".to_owned());
        let effects = state.make_questions();
        let LabRequest::Make { kinds, count, .. } = asked(&effects) else {
            panic!("{effects:?}");
        };
        assert_eq!((kinds.as_slice(), *count), (&["tests".to_owned()][..], 200));
        assert!(state.lab.is_waiting);
    }

    #[test]
    fn the_offer_arrives_even_if_something_else_was_asked_since() {
        let mut state = State::default();
        let offering = state.begin(Purpose::LabOffer, &LabRequest::Offer.into());
        let effects = state.make_questions();
        state.begin(Purpose::Lab, &asked(&effects).clone().into());
        let kept = LabEvent::Set(LabSetView::default());
        receive(&mut state, offering, Part::More, kept);
        let offer = LabEvent::Offered(LabOfferView::default());
        receive(&mut state, offering, Part::Last, offer);
        assert!(state.lab.offer.is_some());
        assert!(state.lab.is_waiting, "questions are still being made");
        assert_eq!(state.lab.set, None, "the set is about to be replaced");
    }

    #[test]
    fn the_first_pipeline_that_is_ticked_is_the_baseline() {
        let mut state = State::default();
        state.tick_pipeline("footnote");
        state.tick_pipeline("whole-files");
        let effects = state.evaluate();
        let LabRequest::Evaluate {
            pipelines,
            baseline,
            ..
        } = asked(&effects)
        else {
            panic!("{effects:?}");
        };
        assert_eq!(pipelines, &["grounded", "whole-files"]);
        assert_eq!(*baseline, 0);
    }

    #[test]
    fn a_stopped_evaluation_continues_while_it_is_the_one_that_is_chosen() {
        let mut state = State::default();
        state.evaluate();
        state.stop_lab();
        assert_eq!(state.lab.continues(), None, "nothing was done yet");
        state.lab.progress = Some(LabProgressView {
            done: 7,
            total: 20,
            pipeline: String::new(),
        });
        state.stop_lab();
        assert_eq!(state.lab.continues().map(|it| it.done), Some(7));
        state.tick_pipeline("whole-files");
        assert_eq!(state.lab.continues(), None, "of other pipelines");
        state.tick_pipeline("whole-files");
        assert!(state.lab.continues().is_some());
        told(
            &mut state,
            LabRequest::Offer,
            Part::Last,
            LabEvent::Set(LabSetView::default()),
        );
        assert_eq!(state.lab.continues(), None, "of another set");
    }

    #[test]
    fn a_new_set_ends_the_waiting_and_a_failure_keeps_the_set() {
        let mut state = State::default();
        state.evaluate();
        told(
            &mut state,
            LabRequest::Offer,
            Part::Last,
            LabEvent::Set(LabSetView::default()),
        );
        assert!(!state.lab.is_waiting && state.lab.set.is_some());
        state.evaluate();
        state.lab.failed(State::bad_input("no".to_owned()));
        assert!(state.lab.set.is_some() && state.lab.trouble.is_some());
        assert_eq!(state.lab.progress, None);
    }
}
