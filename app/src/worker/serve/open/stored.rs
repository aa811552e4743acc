//! Saved repositories: opened as they are, or, if they are damaged, rebuilt from their files.

use footnote_core::index::{Index, format};
use js_sys::Promise;

use super::Opening;
use super::ahead::Ahead;
use super::source::Ended;
use crate::platform::idb::StorageError;
use crate::worker::protocol::{Notice, NoticeKind, OpenEvent, ProgressView, Stage};
use crate::worker::serve::load::load;
use crate::worker::serve::notices;
use crate::worker::serve::records::{RepoRecord, readable};
use crate::worker::serve::repo::OpenRepo;

impl Opening {
    /// Opens the index that was saved of an archive or a folder with the same files, if there is
    /// one. If it is damaged, it is rebuilt.
    pub(super) async fn open_known(
        &self,
        key: &str,
        kept: Option<&Promise>,
    ) -> Result<bool, Ended> {
        let record = self.services().storage.record(key).await.ok().flatten();
        let is_own = |record: &RepoRecord| readable(record.format) && !record.from_file;
        if !record.as_ref().is_some_and(is_own) {
            return Ok(false);
        }
        let index = match self.load(key).await {
            Ok(index) => index,
            Err(Ended::Stopped) => return Err(Ended::Stopped),
            Err(_) => return Ok(false),
        };
        self.wait_for(kept.cloned()).await;
        // If this fails, the record is deleted at the next start.
        let _ = self.services().storage.forget_pending(&self.pending).await;
        let announced = self.announce_saved(key.to_owned(), index).await;
        announced.map(|()| true)
    }

    pub(super) async fn is_saved(&self, key: &str) -> bool {
        let record = self.services().storage.record(key).await.ok().flatten();
        record.is_some_and(|record| readable(record.format))
    }

    pub(super) async fn open_saved(&self, key: &str) -> Result<(), Ended> {
        let index = match self.load(key).await {
            Err(Ended::Failed(notice)) if notice.kind == NoticeKind::Damaged => {
                return Err(self.offer_rebuilding(key, *notice).await);
            }
            loaded => loaded?,
        };
        self.announce_saved(key.to_owned(), index).await
    }

    pub(super) async fn announce_saved(&self, key: String, index: Index) -> Result<(), Ended> {
        let open = self.announce(key, index, true).await?;
        open.keep.set(true);
        let is_older = self.touch(&open).await;
        self.opener.encoders.start(&open);
        // What an older version did not save was computed while opening; saving it makes it
        // available next time.
        if is_older {
            self.save(&open).await;
        }
        Ok(())
    }

    /// Notes that a saved repository was opened; returns whether an older version saved it.
    pub(super) async fn touch(&self, open: &OpenRepo) -> bool {
        let storage = &self.services().storage;
        let Some(record) = storage.record(&open.key).await.ok().flatten() else {
            return false;
        };
        let is_older = record.format < format::FORMAT_VERSION;
        open.from_file.set(record.from_file);
        // If this fails, only the order of the list is wrong.
        let _ = storage.touch(&open.key, record).await;
        is_older
    }

    /// Loads the index of a saved repository.
    pub(super) async fn load(&self, key: &str) -> Result<Index, Ended> {
        let report = |progress: footnote_core::job::Progress| {
            let view = ProgressView {
                stage: Stage::Parse,
                done: progress.done,
                total: progress.total,
                unit: "files".to_owned(),
                note: "saved by an older version".to_owned(),
            };
            self.services().tell(self.job, OpenEvent::Progress(view));
        };
        let index = load(self.services(), key, &self.cancel, report).await?;
        index.ok_or(Ended::Stopped)
    }

    /// Tells the page that a damaged repository can be rebuilt, if its files are intact.
    async fn offer_rebuilding(&self, key: &str, notice: Notice) -> Ended {
        let storage = &self.services().storage;
        let sections = storage.sections(key).await;
        if !sections.is_ok_and(|sections| format::repository(sections).is_ok()) {
            return notice.into();
        }
        let record = storage.record(key).await.ok().flatten();
        let (repo, name) = (key.to_owned(), record.unwrap_or_default().name);
        self.services()
            .tell(self.job, OpenEvent::Damaged { repo, name });
        notices::can_be_rebuilt(notice).into()
    }

    /// Rebuilds the index of a saved repository from its files, and saves it in place of the
    /// damaged one.
    pub(super) async fn rebuild(&self, key: &str) -> Result<(), Ended> {
        let storage = &self.services().storage;
        let told = |error: StorageError| Ended::from(notices::storage(&error));
        let record = storage.record(key).await.map_err(told)?.unwrap_or_default();
        let sections = storage.sections(key).await.map_err(told)?;
        let mut repo = format::repository(sections)
            .map_err(|error| notices::unreadable_index(&record.name, &error))?;
        self.unread.skip(&mut repo);
        let bytes = repo.files.iter().map(|file| file.text.len() as f64).sum();
        let ahead = self.readers(bytes).map(Ahead::new);
        let open = self.index(key.to_owned(), repo, ahead).await?;
        self.save(&open).await;
        self.opener.encoders.start(&open);
        Ok(())
    }
}
