//! The conversations of the open repository: which one is shown, the list, the search over all of
//! them, export and import. The engine stores them; the page holds only the turns of the one shown.

use super::{Conversation, Effect, Purpose, Shared, State, TurnId};
use crate::worker::protocol::{
    ConversationEntry, ConversationEvent, ConversationId, ConversationRequest, ConversationView,
    FoundView, Rating,
};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conversations {
    /// The list as the engine last sent it.
    pub list: Option<Shared<Vec<ConversationEntry>>>,
    /// The results of a search over all conversations; `None` while there is no search.
    pub found: Option<Shared<FoundView>>,
    /// The turn to scroll to, and a count of such requests, since the same turn can be wanted
    /// again.
    pub jump: (Option<TurnId>, u32),
    /// The turn to scroll to once its conversation has arrived.
    wanted: Option<(ConversationId, f64)>,
    /// Questions being answered in conversations that are not shown.
    elsewhere: Vec<(TurnId, ConversationId)>,
}

impl State {
    /// Shows an empty conversation; `today` is in milliseconds since 1970. Does nothing if the
    /// shown one is empty.
    pub fn new_conversation(&mut self, today: f64) -> Vec<Effect> {
        if self.summary().is_none() || self.conversation.turns.is_empty() {
            return Vec::new();
        }
        let id = self.unused(today);
        self.switch(id)
    }

    /// An unused id, greater than that of the shown conversation, even if two start within one
    /// millisecond.
    fn unused(&self, today: f64) -> ConversationId {
        ConversationId((today as u64).max(self.conversation.id.0 + 1))
    }

    /// Shows a conversation, and scrolls to a turn of it if one is named.
    pub fn open_conversation(&mut self, id: ConversationId, turn: Option<f64>) -> Vec<Effect> {
        if self.panel == Some(super::Panel::Conversations) {
            self.panel = None;
        }
        self.conversations.wanted = turn.map(|asked_at| (id, asked_at));
        if id == self.conversation.id {
            self.jump();
            return Vec::new();
        }
        self.switch(id)
    }

    /// Shows another conversation. Questions in the one left behind are still answered: the engine
    /// stores the answers.
    fn switch(&mut self, id: ConversationId) -> Vec<Effect> {
        self.put_away();
        self.replace(id);
        let open = ConversationRequest::Open { id };
        let mut effects = vec![Effect::send(Purpose::Conversation, open)];
        effects.extend(self.refresh_graph());
        effects
    }

    /// Remembers which questions of the shown conversation are still being answered.
    fn put_away(&mut self) {
        let left = self.conversation.id;
        let running = self
            .jobs
            .with(|purpose| asked(purpose).is_some())
            .into_iter();
        let turns = running.filter_map(|(_, purpose)| asked(purpose));
        let known = turns.filter(|turn| self.conversation.get(*turn).is_some());
        let known = known.map(|turn| (turn, left));
        self.conversations.elsewhere.extend(known);
    }

    fn replace(&mut self, id: ConversationId) {
        self.conversation = self.conversation.replaced_by(id);
    }

    /// The last answer to a question has arrived. If its conversation was left and is shown again,
    /// the conversation is requested anew so that the saved answer replaces the one shown.
    pub(super) fn answered_elsewhere(&mut self, turn: TurnId) -> Vec<Effect> {
        let elsewhere = &mut self.conversations.elsewhere;
        let Some(at) = elsewhere.iter().position(|(known, _)| *known == turn) else {
            return Vec::new();
        };
        let (_, id) = elsewhere.remove(at);
        if id != self.conversation.id {
            return Vec::new();
        }
        let open = ConversationRequest::Open { id };
        vec![Effect::send(Purpose::Conversation, open)]
    }

    pub fn list_conversations(&mut self) -> Vec<Effect> {
        let list = ConversationRequest::List;
        vec![Effect::send(Purpose::Conversations, list)]
    }

    /// Renames a conversation. With an empty title it is named after its first question.
    pub fn rename_conversation(&mut self, id: ConversationId, title: &str) -> Vec<Effect> {
        let title = title.trim().to_owned();
        if id == self.conversation.id {
            self.conversation.title.clone_from(&title);
        }
        let rename = ConversationRequest::Rename { id, title };
        vec![Effect::send(Purpose::Conversations, rename)]
    }

    /// Deletes a conversation for good. If it is the one shown, an empty one takes its place.
    pub fn delete_conversation(&mut self, id: ConversationId, today: f64) -> Vec<Effect> {
        let delete = ConversationRequest::Delete { id };
        let mut effects = vec![Effect::send(Purpose::Conversations, delete)];
        if id == self.conversation.id {
            self.replace(self.unused(today));
            effects.extend(self.refresh_graph());
        }
        effects
    }

