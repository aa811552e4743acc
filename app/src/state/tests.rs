use super::conversation::tests::{answer, saved};
use super::*;
use crate::worker::protocol::{
    FileView, FolderView, MemoryView, NoticeKind, OpenEvent, Part, ProgressView, RepoView,
    ScopeView, SourceEvent, Stage, VectorsView,
};

pub(super) fn repo(id: &str) -> RepoView {
    RepoView {
        repo: id.into(),
        name: id.into(),
        files: 1,
        skipped: 0,
        symbols: 1,
        chunks: 1,
        saved: true,
        ready_ms: 5.0,
        conversation: Default::default(),
        suggestions: Vec::new(),
        pipelines: super::asking::tests::pipelines(),
        permalinks: None,
        unchecked: false,
        across: None,
    }
}

pub(super) fn notice(kind: NoticeKind) -> Notice {
    Notice {
        what: "It broke.".into(),
        next: "Try again.".into(),
        kind,
    }
}

/// Carries out effects as the store does, with job ids that count up.
pub(super) struct Page {
    pub(super) state: State,
    pub(super) sent: Vec<(JobId, Request)>,
    /// Openings that were repeated: the old job and the new one.
    pub(super) opened_again: Vec<(JobId, JobId)>,
}

impl Page {
    pub(super) fn new() -> Self {
        Self {
            state: State::default(),
            sent: Vec::new(),
            opened_again: Vec::new(),
        }
    }

    pub(super) fn run(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Send(purpose, request) => {
                    let job = self.state.begin(purpose, &request);
                    self.sent.push((job, request));
                }
                Effect::SendAgain(job, request) => self.sent.push((job, request)),
                Effect::OpenAgain(purpose, job) => {
                    let again = self.begin(purpose);
                    self.opened_again.push((job, again));
                }
                Effect::Save(_) | Effect::Remember => {}
            }
        }
    }

    /// Registers a request; which one does not matter.
    pub(super) fn begin(&mut self, purpose: Purpose) -> JobId {
        self.state.begin(purpose, &SavedRequest::List.into())
    }

    /// Chooses an archive and passes it to the engine.
    pub(super) fn open(&mut self, name: &str) -> JobId {
        let (_, effects) = self.state.begin_open(name, 0.0);
        self.run(effects);
        self.begin(Purpose::Open)
    }

    pub(super) fn ready(&mut self, name: &str) -> JobId {
        let job = self.open(name);
        self.more(job, OpenEvent::Opened(repo(name)));
        job
    }

    /// Delivers the last event of a job.
    pub(super) fn event(&mut self, job: JobId, event: impl Into<Event>) {
        self.told(job, Part::Last, event.into());
    }

    /// Delivers an event of a job that is not its last.
    pub(super) fn more(&mut self, job: JobId, event: impl Into<Event>) {
        self.told(job, Part::More, event.into());
    }

    pub(super) fn told(&mut self, job: JobId, part: Part, event: Event) {
        let effects = self.state.receive(Told { job, part, event }, 0.0);
        self.run(effects);
    }

    /// The engine dies and is restarted.
    pub(super) fn crash(&mut self) {
        let effects = self.state.engine_died(&notice(NoticeKind::WorkerDied), 0.0);
        self.run(effects);
    }

    pub(super) fn ask(&mut self, question: &str) -> JobId {
        let effects = self.state.ask(question);
        self.run(effects);
        self.last(is_ask)
    }

    pub(super) fn last(&self, matches: impl Fn(&Request) -> bool) -> JobId {
        let found = self.sent.iter().rev().find(|(_, request)| matches(request));
        found.map_or(JobId(u32::MAX), |(job, _)| *job)
    }

    pub(super) fn requests(&self, matches: impl Fn(&Request) -> bool) -> usize {
        self.sent
            .iter()
            .filter(|(_, request)| matches(request))
            .count()
    }
}

pub(super) fn is_ask(request: &Request) -> bool {
    matches!(request, Request::Ask(_))
}

pub(super) fn progress(stage: Stage) -> OpenEvent {
    OpenEvent::Progress(ProgressView {
        stage,
        done: 1,
        total: 2,
        unit: "files".into(),
        note: String::new(),
    })
}

