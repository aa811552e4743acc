//! Asking questions, now or as soon as a repository is ready, and receiving their answers.

use super::conversation::Coming;
use super::{Effect, Purpose, Shared, State, TurnId, TurnState};
use crate::worker::protocol::{
    AnswerView, AskRequest, Notice, NoticeKind, Part, QueryLeave, Texts,
};

/// The page's own pipeline: used if none is chosen, and it answers by words first.
pub const OWN: &str = "footnote";

impl State {
    /// Asks a question now, or as soon as a repository is ready. An empty question has no effects;
    /// a hint asks for one.
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
        match self.is_across() {
            true => self.gather(id),
            false => self.search_for(id),
        }
    }

    /// Asks the repository that is open now.
    pub(super) fn search_for(&mut self, id: TurnId) -> Vec<Effect> {
        let leave = match self.connection.remembered.reviews_each {
            true => QueryLeave::Unasked,
            false => self.query_leave.clone(),
        };
        self.ask_with(id, leave)
    }

    /// The user has seen what is sent to the model before the search, and agrees.
    pub fn let_query(&mut self, id: TurnId) -> Vec<Effect> {
        let first = self.conversation.get(id).and_then(|turn| turn.answer());
        let Some(first) = first.and_then(|answer| answer.asks_first.clone()) else {
            return Vec::new();
        };
        let to = |texts| QueryLeave::To {
            model: first.model.clone(),
            address: first.address.clone(),
            sent: first.sent,
            texts,
        };
        self.query_leave = to(Texts::like(&first.said));
        self.ask_with(id, to(Texts::Exactly(first.said.clone())))
    }

    /// The user does not agree: the question is searched for as it stands.
    pub fn search_itself(&mut self, id: TurnId) -> Vec<Effect> {
        self.ask_with(id, QueryLeave::Never)
    }

    fn ask_with(&mut self, id: TurnId, leave: QueryLeave) -> Vec<Effect> {
        let pipeline = self.known_pipeline();
        let Some(turn) = self.conversation.get_mut(id) else {
            return Vec::new();
        };
        turn.state = TurnState::Asked;
        let request = AskRequest {
            question: turn.question.clone(),
            conversation: self.conversation.id,
            earlier: self.conversation.before(id),
            pipeline,
            leave,
        };
        vec![Effect::send(Purpose::Ask(id), request)]
    }

    /// Chooses the pipeline for later questions. The page's own is stored as `None`.
    pub fn choose_pipeline(&mut self, name: &str) {
        self.pipeline = (name != OWN).then(|| name.to_owned());
    }

    /// The chosen pipeline, unless only an earlier version of the page knew it.
    fn known_pipeline(&self) -> Option<String> {
        let known = &self.summary()?.repo.pipelines;
        let chosen = self.pipeline.clone()?;
        known.iter().any(|it| it.name == chosen).then_some(chosen)
    }

    /// Withdraws a question that is still waiting.
    pub fn withdraw(&mut self, id: TurnId) {
        self.conversation.remove(id);
    }

    /// Handles an answer. The last answer to a question is passed on to the connected model.
    pub(super) fn answer_event(
        &mut self,
        purpose: Purpose,
        part: Part,
        answer: AnswerView,
        now: f64,
    ) -> Vec<Effect> {
        let Purpose::Ask(turn) = purpose else {
            return Vec::new();
        };
        let is_final = part == Part::Last;
        if answer.asks_first.is_some() {
            self.conversation.answered(turn, Shared::new(answer), now);
            return self.gather_after(turn);
        }
        let coming = self.conversation.answered(turn, Shared::new(answer), now);
        let mut effects = match coming {
            Coming::Replaces => self.show_first_footnote(turn),
            Coming::Updates | Coming::Waits => Vec::new(),
        };
        if is_final {
            effects.extend(self.answered_elsewhere(turn));
        }
        effects.extend(self.refresh_graph());
        if is_final {
            effects.extend(self.write_next(turn));
            effects.extend(self.gather_after(turn));
        }
        effects
    }

    /// The reader asks to see the better answer.
    pub fn show_better(&mut self, id: TurnId) -> Vec<Effect> {
        let turn = self.conversation.get_mut(id);
        if !turn.is_some_and(|turn| turn.show_better()) {
            return Vec::new();
        }
        let mut effects = self.show_first_footnote(id);
        effects.extend(self.refresh_graph());
        effects
    }

    /// Opens or closes the list below a statement.
    pub fn toggle_list(&mut self, id: TurnId, statement: usize) {
        if let Some(turn) = self.conversation.get_mut(id) {
            turn.reading.toggle(statement);
        }
    }

    /// Shows more entries of an open list.
    pub fn more_of_list(&mut self, id: TurnId, statement: usize) {
        if let Some(turn) = self.conversation.get_mut(id) {
            turn.reading.more(statement);
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::state::conversation::tests::answer;
    use crate::state::tests::{Page, notice};
    use crate::worker::protocol::{
        AsksFirstView, ByPipeline, Event, JobId, OfferedView, PlaceView, Request, SentFirst,
        StrategyView, Told,
    };

    /// The pipelines that every repository in these tests offers.
    pub fn pipelines() -> Vec<StrategyView> {
        vec![StrategyView {
            name: "grounded".into(),
            title: "Grounded".into(),
        }]
    }

    /// Delivers an answer of the engine at `now`.
    fn told(page: &mut Page, job: JobId, part: Part, answer: AnswerView, now: f64) {
        let event = Event::Ask(answer);
        let effects = page.state.receive(Told { job, part, event }, now);
        page.run(effects);
    }

    fn earlier(page: &Page) -> Vec<String> {
        match page.sent.last() {
            Some((_, Request::Ask(request))) => request.earlier.clone(),
            other => panic!("{other:?} is no question"),
        }
    }

    #[test]
    fn a_question_is_asked_with_those_before_it_that_did_not_fail() {
        let mut page = Page::new();
        page.ready("a");
        let job = page.ask("who calls f?");
        assert_eq!(earlier(&page), [""; 0]);
        page.event(job, answer("who calls f?", true, &["a.py"]));
        let job = page.ask("???");
        page.event(job, Event::Failed(notice(NoticeKind::BadQuestion)));
        page.ask("and in tests?");
        assert_eq!(earlier(&page), ["who calls f?"]);
    }

    #[test]
    fn the_pipeline_that_was_chosen_answers_and_says_which_lines_a_model_gets() {
        let mut page = Page::new();
        page.ready("a");
        page.state.choose_pipeline("grounded");
        let job = page.ask("where?");
        match page.sent.last() {
            Some((_, Request::Ask(request))) => {
                assert_eq!(request.pipeline.as_deref(), Some("grounded"));
            }
            other => panic!("{other:?} is no question"),
        }
        let offered = vec![OfferedView {
            place: PlaceView {
                path: "a.py".into(),
                start: 1,
                end: 9,
            },
            left_out: Vec::new(),
        }];
        let by = ByPipeline {
            name: "grounded".into(),
            title: "Grounded".into(),
            offered: offered.clone(),
            searched_for: None,
        };
        let told = AnswerView {
            by: Some(by),
            ..answer("where?", true, &["a.py"])
        };
        page.event(job, told);
        let turn = page.state.conversation.turns[0].id;
        let draft = page.state.draft_for(turn);
        assert_eq!(draft.pipeline.as_deref(), Some("grounded"));
        assert_eq!(draft.offered, Some(offered));
        page.state.choose_pipeline(OWN);
        assert_eq!(page.state.pipeline, None);
        page.state.choose_pipeline("of an earlier version");
        assert_eq!(page.state.known_pipeline(), None);
    }

    #[test]
    fn a_model_is_sent_a_question_before_the_search_only_once_the_user_agreed() {
        let mut page = Page::new();
        page.ready("a");
        page.state.choose_pipeline("grounded");
        let leave = |page: &Page| match page.sent.last() {
            Some((_, Request::Ask(request))) => request.leave.clone(),
            other => panic!("{other:?} is no question"),
        };
        let job = page.ask("where?");
        assert_eq!(leave(&page), QueryLeave::Unasked);
        let first = AsksFirstView {
            model: "m".into(),
            address: "http://localhost:1".into(),
            sent: SentFirst::Question,
            said: "where?".into(),
        };
        let preview = AnswerView {
            asks_first: Some(first),
            ..answer("where?", true, &[])
        };
        page.event(job, preview.clone());
        let turn = page.state.conversation.turns[0].id;
        let effects = page.state.search_itself(turn);
        page.run(effects);
        assert_eq!(leave(&page), QueryLeave::Never);
        assert_eq!(
            page.state.query_leave,
            QueryLeave::Unasked,
            "of this question alone"
        );
        let job = page.ask("where?");
        page.event(job, preview);
        let turn = page.state.conversation.turns[1].id;
        let effects = page.state.let_query(turn);
        page.run(effects);
        let to = |texts| QueryLeave::To {
            model: "m".into(),
            address: "http://localhost:1".into(),
            sent: SentFirst::Question,
            texts,
        };
        assert_eq!(leave(&page), to(Texts::Exactly("where?".into())));
        assert_eq!(page.state.query_leave, to(Texts::UpTo(9)), "later ones");
    }

    #[test]
    fn an_answer_that_is_read_stays_until_the_reader_wants_the_better_one() {
        let mut page = Page::new();
        page.ready("a");
        let job = page.ask("where?");
        told(
            &mut page,
            job,
            Part::More,
            answer("where?", false, &["a.py"]),
            100.0,
        );
        told(
            &mut page,
            job,
            Part::Last,
            answer("where?", true, &["b.py"]),
            2_000.0,
        );
        let turn = page.state.conversation.turns[0].id;
        let shown = |page: &Page| {
            let notes = page.state.conversation.turns[0].footnotes(crate::state::By::Extract);
            (notes[0].path.clone(), page.state.reader.path.clone())
        };
        assert_eq!(shown(&page), ("a.py".into(), "a.py".into()));
        let effects = page.state.show_better(turn);
        page.run(effects);
        assert_eq!(shown(&page), ("b.py".into(), "b.py".into()));
        assert_eq!(page.state.show_better(turn), []);
    }
}
