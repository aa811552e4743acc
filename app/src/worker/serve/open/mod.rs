//! Opens a repository: reads or loads it, announces it as soon as words can be searched, then saves
//! it and starts on its vectors. [`source`] is what is read, [`scope`] lets the user leave folders
//! out, [`building`] indexes it with what it shares with another version, [`reading`] reports which
//! files are read, [`parsers`] read beside it, [`ahead`] starts them while the archive is unpacked,
//! [`stored`] opens saved repositories, [`file`](mod@file) index files, [`beside`] those that lie
//! beside the page, [`across`] all of a server as one.

mod across;
mod ahead;
mod beside;
mod building;
mod file;
mod parsers;
mod reading;
mod scope;
mod source;
mod stored;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use footnote_core::answer;
use footnote_core::index::{Index, format};
use footnote_core::source::{Repo, Scope};
use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::{JsFuture, future_to_promise, spawn_local};

use self::ahead::Ahead;
use self::parsers::Parsers;
use self::reading::Unread;
use self::source::{Ended, Source};
use super::across::Across;
use super::cancel::Cancel;
use super::conversations::Conversations;
use super::encoders::Encoders;
use super::records::{RepoRecord, repo_key};
use super::repo::OpenRepo;
use super::saved::SavedRepos;
use super::services::Services;
use super::shelf::Shelf;
use super::storage::Interrupted;
use super::{notices, runner, views};
use crate::platform::clock::{now_ms, sleep, today_ms};
use crate::platform::fetch;
use crate::platform::idb::StorageError;
use crate::worker::protocol::{AcrossQuestion, Event, JobId, OpenEvent, OpenRequest, RepoView};

/// Milliseconds between opening a repository and saving it.
const SAVE_AFTER_MS: u32 = 400;
/// Most files in one event.
const FILES_AT_ONCE: usize = 4_000;
/// Most restarts of a reading after an interruption: what interrupts it again and again might do so
/// for ever.
const MAX_RESUMED: u32 = 2;

/// Least bytes of text for which other workers help: starting them takes tenths of a second, and
/// memory.
const MIN_HELPED_BYTES: f64 = 6e6;

/// What to open.
enum What {
    Resume,
    Archive {
        file_name: String,
        body: JsValue,
        choose: bool,
    },
    Folder {
        name: String,
        paths: Vec<String>,
        body: JsValue,
        choose: bool,
    },
    Sample {
        file_name: String,
    },
    Hosted {
        name: String,
    },
    Across {
        asked: Option<AcrossQuestion>,
    },
    Saved {
        repo: String,
    },
    Rebuilt {
        repo: String,
    },
}

/// The opening of one repository.
struct Opening {
    opener: Rc<Opener>,
    job: JobId,
    cancel: Cancel,
    /// When it began, moved forward by the time that the user took to choose.
    started: Cell<f64>,
    /// Key of the pending record; empty until there is one.
    pending: String,
    /// The files that earlier engines did not survive.
    unread: Unread,
    /// Set once the repository is announced: saving it then deletes the pending record.
    announced: Cell<bool>,
    /// Whether the index comes from a file and has yet to be compared with its text.
    unchecked: Cell<bool>,
    /// Set if it is all repositories of a server.
    across: RefCell<Option<Across>>,
}

/// Opens and closes repositories.
pub struct Opener {
    services: Rc<Services>,
    shelf: Rc<Shelf>,
    encoders: Rc<Encoders>,
    conversations: Rc<Conversations>,
    saved: Rc<SavedRepos>,
    /// The job whose user chose what is read, and the folders left out.
    chosen: Cell<Option<(JobId, Vec<usize>)>>,
    /// The files that the next reading leaves out.
    unread: RefCell<Unread>,
}

impl Opener {
    pub fn new(
        services: &Rc<Services>,
        shelf: &Rc<Shelf>,
        encoders: &Rc<Encoders>,
        conversations: &Rc<Conversations>,
        saved: &Rc<SavedRepos>,
    ) -> Rc<Self> {
        Rc::new(Self {
            services: Rc::clone(services),
            shelf: Rc::clone(shelf),
            encoders: Rc::clone(encoders),
            conversations: Rc::clone(conversations),
            saved: Rc::clone(saved),
            chosen: Cell::default(),
            unread: RefCell::default(),
        })
    }

