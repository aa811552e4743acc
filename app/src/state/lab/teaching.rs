//! Teaching the open repository: what it learns from, the progress, and the result.

use crate::state::{Effect, LabStep, Panel, Purpose, Shared, State};
use crate::worker::protocol::{
    LabCurriculumView, LabLearningView, LabRequest, LabTaughtView, LabTeachEvent, LabTeachRequest,
};

/// The pipeline that answers by what the repository was taught.
pub const TAUGHT: &str = "taught";

/// The same, with a model that chooses the files.
pub const CHOSEN: &str = "chosen-files";

/// What the tab for teaching shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Teaching {
    pub curriculum: LabCurriculumView,
    pub learning: Option<LabLearningView>,
    /// `None` until the engine has said what the repository was taught.
    pub taught: Option<Option<Shared<LabTaughtView>>>,
}

impl Teaching {
    /// What the repository was taught, if anything and if known.
    pub fn known(&self) -> Option<Shared<LabTaughtView>> {
        self.taught.clone().flatten()
    }

    /// Whether there is anything to learn from.
    pub fn has_source(&self) -> bool {
        let LabCurriculumView {
            made, set, rated, ..
        } = self.curriculum;
        made > 0 || set || rated
    }
}

fn request(request: LabTeachRequest) -> LabRequest {
    LabRequest::Teach(request)
}

impl State {
    /// Shows the tab, and asks what the repository was taught.
    pub fn show_teaching(&mut self) -> Vec<Effect> {
        self.lab.step = LabStep::Teach;
        let mut effects = match self.panel {
            Some(Panel::Lab) => Vec::new(),
            _ => self.show_lab(),
        };
        if self.lab.teaching.taught.is_none() && !self.lab.is_waiting {
            let show = request(LabTeachRequest::Show);
            effects.push(Effect::send(Purpose::Teaching, show));
        }
        effects
    }

    /// Teaches the open repository.
    pub fn begin_teaching(&mut self) -> Vec<Effect> {
        self.learn(LabTeachRequest::Begin(self.lab.teaching.curriculum))
    }

    /// Teaches the open repository again where it changed since.
    pub fn renew_teaching(&mut self) -> Vec<Effect> {
        self.learn(LabTeachRequest::Renew)
    }

    fn learn(&mut self, wanted: LabTeachRequest) -> Vec<Effect> {
        self.lab.ask(request(wanted), |lab| {
            lab.teaching.learning = Some(LabLearningView::default());
        })
    }

    /// Sets from what certainty, in percent, a file counts as part of the answer.
    pub fn set_taught_threshold(&mut self, percent: u32) -> Vec<Effect> {
        let set = LabTeachRequest::Threshold(percent);
        self.lab.ask(request(set), |_| {})
    }

    /// Deletes what the repository was taught.
    pub fn forget_taught(&mut self) -> Vec<Effect> {
        self.lab.ask(request(LabTeachRequest::Forget), |_| {})
    }

    /// Exports it as a file.
    pub fn export_taught(&mut self) -> Vec<Effect> {
        vec![Effect::send(
            Purpose::Export,
            request(LabTeachRequest::Export),
        )]
    }

    /// A file that was taught or described elsewhere is on its way to the engine.
    pub fn awaits_lab_file(&mut self) {
        self.lab.is_waiting = true;
        self.lab.trouble = None;
    }

    /// Answers later questions with the taught pipeline.
    pub fn answer_as_taught(&mut self) {
        self.choose_pipeline(TAUGHT);
        self.hide(Panel::Lab);
    }

    pub(super) fn teach_event(&mut self, purpose: Purpose, event: LabTeachEvent) {
        let lab = &mut self.lab;
        match (purpose, event) {
            // Something else began meanwhile. Its own end reports more, but it may fail: then this
            // is what the tab shows.
            (Purpose::Teaching, LabTeachEvent::Taught(taught)) if lab.is_waiting => {
                let taught = taught.map(Shared::new);
                lab.teaching.taught.get_or_insert(taught);
            }
            (Purpose::Teaching, LabTeachEvent::Learning(_)) if lab.is_waiting => {}
            (Purpose::Lab | Purpose::Teaching, event) => self.taught_or_learning(event),
            _ => {}
        }
    }

