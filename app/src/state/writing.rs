//! Answers by a language model: from the question, through what would be sent, to the checked text.

use super::conversation::{By, Turn, TurnId, TurnState, place};
use super::{Effect, Purpose, Shared, State, connection::Stage};
use crate::worker::protocol::{
    BlockView, ExchangeView, Notice, OutgoingView, PlaceView, Request, WriteView, WritingPatch,
    WritingState, WrittenView,
};

/// Exchanges that a follow-up is told of.
const MAX_HISTORY: usize = 6;

/// What the model's part of a turn is.
#[derive(Clone, Debug, PartialEq)]
pub enum Written {
    /// What would be sent is being put together.
    Preparing { draft: Draft },
    /// The user decides on it.
    Review {
        draft: Draft,
        outgoing: Shared<OutgoingView>,
    },
    /// It is written, or was.
    Answer(WrittenAnswer),
    /// Nothing was sent.
    Failed(Notice),
}

/// What the user changed of what will be sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    pub standalone: Option<String>,
    /// The lines that the user was shown: no others are sent, whatever would be found by then.
    pub offered: Option<Vec<PlaceView>>,
    pub without: Vec<PlaceView>,
}

/// A written answer, cut so that views of what did not change stay as they are.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenAnswer {
    /// All but the blocks.
    pub head: Shared<WrittenView>,
    pub blocks: Vec<Shared<BlockView>>,
}

impl WrittenAnswer {
    pub fn new(mut view: WrittenView) -> Self {
        let blocks = std::mem::take(&mut view.blocks);
        Self {
            head: Shared::new(view),
            blocks: blocks.into_iter().map(Shared::new).collect(),
        }
    }

    fn apply(&mut self, patch: WritingPatch) {
        let mut head = (*self.head).clone();
        let kept = patch.kept_blocks as usize;
        self.blocks.truncate(kept);
        head.apply(WritingPatch {
            kept_blocks: 0,
            ..patch
        });
        let new = std::mem::take(&mut head.blocks);
        self.blocks.extend(new.into_iter().map(Shared::new));
        self.head = Shared::new(head);
    }

    /// The same answer, ended in `state` if it had not ended.
    fn end(&mut self, state: WritingState) {
        if !self.head.state.is_over() {
            let mut head = (*self.head).clone();
            head.state = state;
            self.head = Shared::new(head);
        }
    }
}

impl Turn {
    /// The model's answer, as far as there is one.
    pub fn written_answer(&self) -> Option<&WrittenAnswer> {
        match &self.written {
            Some(Written::Answer(answer)) => Some(answer),
            _ => None,
        }
    }
}

impl State {
    /// The answer without a model is final: the connected model is asked, or what it would get is shown.
    pub(super) fn write_next(&mut self, turn: TurnId) -> Vec<Effect> {
        if self.connection.stage() != Stage::Connected {
            // The answer without a model stands; what keeps the model from answering is said once.
            self.hint = self.connection_hint();
            return Vec::new();
        }
        self.write(turn, Draft::default(), self.connection.has_consent())
    }

    /// Has the model answer a turn that it has not answered yet, or once more.
    pub fn write_again(&mut self, turn: TurnId) -> Vec<Effect> {
        match self.connection_hint() {
            Some(hint) => {
                self.hint = Some(hint);
                Vec::new()
            }
            None => self.write_next(turn),
        }
    }

    /// The user asks with another wording of the follow-up.
    pub fn write_as(&mut self, turn: TurnId, standalone: &str) -> Vec<Effect> {
        let standalone = standalone.trim();
        if standalone.is_empty() {
            return Vec::new();
        }
        let draft = Draft {
            standalone: Some(standalone.to_owned()),
            ..Draft::default()
        };
        self.write(turn, draft, self.connection.has_consent())
    }

