//! All repositories of the page's server as one: the server finds the best ones for each question,
//! and their text is read here, beside what earlier questions brought. Of their index files only
//! the text is taken, so that nothing in an answer rests on what a file says about it.

use std::rc::Rc;
use std::sync::Arc;

use footnote_core::index::Index;
use footnote_core::index::file::{FileError, IndexFile};
use footnote_core::search::Question;
use footnote_core::source::Repo;

use super::ahead::Ahead;
use super::source::Ended;
use super::{Opener, Opening};
use crate::worker::protocol::{AcrossQuestion, Event, OpenEvent};
use crate::worker::serve::across::{Across, names};
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

impl Opener {
    /// All repositories, if they are open.
    fn across(&self) -> Option<(Rc<OpenRepo>, Across)> {
        let open = self.shelf.current()?;
        let across = open.across.borrow().clone()?;
        Some((open, across))
    }
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
                let repo = Repo {
                    name: NAME.to_owned(),
                    ..Repo::default()
                };
                self.announce_across(repo, None, across).await
            }
        }
    }

    /// Reads the repositories that the server finds for a question, so that it can be answered.
    async fn gather(&self, asked: AcrossQuestion) -> Result<(), Ended> {
        let (open, mut across) = self.opener.across().ok_or_else(notices::nothing_open)?;
        let question = Question::new(&asked.question);
        let question = question.map_err(|error| notices::bad_question(&error))?;
        let resolved = Asked::new(&open.index, question, &asked.earlier);
        self.tell_gathering(format!("Searching {} repositories…", across.searched));
        let searched = resolved.question().written();
        let found = self.services().server.search(&searched).await;
        let found = found.map_err(|error| notices::no_search(&error))?;
        across.searched = found.searched;
        let mut ranked = found.repositories;
        ranked.sort_by_key(|it| !names(&searched, &it.repository));
        let files = ranked.iter().map(|it| it.index.as_str());
        let missing = across.want(files.filter(|file| is_file(file)));
        let missing: Vec<&Ranked> = missing
            .into_iter()
            .filter_map(|file| ranked.iter().find(|it| it.index == file))
            .collect();
        let mut repo = None;
        for (at, wanted) in (1..).zip(&missing) {
            let of = missing.len();
            self.tell_gathering(format!("Reading {} ({at} of {of})…", wanted.repository));
            if let Some(part) = self.text_of(wanted).await? {
                let bytes = part.files.iter().map(|file| file.text.len()).sum();
                let folder = across.add(&part.name, &wanted.index, bytes);
                let all = repo.get_or_insert_with(|| Repo::clone(&open.index.repo));
                all.add_below(&folder, part);
            }
        }
        if let Some(mut repo) = repo {
            for folder in across.drop_old() {
                repo.remove_below(&folder);
            }
            let known = (!open.index.repo.files.is_empty()).then(|| Arc::clone(&open.index));
            return self.announce_across(repo, known, across).await;
        }
        if across.here.is_empty() {
            return Err(notices::found_nowhere(found.searched).into());
        }
        open.across.replace(Some(across));
        self.services().end(self.job, Event::Done);
        Ok(())
    }

    /// Returns the text of a repository. If it cannot be read, the page is told, and others answer.
    async fn text_of(&self, wanted: &Ranked) -> Result<Option<Repo>, Ended> {
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
        self.across.replace(Some(across));
        let open = self.announce(KEY.to_owned(), index, false).await?;
        open.before.replace(known);
        self.opener.encoders.start(&open);
        Ok(())
    }

    fn tell_gathering(&self, line: String) {
        self.services().tell(self.job, OpenEvent::Gathering(line));
    }
}
