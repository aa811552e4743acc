//! Index files: opened by the page's address, and saved.

use super::tests::{Page, notice, progress, repo};
use super::*;
use crate::worker::protocol::{NoticeKind, OpenEvent, Stage};

#[test]
fn an_address_that_names_an_index_file_opens_it_instead_of_the_last_repository() {
    let mut page = Page::new();
    let effects = page.state.start_with("django", 0.0);
    page.run(effects);
    let wanted = OpenRequest::Hosted {
        name: "django".to_owned(),
    };
    let job = page.last(|request| *request == wanted.clone().into());
    let resume = Request::from(OpenRequest::Resume);
    assert!(page.sent.iter().all(|(_, request)| *request != resume));
    assert_eq!(page.state.phase.name(), "loading");
    page.event(job, Event::Failed(notice(NoticeKind::BadInput)));
    assert_eq!(page.state.phase.name(), "failed");
}

#[test]
fn an_index_file_is_saved_of_an_open_repository_only() {
    let mut page = Page::new();
    assert!(page.state.save_index().is_empty());
    page.ready("a");
    let effects = page.state.save_index();
    page.run(effects);
    let wanted = Request::from(OpenRequest::SaveIndex);
    let job = page.last(|request| *request == wanted);
    page.more(job, progress(Stage::Save));
    assert_eq!(page.state.phase.name(), "ready", "progress changes nothing");
}

#[test]
fn an_index_file_counts_as_unchecked_until_the_engine_has_compared_it() {
    let mut page = Page::new();
    let job = page.open("a");
    let mut view = repo("a");
    view.unchecked = true;
    page.more(job, OpenEvent::Opened(view));
    assert!(page.state.unchecked);
    page.more(job, OpenEvent::Checked);
    assert!(!page.state.unchecked);
}
