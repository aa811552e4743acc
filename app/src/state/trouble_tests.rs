//! Openings that fail, engines that die, and what is left afterwards.

use super::tests::{Page, is_ask, notice, progress, repo, scope};
use super::*;
use crate::state::conversation::tests::answer;
use crate::worker::protocol::{
    NoticeKind, OpenEvent, Part, ReadingView, SourceRequest, Stage, VectorsView,
};

fn reading(path: &str, files: u32) -> OpenEvent {
    OpenEvent::Reading(ReadingView {
        path: path.into(),
        files,
    })
}

/// The names of the open repository and of the one being read.
fn shown(page: &Page) -> (Option<String>, Option<String>) {
    let open = page.state.summary().map(|open| open.repo.name.clone());
    let loading = match &page.state.phase {
        Phase::Loading(loading) => Some(loading.name.clone()),
        _ => None,
    };
    (open, loading)
}

fn open(name: &str) -> (Option<String>, Option<String>) {
    (Some(name.to_owned()), None)
}

fn loading(name: &str) -> (Option<String>, Option<String>) {
    (None, Some(name.to_owned()))
}

fn without(page: &Page) -> Vec<OpenRequest> {
    let sent = page.sent.iter();
    let asked = sent.filter_map(|(_, request)| match request {
        Request::Open(request @ OpenRequest::Without { .. }) => Some(request.clone()),
        _ => None,
    });
    asked.collect()
}

#[test]
fn an_opening_that_fails_leaves_the_open_repository_with_its_conversation() {
    let mut page = Page::new();
    let first = page.ready("good");
    let job = page.ask("answered?");
    page.event(job, answer("answered?", true, &["a.py"]));
    page.ask("unanswered?");
    let path = page.state.reader.path.clone();
    assert!(!path.is_empty());
    let second = page.open("bad.zip");
    page.ask("of the bad one?");
    page.event(second, Event::Failed(notice(NoticeKind::BadInput)));

    assert_eq!(shown(&page), open("good"));
    assert_eq!(page.state.notices.len(), 1, "the reason is told");
    assert_eq!(page.state.reader.path, path);
    let is_file =
        |request: &Request| matches!(request, Request::Source(SourceRequest::File { .. }));
    assert_eq!(page.requests(is_file), 2, "the file that was waited for");
    let turns: Vec<_> = page.state.conversation.turns.iter().collect();
    assert!(turns[0].answer().is_some());
    assert_eq!(turns[1].state, TurnState::Asked, "it is asked once more");
    assert_eq!(page.requests(is_ask), 3);
    assert_eq!(turns[2].question, "of the bad one?");
    assert!(
        matches!(turns[2].state, TurnState::Failed(_)),
        "not of the good one"
    );

    let vectors = VectorsView {
        done: 5,
        ..VectorsView::default()
    };
    page.more(first, vectors.clone());
    let told = page.state.summary().and_then(|open| open.vectors.clone());
    assert_eq!(told, Some(vectors), "they went on");
}

#[test]
fn the_vectors_of_the_open_repository_are_not_stopped_while_another_is_read() {
    let mut page = Page::new();
    page.ready("a");
    page.open("b");
    let cancels = page.requests(|request| matches!(request, Request::Cancel { .. }));
    assert_eq!(cancels, 0);
}

#[test]
fn a_stopped_reading_goes_back_to_the_open_repository() {
    let mut page = Page::new();
    page.ready("a");
    let second = page.open("b");
    let effects = page.state.close(0.0);
    page.run(effects);
    assert_eq!(shown(&page), open("a"));
    assert!(page.state.notices.is_empty(), "the user knows why");
    let cancel = Request::Cancel { job: second };
    assert_eq!(page.requests(|request| *request == cancel), 1);
    let close = Request::from(OpenRequest::Close);
    assert_eq!(page.requests(|request| *request == close), 0);
}

#[test]
fn a_bad_drop_does_not_end_a_reading() {
    let mut page = Page::new();
    let first = page.open("good");
    page.state.refuse(notice(NoticeKind::BadInput));
    assert_eq!(shown(&page), loading("good"), "it is refused at once");
    let second = page.open("bad.zip");
    page.event(second, Event::Failed(notice(NoticeKind::BadInput)));
    assert_eq!(shown(&page), loading("good"), "it is read again");
    let [(of, again)] = page.opened_again[..] else {
        panic!("{:?}", page.opened_again);
    };
    assert_eq!(of, first);
    page.more(again, OpenEvent::Opened(repo("good")));
    assert_eq!(shown(&page), open("good"));
}

#[test]
fn a_bad_drop_without_anything_else_is_all_that_is_shown() {
    let mut page = Page::new();
    page.state.refuse(notice(NoticeKind::BadInput));
    assert_eq!(
        page.state.phase,
        Phase::Failed(notice(NoticeKind::BadInput))
    );
}

