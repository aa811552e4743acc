//! The changes between the open repository and another saved version of it.

mod view;

use std::cell::RefCell;
use std::convert::Infallible;
use std::rc::Rc;

use footnote_core::answer::{Compared, changed};
use footnote_core::changes::{Changes, Comparison, NamedVersion, older_first};
use footnote_core::index::Index;

use super::cancel::Cancel;
use super::load::load;
use super::look::peek;
use super::notices;
use super::repo::OpenRepo;
use super::services::Services;
use super::shelf::Shelf;
use super::slices::run;
use crate::platform::clock::now_ms;
use crate::worker::protocol::{
    ChangedAnswerView, ChangesEvent, ChangesRequest, JobId, Notice, PlaceView,
};

/// Most lines of the saved version to show at once.
const MAX_LINES: u32 = 80;

/// Compares the open repository with saved ones.
pub struct Changer {
    services: Rc<Services>,
    shelf: Rc<Shelf>,
    /// The last comparison, kept for questions about it.
    known: RefCell<Option<Rc<Known>>>,
}

/// The open repository and another version of it.
struct Known {
    open: Rc<OpenRepo>,
    /// Key of the saved version.
    repo: String,
    saved: Index,
    is_open_newer: bool,
    changes: Changes,
    milliseconds: f64,
}

impl Known {
    fn compared(&self) -> Compared<'_> {
        let (old, new) = match self.is_open_newer {
            true => (&self.saved, &*self.open.index),
            false => (&*self.open.index, &self.saved),
        };
        Compared {
            old,
            new,
            changes: &self.changes,
        }
    }
}

impl Changer {
    pub fn new(services: &Rc<Services>, shelf: &Rc<Shelf>) -> Rc<Self> {
        let changer = Rc::new(Self {
            services: Rc::clone(services),
            shelf: Rc::clone(shelf),
            known: RefCell::default(),
        });
        shelf.on_replaced(&changer, |changer| {
            changer.known.take();
        });
        changer
    }

    pub async fn serve(&self, job: JobId, request: ChangesRequest, cancel: &Cancel) {
        let (ChangesRequest::Compare { repo }
        | ChangesRequest::Ask { repo, .. }
        | ChangesRequest::Lines { repo, .. }) = &request;
        let Some(open) = self.shelf.when_open(job, cancel).await else {
            return;
        };
        let known = match self.known(open, repo, cancel).await {
            Ok(Some(known)) => known,
            Ok(None) => return,
            Err(notice) => return self.services.fail(job, notice),
        };
        match answer(&known, request) {
            Ok(event) => self.services.end(job, event),
            Err(notice) => self.services.fail(job, notice),
        }
    }

    /// Compares the open repository with a saved one; returns `None` if it was stopped.
    async fn known(
        &self,
        open: Rc<OpenRepo>,
        repo: &str,
        cancel: &Cancel,
    ) -> Result<Option<Rc<Known>>, Notice> {
        let is_it = |known: &&Rc<Known>| known.repo == repo && Rc::ptr_eq(&known.open, &open);
        if let Some(known) = self.known.borrow().as_ref().filter(is_it) {
            return Ok(Some(Rc::clone(known)));
        }
        let start = now_ms();
        let Some(saved) = load(&self.services, repo, cancel, |_| {}).await? else {
            return Ok(None);
        };
        let is_open_newer = is_newer(&open.index.repo.name, &saved.repo.name);
        let (old, new) = match is_open_newer {
            true => (&saved, &*open.index),
            false => (&*open.index, &saved),
        };
        let compared: Result<_, Infallible> =
            run(Comparison::new(old, new), cancel, |_, _| {}).await;
        let Ok(Some(changes)) = compared else {
            return Ok(None);
        };
        let known = Rc::new(Known {
            repo: repo.to_owned(),
            is_open_newer,
            changes,
            saved,
            milliseconds: now_ms() - start,
            open,
        });
        if self.shelf.is_current(&known.open) {
            *self.known.borrow_mut() = Some(Rc::clone(&known));
        }
        Ok(Some(known))
    }
}

/// Whether the open version is the newer one; assumed if their names do not say.
fn is_newer(open: &str, saved: &str) -> bool {
    let version = |name| NamedVersion::of(name).version.unwrap_or_default();
    older_first(version(open), version(saved)).is_ge()
}

fn answer(known: &Known, request: ChangesRequest) -> Result<ChangesEvent, Notice> {
    let compared = known.compared();
    Ok(match request {
        ChangesRequest::Compare { repo } => {
            let mut view = view::changes(compared, known.is_open_newer);
            view.repo = repo;
            view.milliseconds = known.milliseconds;
            ChangesEvent::Compared(view)
        }
        ChangesRequest::Ask { question, .. } => ChangesEvent::Answered(asked(known, question)),
        ChangesRequest::Lines { place, .. } => ChangesEvent::Lines(lines(&known.saved, &place)?),
    })
}

fn asked(known: &Known, question: String) -> ChangedAnswerView {
    let compared = known.compared();
    match changed(compared, &question) {
        Some(answer) => view::answer(compared, known.is_open_newer, question, &answer),
        None => ChangedAnswerView {
            question,
            nothing: Some(
                "This box answers questions about what changed between these two versions, for \
                 example “what changed in NAME”, “what is new”, “what was removed” or “was NAME \
                 renamed”."
                    .to_owned(),
            ),
            ..ChangedAnswerView::default()
        },
    }
}

fn lines(saved: &Index, place: &PlaceView) -> Result<crate::worker::protocol::PeekView, Notice> {
    peek(saved, place, MAX_LINES).ok_or_else(|| notices::no_such_lines(&place.path))
}

#[cfg(test)]
mod tests {
    use super::is_newer;

    #[test]
    fn the_names_decide_which_version_is_newer_or_else_the_open_one_is() {
        assert!(is_newer("requests-2.32.5", "requests-2.31.0"));
        assert!(!is_newer("requests-2.31.0", "requests-2.32.5"));
        assert!(is_newer("requests", "requests"));
    }
}