    /// The user takes evidence out of what would be sent, or puts it back.
    pub fn toggle_evidence(&mut self, turn: TurnId, place: &PlaceView) -> Vec<Effect> {
        let Some(Written::Review { draft, .. }) = self.written(turn) else {
            return Vec::new();
        };
        let mut draft = draft.clone();
        match draft.without.iter().position(|known| known == place) {
            Some(at) => {
                draft.without.remove(at);
            }
            None => draft.without.push(place.clone()),
        }
        self.request(turn, draft, false)
    }

    /// The user lets it go, and what follows to this service with it.
    pub fn send_reviewed(&mut self, turn: TurnId) -> Vec<Effect> {
        let Some(Written::Review { draft, .. }) = self.written(turn) else {
            return Vec::new();
        };
        let draft = draft.clone();
        self.connection.remembered.consent = self.connection.origin();
        let mut effects = vec![Effect::Remember];
        effects.extend(self.write(turn, draft, true));
        effects
    }

    /// The user does not want this question sent.
    pub fn decline(&mut self, turn: TurnId) {
        if let Some(turn) = self.conversation.get_mut(turn) {
            turn.written = None;
        }
    }

    /// Stops the writing; what is there stays.
    pub fn stop_writing(&mut self, turn: TurnId) -> Vec<Effect> {
        let jobs = self.jobs.iter();
        jobs.filter(|(_, purpose)| *purpose == Purpose::Write(turn))
            .map(|(job, _)| Effect::Send(Purpose::Other, Request::Cancel { job: *job }))
            .collect()
    }

    fn written(&self, turn: TurnId) -> Option<&Written> {
        self.conversation.get(turn)?.written.as_ref()
    }

    /// Shows that the model is asked, and asks.
    fn write(&mut self, id: TurnId, draft: Draft, is_allowed: bool) -> Vec<Effect> {
        if let Some(turn) = self.conversation.get_mut(id) {
            turn.written = Some(match is_allowed {
                true => Written::Answer(WrittenAnswer::new(WrittenView::default())),
                false => Written::Preparing {
                    draft: draft.clone(),
                },
            });
        }
        self.request(id, draft, is_allowed)
    }

    fn request(&mut self, id: TurnId, draft: Draft, is_allowed: bool) -> Vec<Effect> {
        let history = self.history_before(id);
        let conversation = self.conversation.id;
        let Some(turn) = self.conversation.get_mut(id) else {
            return Vec::new();
        };
        if let Some(Written::Review { draft: known, .. }) = &mut turn.written {
            *known = draft.clone();
        }
        let write = WriteView {
            question: turn.question.clone(),
            conversation,
            asked_at: turn.answer().map_or(0.0, |answer| answer.asked_at),
            history,
            standalone: draft.standalone,
            offered: draft.offered,
            without: draft.without,
            is_allowed,
        };
        vec![Effect::Send(Purpose::Write(id), Request::Write(write))]
    }

    /// The exchanges before a turn, oldest first.
    fn history_before(&self, id: TurnId) -> Vec<ExchangeView> {
        let before = self
            .conversation
            .turns
            .iter()
            .take_while(|turn| turn.id != id);
        let mut exchanges: Vec<_> = before.filter_map(exchange).collect();
        let skip = exchanges.len().saturating_sub(MAX_HISTORY);
        exchanges.drain(..skip);
        exchanges
    }

    /// What would be sent is known.
    pub(super) fn outgoing(&mut self, id: TurnId, view: OutgoingView) {
        let Some(turn) = self.conversation.get_mut(id) else {
            return;
        };
        if let Some(Written::Preparing { draft } | Written::Review { draft, .. }) = &turn.written {
            let places = view.parts.iter().map(|part| part.place.clone());
            turn.written = Some(Written::Review {
                draft: Draft {
                    offered: Some(places.collect()),
                    ..draft.clone()
                },
                outgoing: Shared::new(view),
            });
        }
    }

