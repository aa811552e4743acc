//! What changed between the open repository and another saved version of it.

use footnote_core::changes::{NamedVersion, older_first};

use super::peek::Peeked;
use super::{Effect, Mark, Panel, Purpose, Shared, State};
use crate::worker::protocol::{
    ChangedAnswerView, ChangesEvent, ChangesRequest, ChangesView, Notice, PlaceView, SavedRepoView,
    SavedState, VersionedPlaceView,
};

/// The panel that shows what changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Versions {
    /// The key of the saved version that the open one is compared with.
    pub with: Option<String>,
    /// All changes, once they have arrived.
    pub view: Option<Shared<ChangesView>>,
    /// The answer to the last question.
    pub answer: Option<Shared<ChangedAnswerView>>,
    /// Whether a question is being answered.
    pub is_asking: bool,
    /// The lines of the saved version that are shown.
    pub place: Option<PlaceView>,
    /// Their text, once it has arrived.
    pub lines: Option<Shared<Peeked>>,
    pub trouble: Option<Notice>,
}

impl State {
    /// The other saved versions of the open repository, nearest older one first.
    pub fn other_versions(&self) -> Vec<&SavedRepoView> {
        let (Some(open), Some(saved)) = (self.summary(), &self.saved) else {
            return Vec::new();
        };
        let name = NamedVersion::of(&open.repo.name);
        let version = |repo: &SavedRepoView| {
            let version = NamedVersion::of(&repo.name).version;
            version.unwrap_or_default().to_owned()
        };
        let is_other = |repo: &&SavedRepoView| {
            repo.repo != open.repo.repo
                && repo.state == SavedState::Whole
                && name.is_of(&NamedVersion::of(&repo.name))
        };
        let mut others: Vec<&SavedRepoView> = saved.repos.iter().filter(is_other).collect();
        let own = name.version.unwrap_or_default();
        others.sort_by(|a, b| {
            let (a, b) = (version(a), version(b));
            let is_newer = |version: &str| older_first(version, own).is_gt();
            match (is_newer(&a), is_newer(&b)) {
                (false, false) => older_first(&b, &a),
                (true, true) => older_first(&a, &b),
                (a, b) => a.cmp(&b),
            }
        });
        others
    }

    /// Shows what changed between the open repository and a saved version.
    pub fn show_changes(&mut self, repo: &str) -> Vec<Effect> {
        self.panel = Some(Panel::Changes);
        let is_known = self.versions.with.as_deref() == Some(repo);
        if is_known && self.versions.trouble.is_none() {
            return Vec::new();
        }
        let repo = repo.to_owned();
        self.versions = Versions {
            with: Some(repo.clone()),
            ..Versions::default()
        };
        vec![Effect::send(
            Purpose::Changes,
            ChangesRequest::Compare { repo },
        )]
    }

    /// Asks a question about the changes.
    pub fn ask_changes(&mut self, question: &str) -> Vec<Effect> {
        let question = question.trim();
        let Some(repo) = self.versions.with.clone().filter(|_| !question.is_empty()) else {
            return Vec::new();
        };
        self.versions.is_asking = true;
        let question = question.to_owned();
        let request = ChangesRequest::Ask { repo, question };
        vec![Effect::send(Purpose::AskChanges, request)]
    }

    /// Shows lines of one of the two versions: lines of the open version in its file, lines of the
    /// saved version below the entry that names them. Asking for the same saved lines again hides
    /// them.
    pub fn look_at_change(&mut self, at: VersionedPlaceView) -> Vec<Effect> {
        let VersionedPlaceView { is_open, place } = at;
        if is_open {
            self.hide(Panel::Changes);
            let mark = Mark {
                start: place.start,
                end: place.end,
            };
            self.reader.tab = super::Tab::Source;
            return self.open_file(&place.path, Some(mark));
        }
        self.versions.lines = None;
        if self.versions.place.as_ref() == Some(&place) {
            self.versions.place = None;
            return Vec::new();
        }
        let Some(repo) = self.versions.with.clone() else {
            return Vec::new();
        };
        self.versions.place = Some(place.clone());
        let request = ChangesRequest::Lines { repo, place };
        vec![Effect::send(Purpose::ChangedLines, request)]
    }

    pub(super) fn changes_event(&mut self, purpose: Purpose, event: ChangesEvent) {
        let comparing = &mut self.versions;
        match (purpose, event) {
            (Purpose::Changes, ChangesEvent::Compared(view)) => {
                comparing.view = Some(Shared::new(view));
            }
            (Purpose::AskChanges, ChangesEvent::Answered(answer)) => {
                comparing.is_asking = false;
                comparing.answer = Some(Shared::new(answer));
            }
            (Purpose::ChangedLines, ChangesEvent::Lines(lines)) => {
                comparing.lines = Some(Shared::new(lines.into()));
            }
            // Out of date: something else has been asked for since.
            _ => {}
        }
    }