    pub fn serve(self: &Rc<Self>, job: JobId, request: OpenRequest, body: JsValue) {
        let opener = Rc::clone(self);
        let what = match request {
            OpenRequest::Read { of, left_out } => return self.choose_scope(of, &left_out),
            OpenRequest::Without { files, closely } => {
                *self.unread.borrow_mut() = Unread { files, closely };
                return;
            }
            OpenRequest::Close => return spawn_local(async move { opener.close(job).await }),
            OpenRequest::Resume => What::Resume,
            OpenRequest::SaveIndex => {
                let cancel = self.services.jobs.begin(job);
                return spawn_local(async move { opener.save_index(job, &cancel).await });
            }
            OpenRequest::Sample { file_name } => What::Sample { file_name },
            OpenRequest::Hosted { name } => What::Hosted { name },
            OpenRequest::Across { asked } => What::Across { asked },
            OpenRequest::Saved { repo } => What::Saved { repo },
            OpenRequest::Rebuild { repo } => What::Rebuilt { repo },
            OpenRequest::Archive { file_name, choose } => What::Archive {
                file_name,
                body,
                choose,
            },
            OpenRequest::Folder {
                name,
                paths,
                choose,
            } => What::Folder {
                name,
                paths,
                body,
                choose,
            },
        };
        opener.start_opening(job, what);
    }

    /// Stops the current opening and starts another.
    fn start_opening(self: Rc<Self>, job: JobId, what: What) {
        self.stop_opening();
        self.shelf.begin_opening(job);
        let opening = Opening {
            job,
            cancel: self.services.jobs.begin(job),
            started: Cell::new(now_ms()),
            pending: format!("{:015.0}", today_ms()),
            unread: self.unread.take(),
            announced: Cell::new(false),
            unchecked: Cell::new(false),
            across: RefCell::default(),
            opener: self,
        };
        spawn_local(async move { opening.run(what).await });
    }

    /// Stops the current opening and tells its page.
    fn stop_opening(&self) {
        if let Some(job) = self.shelf.take_opening() {
            self.services.jobs.stop(job);
            self.forget_choice(job);
            self.services.cancelled(job);
        }
    }

    /// Announces a repository as the open one.
    fn set_open(&self, job: JobId, key: String, index: Index) -> Rc<OpenRepo> {
        let (open, before) = self.shelf.put(job, key, index);
        if let Some(before) = before {
            let (encoders, saved) = (Rc::clone(&self.encoders), Rc::clone(&self.saved));
            spawn_local(async move {
                encoders.save_vectors(&before).await;
                // The list shows how many vectors the repository has.
                saved.list(JobId::ENGINE).await;
            });
        }
        open
    }

    /// Closes the open repository; the next start shows none.
    async fn close(&self, job: JobId) {
        self.stop_opening();
        let open = self.shelf.take();
        // Done first, in case the page is reloaded at once; without storage there is nothing to
        // forget.
        let _ = self.services.storage.forget_last().await;
        if let Some(open) = open {
            self.encoders.save_vectors(&open).await;
            self.saved.list(JobId::ENGINE).await;
        }
        self.services.end(job, Event::Done);
    }
}

impl Opening {
    fn services(&self) -> &Services {
        &self.opener.services
    }

    async fn run(self, what: What) {
        let outcome = self.open(what).await;
        self.opener.shelf.end_opening(self.job);
        self.services().jobs.ended(self.job);
        match outcome {
            Ok(()) => {}
            Err(ended) => {
                if !self.announced.get() {
                    // Without storage there is nothing to delete.
                    let _ = self.services().storage.forget_pending(&self.pending).await;
                }
                if let Ended::Failed(notice) | Ended::TooMuch { notice, .. } = ended {
                    self.services().fail(self.job, *notice);
                }
            }
        }
        self.services().changed.notify();
    }

    async fn open(&self, what: What) -> Result<(), Ended> {
        match what {
            What::Resume => self.resume().await,
            What::Archive {
                file_name,
                body,
                choose,
            } => {
                let source = Source::archive(file_name, body)?;
                match &source {
                    Source::Archive { file_name, blob } if file::is_index(blob).await => {
                        self.open_dropped(file_name, blob).await
                    }
                    _ => self.read(source, 0, choose).await,
                }
            }
            What::Folder {
                name,
                paths,
                body,
                choose,
            } => {
                let source = Source::folder(name, paths, &body)?;
                self.read(source, 0, choose).await
            }
            What::Sample { file_name } => {
                let blob = fetch::blob(&format!("samples/{file_name}"))
                    .await
                    .map_err(|error| notices::sample_missing(&error))?;
                let source = Source::Archive { file_name, blob };
                self.read(source, 0, false).await
            }
            What::Hosted { name } => self.open_hosted(&name).await,
            What::Across { asked } => self.open_across(asked).await,
            What::Saved { repo } => self.reopen(&repo).await,
            What::Rebuilt { repo } => self.rebuild(&repo).await,
        }
    }

