//! Questions to all repositories of the page's server: each first has the repositories read that it
//! needs, one question after the other.

use super::{Effect, Purpose, State, TurnId, TurnState};
use crate::worker::protocol::{
    AcrossQuestion, KeyView, Notice, NoticeKind, OpenRequest, SavedRequest,
};

/// The name of all repositories while they are being opened.
const NAME: &str = "all repositories";

/// A question that waits for repositories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gathering {
    pub turn: TurnId,
    /// What is being done, for the reader.
    pub line: String,
}

impl State {
    /// Opens all repositories of the page's server.
    pub fn open_across(&mut self, now: f64) -> Vec<Effect> {
        let (_, mut effects) = self.begin_open(NAME, now);
        let request = OpenRequest::Across { asked: None };
        effects.push(Effect::send(Purpose::Open, request));
        effects
    }

    /// Shows the page's server an access token from now on, or none. What is open of its
    /// repositories may not be what that token may read, so it is opened again.
    pub fn show_token(&mut self, token: Option<&str>, now: f64) -> Vec<Effect> {
        self.token = token.map(KeyView::new);
        let mut effects = self.tell_token();
        if self.is_across() {
            effects.extend(self.open_across(now));
        }
        effects
    }

    /// Tells the engine the token; it then lists what that may read.
    pub(super) fn tell_token(&self) -> Vec<Effect> {
        let token = self.token.clone();
        let request = SavedRequest::ShowToken { token };
        vec![Effect::send(Purpose::Saved, request)]
    }

    /// Whether all repositories of a server are open.
    pub fn is_across(&self) -> bool {
        let open = self.summary();
        open.is_some_and(|open| open.repo.across.is_some())
    }

    /// Has the repositories read that a question needs; or leaves it waiting, if another one is
    /// before it.
    pub(super) fn gather(&mut self, id: TurnId) -> Vec<Effect> {
        if self.gathering.is_some() {
            return Vec::new();
        }
        let earlier = self.conversation.before(id);
        let Some(turn) = self.conversation.get_mut(id) else {
            return Vec::new();
        };
        turn.state = TurnState::Asked;
        let question = turn.question.clone();
        self.gathering = Some(Gathering {
            turn: id,
            line: String::new(),
        });
        let asked = Some(AcrossQuestion { question, earlier });
        vec![Effect::send(
            Purpose::Gather(id),
            OpenRequest::Across { asked },
        )]
    }

    pub(super) fn gathers(&mut self, purpose: Purpose, line: String) {
        if let Some(gathering) = &mut self.gathering
            && purpose == Purpose::Gather(gathering.turn)
        {
            gathering.line = line;
        }
    }

    /// The repositories that a question needs are open: asks it. The next question waits until
    /// this one is answered, because its repositories take the place of these.
    pub(super) fn gathered(&mut self, id: TurnId) -> Vec<Effect> {
        match &mut self.gathering {
            Some(gathering) if gathering.turn == id => gathering.line.clear(),
            // It was stopped meanwhile.
            _ => return Vec::new(),
        }
        self.search_for(id)
    }

    /// Stops reading for a question, which is then over.
    pub fn stop_gathering(&mut self, id: TurnId) -> Vec<Effect> {
        let jobs = self.jobs.with(|purpose| purpose == Purpose::Gather(id));
        let jobs = jobs.into_iter().map(|(job, _)| Effect::cancel(job));
        let mut effects: Vec<Effect> = jobs.collect();
        let stopped = Notice {
            kind: NoticeKind::BadQuestion,
            what: "You stopped this question.".to_owned(),
            next: "Ask it again if you want the answer.".to_owned(),
        };
        effects.extend(self.not_gathered(id, stopped));
        effects
    }

    pub(super) fn not_gathered(&mut self, id: TurnId, notice: Notice) -> Vec<Effect> {
        self.conversation.failed(id, notice);
        self.gather_after(id)
    }

