//! Descriptions of the repository's chunks: which ones a model should write, and which there are.

use crate::state::{Effect, Lab, LabStep, Panel, Purpose, Shared, State};
use crate::worker::protocol::{
    LabDescribeOrderView, LabDescribeRequest, LabDescribeScope, LabDescribedView, LabRequest,
    LabTask,
};

/// The pipeline that searches the descriptions. The names of its variants start with this.
pub const BY_TEXT: &str = "code-as-text";

/// Which chunks to describe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Parts {
    /// Those in a folder.
    #[default]
    Folder,
    /// The best hits of a question.
    Best,
    All,
}

/// What the tab for descriptions shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Describing {
    pub parts: Parts,
    pub folder: String,
    pub question: String,
    pub count: u32,
    /// The name of a prompt; the first one if none was chosen.
    pub prompt: String,
    pub filter: String,
    pub view: Option<Shared<LabDescribedView>>,
}

impl Default for Describing {
    fn default() -> Self {
        Self {
            parts: Parts::default(),
            folder: String::new(),
            question: String::new(),
            count: 20,
            prompt: String::new(),
            filter: String::new(),
            view: None,
        }
    }
}

impl Describing {
    fn order(&self) -> LabDescribeOrderView {
        LabDescribeOrderView {
            prompt: self.prompt.clone(),
            scope: match self.parts {
                Parts::All => LabDescribeScope::All,
                Parts::Folder => LabDescribeScope::Folder(self.folder.clone()),
                Parts::Best => LabDescribeScope::Best {
                    question: self.question.clone(),
                    count: self.count,
                },
            },
        }
    }
}

fn request(request: LabDescribeRequest) -> LabRequest {
    LabRequest::Describe(request)
}

impl Lab {
    /// Takes the descriptions that the engine sent.
    pub(super) fn described(&mut self, purpose: Purpose, view: LabDescribedView) {
        match purpose {
            Purpose::Lab => self.stopped(),
            // If something else is running, its own end reports more.
            Purpose::Describing if !self.is_waiting => {}
            _ => return,
        }
        let mut view = view;
        // Filtering keeps the remarks about the run.
        if let (Purpose::Describing, Some(before)) = (purpose, &self.describing.view) {
            view.note.clone_from(&before.note);
            view.unsaved.clone_from(&before.unsaved);
        }
        self.describing.view = Some(Shared::new(view));
    }
}

impl State {
    /// Shows the descriptions.
    pub fn show_describing(&mut self) -> Vec<Effect> {
        self.lab.step = LabStep::Describe;
        let mut effects = match self.panel {
            Some(Panel::Lab) => Vec::new(),
            _ => self.show_lab(),
        };
        if self.lab.describing.view.is_none() {
            effects.extend(self.filter_descriptions(""));
        }
        effects
    }

    /// Shows only the descriptions that contain these words.
    pub fn filter_descriptions(&mut self, filter: &str) -> Vec<Effect> {
        self.lab.describing.filter = filter.to_owned();
        if self.lab.is_waiting {
            return Vec::new();
        }
        let filter = filter.to_owned();
        let show = request(LabDescribeRequest::Show { filter });
        vec![Effect::send(Purpose::Describing, show)]
    }

    /// Requests an estimate of what it costs to have the connected model describe these chunks.
    pub fn estimate_describing(&mut self) -> Vec<Effect> {
        let order = self.lab.describing.order();
        self.lab.estimate(LabTask::Describe(order))
    }

    /// Deletes the descriptions that models wrote.
    pub fn forget_descriptions(&mut self) -> Vec<Effect> {
        let forget = request(LabDescribeRequest::Forget);
        self.lab.ask(forget, |_| {})
    }

    /// Exports all descriptions as a file.
    pub fn export_descriptions(&mut self) -> Vec<Effect> {
        let export = request(LabDescribeRequest::Export);
        vec![Effect::send(Purpose::Export, export)]
    }

    /// Answers later questions with the pipeline that searches descriptions.
    pub fn answer_by_text(&mut self) {
        self.choose_pipeline(BY_TEXT);
        self.hide(Panel::Lab);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::protocol::{Event, LabEvent, Part, Request, Told};

    fn told(state: &mut State, purpose: Purpose, view: LabDescribedView) {
        let show = LabDescribeRequest::Show {
            filter: String::new(),
        };
        let job = state.begin(purpose, &LabRequest::Describe(show).into());
        let event = Event::Lab(LabEvent::Described(view));
        let part = Part::Last;
        state.receive(Told { job, part, event }, 0.0);
    }

    #[test]
    fn the_order_follows_the_choices_of_the_user() {
        let mut state = State::default();
        state.lab.describing.parts = Parts::Best;
        state.lab.describing.question = "redirects".into();
        let effects = state.estimate_describing();
        let [Effect::Send(_, Request::Lab(LabRequest::Estimate(task)))] = &effects[..] else {
            panic!("{effects:?}");
        };
        let scope = LabDescribeScope::Best {
            question: "redirects".into(),
            count: 20,
        };
        let expected = LabDescribeOrderView {
            scope,
            prompt: String::new(),
        };
        assert_eq!(*task, LabTask::Describe(expected));
    }

    #[test]
    fn filtering_keeps_the_note_on_the_run_and_waits_while_one_is_under_way() {
        let mut state = State::default();
        let first = LabDescribedView {
            note: Some("Paused.".into()),
            ..LabDescribedView::default()
        };
        told(&mut state, Purpose::Lab, first);
        assert_eq!(state.filter_descriptions("send").len(), 1);
        told(&mut state, Purpose::Describing, LabDescribedView::default());
        let view = state.lab.describing.view.clone().unwrap();
        assert_eq!(view.note.as_deref(), Some("Paused."));
        state.lab.is_waiting = true;
        assert!(state.filter_descriptions("send").is_empty());
    }
}