    /// Opens a saved repository, or, if the engine died before saving it, reads its archive again.
    async fn reopen(&self, key: &str) -> Result<(), Ended> {
        if key == across::KEY {
            return self.reopen_across().await;
        }
        let storage = &self.services().storage;
        if storage
            .record(key)
            .await
            .is_ok_and(|record| record.is_none())
            && let Ok(Some(found)) = storage.interrupted().await
        {
            return self.read_again(found).await;
        }
        self.open_saved(key).await
    }

    /// Continues an interrupted reading, or otherwise opens the repository that was open last, or
    /// nothing.
    async fn resume(&self) -> Result<(), Ended> {
        let storage = &self.services().storage;
        // Without storage there is nothing to continue.
        if let Some(found) = storage.interrupted().await.ok().flatten() {
            return self.read_again(found).await;
        }
        match storage.last().await {
            Some(repo) if storage.record(&repo).await.ok().flatten().is_some() => {
                self.open_saved(&repo).await
            }
            _ => {
                self.services().end(self.job, Event::Done);
                Ok(())
            }
        }
    }

    /// Continues an interrupted reading.
    async fn read_again(&self, found: Interrupted) -> Result<(), Ended> {
        // An engine killed by a known file does not count as an interruption that may recur.
        let resumed = found.pending.resumed + u32::from(self.unread.is_empty());
        // The reading saves it anew; the old record must not outlive that.
        let _ = self.services().storage.forget_pending(&found.key).await;
        let source = Source::interrupted(found);
        if resumed > MAX_RESUMED {
            return Err(notices::interrupted_often(source.name()).into());
        }
        self.read(source, resumed, false).await
    }

    async fn read(&self, source: Source, resumed: u32, choose: bool) -> Result<(), Ended> {
        if !self.unread.is_empty() {
            // The dead engine had saved what is now read again; without storage it had not.
            let _ = self.services().storage.forget_interrupted().await;
        }
        let kept = self.keep_pending(&source, resumed);
        let mut fitting = None;
        let (mut repo, ahead) = self.unpack(&source, &mut fitting).await?;
        let mut key = repo_key(&repo.digest());
        if self.open_known(&key, kept.as_ref()).await? {
            return Ok(());
        }
        let mut told = None;
        if choose && fitting.is_none() {
            repo.leave_out(&self.ask_scope(&repo).await?);
            key = repo_key(&repo.digest());
            if self.open_known(&key, kept.as_ref()).await? {
                return Ok(());
            }
        } else {
            told = self.tell_scope(&repo).await?;
        }
        let mut opened = self.index(key, repo, ahead).await;
        // The user may leave out the reported folders while the rest is being read.
        if let (Err(Ended::Stopped), Some(survey)) = (&opened, told)
            && let Some(scope) = self.chosen_scope(&survey)
        {
            let (mut repo, ahead) = self.unpack(&source, &mut fitting).await?;
            repo.leave_out(&scope);
            opened = self.index(repo_key(&repo.digest()), repo, ahead).await;
        }
        let open = opened?;
        self.wait_for(kept).await;
        self.save(&open).await;
        self.opener.encoders.start(&open);
        Ok(())
    }

    /// Unpacks all files. If they do not fit, asks the user once which to keep.
    async fn unpack(
        &self,
        source: &Source,
        fitting: &mut Option<Scope>,
    ) -> Result<(Repo, Option<Ahead>), Ended> {
        let report = |view| self.services().tell(self.job, OpenEvent::Progress(view));
        let readers = self.readers(source.text_bytes());
        let read = source.read(fitting.clone(), readers.clone(), &self.cancel, report);
        let (mut repo, ahead) = match (read.await, &fitting) {
            (Err(Ended::TooMuch { survey, .. }), None) => {
                let scope = self.smaller_scope(source.name(), &survey).await?;
                *fitting = Some(scope.clone());
                let read = source.read(Some(scope), readers, &self.cancel, report);
                read.await?
            }
            (read, _) => read?,
        };
        self.unread.skip(&mut repo);
        Ok((repo, ahead))
    }

    /// Returns workers that read beside the engine, if there is much to read.
    fn readers(&self, text_bytes: f64) -> Option<Rc<Parsers>> {
        // After a file killed an engine, its successor reads the files one by one.
        let is_worth_it = text_bytes >= MIN_HELPED_BYTES && self.unread.is_empty();
        is_worth_it.then(Parsers::start)
    }