pub(super) fn scope() -> OpenEvent {
    let folder = |folder: &str| FolderView {
        folder: folder.into(),
        files: 10,
        bytes: 1_000,
        is_rest: false,
    };
    OpenEvent::Scope(ScopeView {
        name: "a".into(),
        folders: vec![folder("docs"), folder("src")],
        skipped: Vec::new(),
        most_bytes: 1_000_000,
        ms_per_mb: None,
        memory: MemoryView {
            empty: 300.0,
            per_mb: 5.0,
            per_file: 0.0,
            device: None,
        },
        is_waiting: true,
    })
}

#[test]
fn the_files_of_a_large_repository_come_in_parts() {
    let mut page = Page::new();
    let job = page.open("a");
    for part in [vec!["a/x.py".into(), "a/y.py".into()], vec!["z.py".into()]] {
        page.more(job, OpenEvent::Files(part));
    }
    page.more(job, OpenEvent::Opened(repo("a")));
    let tree = &page.state.summary().unwrap().tree;
    let nodes = tree.visible(&["a".to_owned()].into()).into_iter();
    let paths: Vec<_> = nodes
        .map(|at| tree.node(at).unwrap().path.as_str())
        .collect();
    assert_eq!(paths, ["a", "a/x.py", "a/y.py", "z.py"]);
    page.ready("d");
    assert_eq!(
        page.state.arriving,
        Tree::default(),
        "the next one begins with none"
    );
}

#[test]
fn a_reading_goes_on_without_the_folders_that_were_left_out() {
    let mut page = Page::new();
    let job = page.open("a");
    page.more(job, progress(Stage::Unpack));
    page.more(job, scope());
    page.state.choose_folder(0, false);
    page.state.choose_folder(1, false);
    page.state.choose_folder(1, true);
    assert_eq!(page.state.choice().map(Choice::files), Some(10));
    let effects = page.state.read_chosen(0.0);
    let expected = OpenRequest::Read {
        of: job,
        left_out: vec![0],
    };
    assert_eq!(effects, [Effect::send(Purpose::Other, expected)]);
    assert_eq!(page.state.choice(), None);
    assert_eq!(page.state.read_chosen(0.0), [], "it is said once");
}

#[test]
fn a_question_asked_while_reading_is_sent_when_words_are_ready() {
    let mut page = Page::new();
    let job = page.open("a");
    page.ask("where?");
    assert_eq!(page.requests(is_ask), 0);
    page.more(job, OpenEvent::Opened(repo("a")));
    assert_eq!(page.requests(is_ask), 1);
    assert_eq!(page.state.conversation.turns[0].state, TurnState::Asked);
}

#[test]
fn a_question_asked_before_anything_is_open_waits_for_the_first_repository() {
    let mut page = Page::new();
    page.ask("where?");
    page.ready("a");
    assert_eq!(page.requests(is_ask), 1);
}

#[test]
fn an_empty_question_is_answered_by_a_hint_and_not_sent() {
    let mut page = Page::new();
    page.ready("a");
    page.ask("  \n");
    assert_eq!(page.requests(is_ask), 0);
    assert!(page.state.hint.is_some());
    page.ask("where?");
    assert_eq!(page.state.hint, None, "the next question clears the hint");
}

#[test]
fn the_better_answer_replaces_the_first_in_its_place() {
    let mut page = Page::new();
    page.ready("a");
    let job = page.ask("where?");
    page.more(job, answer("where?", false, &["a.py"]));
    page.event(job, answer("where?", true, &["b.py", "a.py"]));
    assert_eq!(page.state.conversation.turns.len(), 1);
    let shown = page.state.conversation.turns[0].answer().unwrap();
    assert!(shown.refined);
    assert_eq!(shown.footnotes.len(), 2);
}

#[test]
fn the_first_footnote_opens_by_itself_without_the_sheet_and_follows_the_better_answer() {
    let mut page = Page::new();
    page.ready("a");
    let job = page.ask("where?");
    page.more(job, answer("where?", false, &["a.py"]));
    assert_eq!(page.state.reader.path, "a.py");
    assert!(!page.state.reader.is_sheet_open);
    page.event(job, answer("where?", true, &["b.py"]));
    assert_eq!(page.state.reader.path, "b.py");
}