    /// Turns to the next question that waits, once this one is over.
    pub(super) fn gather_after(&mut self, id: TurnId) -> Vec<Effect> {
        if self.gathering.as_ref().is_none_or(|it| it.turn != id) {
            return Vec::new();
        }
        self.gathering = None;
        let next = self.conversation.waiting().first().copied();
        match next.filter(|_| self.is_across()) {
            Some(next) => self.gather(next),
            None => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::conversation::tests::answer;
    use crate::state::tests::{Page, notice, repo};
    use crate::worker::protocol::{AcrossView, Event, JobId, OpenEvent, RepoView, Request};

    fn all(read: u32) -> RepoView {
        let view = AcrossView {
            repositories: 20,
            read,
        };
        RepoView {
            across: Some(Box::new(view)),
            ..repo("all")
        }
    }

    /// A page on which all repositories are open.
    fn page() -> Page {
        let mut page = Page::new();
        let effects = page.state.open_across(0.0);
        page.run(effects);
        let job = page.last(|it| *it == OpenRequest::Across { asked: None }.into());
        page.more(job, OpenEvent::Opened(all(0)));
        page
    }

    fn asks(page: &mut Page, question: &str) {
        let effects = page.state.ask(question);
        page.run(effects);
    }

    /// The questions that repositories were asked for, with their jobs.
    fn gathered(page: &Page) -> Vec<(JobId, String)> {
        let sent = page.sent.iter();
        let of = |(job, request): &(JobId, Request)| match request {
            Request::Open(OpenRequest::Across { asked: Some(asked) }) => {
                Some((*job, asked.question.clone()))
            }
            _ => None,
        };
        sent.filter_map(of).collect()
    }

    fn searched(page: &Page) -> Vec<String> {
        let sent = page.sent.iter();
        let of = |(_, request): &(JobId, Request)| match request {
            Request::Ask(asked) => Some(asked.question.clone()),
            _ => None,
        };
        sent.filter_map(of).collect()
    }

    #[test]
    fn a_question_is_searched_once_its_repositories_are_here() {
        let mut page = page();
        asks(&mut page, "where?");
        assert_eq!(searched(&page), [""; 0]);
        let (job, question) = gathered(&page).pop().unwrap();
        assert_eq!(question, "where?");
        page.more(job, OpenEvent::Gathering("Reading a (1 of 2)…".into()));
        let line = page.state.gathering.as_ref().map(|it| it.line.as_str());
        assert_eq!(line, Some("Reading a (1 of 2)…"));
        page.more(job, OpenEvent::Opened(all(2)));
        assert_eq!(searched(&page), ["where?"]);
        let asked = page.last(|request| matches!(request, Request::Ask(_)));
        page.event(asked, answer("where?", true, &["a/x.py"]));
        assert_eq!(page.state.gathering, None);
        assert_eq!(page.state.conversation.turns.len(), 1);
    }

    #[test]
    fn the_conversation_stays_when_other_repositories_come() {
        let mut page = page();
        asks(&mut page, "where?");
        let (job, _) = gathered(&page).pop().unwrap();
        page.more(job, OpenEvent::Opened(all(2)));
        let asked = page.last(|request| matches!(request, Request::Ask(_)));
        page.event(asked, answer("where?", true, &["a/x.py"]));
        asks(&mut page, "and why?");
        let (job, _) = gathered(&page).pop().unwrap();
        page.event(job, Event::Done);
        assert_eq!(searched(&page), ["where?", "and why?"]);
        assert!(page.state.conversation.turns[0].answer().is_some());
    }

    #[test]
    fn questions_wait_for_each_other_and_one_that_fails_stops_no_other() {
        let mut page = page();
        asks(&mut page, "first");
        asks(&mut page, "second");
        let first = gathered(&page);
        assert_eq!(first.len(), 1, "one at a time");
        page.event(first[0].0, Event::Failed(notice(NoticeKind::BadQuestion)));
        assert!(matches!(
            page.state.conversation.turns[0].state,
            TurnState::Failed(_)
        ));
        let second = gathered(&page);
        assert_eq!(second[1].1, "second");
        page.more(second[1].0, OpenEvent::Opened(all(1)));
        assert_eq!(searched(&page), ["second"]);
    }

    #[test]
    fn stopping_a_question_ends_it_and_starts_gathering_for_the_next_one() {
        let mut page = page();
        asks(&mut page, "first");
        asks(&mut page, "second");
        let (job, _) = gathered(&page).pop().unwrap();
        let turn = page.state.conversation.turns[0].id;
        let effects = page.state.stop_gathering(turn);
        page.run(effects);
        page.last(|request| *request == Request::Cancel { job });
        assert_eq!(gathered(&page).len(), 2);
        // An event that was on its way at the stop changes nothing.
        page.more(job, OpenEvent::Opened(all(1)));
        page.event(job, Event::Cancelled);
        assert_eq!(searched(&page), [""; 0]);
        let turns = &page.state.conversation.turns;
        assert!(matches!(turns[0].state, TurnState::Failed(_)));
        let (second, _) = gathered(&page).pop().unwrap();
        page.more(second, OpenEvent::Opened(all(1)));
        assert_eq!(searched(&page), ["second"]);
    }

    #[test]
    fn the_next_question_waits_until_this_one_is_answered() {
        let mut page = page();
        asks(&mut page, "first");
        asks(&mut page, "second");
        let (job, _) = gathered(&page).pop().unwrap();
        page.more(job, OpenEvent::Opened(all(1)));
        assert_eq!(gathered(&page).len(), 1);
        let asked = page.last(|request| matches!(request, Request::Ask(_)));
        page.event(asked, answer("first", true, &["a/x.py"]));
        assert_eq!(gathered(&page).len(), 2);
    }

    #[test]
    fn a_question_to_all_repositories_is_not_asked_of_another_one() {
        let mut page = page();
        asks(&mut page, "first");
        asks(&mut page, "second");
        page.ready("another");
        assert_eq!(searched(&page), [""; 0]);
        assert!(page.state.conversation.turns.is_empty());
    }

    #[test]
    fn another_token_opens_all_repositories_again() {
        let mut page = page();
        let effects = page.state.show_token(Some("footnote_x"), 0.0);
        page.run(effects);
        assert_eq!(page.state.phase.name(), "loading");
        let token = Some(KeyView::new("footnote_x"));
        page.last(|request| {
            *request
                == SavedRequest::ShowToken {
                    token: token.clone(),
                }
                .into()
        });
    }

    #[test]
    fn closing_all_repositories_ends_the_gathering() {
        let mut page = page();
        asks(&mut page, "first");
        let (job, _) = gathered(&page).pop().unwrap();
        let effects = page.state.close(0.0);
        page.run(effects);
        page.more(job, OpenEvent::Opened(all(1)));
        assert_eq!(page.state.gathering, None);
        assert_eq!(searched(&page), [""; 0]);
        assert_eq!(page.state.phase.name(), "empty");
    }
}