#[test]
fn the_file_that_stopped_the_engine_is_left_out_when_it_reads_again() {
    let mut page = Page::new();
    page.ready("before");
    let job = page.open("a.zip");
    page.more(job, progress(Stage::Parse));
    page.more(job, reading("src/fine.py", 1));
    page.more(job, reading("src/bad.py", 1));
    page.crash();
    assert_eq!(shown(&page), loading("a.zip"));
    assert_eq!(page.opened_again.len(), 1);
    assert_eq!(page.opened_again[0].0, job);
    let expected = OpenRequest::Without {
        files: vec!["src/bad.py".into()],
        closely: None,
    };
    assert_eq!(without(&page), [expected]);
    assert!(page.state.notices[0].notice.what.contains("src/bad.py"));

    let (_, job) = page.opened_again[0];
    page.more(job, reading("src/worse.py", 1));
    page.crash();
    let files = vec!["src/bad.py".to_owned(), "src/worse.py".to_owned()];
    let expected = OpenRequest::Without {
        files,
        closely: None,
    };
    assert_eq!(without(&page)[1], expected, "both are left out");
    let (_, job) = page.opened_again[1];
    page.more(job, OpenEvent::Opened(repo("a")));
    assert_eq!(shown(&page), open("a"));
}

#[test]
fn the_file_that_stops_the_engine_is_first_searched_for_in_its_batch() {
    let mut page = Page::new();
    let job = page.open("a.zip");
    page.more(job, reading("m/001.py", 50));
    page.crash();
    let expected = OpenRequest::Without {
        files: Vec::new(),
        closely: Some(ReadingView {
            path: "m/001.py".into(),
            files: 50,
        }),
    };
    assert_eq!(without(&page), [expected]);
    assert!(page.state.notices.is_empty(), "no file can be named yet");
    let (_, job) = page.opened_again[0];
    page.more(job, reading("m/007.py", 1));
    page.crash();
    assert!(page.state.notices[0].notice.what.contains("m/007.py"));
}

#[test]
fn an_engine_that_dies_of_no_file_or_of_too_many_ends_the_reading() {
    let mut page = Page::new();
    let job = page.open("a.zip");
    page.more(job, reading("last.py", 1));
    page.more(job, reading("", 0));
    page.crash();
    assert_eq!(page.state.phase.name(), "failed");
    assert!(page.opened_again.is_empty());

    let mut job = page.open("b.zip");
    for at in 0..6 {
        page.more(job, reading(&format!("{at}.py"), 1));
        page.crash();
        job = page.opened_again.last().map_or(job, |(_, again)| *again);
    }
    assert_eq!(page.opened_again.len(), 5);
    assert_eq!(page.state.phase.name(), "failed");
}

#[test]
fn after_the_engine_died_the_repository_that_comes_back_is_opened_again() {
    let mut page = Page::new();
    let first = page.ready("good");
    page.open("bad.zip");
    page.crash();
    assert_eq!(shown(&page), open("good"));
    let is_saved = |request: &Request| matches!(request, Request::Open(OpenRequest::Saved { .. }));
    assert_eq!(page.last(is_saved), first);
    page.told(first, Part::More, OpenEvent::Opened(repo("good")).into());
    assert_eq!(shown(&page), open("good"));
}

#[test]
fn a_silent_engine_is_reported_until_it_responds_or_is_restarted() {
    let mut page = Page::new();
    page.ready("a");
    page.state.engine_silent(true);
    assert_eq!(page.state.notices[0].notice.kind, NoticeKind::Silent);
    page.state.engine_silent(false);
    assert!(page.state.notices.is_empty());
    page.state.engine_silent(true);
    page.crash();
    let kinds = page.state.notices.iter().map(|posted| posted.notice.kind);
    assert_eq!(kinds.collect::<Vec<_>>(), [NoticeKind::WorkerDied]);
}

#[test]
fn a_damaged_repository_can_be_rebuilt_from_the_notice() {
    let mut page = Page::new();
    let effects = page.state.open_saved("key", "flask", 0.0);
    page.run(effects);
    let job = page.last(|request| matches!(request, Request::Open(OpenRequest::Saved { .. })));
    let (repo, name) = ("key".to_owned(), "flask".to_owned());
    page.more(job, OpenEvent::Damaged { repo, name });
    page.event(job, Event::Failed(notice(NoticeKind::Damaged)));
    assert_eq!(page.state.phase, Phase::Failed(notice(NoticeKind::Damaged)));
    assert!(page.state.damaged.is_some());
    let effects = page.state.rebuild(0.0);
    page.run(effects);
    let rebuild = OpenRequest::Rebuild { repo: "key".into() };
    assert_eq!(
        page.requests(|request| *request == rebuild.clone().into()),
        1
    );
    assert_eq!(shown(&page), loading("flask"));
    assert_eq!(page.state.damaged, None);
}

#[test]
fn a_repository_that_the_next_engine_asks_about_is_read_again() {
    let mut page = Page::new();
    let job = page.open("a");
    page.more(job, OpenEvent::Opened(repo("a")));
    page.more(job, scope());
    let waits = page
        .state
        .choice()
        .is_some_and(|choice| choice.view.is_waiting);
    assert!(waits);
    page.state.choose_folder(0, false);
    let effects = page.state.read_chosen(0.0);
    assert_eq!(effects.len(), 1, "{effects:?}");
    page.more(job, OpenEvent::Opened(repo("a")));
    assert!(page.state.summary().is_some());
}