    /// Deletes all conversations of the repository.
    pub fn clear_answers(&mut self, today: f64) -> Vec<Effect> {
        self.replace(self.unused(today));
        self.jobs.forget(|purpose| asked(purpose).is_some());
        self.conversations = Conversations::default();
        let mut effects = vec![Effect::send(Purpose::Other, ConversationRequest::Clear)];
        effects.extend(self.refresh_graph());
        effects
    }

    /// Searches all conversations; an empty query ends the search.
    pub fn search_conversations(&mut self, query: &str) -> Vec<Effect> {
        if query.trim().is_empty() {
            self.jobs.forget(|known| known == Purpose::Search);
            self.conversations.found = None;
            return Vec::new();
        }
        let query = query.trim().to_owned();
        let search = ConversationRequest::Search { query };
        vec![Effect::send(Purpose::Search, search)]
    }

    /// Exports the shown conversation as a file.
    pub fn export_conversation(&mut self, format: &str) -> Vec<Effect> {
        let id = self.conversation.id;
        let format = format.to_owned();
        let export = ConversationRequest::Export { id, format };
        vec![Effect::send(Purpose::Export, export)]
    }

    /// Exports all answers with this rating as a question set.
    pub fn export_rated(&mut self, rating: Rating) -> Vec<Effect> {
        let export = ConversationRequest::ExportRated { rating };
        vec![Effect::send(Purpose::Export, export)]
    }

    /// Rates an answer; giving the same rating again removes it.
    pub fn rate(&mut self, turn: TurnId, rating: Rating) -> Vec<Effect> {
        let id = self.conversation.id;
        let Some(turn) = self.conversation.get_mut(turn) else {
            return Vec::new();
        };
        let Some(asked_at) = turn.asked_at() else {
            return Vec::new();
        };
        turn.rating = Some(rating).filter(|rating| turn.rating != Some(*rating));
        let rate = ConversationRequest::Rate {
            id,
            asked_at,
            rating: turn.rating,
        };
        vec![Effect::send(Purpose::Other, rate)]
    }

    pub(super) fn conversation_event(
        &mut self,
        purpose: Purpose,
        event: ConversationEvent,
    ) -> Vec<Effect> {
        match event {
            ConversationEvent::Opened(view) if purpose == Purpose::Conversation => {
                self.conversation_came(&view);
                self.refresh_graph()
            }
            ConversationEvent::Listed(list) => {
                if purpose == Purpose::Conversations {
                    self.conversations.list = Some(Shared::new(list));
                }
                Vec::new()
            }
            ConversationEvent::Opened(view) if purpose == Purpose::Import => self.imported(&view),
            ConversationEvent::Opened(_) => Vec::new(),
            ConversationEvent::Found(found) => {
                if purpose == Purpose::Search {
                    self.conversations.found = Some(Shared::new(found));
                }
                Vec::new()
            }
        }
    }

    fn imported(&mut self, view: &ConversationView) -> Vec<Effect> {
        self.put_away();
        self.replace(view.id);
        self.conversation.take_in(view);
        if self.panel == Some(super::Panel::Conversations) {
            self.panel = None;
        }
        self.refresh_graph()
    }

    fn conversation_came(&mut self, view: &ConversationView) {
        if view.id != self.conversation.id {
            return;
        }
        self.conversation.take_in(view);
        self.jump();
    }

    /// Scrolls to the wanted turn if its conversation is here.
    fn jump(&mut self) {
        let Some((id, asked_at)) = self.conversations.wanted else {
            return;
        };
        let turn = self.conversation.turn_at(asked_at).map(|turn| turn.id);
        if id == self.conversation.id && turn.is_some() {
            self.conversations.wanted = None;
            self.conversations.jump = (turn, self.conversations.jump.1 + 1);
        }
    }
}

/// The turn whose answer a request brings, whether Footnote or a model writes it.
fn asked(purpose: Purpose) -> Option<TurnId> {
    match purpose {
        Purpose::Ask(turn) | Purpose::Write(turn) => Some(turn),
        _ => None,
    }
}

impl Conversation {
    /// The title: the user's, else the first line of the first question.
    pub fn shown_title(&self) -> &str {
        let first = self.turns.first().map(|turn| turn.question.trim());
        let first = first.and_then(|question| question.lines().next());
        match (self.title.as_str(), first) {
            ("", None) => "New conversation",
            ("", Some(first)) => first,
            (title, _) => title,
        }
    }
}

#[cfg(test)]
#[path = "conversations_tests.rs"]
mod tests;
