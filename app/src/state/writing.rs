//! Answers by a language model: from the question, through the preview of what would be sent, to
//! the checked text.

use super::conversation::{By, Turn, TurnId, TurnState};
use super::{Effect, Purpose, Shared, State, connection::Stage};
use crate::worker::protocol::{
    BlockView, ExchangeView, Notice, OfferedView, OutgoingView, Part, Permission, PlaceView,
    ShownIn, Tally, WriteEvent, WriteView, WritingPatch, WritingState, WrittenView,
};

/// How many earlier exchanges are sent with a follow-up.
const MAX_HISTORY: usize = 6;

/// The state of the model's answer to a turn.
#[derive(Clone, Debug, PartialEq)]
pub enum Written {
    /// The request is being put together.
    Preparing { draft: Draft },
    /// The user decides whether to send it.
    Review {
        draft: Draft,
        outgoing: Shared<OutgoingView>,
    },
    /// The answer, being written or finished.
    Answer(WrittenAnswer),
    /// Nothing was sent.
    Failed(Notice),
}

/// What the user changed about what will be sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    pub standalone: Option<String>,
    /// The lines that the user was shown. No others are sent, whatever a later search would find.
    pub offered: Option<Vec<OfferedView>>,
    /// The pipeline that chose those lines.
    pub pipeline: Option<String>,
    pub without: Vec<PlaceView>,
    /// What was spent on the answer before the user was asked.
    pub spent: Tally,
}

/// A written answer, split so that views of unchanged parts stay as they are.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenAnswer {
    /// Everything but the blocks.
    pub head: Shared<WrittenView>,
    pub blocks: Vec<Shared<BlockView>>,
    /// How many seconds the service has been silent, once that is worth showing.
    pub silence_s: Option<u32>,
}

impl WrittenAnswer {
    pub fn new(mut view: WrittenView) -> Self {
        let blocks = std::mem::take(&mut view.blocks);
        Self {
            head: Shared::new(view),
            blocks: blocks.into_iter().map(Shared::new).collect(),
            silence_s: None,
        }
    }

    /// What the page says while nothing arrives.
    pub fn silence(&self) -> Option<String> {
        let seconds = self.silence_s.filter(|_| !self.head.state.is_over())?;
        let origin = self.head.origin.as_str();
        let host = origin.split_once("://").map_or(origin, |(_, host)| host);
        let unit = if seconds == 1 { "second" } else { "seconds" };
        Some(format!("No data from {host} for {seconds} {unit}"))
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

    /// Ends the answer in `state`, unless it has ended already.
    fn end(&mut self, state: WritingState) {
        if !self.head.state.is_over() {
            let mut head = (*self.head).clone();
            head.state = state;
            self.head = Shared::new(head);
        }
    }
}

impl Turn {
    /// The model's answer, as far as it has arrived.
    pub fn written_answer(&self) -> Option<&WrittenAnswer> {
        match &self.written {
            Some(Written::Answer(answer)) => Some(answer),
            _ => None,
        }
    }
}

impl State {
    /// The answer without a model is final: asks the connected model, or shows what would be sent.
    pub(super) fn write_next(&mut self, turn: TurnId) -> Vec<Effect> {
        if self.connection.stage() != Stage::Connected {
            // The answer without a model stands; a hint says once what keeps the model from
            // answering.
            self.hint = self.connection_hint();
            return Vec::new();
        }
        let draft = self.draft_for(turn);
        self.write(turn, draft, self.connection.permission())
    }

    /// The draft for a turn, with the lines and the pipeline of its answer.
    pub(super) fn draft_for(&self, turn: TurnId) -> Draft {
        let answer = self.conversation.get(turn).and_then(|turn| turn.answer());
        let by = answer.and_then(|answer| answer.by.clone());
        Draft {
            pipeline: by.as_ref().map(|by| by.name.clone()),
            offered: by.map(|by| by.offered),
            ..Draft::default()
        }
    }

    /// Asks the model for the answer to a turn, for the first time or again.
    pub fn write_again(&mut self, turn: TurnId) -> Vec<Effect> {
        match self.connection_hint() {
            Some(hint) => {
                self.hint = Some(hint);
                Vec::new()
            }
            None => self.write_next(turn),
        }
    }

    /// Asks with another wording of the follow-up.
    pub fn write_as(&mut self, turn: TurnId, standalone: &str) -> Vec<Effect> {
        let standalone = standalone.trim();
        if standalone.is_empty() {
            return Vec::new();
        }
        let draft = Draft {
            standalone: Some(standalone.to_owned()),
            ..Draft::default()
        };
        self.write(turn, draft, self.connection.permission())
    }

    /// Takes evidence out of the request, or puts it back.
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
        self.request(turn, draft, Permission::Preview)
    }

    /// Sends the request that the user has seen. Later requests to this service need no preview.
    pub fn send_reviewed(&mut self, turn: TurnId) -> Vec<Effect> {
        let Some(Written::Review { draft, outgoing }) = self.written(turn) else {
            return Vec::new();
        };
        let (draft, consent) = (draft.clone(), self.connection.consent_to(outgoing));
        self.connection.remembered.consent = consent;
        let mut effects = vec![Effect::Remember];
        effects.extend(self.write(turn, draft, Permission::Reviewed));
        effects
    }

