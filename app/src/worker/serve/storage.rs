//! What the engine keeps in IndexedDB: repositories with their sections, vectors, conversations, and
//! the archive that is being read.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Uint8Array};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Blob;

use super::batch;
use super::conversations::Change as RecordChange;
use super::records::{Pending, RepoRecord, prefix, repo_of, vectors_in, vectors_key};
use crate::platform::clock::today_ms;
use crate::platform::estimate::estimate;
use crate::platform::idb::{Change, Database, StorageError, Store};
use crate::worker::protocol::SavedView;

/// The setting that names the repository to open when the page starts.
const LAST: &str = "last";

type Result<T> = std::result::Result<T, StorageError>;

/// The page's storage, opened when it is first used.
#[derive(Default)]
pub struct Storage {
    database: RefCell<Option<Result<Rc<Database>>>>,
}

/// The archive that was being read when the page was left.
pub struct Interrupted {
    pub key: String,
    pub pending: Pending,
    pub blob: Blob,
}

impl Storage {
    async fn database(&self) -> Result<Rc<Database>> {
        if let Some(known) = self.database.borrow().as_ref() {
            return known.clone();
        }
        let opened = Database::open().await.map(Rc::new);
        *self.database.borrow_mut() = Some(opened.clone());
        opened
    }

    /// Whether anything can be kept at all.
    pub async fn is_available(&self) -> bool {
        self.database().await.is_ok()
    }

    async fn write(&self, changes: Vec<Change>) -> Result<()> {
        self.database().await?.write(changes).await
    }

    /// The list of saved repositories, opened last first. `bytes_each` is what a vector takes;
    /// `readable` tells whether this version reads a format.
    pub async fn list(
        &self,
        bytes_each: usize,
        readable: impl Fn(u32) -> bool,
    ) -> Result<SavedView> {
        let database = self.database().await?;
        let records = database.all_under(Store::Repos, "").await?;
        let batches = database.keys_under(Store::Vectors, "").await?;
        let mut repos: Vec<_> = records
            .into_iter()
            .map(|(repo, value)| {
                let record: RepoRecord = from_json(&value).unwrap_or_default();
                let own = batches.iter().filter(|key| repo_of(key) == repo);
                let vectors: u32 = own.map(|key| vectors_in(key)).sum();
                let vector_bytes = f64::from(vectors) * bytes_each as f64;
                // Two tabs may have saved the same vectors.
                let vectors = vectors.min(record.chunks);
                record.view(&repo, vectors, vector_bytes, readable(record.format))
            })
            .collect();
        repos.sort_by(|a, b| b.opened_at.total_cmp(&a.opened_at));
        let estimate = estimate().await;
        Ok(SavedView {
            repos,
            used_bytes: estimate.used,
            quota_bytes: estimate.quota,
            available: true,
        })
    }

    pub async fn record(&self, repo: &str) -> Result<Option<RepoRecord>> {
        let value = self.database().await?.get(Store::Repos, repo).await?;
        Ok(value.map(|value| from_json(&value).unwrap_or_default()))
    }

    /// The sections of a repository by name, as bytes that are still outside this worker's memory.
    pub async fn sections(&self, repo: &str) -> Result<Vec<(String, Uint8Array)>> {
        let prefix = prefix(repo);
        let all = self
            .database()
            .await?
            .all_under(Store::Sections, &prefix)
            .await?;
        let named = all.into_iter().filter_map(|(key, value)| {
            let name = key.strip_prefix(&prefix)?.to_owned();
            Some((name, value.dyn_into().ok()?))
        });
        Ok(named.collect())
    }

    /// Saves a repository: sections first, its record last, all or nothing. The pending archive under
    /// `pending` is no longer needed then.
    pub async fn save_repo(
        &self,
        repo: &str,
        record: &RepoRecord,
        sections: Vec<(String, Uint8Array)>,
        pending: &str,
    ) -> Result<()> {
        let mut changes = vec![Change::DeleteUnder(Store::Sections, prefix(repo))];
        changes.extend(
            sections.into_iter().map(|(name, bytes)| {
                Change::Put(Store::Sections, prefix(repo) + &name, bytes.into())
            }),
        );
        changes.push(Change::Delete(Store::Pending, pending.to_owned()));
        changes.push(Change::Put(Store::Settings, LAST.to_owned(), repo.into()));
        changes.push(Change::Put(Store::Repos, repo.to_owned(), json(record)?));
        self.write(changes).await
    }

    /// Notes that a saved repository was opened now.
    pub async fn touch(&self, repo: &str, mut record: RepoRecord) -> Result<()> {
        record.opened_at = today_ms();
        let changes = vec![
            Change::Put(Store::Settings, LAST.to_owned(), repo.into()),
            Change::Put(Store::Repos, repo.to_owned(), json(&record)?),
        ];
        self.write(changes).await
    }

    /// The repository that was open last.
    pub async fn last(&self) -> Result<Option<String>> {
        let value = self.database().await?.get(Store::Settings, LAST).await?;
        Ok(value.and_then(|value| value.as_string()))
    }

