//! All repositories of the page's server as one: the server finds the best ones for each question,
//! and their text is read here, beside what earlier questions brought. Of their index files only
//! the text is taken, so that nothing in an answer rests on what a file says about it.

use std::rc::Rc;
use std::sync::Arc;

use footnote_core::index::Index;
use footnote_core::index::file::{FileError, IndexFile};
use footnote_core::search::Question;
use footnote_core::source::Repo;

use super::Opening;
use super::ahead::Ahead;
use super::source::Ended;
use crate::worker::protocol::{AcrossQuestion, Event, OpenEvent};
use crate::worker::serve::across::{Across, best};
use crate::worker::serve::answered::Asked;
use crate::worker::serve::hosted::{self, is_file};
use crate::worker::serve::notices;
use crate::worker::serve::repo::OpenRepo;
use crate::worker::serve::server::Ranked;
use crate::worker::serve::slices::run;

/// The key of all repositories. Nothing is saved under it.
pub(super) const KEY: &str = "all-repositories";

/// Their name, as the page shows it.
const NAME: &str = "All repositories";

/// What is open for the next question.
struct Known {
    index: Arc<Index>,
    across: Across,
    /// `None` after a restart of the engine: nothing is read yet.
    open: Option<Rc<OpenRepo>>,
}

impl Opening {
    /// Opens all repositories, without any of them yet; or reads those that a question needs.
    pub(super) async fn open_across(&self, asked: Option<AcrossQuestion>) -> Result<(), Ended> {
        match asked {
            Some(asked) => self.gather(asked).await,
            None => {
                let listed = hosted::list(&self.services().server).await;
                let listed = listed.map_err(|error| notices::no_server(&error))?;
                let across = Across::of(listed.files.len() as u32);
                self.announce_across(empty(), None, across).await
            }
        }
    }

    /// Opens all repositories again after the engine has died. The conversation is on the page, so
    /// this succeeds even while the server does not answer.
    pub(super) async fn reopen_across(&self) -> Result<(), Ended> {
        let listed = hosted::list(&self.services().server).await;
        let count = listed.map_or(0, |listed| listed.files.len() as u32);
        self.announce_across(empty(), None, Across::of(count)).await
    }

    /// What is read, if anything is.
    async fn known(&self) -> Result<Known, Ended> {
        let open = self.opener.shelf.current();
        let across = open.as_ref().and_then(|open| open.across.borrow().clone());
        match (open, across) {
            (Some(open), Some(across)) => Ok(Known {
                index: Arc::clone(&open.index),
                across,
                open: Some(open),
            }),
            _ => Ok(Known {
                index: Arc::new(self.build(empty(), None, None).await?),
                across: Across::default(),
                open: None,
            }),
        }
    }

    /// Reads the repositories that the server finds for a question, so that it can be answered.
    async fn gather(&self, asked: AcrossQuestion) -> Result<(), Ended> {
        let Known {
            index,
            mut across,
            open,
        } = self.known().await?;
        let question = Question::new(&asked.question);
        let question = question.map_err(|error| notices::bad_question(&error))?;
        let resolved = Asked::new(&index, question, &asked.earlier);
        self.tell_gathering("Searching all repositories…".to_owned());
        let searched = resolved.question().written();
        let found = self.services().server.search(&searched).await;
        let found = found.map_err(|error| notices::no_search(&error))?;
        across.searched = found.searched;
        across.ask();
        let ranked = best(found.repositories, &searched);
        let mut repo = None;
        for (at, wanted) in (1..).zip(&ranked) {
            if across.want(&wanted.index) || !across.has_room() {
                continue;
            }
            let of = ranked.len();
            self.tell_gathering(format!("Reading {} ({at} of {of})…", wanted.repository));
            if let Some(part) = self.text_of(wanted).await? {
                let all = repo.get_or_insert_with(|| Repo::clone(&index.repo));
                if let Some(older) = across.replace(&wanted.repository) {
                    all.remove_below(&older);
                }
                let bytes = part.files.iter().map(|file| file.text.len()).sum();
                let folder = across.add(&wanted.repository, &wanted.index, bytes);
                all.add_below(&folder, part);
            }
        }
        if let Some(mut repo) = repo {
            for folder in across.drop_old() {
                repo.remove_below(&folder);
            }
            let known = (!index.repo.files.is_empty()).then_some(index);
            return self.announce_across(repo, known, across).await;
        }
        match open.filter(|_| !across.here.is_empty()) {
            Some(open) => {
                open.across.replace(Some(across));
                self.services().end(self.job, Event::Done);
                Ok(())
            }
            None if ranked.is_empty() => Err(notices::found_nowhere(found.searched).into()),
            None => Err(notices::none_read().into()),
        }
    }

    /// Returns the text of a repository. If it cannot be read, tells the page, and others answer.
    async fn text_of(&self, wanted: &Ranked) -> Result<Option<Repo>, Ended> {
        if !is_file(&wanted.index) {
            let detail = "its index file has a name that this page does not load";
            let notice = notices::not_read_across(&wanted.repository, detail);
            self.services().warn(self.job, notice);
            return Ok(None);
        }
        let goes_on = |_, _| !self.cancel.asked();
        let bytes = match self.services().server.file(&wanted.index, goes_on).await {
            Ok(bytes) => bytes.ok_or(Ended::Stopped)?,
            Err(error) => {
                let notice = notices::not_read_across(&wanted.repository, &error.to_string());
                self.services().warn(self.job, notice);
                return Ok(None);
            }
        };
        let refused = |error: FileError| {
            let notice = notices::not_read_across(&wanted.repository, &error.to_string());
            self.services().warn(self.job, notice);
        };
        let decoding = match IndexFile::open(bytes).and_then(IndexFile::decoding) {
            Ok(decoding) => decoding,
            Err(error) => {
                refused(error);
                return Ok(None);
            }
        };
        match run(decoding, &self.cancel, |_, _| {}).await {
            Ok(decoded) => {
                let decoded = decoded.ok_or(Ended::Stopped)?;
                Ok(Some(Arc::unwrap_or_clone(decoded.index.repo)))
            }
            Err(error) => {
                refused(error);
                Ok(None)
            }
        }
    }

    /// Indexes what is read now and makes it the open repository.
    async fn announce_across(
        &self,
        repo: Repo,
        known: Option<Arc<Index>>,
        across: Across,
    ) -> Result<(), Ended> {
        let bytes = repo.files.iter().map(|file| file.text.len() as f64).sum();
        // What is known is read by nobody, so helpers would have little to do.
        let ahead = match known {
            Some(_) => None,
            None => self.readers(bytes).map(Ahead::new),
        };
        let index = self.build(repo, ahead, known.clone()).await?;
        let older = self.opener.shelf.current();
        let older = older.filter(|open| open.key == KEY);
        self.across.replace(Some(across));
        let open = self.announce(KEY.to_owned(), index, false).await?;
        if let Some(older) = older {
            // Conversations that are not shown now live there alone.
            open.unsaved.keep(older.unsaved.take());
        }
        open.before.replace(known);
        self.opener.encoders.start(&open);
        Ok(())
    }

    fn tell_gathering(&self, line: String) {
        self.services().tell(self.job, OpenEvent::Gathering(line));
    }
}

/// All repositories, none of them read.
fn empty() -> Repo {
    Repo {
        name: NAME.to_owned(),
        ..Repo::default()
    }
}