    fn taught_or_learning(&mut self, event: LabTeachEvent) {
        let lab = &mut self.lab;
        match event {
            LabTeachEvent::Learning(learning) => lab.teaching.learning = Some(learning),
            LabTeachEvent::Taught(taught) => {
                lab.stopped();
                let before = lab.teaching.known();
                let mut taught = taught;
                // The engine sends the curve and the time of one training only once.
                if let (Some(now), Some(before)) = (&mut taught, before)
                    && now.curve.is_empty()
                    && now.taught == before.taught
                    && now.questions == before.questions
                {
                    now.curve.clone_from(&before.curve);
                    now.seconds = before.seconds;
                    now.note.clone_from(&before.note);
                }
                lab.teaching.taught = Some(taught.map(Shared::new));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::protocol::{Event, LabEvent, LabPointView, Notice, Part, Request, Told};

    fn told(state: &mut State, part: Part, event: LabTeachEvent) {
        told_for(state, Purpose::Lab, part, event);
    }

    fn told_for(state: &mut State, purpose: Purpose, part: Part, event: LabTeachEvent) {
        let begin = LabTeachRequest::Begin(LabCurriculumView::default());
        let job = state.begin(purpose, &LabRequest::Teach(begin).into());
        let event = Event::Lab(LabEvent::Teaching(event));
        state.receive(Told { job, part, event }, 0.0);
    }

    fn view(questions: u32, curve: Vec<LabPointView>) -> LabTaughtView {
        LabTaughtView {
            questions,
            curve,
            ..LabTaughtView::default()
        }
    }

    #[test]
    fn the_step_asks_once_what_the_repository_was_taught() {
        let mut state = State::default();
        let is_show = |effect: &Effect| {
            let show = Request::Lab(LabRequest::Teach(LabTeachRequest::Show));
            matches!(effect, Effect::Send(Purpose::Teaching, it) if *it == show)
        };
        assert!(state.show_teaching().iter().any(is_show));
        told(&mut state, Part::Last, LabTeachEvent::Taught(None));
        assert!(!state.show_teaching().iter().any(is_show));
        assert_eq!(state.lab.step, LabStep::Teach);
    }

    #[test]
    fn nothing_else_is_asked_while_it_learns_and_a_failure_keeps_what_was_taught() {
        let mut state = State::default();
        let taught = LabTeachEvent::Taught(Some(view(40, Vec::new())));
        told(&mut state, Part::Last, taught);
        assert_eq!(state.begin_teaching().len(), 1);
        assert!(state.lab.teaching.learning.is_some());
        assert!(state.forget_taught().is_empty() && state.begin_teaching().is_empty());
        let notice: Notice = State::bad_input("no".to_owned());
        state.lab.failed(notice);
        assert!(state.lab.teaching.learning.is_none());
        assert_eq!(state.lab.teaching.known().map(|it| it.questions), Some(40));
    }

    #[test]
    fn an_answer_that_arrives_while_it_learns_is_shown_if_learning_fails() {
        let mut state = State::default();
        assert_eq!(state.begin_teaching().len(), 1);
        let untaught = LabTeachEvent::Taught(None);
        told_for(&mut state, Purpose::Teaching, Part::Last, untaught);
        assert!(state.lab.is_waiting, "it still learns");
        state.lab.failed(State::bad_input("too few".to_owned()));
        assert_eq!(state.lab.teaching.taught, Some(None));
    }

    #[test]
    fn the_curve_stays_when_only_the_threshold_changes() {
        let mut state = State::default();
        let curve = vec![LabPointView::default(); 3];
        let taught = view(40, curve.clone());
        told(&mut state, Part::Last, LabTeachEvent::Taught(Some(taught)));
        let later = view(40, Vec::new());
        told(&mut state, Part::Last, LabTeachEvent::Taught(Some(later)));
        assert_eq!(
            state.lab.teaching.known().map(|it| it.curve.clone()),
            Some(curve)
        );
        let other = view(41, Vec::new());
        told(&mut state, Part::Last, LabTeachEvent::Taught(Some(other)));
        assert_eq!(state.lab.teaching.known().map(|it| it.curve.len()), Some(0));
    }
}