#[test]
fn a_footnote_that_the_user_reads_stays_open_under_its_new_number() {
    let mut page = Page::new();
    page.ready("a");
    let job = page.ask("where?");
    page.more(job, answer("where?", false, &["a.py", "b.py"]));
    let turn = page.state.conversation.turns[0].id;
    let effects = page.state.choose_footnote(turn, By::Extract, 1);
    page.run(effects);
    let mut better = answer("where?", true, &["c.py", "a.py"]);
    (better.footnotes[1].start, better.footnotes[1].end) = (10, 15);
    page.event(job, better);
    assert_eq!(page.state.reader.path, "a.py");
    assert_eq!(
        page.state.conversation.focus.map(|focus| focus.number),
        Some(2)
    );
}

#[test]
fn walking_opens_each_footnote_and_loads_each_file_once() {
    let mut page = Page::new();
    page.ready("a");
    let job = page.ask("where?");
    page.event(job, answer("where?", true, &["a.py", "b.py", "a.py"]));
    let is_file =
        |request: &Request| matches!(request, Request::Source(SourceRequest::File { .. }));
    for path in ["a.py", "b.py", "a.py", "a.py"] {
        let loads = page.last(is_file);
        let view = FileView {
            path: page.state.reader.path.clone(),
            text: "x\n".into(),
            ..FileView::default()
        };
        page.event(loads, SourceEvent::File(view));
        assert_eq!(page.state.reader.path, path);
        assert!(page.state.reader.file.is_some(), "{path} is shown");
        let effects = page.state.step_footnote(1);
        page.run(effects);
    }
    assert_eq!(page.requests(is_file), 2);
}

#[test]
fn a_failed_opening_is_shown_and_waiting_questions_stay() {
    let mut page = Page::new();
    let job = page.open("bad.zip");
    page.ask("where?");
    page.event(job, Event::Failed(notice(NoticeKind::BadInput)));
    assert_eq!(
        page.state.phase,
        Phase::Failed(notice(NoticeKind::BadInput))
    );
    page.ready("good");
    assert_eq!(page.requests(is_ask), 1);
}

#[test]
fn cancelling_goes_back_at_once_and_late_events_of_the_job_change_nothing() {
    let mut page = Page::new();
    let job = page.open("a");
    page.more(job, progress(Stage::Parse));
    let effects = page.state.close(0.0);
    page.run(effects);
    assert_eq!(page.state.phase, Phase::Empty);
    assert_eq!(
        page.requests(|request| *request == Request::Cancel { job }),
        1
    );
    page.more(job, progress(Stage::Words));
    page.more(job, OpenEvent::Opened(repo("a")));
    assert_eq!(page.state.phase, Phase::Empty);
}

#[test]
fn a_second_choice_stops_the_first_reading() {
    let mut page = Page::new();
    let first = page.open("a");
    let second = page.open("b");
    assert_eq!(
        page.requests(|request| *request == Request::Cancel { job: first }),
        1
    );
    page.more(first, OpenEvent::Opened(repo("a")));
    assert_eq!(page.state.phase.name(), "loading");
    page.more(second, OpenEvent::Opened(repo("b")));
    assert_eq!(
        page.state.summary().map(|open| open.repo.name.as_str()),
        Some("b")
    );
}

#[test]
fn a_file_read_slowly_does_not_replace_a_later_choice() {
    let mut page = Page::new();
    let (first, _) = page.state.begin_open("a", 0.0);
    let (second, _) = page.state.begin_open("b", 0.0);
    page.state
        .cannot_open(first, notice(NoticeKind::BadInput), 0.0);
    assert_eq!(page.state.phase.name(), "loading");
    page.state
        .cannot_open(second, notice(NoticeKind::BadInput), 0.0);
    assert_eq!(page.state.phase.name(), "failed");
}