    /// Saves the archive while it is being read. Runs beside the reading.
    fn keep_pending(&self, source: &Source, resumed: u32) -> Option<Promise> {
        let (pending, blob) = source.pending(resumed)?;
        let services = Rc::clone(&self.opener.services);
        let (job, key) = (self.job, self.pending.clone());
        Some(future_to_promise(async move {
            let kept = services.storage.keep_pending(&key, &pending, &blob).await;
            if let Err(error @ StorageError::Full) = kept {
                services.warn(job, notices::storage(&error));
            }
            Ok(JsValue::UNDEFINED)
        }))
    }

    /// Waits until the pending record is written, so that it is deleted only afterwards.
    async fn wait_for(&self, kept: Option<Promise>) {
        if let Some(kept) = kept {
            // It never fails: errors were reported while it ran.
            let _ = JsFuture::from(kept).await;
        }
    }

    /// Indexes the unpacked files and makes them the open repository.
    async fn index(
        &self,
        key: String,
        repo: Repo,
        ahead: Option<Ahead>,
    ) -> Result<Rc<OpenRepo>, Ended> {
        let older = self.another_version(&repo).await;
        let index = self.build(repo, ahead, older).await?;
        self.announce(key, index, true).await
    }

    /// Makes the repository the open one and tells the page.
    async fn announce(
        &self,
        key: String,
        index: Index,
        saved: bool,
    ) -> Result<Rc<OpenRepo>, Ended> {
        let storage = &self.services().storage;
        let saved = saved && storage.is_available().await;
        let conversation = self.opener.conversations.last(&key, &index).await;
        if self.cancel.asked() {
            return Err(Ended::Stopped);
        }
        self.announced.set(true);
        let view = RepoView {
            repo: key.clone(),
            name: index.repo.name.clone(),
            files: index.repo.files.len() as u32,
            skipped: index.repo.skipped.len() as u32,
            symbols: views::symbol_count(&index),
            chunks: index.chunks.len() as u32,
            saved,
            ready_ms: now_ms() - self.started.get(),
            conversation,
            suggestions: answer::suggestions(&index),
            pipelines: runner::offered(),
            permalinks: views::permalinks(&index.repo),
            unchecked: self.unchecked.get(),
            across: self.across.borrow().as_ref().map(|it| Box::new(it.view())),
        };
        let open = self.opener.set_open(self.job, key, index);
        open.across.replace(self.across.take());
        for part in views::files(&open.index).chunks(FILES_AT_ONCE) {
            let part = part.iter().map(|&path| path.to_owned()).collect();
            self.services().tell(self.job, OpenEvent::Files(part));
        }
        self.services().tell(self.job, OpenEvent::Opened(view));
        self.opener.shelf.end_opening(self.job);
        self.services().jobs.ended(self.job);
        Ok(open)
    }

    /// Saves the open repository. A failure is reported and has no other effect.
    async fn save(&self, open: &OpenRepo) {
        let was_saved = open.keep.get();
        self.opener.saved.will_save(&open.key);
        // The first question often comes at once, and encoding would take the engine's time.
        sleep(SAVE_AFTER_MS).await;
        let storage = &self.services().storage;
        // Deleted, closed or replaced in the meantime: leave the saved data alone.
        let is_superfluous = was_saved && !(open.keep.get() && self.opener.shelf.is_current(open));
        if is_superfluous || self.opener.saved.is_deleted(&open.key) {
            let _ = storage.forget_pending(&self.pending).await;
            return;
        }
        let record = RepoRecord {
            name: open.index.repo.name.clone(),
            format: format::FORMAT_VERSION,
            files: open.index.repo.files.len() as u32,
            chunks: open.index.chunks.len() as u32,
            bytes: 0.0,
            opened_at: today_ms(),
            from_file: open.from_file.get(),
        };
        let saved = storage
            .save_repo(
                &open.key,
                &record,
                format::encode(&open.index),
                &self.pending,
                || self.opener.shelf.is_current(open),
            )
            .await;
        match saved {
            Ok(()) => {
                // A repository saved earlier may have been deleted while it was being written.
                if !was_saved {
                    open.keep.set(true);
                }
                self.opener.conversations.keep_unsaved(self.job, open).await;
                // The list belongs to the page, not the job: the repository may be closed by now.
                self.opener.saved.list(JobId::ENGINE).await;
            }
            Err(error) => {
                // What could not be saved would only be read in vain after a reload.
                let _ = storage.forget_pending(&self.pending).await;
                self.services()
                    .warn(JobId::ENGINE, notices::storage(&error));
            }
        }
    }
}