    /// More of the answer has come.
    pub(super) fn written_on(&mut self, id: TurnId, patch: WritingPatch) -> Vec<Effect> {
        let is_over = patch.view.state.is_over();
        let Some(turn) = self.conversation.get_mut(id) else {
            return Vec::new();
        };
        match &mut turn.written {
            Some(Written::Answer(answer)) => answer.apply(patch),
            written => {
                let mut answer = WrittenAnswer::new(WrittenView::default());
                answer.apply(patch);
                *written = Some(Written::Answer(answer));
            }
        }
        match is_over {
            true => self.show_written(id),
            false => Vec::new(),
        }
    }

    /// The writing ended without an event of its own: it was stopped, or the engine died.
    pub(super) fn writing_ended(&mut self, id: TurnId, trouble: Option<Notice>) {
        let Some(turn) = self.conversation.get_mut(id) else {
            return;
        };
        match (&mut turn.written, trouble) {
            (Some(Written::Answer(answer)), None) => answer.end(WritingState::Stopped),
            (Some(Written::Answer(answer)), Some(notice)) => {
                answer.end(WritingState::Failed(notice));
            }
            (written, Some(notice)) => *written = Some(Written::Failed(notice)),
            (written, None) => *written = None,
        }
    }

    /// The finished answer's first footnote is shown, unless the user reads something else.
    fn show_written(&mut self, id: TurnId) -> Vec<Effect> {
        let is_free = self
            .conversation
            .focus
            .is_none_or(|focus| focus.automatic && focus.turn == id);
        let first = self.conversation.get(id).and_then(|turn| {
            let notes = turn.footnotes(By::Model);
            notes.iter().find(|note| note.check.leads_somewhere())
        });
        match first.map(|note| note.number) {
            Some(number) if is_free => self.focus_automatically(id, By::Model, number),
            _ => Vec::new(),
        }
    }
}

/// What a model wrote, as Markdown: its text with the citations that it made, and under it what the check
/// made of each.
pub fn to_markdown(question: &str, written: &WrittenView) -> String {
    let mut text = format!("**{}**\n\n{}\n", question.trim(), written.text.trim());
    if !written.footnotes.is_empty() {
        text.push_str("\nSources, checked by Footnote:\n");
    }
    for note in &written.footnotes {
        let place = match note.check.leads_somewhere() {
            true => format!(" `{}`", place(&note.path, note.start, note.end)),
            false => String::new(),
        };
        let about = match note.check.about() {
            about if about.is_empty() => String::new(),
            about => format!(": {about}"),
        };
        let word = note.check.word();
        text.push_str(&format!("{}.{place} ({word}{about})\n", note.number));
    }
    text
}

/// A turn as a follow-up needs it: what the model wrote, else what was found without one.
fn exchange(turn: &Turn) -> Option<ExchangeView> {
    let TurnState::Answered(answer) = &turn.state else {
        return None;
    };
    let written = turn
        .written_answer()
        .map(|written| written.head.text.clone());
    let text = written
        .filter(|text| !text.is_empty())
        .unwrap_or_else(|| super::conversation::plain(answer));
    Some(ExchangeView {
        question: turn.question.clone(),
        answer: text,
    })
}

#[cfg(test)]
mod tests {
    use footnote_core::answer::protocol::{Kind, Service};

    use super::super::connection::{Connection, Remembered};
    use super::super::conversation::tests::answer;
    use super::super::tests::Page;
    use super::*;
    use crate::worker::protocol::{Event, FootnoteView, InlineView, JobId, OutgoingPartView};

    /// A page with an open repository and a connected model.
    fn connected(has_consent: bool) -> Page {
        let mut page = Page::new();
        page.ready("repo");
        let service = Service::new(Kind::Ollama, "localhost:11434").unwrap();
        page.state.connection = Connection {
            remembered: Remembered {
                consent: if has_consent {
                    service.origin()
                } else {
                    String::new()
                },
                service: Some(service),
                model: "m".into(),
                ..Remembered::default()
            },
            is_open: true,
            ..Connection::default()
        };
        page
    }