#[test]
fn vectors_of_an_earlier_repository_do_not_count_for_the_open_one() {
    let mut page = Page::new();
    let first = page.ready("a");
    let second = page.ready("b");
    let vectors = |done| {
        Event::Vectors(VectorsView {
            done,
            total: 9,
            ..VectorsView::default()
        })
    };
    page.more(first, vectors(9));
    page.more(second, vectors(2));
    let shown = page.state.summary().and_then(|open| open.vectors.as_ref());
    assert_eq!(shown.map(|vectors| vectors.done), Some(2));
}

#[test]
fn a_start_without_anything_open_ends_empty() {
    let mut page = Page::new();
    let effects = page.state.start();
    page.run(effects);
    assert!(page.state.resuming);
    let job = page.last(|request| *request == OpenRequest::Resume.into());
    page.event(job, Event::Done);
    assert!(!page.state.resuming);
    assert_eq!(page.state.phase, Phase::Empty);
}

#[test]
fn a_start_continues_where_the_page_was_with_the_earlier_answers() {
    let mut page = Page::new();
    let effects = page.state.start();
    page.run(effects);
    let job = page.last(|request| *request == OpenRequest::Resume.into());
    let mut view = repo("a");
    view.conversation = saved(&[("then?", 1.0)]);
    page.more(job, OpenEvent::Opened(view));
    assert_eq!(page.state.phase.name(), "ready");
    assert_eq!(page.state.conversation.turns.len(), 1);
    assert_eq!(page.state.reader.path, "", "nothing opens by itself");
}

#[test]
fn after_a_crash_the_conversation_stays_and_only_the_open_question_fails() {
    let mut page = Page::new();
    let job = page.ready("a");
    let answered = page.ask("first?");
    page.event(answered, answer("first?", true, &["a.py"]));
    let lost = page.ask("second?");
    page.crash();
    page.event(lost, answer("second?", true, &["b.py"]));
    let reopened = page.last(|request| matches!(request, Request::Open(OpenRequest::Saved { .. })));
    assert_eq!(reopened, job);
    let mut view = repo("a");
    view.conversation = saved(&[("first?", 1.0)]);
    page.more(job, OpenEvent::Opened(view));
    let turns = &page.state.conversation.turns;
    assert_eq!(turns.len(), 2);
    assert!(turns[0].answer().is_some());
    assert!(matches!(turns[1].state, TurnState::Failed(_)));
    assert_eq!(page.state.notices.len(), 1);
    assert_eq!(
        page.requests(is_ask),
        2,
        "the question is not sent again by itself"
    );
}

#[test]
fn the_same_notice_is_posted_once_until_it_is_dismissed() {
    let mut page = Page::new();
    for _ in 0..2 {
        page.more(
            JobId::ENGINE,
            Event::Warning(notice(NoticeKind::StorageFull)),
        );
    }
    assert_eq!(page.state.notices.len(), 1);
    let id = page.state.notices[0].id;
    page.state.dismiss(id);
    assert!(page.state.notices.is_empty());
}

#[test]
fn a_notice_about_a_failure_disappears_once_the_request_succeeds() {
    let mut page = Page::new();
    page.ready("a");
    let job = page.begin(Purpose::Export);
    page.event(job, Event::Failed(notice(NoticeKind::BadInput)));
    assert_eq!(page.state.notices.len(), 1);
    let other = page.begin(Purpose::Saved);
    page.event(other, Event::Done);
    assert_eq!(page.state.notices.len(), 1, "that is something else");
    let job = page.begin(Purpose::Export);
    let file = ExportView {
        file_name: "a.md".into(),
        media_type: "text/markdown".into(),
        bytes: Vec::new(),
    };
    page.event(job, Event::Exported(file));
    assert_eq!(page.state.notices, []);
}

#[test]
fn deleting_the_open_repository_closes_it() {
    let mut page = Page::new();
    page.ready("a");
    let effects = page.state.delete_saved("b", 0.0);
    page.run(effects);
    assert_eq!(page.state.phase.name(), "ready");
    let effects = page.state.delete_saved("a", 0.0);
    page.run(effects);
    assert_eq!(page.state.phase, Phase::Empty);
    assert_eq!(
        page.requests(|request| matches!(request, Request::Saved(SavedRequest::Delete { .. }))),
        2
    );
}
