//! The context inspector: which of the lines found a model is shown, how they were chosen, and what
//! the user changed.

use footnote_core::compress::Compressor;

use super::writing::Draft;
use super::{Effect, Panel, Purpose, Shared, State, TurnId};
use crate::worker::protocol::{
    CodeModelRequest, CodeModelView, ContextEvent, ContextRequest, ContextView, Notice, NoticeKind,
    OfferedView, SnippetAt, SnippetView, StrategyView,
};

/// The context sizes on offer, in tokens.
pub const BUDGETS: [u32; 4] = [2_000, 4_000, 8_000, 16_000];

/// The context that is shown or due, and how contexts are chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Choosing {
    pub turn: Option<TurnId>,
    pub question: String,
    /// The compression strategy used for what is sent; `right` is one to compare with.
    pub left: String,
    pub right: Option<String>,
    pub tokens: u32,
    /// The rule for how much of each snippet may be kept; empty if all blocks compete.
    pub policy: String,
    pub options: Shared<Vec<StrategyView>>,
    pub policies: Shared<Vec<StrategyView>>,
    /// The model that reads code for strategies that need a language model.
    pub code_model: CodeModelView,
    pub sides: Vec<Side>,
    pub trouble: Option<Notice>,
    pub is_waiting: bool,
}

/// The lines that one strategy chose.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    pub title: String,
    pub about: String,
    pub instead: Option<String>,
    pub read_by: Option<String>,
    /// Where it was computed, as a sentence.
    pub ran: Option<String>,
    pub judged_by: Option<String>,
    pub snippets: Vec<Shared<SnippetView>>,
}

impl Side {
    /// The tokens of all snippets, before and after compression.
    pub fn tokens(&self) -> (u32, u32) {
        let snippets = self.snippets.iter();
        snippets.fold((0, 0), |(before, after), snippet| {
            (before + snippet.tokens_before, after + snippet.tokens_after)
        })
    }
}

impl Default for Choosing {
    fn default() -> Self {
        Self {
            turn: None,
            question: String::new(),
            left: Compressor::default().name().to_owned(),
            right: None,
            tokens: BUDGETS[1],
            policy: String::new(),
            options: Shared::new(Vec::new()),
            policies: Shared::new(Vec::new()),
            code_model: CodeModelView::default(),
            sides: Vec::new(),
            trouble: None,
            is_waiting: false,
        }
    }
}

impl Choosing {
    pub fn arrived(&mut self, view: ContextView) {
        self.is_waiting = false;
        self.trouble = None;
        self.options = Shared::new(view.options);
        self.policies = Shared::new(view.policies);
        self.code_model = view.code_model;
        self.sides = view
            .sides
            .into_iter()
            .map(|side| Side {
                title: side.title,
                about: side.about,
                instead: side.instead,
                read_by: side.read_by,
                ran: side.ran,
                judged_by: side.judged_by,
                snippets: side.snippets.into_iter().map(Shared::new).collect(),
            })
            .collect();
    }

    pub fn recut(&mut self, at: SnippetAt, view: SnippetView) {
        self.trouble = None;
        let side = self.sides.get_mut(at.side as usize);
        let snippet = side.and_then(|side| side.snippets.get_mut(at.snippet as usize));
        if let Some(snippet) = snippet {
            *snippet = Shared::new(view);
        }
    }

    pub fn failed(&mut self, notice: Notice) {
        self.is_waiting = false;
        self.trouble = Some(notice);
    }

    /// Whether a chosen strategy has a language model read the code.
    pub fn uses_model(&self) -> bool {
        let both = std::iter::once(&self.left).chain(&self.right);
        let mut both = both.filter_map(|name| Compressor::from_name(name));
        both.any(Compressor::uses_model)
    }

    /// Reads code with another model from now on; the context is made again.
    pub fn reads_with(&mut self, view: CodeModelView) -> Vec<Effect> {
        self.code_model = view;
        self.is_waiting = false;
        self.trouble = None;
        match self.question.is_empty() {
            true => Vec::new(),
            false => self.ask(),
        }
    }

    fn ask(&mut self) -> Vec<Effect> {
        self.is_waiting = true;
        self.trouble = None;
        let both = std::iter::once(&self.left).chain(&self.right);
        let request = ContextRequest::Make {
            question: self.question.clone(),
            strategies: both.cloned().collect(),
            tokens: self.tokens,
            policy: self.policy.clone(),
        };
        vec![Effect::send(Purpose::Context, request)]
    }