    /// Asks, and gives the final answer without a model; the request to write that follows.
    fn asked(page: &mut Page, question: &str) -> (TurnId, JobId, WriteView) {
        let effects = page.state.ask(question);
        page.run(effects);
        let (job, _) = page.sent.last().cloned().unwrap();
        page.event(job, Event::Answer(answer(question, true, &["a.py"])));
        let turn = page.state.conversation.turns.last().unwrap().id;
        let (job, write) = last_write(page);
        (turn, job, write)
    }

    fn last_write(page: &Page) -> (JobId, WriteView) {
        let write = page
            .sent
            .iter()
            .rev()
            .find_map(|(job, request)| match request {
                Request::Write(write) => Some((*job, write.clone())),
                _ => None,
            });
        write.unwrap()
    }

    fn outgoing(page: &mut Page, job: JobId) -> PlaceView {
        let place = PlaceView {
            path: "a.py".into(),
            start: 1,
            end: 9,
        };
        let view = OutgoingView {
            url: "u".into(),
            origin: "o".into(),
            model: "m".into(),
            parts: vec![OutgoingPartView {
                place: place.clone(),
                tokens: 5,
                is_kept: true,
            }],
            files: 1,
            lines: 9,
            tokens: 50,
            window: 8_000,
            bytes: 200,
            headers: Vec::new(),
            body: "{}".into(),
            rewrites_first: false,
        };
        page.event(job, Event::Outgoing(view));
        place
    }

    fn view(texts: &[&str], state: WritingState) -> WrittenView {
        let block = |text: &&str| BlockView::Paragraph(vec![InlineView::Text((*text).into())]);
        WrittenView {
            text: texts.join("\n\n"),
            blocks: texts.iter().map(block).collect(),
            state,
            ..WrittenView::default()
        }
    }

    #[test]
    fn nothing_is_sent_before_the_user_has_seen_what() {
        let mut page = connected(false);
        let (turn, job, write) = asked(&mut page, "how");
        assert!(!write.is_allowed);
        let place = outgoing(&mut page, job);
        // Taking lines out only asks what would be sent then.
        let effects = page.state.toggle_evidence(turn, &place);
        page.run(effects);
        let (job, write) = last_write(&page);
        assert_eq!((write.is_allowed, write.without.len()), (false, 1));
        assert_eq!(write.offered, Some(vec![place.clone()]));
        outgoing(&mut page, job);
        let effects = page.state.send_reviewed(turn);
        page.run(effects);
        let (_, write) = last_write(&page);
        assert_eq!((write.is_allowed, write.without), (true, vec![place]));
        // From now on questions to this service go at once.
        let (_, _, write) = asked(&mut page, "and why");
        assert!(write.is_allowed);
    }

    #[test]
    fn what_is_declined_is_not_sent_and_can_be_asked_for_later() {
        let mut page = connected(false);
        let (turn, job, _) = asked(&mut page, "how");
        outgoing(&mut page, job);
        let sent = page.sent.len();
        page.state.decline(turn);
        assert_eq!(page.sent.len(), sent);
        assert_eq!(page.state.written(turn), None);
        let effects = page.state.write_again(turn);
        page.run(effects);
        assert!(!last_write(&page).1.is_allowed);
    }

    #[test]
    fn blocks_that_did_not_change_stay_the_same_objects() {
        let mut page = connected(true);
        let (turn, job, _) = asked(&mut page, "how");
        let empty = WrittenView::default();
        let first = view(&["a", "b"], WritingState::Writing);
        page.event(job, Event::Written(first.since(&empty)));
        let kept = page.state.conversation.get(turn).unwrap().written_answer();
        let kept = kept.unwrap().blocks[0].clone();
        let second = view(&["a", "b c", "d"], WritingState::Finished);
        page.event(job, Event::Written(second.since(&first)));
        let now = page.state.conversation.get(turn).unwrap().written_answer();
        let now = now.unwrap();
        assert_eq!(now.blocks[0], kept, "the same object");
        assert_eq!(
            (now.blocks.len(), now.head.text.as_str()),
            (3, "a\n\nb c\n\nd")
        );
    }

