//! How a question was searched: which question, by which strategies, and the result.

use super::lab::{BY_TEXT, CHOSEN, TAUGHT};
use super::{Effect, Panel, Purpose, Shared, State, TurnId};
use crate::worker::protocol::{Notice, TraceRequest, TraceView};

/// The page's own strategy.
const DEFAULT: &str = "default";

/// The strategy used where the teaching answers.
const DEFAULT_TAUGHT: &str = "default+taught";

/// The strategy of the pipelines that search descriptions.
const CODE_AND_TEXT: &str = "code-and-text";

/// The trace that is shown or due.
#[derive(Clone, Debug, PartialEq)]
pub struct Tracing {
    pub question: String,
    /// The strategy shown; `right` is one to compare with.
    pub left: String,
    pub right: Option<String>,
    pub view: Option<Shared<TraceView>>,
    pub trouble: Option<Notice>,
    pub is_waiting: bool,
}

impl Default for Tracing {
    fn default() -> Self {
        Self {
            question: String::new(),
            left: DEFAULT.to_owned(),
            right: None,
            view: None,
            trouble: None,
            is_waiting: false,
        }
    }
}

impl Tracing {
    pub fn arrived(&mut self, view: TraceView) {
        self.is_waiting = false;
        self.trouble = None;
        self.view = Some(Shared::new(view));
    }

    pub fn failed(&mut self, notice: Notice) {
        self.is_waiting = false;
        self.trouble = Some(notice);
    }

    fn ask(&mut self) -> Vec<Effect> {
        self.is_waiting = true;
        self.trouble = None;
        let both = std::iter::once(&self.left).chain(&self.right);
        let request = TraceRequest::Make {
            question: self.question.clone(),
            strategies: both.cloned().collect(),
        };
        vec![Effect::send(Purpose::Trace, request)]
    }
}

impl State {
    /// Shows how the question of a turn was searched; the strategies chosen before stay, except
    /// that the default one follows the pipeline that answered.
    pub fn show_trace(&mut self, turn: TurnId) -> Vec<Effect> {
        let Some(turn) = self.conversation.get(turn) else {
            return Vec::new();
        };
        let pipeline = turn.answer().and_then(|answer| answer.by.as_ref());
        let written = pipeline.and_then(|by| by.searched_for.clone());
        let question = written.unwrap_or_else(|| turn.searched().to_owned());
        let is_taught = pipeline.is_some_and(|by| [TAUGHT, CHOSEN].contains(&by.name.as_str()));
        let is_by_text = pipeline.is_some_and(|by| by.name.starts_with(BY_TEXT));
        self.panel = Some(Panel::Trace);
        if is_by_text && self.tracing.left == DEFAULT {
            self.tracing.left = CODE_AND_TEXT.to_owned();
        }
        if is_taught && self.tracing.left == DEFAULT {
            self.tracing.left = DEFAULT_TAUGHT.to_owned();
        }
        if self.tracing.question != question {
            self.tracing.view = None;
            self.tracing.question = question;
        }
        self.tracing.ask()
    }

    pub fn trace_with(&mut self, left: &str, right: Option<&str>) -> Vec<Effect> {
        self.tracing.left = left.to_owned();
        self.tracing.right = right.map(str::to_owned);
        self.tracing.ask()
    }

    pub fn export_trace(&mut self, format: &str) -> Vec<Effect> {
        let format = format.to_owned();
        let request = TraceRequest::Export { format };
        vec![Effect::send(Purpose::Export, request)]
    }

    pub(super) fn trace_event(&mut self, purpose: Purpose, trace: TraceView) {
        if purpose == Purpose::Trace {
            self.tracing.arrived(trace);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::protocol::{Event, ExportView, Part, Request, Told};

    fn asked(effects: &[Effect]) -> (String, Vec<String>) {
        match effects {
            [
                Effect::Send(
                    Purpose::Trace,
                    Request::Trace(TraceRequest::Make {
                        question,
                        strategies,
                    }),
                ),
            ] => (question.clone(), strategies.clone()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_chosen_strategies_stay_from_question_to_question() {
        let mut state = State::default();
        let first = state.conversation.push("one");
        let second = state.conversation.push("two");
        let effects = state.show_trace(first);
        assert_eq!(asked(&effects), ("one".into(), vec!["default".into()]));
        let effects = state.trace_with("bm25", Some("dense"));
        let both = vec!["bm25".to_owned(), "dense".to_owned()];
        assert_eq!(asked(&effects), ("one".into(), both.clone()));
        let effects = state.show_trace(second);
        assert_eq!(asked(&effects), ("two".into(), both));
        assert_eq!(state.panel, Some(Panel::Trace));
    }

    #[test]
    fn an_exported_file_is_handed_over_once() {
        let mut state = State::default();
        let file = ExportView {
            file_name: "trace.html".into(),
            media_type: "text/html".into(),
            bytes: Vec::new(),
        };
        let format = "html".to_owned();
        let request = TraceRequest::Export { format }.into();
        let told = Told {
            job: state.begin(Purpose::Export, &request),
            part: Part::Last,
            event: Event::Exported(file.clone()),
        };
        assert_eq!(state.receive(told.clone(), 0.0), [Effect::Save(file)]);
        assert_eq!(state.receive(told, 0.0), []);
    }
}
