//! Questions: asked now or as soon as a repository can answer, and their answers.

use super::{Effect, Purpose, Shared, State, TurnId, TurnState};
use crate::worker::protocol::{AnswerView, AskRequest, Notice, NoticeKind, Part};

impl State {
    /// Asks now, or as soon as a repository can answer. False effects nothing: an empty question is
    /// answered by a hint.
    pub fn ask(&mut self, question: &str) -> Vec<Effect> {
        let question = question.trim();
        if question.is_empty() {
            self.hint = Some(Notice {
                what: "The question is empty.".into(),
                next: "Write what you want to know, such as “where are redirects followed”.".into(),
                kind: NoticeKind::BadQuestion,
            });
            return Vec::new();
        }
        self.hint = None;
        let turn = self.conversation.push(question);
        if self.summary().is_none() {
            return Vec::new();
        }
        self.ask_turn(turn)
    }

    pub(super) fn ask_turn(&mut self, id: TurnId) -> Vec<Effect> {
        let Some(turn) = self.conversation.get_mut(id) else {
            return Vec::new();
        };
        turn.state = TurnState::Asked;
        let question = turn.question.clone();
        let conversation = self.conversation.id;
        let request = AskRequest {
            question,
            conversation,
        };
        vec![Effect::send(Purpose::Ask(id), request)]
    }

    /// Takes a waiting question back.
    pub fn withdraw(&mut self, id: TurnId) {
        self.conversation.remove(id);
    }

    /// An answer has come. The last one of its question is passed on to the connected model.
    pub(super) fn answer_event(
        &mut self,
        purpose: Purpose,
        part: Part,
        answer: AnswerView,
    ) -> Vec<Effect> {
        let Purpose::Ask(turn) = purpose else {
            return Vec::new();
        };
        let is_final = part == Part::Last;
        self.conversation.answered(turn, Shared::new(answer));
        let mut effects = self.show_first_footnote(turn);
        if is_final {
            effects.extend(self.answered_elsewhere(turn));
        }
        effects.extend(self.refresh_graph());
        if is_final {
            effects.extend(self.write_next(turn));
        }
        effects
    }
}