    #[test]
    fn a_stop_and_a_failure_keep_what_had_come() {
        for (event, state) in [
            (Event::Cancelled, WritingState::Stopped),
            (Event::Failed(notice()), WritingState::Failed(notice())),
        ] {
            let mut page = connected(true);
            let (turn, job, _) = asked(&mut page, "how");
            let some = view(&["half"], WritingState::Writing);
            page.event(job, Event::Written(some.since(&WrittenView::default())));
            page.event(job, event);
            let turn = page.state.conversation.get(turn).unwrap();
            let written = turn.written_answer().unwrap();
            assert_eq!(
                (&written.head.state, written.head.text.as_str()),
                (&state, "half")
            );
        }
    }

    fn notice() -> Notice {
        Notice {
            what: "Gone.".into(),
            next: "Again.".into(),
            kind: crate::worker::protocol::NoticeKind::Service,
        }
    }

    #[test]
    fn a_follow_up_tells_what_was_said_before_it() {
        let mut page = connected(true);
        let (_, job, write) = asked(&mut page, "how");
        assert!(write.history.is_empty());
        let said = view(&["It is so."], WritingState::Finished);
        page.event(job, Event::Written(said.since(&WrittenView::default())));
        let (_, _, write) = asked(&mut page, "and why");
        assert_eq!(write.history.len(), 1);
        assert_eq!(write.history[0].answer, "It is so.");
    }

    #[test]
    fn what_was_written_is_copied_with_the_outcome_of_each_check() {
        use crate::worker::protocol::CheckView;
        let written = WrittenView {
            text: "It sends [a.py:1-2]. It lies [b.py:9].".into(),
            footnotes: vec![
                FootnoteView {
                    number: 1,
                    path: "a.py".into(),
                    start: 1,
                    end: 2,
                    why: String::new(),
                    check: CheckView::Verified,
                },
                FootnoteView {
                    number: 2,
                    path: String::new(),
                    start: 0,
                    end: 0,
                    why: String::new(),
                    check: CheckView::Rejected {
                        original: "[b.py:9]".into(),
                        why: "there is no such file".into(),
                    },
                },
            ],
            ..WrittenView::default()
        };
        assert_eq!(
            to_markdown("How?", &written),
            "**How?**\n\nIt sends [a.py:1-2]. It lies [b.py:9].\n\nSources, checked by Footnote:\n\
             1. `a.py:1-2` (verified)\n2. (rejected: the model said [b.py:9]: there is no such file)\n"
        );
    }

    #[test]
    fn the_walk_through_footnotes_passes_what_was_rejected() {
        use crate::worker::protocol::CheckView;
        let mut page = connected(true);
        let (turn, job, _) = asked(&mut page, "how");
        let note = |number, check| FootnoteView {
            number,
            path: "a.py".into(),
            start: number,
            end: number,
            why: String::new(),
            check,
        };
        let rejected = CheckView::Rejected {
            original: "[x:1]".into(),
            why: "no".into(),
        };
        let mut said = view(&["It is so."], WritingState::Finished);
        said.footnotes = vec![
            note(1, CheckView::Verified),
            note(2, rejected),
            note(3, CheckView::Verified),
        ];
        page.event(job, Event::Written(said.since(&WrittenView::default())));
        let focus = page.state.conversation.focus.unwrap();
        assert_eq!((focus.turn, focus.by, focus.number), (turn, By::Model, 1));
        let effects = page.state.step_footnote(1);
        page.run(effects);
        assert_eq!(page.state.conversation.focus.unwrap().number, 3);
    }
}