    pub(super) fn changes_failed(&mut self, notice: Notice) {
        self.versions.is_asking = false;
        self.versions.place = None;
        self.versions.trouble = Some(notice);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::tests::{Page, notice};
    use crate::worker::protocol::{Event, Highlights, NoticeKind, PeekView, Request, SavedView};

    fn saved(names: &[&str]) -> SavedView {
        let repo = |name: &&str| SavedRepoView {
            repo: (*name).to_owned(),
            name: (*name).to_owned(),
            files: 1,
            chunks: 1,
            vectors: 0,
            bytes: 1.0,
            opened_at: 0.0,
            state: SavedState::Whole,
        };
        SavedView {
            repos: names.iter().map(repo).collect(),
            used_bytes: None,
            quota_bytes: None,
            available: true,
            hosted: Vec::new(),
            server: None,
        }
    }

    /// A page with `open` open and `names` saved.
    fn page(open: &str, names: &[&str]) -> Page {
        let mut page = Page::new();
        page.ready(open);
        let job = page.last(|request| matches!(request, Request::Saved(_)));
        page.event(job, Event::Saved(saved(names)));
        page
    }

    fn others(page: &Page) -> Vec<&str> {
        let others = page.state.other_versions().into_iter();
        others.map(|repo| repo.name.as_str()).collect()
    }

    fn is_changes(request: &Request) -> bool {
        matches!(request, Request::Changes(_))
    }

    fn place(path: &str) -> PlaceView {
        PlaceView {
            path: path.into(),
            start: 3,
            end: 5,
        }
    }

    #[test]
    fn other_versions_are_offered_the_nearest_older_one_first() {
        let names = ["a-1.0", "a-2.0", "a-1.9", "b-1.0", "a-3.0", "a-2.1"];
        let page = page("a-2.0", &names);
        assert_eq!(others(&page), ["a-1.9", "a-1.0", "a-2.1", "a-3.0"]);
        assert!(others(&self::page("c-1.0", &names)).is_empty());
        assert!(State::default().other_versions().is_empty());
    }

    #[test]
    fn changes_are_requested_once_and_shown_again_at_once() {
        let mut page = page("a-2.0", &["a-1.0"]);
        let effects = page.state.show_changes("a-1.0");
        page.run(effects);
        let view = ChangesView {
            repo: "a-1.0".into(),
            ..ChangesView::default()
        };
        page.event(page.last(is_changes), ChangesEvent::Compared(view));
        assert!(page.state.versions.view.is_some());
        page.state.hide(Panel::Changes);
        assert_eq!(page.state.show_changes("a-1.0"), []);
        assert_eq!(page.state.panel, Some(Panel::Changes));
        assert_eq!(page.requests(is_changes), 1);
    }

    #[test]
    fn a_comparison_that_failed_is_tried_again() {
        let mut page = page("a-2.0", &["a-1.0"]);
        let effects = page.state.show_changes("a-1.0");
        page.run(effects);
        let failed = Event::Failed(notice(NoticeKind::Damaged));
        page.event(page.last(is_changes), failed);
        assert!(page.state.versions.trouble.is_some());
        assert!(page.state.notices.is_empty(), "the panel says it");
        assert_eq!(page.state.show_changes("a-1.0").len(), 1);
        assert!(page.state.versions.trouble.is_none());
    }

    #[test]
    fn lines_of_the_open_version_open_and_those_of_the_saved_one_are_shown_in_the_panel() {
        let mut page = page("a-2.0", &["a-1.0"]);
        let effects = page.state.show_changes("a-1.0");
        page.run(effects);
        let at = |is_open| VersionedPlaceView {
            is_open,
            place: place("a.py"),
        };
        let effects = page.state.look_at_change(at(false));
        page.run(effects);
        let lines = PeekView {
            place: place("a.py"),
            text: "x = 1\n".into(),
            highlights: Highlights::default(),
            more: 0,
        };
        page.event(page.last(is_changes), ChangesEvent::Lines(lines));
        assert!(page.state.versions.lines.is_some());
        assert_eq!(page.state.panel, Some(Panel::Changes));
        // A second time hides them.
        assert_eq!(page.state.look_at_change(at(false)), []);
        assert_eq!(page.state.versions.place, None);

        let effects = page.state.look_at_change(at(true));
        page.run(effects);
        assert_eq!(page.state.panel, None);
        assert_eq!(page.state.reader.path, "a.py");
        assert_eq!(page.state.reader.mark, Some(Mark { start: 3, end: 5 }));
    }

    #[test]
    fn a_question_is_answered_in_the_panel() {
        let mut page = page("a-2.0", &["a-1.0"]);
        let effects = page.state.show_changes("a-1.0");
        page.run(effects);
        assert_eq!(page.state.ask_changes("  "), []);
        let effects = page.state.ask_changes("what changed in f");
        page.run(effects);
        assert!(page.state.versions.is_asking);
        let answer = ChangedAnswerView::default();
        page.event(page.last(is_changes), ChangesEvent::Answered(answer));
        assert!(!page.state.versions.is_asking);
        assert!(page.state.versions.answer.is_some());
    }
}