    /// The lines of the first side that would be sent.
    fn offered(&self) -> Vec<OfferedView> {
        let snippets = self.sides.first().map(|side| side.snippets.iter());
        let kept = snippets
            .into_iter()
            .flatten()
            .filter(|it| it.tokens_after > 0);
        kept.map(|snippet| snippet.offered.clone()).collect()
    }
}

impl State {
    /// Shows the context of a turn; the strategies and budget chosen before stay.
    pub fn show_context(&mut self, id: TurnId) -> Vec<Effect> {
        let Some(turn) = self.conversation.get(id) else {
            return Vec::new();
        };
        // A follow-up may have been reworded; take the question that the model was asked.
        let written = turn.written_answer();
        let standalone = written.and_then(|written| written.head.standalone.clone());
        let question = standalone.unwrap_or_else(|| turn.searched().to_owned());
        self.panel = Some(Panel::Context);
        if self.choosing.question != question {
            self.choosing.sides.clear();
            self.choosing.question = question;
        }
        self.choosing.turn = Some(id);
        self.choosing.ask()
    }

    /// Changes how lines are chosen.
    pub fn choose_context(&mut self, change: impl FnOnce(&mut Choosing)) -> Vec<Effect> {
        change(&mut self.choosing);
        self.choosing.ask()
    }

    /// Has the connected language model decide how much of each snippet is kept.
    pub fn judge_context(&mut self) -> Vec<Effect> {
        self.choosing.is_waiting = true;
        self.choosing.trouble = None;
        vec![Effect::send(Purpose::Context, ContextRequest::Judge)]
    }

    /// Keeps more or less of a snippet.
    pub fn recut(&mut self, at: SnippetAt, percent: u32) -> Vec<Effect> {
        let request = ContextRequest::Recut { at, percent };
        vec![Effect::send(Purpose::Recut(at), request)]
    }

    pub fn export_context(&mut self, format: &str) -> Vec<Effect> {
        let format = format.to_owned();
        let request = ContextRequest::Export { format };
        vec![Effect::send(Purpose::Export, request)]
    }

    /// Goes back to the code language model that comes with the page.
    pub fn use_own_model(&mut self) -> Vec<Effect> {
        self.choosing.is_waiting = true;
        vec![Effect::send(Purpose::CodeModel, CodeModelRequest::UseOwn)]
    }

    /// Another code language model is being loaded.
    pub fn awaits_model(&mut self) {
        self.choosing.is_waiting = true;
    }

    /// The chosen files are not a language model.
    pub fn not_a_model(&mut self) {
        self.choosing.failed(Notice {
            what: "These are not the two files that a language model needs.".into(),
            next: "Choose the model’s .onnx file and its tokenizer.json together.".into(),
            kind: NoticeKind::BadInput,
        });
    }

    pub(super) fn context_event(&mut self, purpose: Purpose, event: ContextEvent) {
        match event {
            ContextEvent::Made(view) if purpose == Purpose::Context => self.choosing.arrived(view),
            ContextEvent::Recut(at, snippet) if purpose == Purpose::Recut(at) => {
                self.choosing.recut(at, snippet);
            }
            // Out of date: made again since, or for another snippet.
            ContextEvent::Made(_) | ContextEvent::Recut(..) => {}
        }
    }

    pub(super) fn code_model_event(
        &mut self,
        purpose: Purpose,
        view: CodeModelView,
    ) -> Vec<Effect> {
        match purpose {
            Purpose::CodeModel => self.choosing.reads_with(view),
            _ => Vec::new(),
        }
    }