    pub async fn forget_last(&self) -> Result<()> {
        self.write(vec![Change::Delete(Store::Settings, LAST.to_owned())])
            .await
    }

    /// Deletes a repository with all that belongs to it.
    pub async fn delete(&self, repo: &str) -> Result<()> {
        let under = |store| Change::DeleteUnder(store, prefix(repo));
        self.write(vec![
            Change::Delete(Store::Repos, repo.to_owned()),
            under(Store::Sections),
            under(Store::Vectors),
            under(Store::Conversations),
        ])
        .await
    }

    /// The batches of vectors of a repository.
    pub async fn batches(&self, repo: &str) -> Result<Vec<Vec<u8>>> {
        let database = self.database().await?;
        let all = database.all_under(Store::Vectors, &prefix(repo)).await?;
        let bytes = all.into_iter().filter_map(|(_, value)| to_bytes(value));
        Ok(bytes.collect())
    }

    /// Keys of the batches of all other repositories.
    pub async fn other_batches(&self, repo: &str) -> Result<Vec<String>> {
        let database = self.database().await?;
        let mut keys = database.keys_under(Store::Vectors, "").await?;
        keys.retain(|key| repo_of(key) != repo);
        Ok(keys)
    }

    /// One batch; `None` if it was deleted meanwhile.
    pub async fn batch(&self, key: &str) -> Result<Option<Vec<u8>>> {
        let value = self.database().await?.get(Store::Vectors, key).await?;
        Ok(value.and_then(to_bytes))
    }

    pub async fn save_batch(
        &self,
        repo: &str,
        writer: u32,
        vectors: &[(footnote_core::index::ContentKey, Vec<u8>)],
    ) -> Result<()> {
        let key = vectors_key(repo, today_ms(), writer, vectors.len());
        let bytes = Uint8Array::from(batch::encode(vectors).as_slice());
        self.write(vec![Change::Put(Store::Vectors, key, bytes.into())])
            .await
    }

    /// The records of conversations whose keys begin with `prefix`, as the text that they are saved as.
    pub async fn conversation_records(&self, prefix: &str) -> Result<Vec<(String, String)>> {
        let database = self.database().await?;
        let all = database.all_under(Store::Conversations, prefix).await?;
        let texts = all
            .into_iter()
            .filter_map(|(key, value)| Some((key, value.as_string()?)));
        Ok(texts.collect())
    }

    /// The keys of records of conversations that begin with `prefix`.
    pub async fn conversation_keys(&self, prefix: &str) -> Result<Vec<String>> {
        let database = self.database().await?;
        database.keys_under(Store::Conversations, prefix).await
    }

    /// Changes records of conversations, all or none.
    pub async fn change_conversations(&self, changes: &[RecordChange]) -> Result<()> {
        let store = Store::Conversations;
        let changes = changes.iter().map(|change| match change {
            RecordChange::Put(key, value) => {
                Change::Put(store, key.clone(), JsValue::from_str(value))
            }
            RecordChange::Delete(key) => Change::Delete(store, key.clone()),
            RecordChange::DeleteUnder(prefix) => Change::DeleteUnder(store, prefix.clone()),
        });
        self.write(changes.collect()).await
    }

    /// Keeps what is being read, so that reading can begin again.
    pub async fn keep_pending(&self, key: &str, pending: &Pending, blob: &Blob) -> Result<()> {
        let value = Array::of2(&json(pending)?, blob);
        self.write(vec![Change::Put(
            Store::Pending,
            key.to_owned(),
            value.into(),
        )])
        .await
    }

    pub async fn forget_pending(&self, key: &str) -> Result<()> {
        self.write(vec![Change::Delete(Store::Pending, key.to_owned())])
            .await
    }

    /// The reading that was interrupted last; earlier ones are forgotten.
    pub async fn interrupted(&self) -> Result<Option<Interrupted>> {
        let mut all = self.database().await?.all_under(Store::Pending, "").await?;
        let last = all.pop();
        let older = all.into_iter().map(|(key, _)| key);
        let older = older.map(|key| Change::Delete(Store::Pending, key));
        self.write(older.collect()).await?;
        let found = last.and_then(|(key, value)| {
            let parts: Array = value.dyn_into().ok()?;
            Some(Interrupted {
                key,
                pending: from_json(&parts.get(0))?,
                blob: parts.get(1).dyn_into().ok()?,
            })
        });
        Ok(found)
    }
}

fn to_bytes(value: JsValue) -> Option<Vec<u8>> {
    value
        .dyn_into::<Uint8Array>()
        .ok()
        .map(|bytes| bytes.to_vec())
}

fn json(value: &impl Serialize) -> Result<JsValue> {
    serde_json::to_string(value)
        .map(|text| JsValue::from_str(&text))
        .map_err(|error| StorageError::Failed(error.to_string()))
}

fn from_json<T: DeserializeOwned>(value: &JsValue) -> Option<T> {
    serde_json::from_str(&value.as_string()?).ok()
}