    /// The user does not want this question sent.
    pub fn decline(&mut self, turn: TurnId) {
        if let Some(turn) = self.conversation.get_mut(turn) {
            turn.written = None;
        }
    }

    /// Stops the writing; the text so far stays.
    pub fn stop_writing(&mut self, turn: TurnId) -> Vec<Effect> {
        let jobs = self.jobs.with(|purpose| purpose == Purpose::Write(turn));
        let jobs = jobs.into_iter();
        jobs.map(|(job, _)| Effect::cancel(job)).collect()
    }

    fn written(&self, turn: TurnId) -> Option<&Written> {
        self.conversation.get(turn)?.written.as_ref()
    }

    /// Shows that the model is being asked, and asks it.
    pub(super) fn write(
        &mut self,
        id: TurnId,
        draft: Draft,
        permission: Permission,
    ) -> Vec<Effect> {
        if let Some(turn) = self.conversation.get_mut(id) {
            turn.written = Some(match permission {
                Permission::Preview => Written::Preparing {
                    draft: draft.clone(),
                },
                _ => Written::Answer(WrittenAnswer::new(WrittenView::default())),
            });
        }
        self.request(id, draft, permission)
    }

    fn request(&mut self, id: TurnId, draft: Draft, permission: Permission) -> Vec<Effect> {
        let history = self.history_before(id);
        let conversation = self.conversation.id;
        let patience_s = self.connection.patience_s();
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
            asked_as: turn.answer().and_then(|answer| answer.asked_as.clone()),
            standalone: draft.standalone,
            offered: draft.offered,
            pipeline: draft.pipeline,
            compression: self.choosing.left.clone(),
            policy: self.choosing.policy.clone(),
            without: draft.without,
            permission,
            spent: draft.spent,
            patience_s,
        };
        vec![Effect::send(Purpose::Write(id), write)]
    }

    /// The latest exchanges before a turn, oldest first.
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

    pub(super) fn write_event(
        &mut self,
        purpose: Purpose,
        part: Part,
        event: WriteEvent,
    ) -> Vec<Effect> {
        let Purpose::Write(turn) = purpose else {
            return Vec::new();
        };
        match event {
            WriteEvent::Outgoing(view) => {
                self.outgoing(turn, view);
                Vec::new()
            }
            WriteEvent::Silence(seconds) => {
                let turn = self.conversation.get_mut(turn);
                if let Some(Written::Answer(answer)) = turn.and_then(|turn| turn.written.as_mut()) {
                    answer.silence_s = seconds;
                }
                Vec::new()
            }
            WriteEvent::Written(patch) => {
                let mut effects = self.written_on(turn, patch);
                if part == Part::Last {
                    effects.extend(self.answered_elsewhere(turn));
                }
                effects
            }
        }
    }

    /// Shows the request for review: either a preview was wanted, or it exceeds what the user
    /// agreed to.
    fn outgoing(&mut self, id: TurnId, view: OutgoingView) {
        let Some(turn) = self.conversation.get_mut(id) else {
            return;
        };
        let known = match &turn.written {
            Some(Written::Preparing { draft } | Written::Review { draft, .. }) => draft.clone(),
            Some(Written::Answer(_)) => Draft::default(),
            Some(Written::Failed(_)) | None => return,
        };
        let offered = view.parts.iter().map(|part| OfferedView {
            place: part.place.clone(),
            left_out: part.left_out.clone(),
        });
        turn.written = Some(Written::Review {
            draft: Draft {
                offered: Some(offered.collect()),
                standalone: view.standalone.clone(),
                spent: view.spent,
                ..known
            },
            outgoing: Shared::new(view),
        });
    }

    /// Handles another part of the answer.
    fn written_on(&mut self, id: TurnId, patch: WritingPatch) -> Vec<Effect> {
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
        if let Some(Written::Answer(answer)) = &turn.written
            && is_over
        {
            self.comparing.wrote(id, &answer.head);
        }
        let mut effects = Vec::new();
        if turn.voice() == By::Model {
            // The answer without a model moves into the background, so nobody is reading it.
            effects.extend(self.show_better(id));
        }
        if is_over {
            effects.extend(self.show_written(id));
        }
        effects
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

    /// Shows the finished answer's first footnote, unless the user is reading something else.
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

/// What a model wrote, as Markdown: its text with its citations, and below it the verdict on each.
pub fn to_markdown(question: &str, written: &WrittenView) -> String {
    let mut text = format!("**{}**\n\n{}\n", question.trim(), written.text.trim());
    if !written.footnotes.is_empty() {
        let counts = written.counts.told();
        text.push_str(&format!("\nSources, checked by Footnote ({counts}):\n"));
    }
    for note in &written.footnotes {
        let told = note.told(ShownIn::File);
        let place = told.place.as_ref().map(|place| format!(" `{place}`"));
        let place = place.unwrap_or_default();
        text.push_str(&format!("{}.{place} ({})\n", note.number, told.line()));
    }
    text
}

/// What a follow-up needs of a turn: the model's answer, else what was found without one.
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
mod tests;