    /// Asks the model with exactly the lines of the first side.
    pub fn write_with_context(&mut self) -> Vec<Effect> {
        let Some(turn) = self.choosing.turn else {
            return Vec::new();
        };
        if let Some(hint) = self.connection_hint() {
            self.hint = Some(hint);
            return Vec::new();
        }
        self.hide(Panel::Context);
        let written = self.conversation.get(turn);
        let written = written.and_then(|turn| turn.written_answer());
        let draft = Draft {
            standalone: written.and_then(|written| written.head.standalone.clone()),
            offered: Some(self.choosing.offered()),
            ..Draft::default()
        };
        self.write(turn, draft, self.connection.permission())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::protocol::{Event, Part, PlaceView, Request, SideView, Told};

    fn snippet(path: &str, left_out: Vec<(u32, u32)>, after: u32) -> SnippetView {
        SnippetView {
            offered: OfferedView {
                place: PlaceView {
                    path: path.into(),
                    start: 1,
                    end: 9,
                },
                left_out,
            },
            tokens_before: 100,
            tokens_after: after,
            html: String::new(),
        }
    }

    /// Delivers an event for a request with this purpose.
    fn answer(state: &mut State, purpose: Purpose, event: impl Into<Event>) -> Vec<Effect> {
        let job = state.begin(purpose, &ContextRequest::Judge.into());
        let (part, event) = (Part::Last, event.into());
        state.receive(Told { job, part, event }, 0.0)
    }

    fn view() -> ContextView {
        ContextView {
            question: "one".into(),
            options: Vec::new(),
            policies: Vec::new(),
            code_model: CodeModelView::default(),
            sides: vec![SideView {
                title: "Fused".into(),
                about: String::new(),
                instead: None,
                read_by: None,
                ran: None,
                judged_by: None,
                snippets: vec![
                    snippet("a.py", vec![(2, 4)], 60),
                    snippet("b.py", vec![(1, 9)], 0),
                ],
            }],
        }
    }

    #[test]
    fn the_lines_that_a_slider_keeps_are_offered() {
        let mut state = State::default();
        let turn = state.conversation.push("one");
        state.show_context(turn);
        assert_eq!(state.panel, Some(Panel::Context));
        answer(&mut state, Purpose::Context, ContextEvent::Made(view()));
        assert_eq!(state.choosing.sides[0].tokens(), (200, 60));
        let offered = state.choosing.offered();
        assert_eq!(offered.len(), 1, "what is dropped whole is not sent");
        let at = SnippetAt {
            side: 0,
            snippet: 1,
        };
        state.recut(at, 30);
        let cut = snippet("b.py", vec![(3, 9)], 25);
        let event = ContextEvent::Recut(at, cut.clone());
        answer(&mut state, Purpose::Recut(at), event);
        assert_eq!(state.choosing.sides[0].tokens(), (200, 85));
        assert_eq!(state.choosing.offered()[1], cut.offered);
    }

    #[test]
    fn another_model_makes_the_page_request_the_context_again() {
        let mut state = State::default();
        let turn = state.conversation.push("one");
        state.show_context(turn);
        assert!(!state.choosing.uses_model());
        state.choose_context(|choosing| choosing.right = Some("ami-mmr".into()));
        assert!(state.choosing.uses_model());
        let mine = CodeModelView {
            brought: Some("mine.onnx".into()),
            is_kept: true,
        };
        let effects = answer(&mut state, Purpose::CodeModel, mine.clone());
        assert_eq!(state.choosing.code_model, mine);
        let asked = matches!(
            effects.as_slice(),
            [Effect::Send(Purpose::Context, Request::Context(_))]
        );
        assert!(asked, "{effects:?}");
        let notice = Notice {
            what: "damaged".into(),
            next: String::new(),
            kind: NoticeKind::BadInput,
        };
        answer(
            &mut state,
            Purpose::CodeModel,
            Event::Failed(notice.clone()),
        );
        assert_eq!(state.choosing.code_model, mine, "the earlier one stays");
        assert_eq!(state.choosing.trouble.as_ref().unwrap().what, "damaged");
        answer(&mut state, Purpose::CodeModel, mine);
        assert_eq!(state.choosing.trouble, None, "what works now is no trouble");
        let at = SnippetAt {
            side: 0,
            snippet: 0,
        };
        answer(&mut state, Purpose::Recut(at), Event::Failed(notice));
        assert!(state.choosing.trouble.is_some());
        let cut = ContextEvent::Recut(at, snippet("a.py", vec![], 100));
        answer(&mut state, Purpose::Recut(at), cut);
        assert_eq!(state.choosing.trouble, None);
    }

    #[test]
    fn strategies_and_budget_stay_from_question_to_question() {
        let mut state = State::default();
        let first = state.conversation.push("one");
        let second = state.conversation.push("two");
        state.show_context(first);
        state.choose_context(|choosing| {
            choosing.left = "head".into();
            choosing.right = Some("none".into());
            choosing.tokens = 8_000;
            choosing.policy = "graded".into();
        });
        let effects = state.show_context(second);
        let expected = ContextRequest::Make {
            question: "two".into(),
            strategies: vec!["head".into(), "none".into()],
            tokens: 8_000,
            policy: "graded".into(),
        };
        assert_eq!(effects, [Effect::send(Purpose::Context, expected)]);
    }
}
