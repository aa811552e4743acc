//! What the engine stores in IndexedDB: repositories with their sections, vectors, conversations,
//! and the archive that is being read.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use footnote_core::index::ContentKey;
use footnote_core::index::format::Section;
use js_sys::{Array, Float32Array, Uint8Array};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Blob;

use super::batch;
use super::records::{ModelKind, Pending, RepoRecord, prefix, repo_of, vectors_in, vectors_key};
use super::unsaved::Change as RecordChange;
use crate::platform::clock::today_ms;
use crate::platform::estimate::estimate;
use crate::platform::idb::{Change, Database, StorageError, Store};
use crate::platform::outside::{self, Outside};
use crate::platform::signing::SigningKey;
use crate::worker::model_files::Brought;
use crate::worker::protocol::SavedView;

/// The setting that names the repository to open when the page starts.
const LAST: &str = "last";

/// The setting that holds this browser's signing key.
const SIGNING: &str = "signing";

/// Separates a section's name from the number of one of its later parts.
const PART_SIGN: char = '#';

type Result<T> = std::result::Result<T, StorageError>;

/// The page's storage, opened on first use.
#[derive(Default)]
pub struct Storage {
    database: RefCell<Option<Result<Rc<Database>>>>,
}

/// The archive that was being read when the page was closed.
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

    /// Whether anything can be stored at all.
    pub async fn is_available(&self) -> bool {
        self.database().await.is_ok()
    }

    async fn write(&self, changes: Vec<Change>) -> Result<()> {
        self.database().await?.write(changes).await
    }

    /// Returns the list of saved repositories, last opened first. `bytes_each` is the size of a
    /// vector.
    pub async fn list(&self, bytes_each: usize) -> Result<SavedView> {
        let records = self.records().await?;
        let database = self.database().await?;
        let batches = database.keys_under(Store::Vectors, "").await?;
        let mut repos: Vec<_> = records
            .into_iter()
            .map(|(repo, record)| {
                let own = batches.iter().filter(|key| repo_of(key) == repo);
                let (vectors, chunks) = own.fold((0, 0), |(vectors, chunks), key| {
                    let (more, of) = vectors_in(key);
                    (vectors + more, chunks + of)
                });
                let vector_bytes = f64::from(vectors) * bytes_each as f64;
                // Two tabs may have saved the same vectors.
                record.view(&repo, chunks.min(record.chunks), vector_bytes)
            })
            .collect();
        repos.sort_by(|a, b| b.opened_at.total_cmp(&a.opened_at));
        let estimate = estimate().await;
        Ok(SavedView {
            repos,
            used_bytes: estimate.used,
            quota_bytes: estimate.quota,
            available: true,
            hosted: Vec::new(),
            server: None,
        })
    }

    /// Returns the names of the saved repositories by their keys.
    pub async fn names(&self) -> Result<BTreeMap<String, String>> {
        let records = self.records().await?.into_iter();
        Ok(records.map(|(repo, record)| (repo, record.name)).collect())
    }

    /// Returns all saved repositories: key and record.
    pub async fn records(&self) -> Result<Vec<(String, RepoRecord)>> {
        let records = self.database().await?.all_under(Store::Repos, "").await?;
        let read = |(repo, value): (String, JsValue)| {
            let record = from_json(&value).unwrap_or_default();
            (repo, record)
        };
        Ok(records.into_iter().map(read).collect())
    }

    pub async fn record(&self, repo: &str) -> Result<Option<RepoRecord>> {
        let value = self.database().await?.get(Store::Repos, repo).await?;
        Ok(value.map(|value| from_json(&value).unwrap_or_default()))
    }

    /// Returns the sections of a repository by name, as bytes outside this worker's memory.
    pub async fn sections(&self, repo: &str) -> Result<Vec<(String, Outside)>> {
        let prefix = prefix(repo);
        let all = self
            .database()
            .await?
            .all_under(Store::Sections, &prefix)
            .await?;
        let mut sections: Vec<(String, Outside)> = Vec::new();
        for (key, value) in all {
            let (Some(key), Ok(bytes)) = (key.strip_prefix(&prefix), value.dyn_into()) else {
                continue;
            };
            // Parts come in order, as their keys do. In earlier versions there is one part, without
            // a number.
            let name = key.split_once(PART_SIGN).map_or(key, |(name, _)| name);
            match sections.last_mut().filter(|(known, _)| known == name) {
                Some((_, section)) => section.append(bytes),
                None => {
                    let mut section = Outside::default();
                    section.append(bytes);
                    sections.push((name.to_owned(), section));
                }
            }
        }
        Ok(sections)
    }

    /// Saves a repository: sections first, its record last, all or nothing; `record` receives the
    /// number of bytes. Each part of a section leaves this worker's memory before the next one is
    /// created. The archive under `pending` is then no longer needed. The repository is the one to
    /// open next time if it `is_open` when that is written.
    pub async fn save_repo(
        &self,
        repo: &str,
        record: &RepoRecord,
        sections: impl Iterator<Item = Section<'_>>,
        pending: &str,
        is_open: impl Fn() -> bool,
    ) -> Result<()> {
        let bytes = Cell::new(0.0);
        let parts = sections.flat_map(|section| {
            bytes.set(bytes.get() + section.length() as f64);
            let name = section.name;
            let parts = (0..).zip(outside::parts(section.pieces));
            parts.map(move |(number, part)| (part_key(name, number), part))
        });
        let parts =
            parts.map(|(key, part)| Change::Put(Store::Sections, prefix(repo) + &key, part.into()));
        let first = Change::DeleteUnder(Store::Sections, prefix(repo));
        let pending = std::iter::once(Change::Delete(Store::Pending, pending.to_owned()));
        let open_next = std::iter::once_with(|| {
            is_open().then(|| Change::Put(Store::Settings, LAST.to_owned(), repo.into()))
        });
        let last = std::iter::once_with(|| {
            let record = RepoRecord {
                bytes: bytes.get(),
                ..record.clone()
            };
            let record = json(&record)?;
            Ok(Change::Put(Store::Repos, repo.to_owned(), record))
        });
        let changes = std::iter::once(first)
            .chain(parts)
            .chain(pending)
            .chain(open_next.flatten())
            .map(Ok);
        let stores = [
            Store::Sections,
            Store::Pending,
            Store::Settings,
            Store::Repos,
        ];
        self.database()
            .await?
            .write_each(&stores, changes.chain(last))
            .await
    }

    /// Sets the time a saved repository was last opened to now.
    pub async fn touch(&self, repo: &str, mut record: RepoRecord) -> Result<()> {
        record.opened_at = today_ms();
        let changes = vec![
            Change::Put(Store::Settings, LAST.to_owned(), repo.into()),
            Change::Put(Store::Repos, repo.to_owned(), json(&record)?),
        ];
        self.write(changes).await
    }

    /// Returns the key with which this browser signs its exports. If there is none yet, it is
    /// created if `makes` is set. Returns `None` if there is no key or nothing can be stored.
    pub async fn signing_key(&self, makes: bool) -> Option<SigningKey> {
        let database = self.database().await.ok()?;
        let kept = database.get(Store::Settings, SIGNING).await.ok()?;
        if let Some(kept) = kept {
            return SigningKey::of(kept).await.ok();
        }
        if !makes {
            return None;
        }
        let made = SigningKey::make().await.ok()?;
        let change = Change::Put(Store::Settings, SIGNING.to_owned(), made.value());
        database.write(vec![change]).await.ok()?;
        // Another tab may have created one at the same time: the stored one counts.
        let kept = database.get(Store::Settings, SIGNING).await.ok()??;
        SigningKey::of(kept).await.ok()
    }

    /// Returns a setting; `None` if it is not set, or nothing can be read.
    pub async fn setting(&self, name: &str) -> Option<String> {
        let database = self.database().await.ok()?;
        let value = database.get(Store::Settings, name).await.ok()??;
        value.as_string()
    }

    pub async fn keep_setting(&self, name: &str, value: &str) -> Result<()> {
        let change = Change::Put(Store::Settings, name.to_owned(), value.into());
        self.write(vec![change]).await
    }

    /// Returns the repository that was open last.
    pub async fn last(&self) -> Option<String> {
        self.setting(LAST).await
    }

    pub async fn forget_last(&self) -> Result<()> {
        self.write(vec![Change::Delete(Store::Settings, LAST.to_owned())])
            .await
    }

    /// Deletes a repository with everything that belongs to it.
    pub async fn delete(&self, repo: &str) -> Result<()> {
        let under = |store| Change::DeleteUnder(store, prefix(repo));
        self.write(vec![
            Change::Delete(Store::Repos, repo.to_owned()),
            under(Store::Sections),
            under(Store::Vectors),
            under(Store::Conversations),
            under(Store::Readings),
            under(Store::Laboratory),
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

    /// Returns the keys of the batches of all other repositories.
    pub async fn other_batches(&self, repo: &str) -> Result<Vec<String>> {
        let database = self.database().await?;
        let mut keys = database.keys_under(Store::Vectors, "").await?;
        keys.retain(|key| repo_of(key) != repo);
        Ok(keys)
    }

    /// Returns one batch; `None` if it was deleted in the meantime.
    pub async fn batch(&self, key: &str) -> Result<Option<Vec<u8>>> {
        let value = self.database().await?.get(Store::Vectors, key).await?;
        Ok(value.and_then(to_bytes))
    }

    /// Saves vectors, which belong to `chunks`.
    pub async fn save_batch(
        &self,
        repo: &str,
        writer: u32,
        vectors: &[(ContentKey, Vec<u8>)],
        chunks: usize,
    ) -> Result<()> {
        let key = vectors_key(repo, today_ms(), writer, vectors.len(), chunks);
        let bytes = Uint8Array::from(batch::encode(vectors).as_slice());
        self.write(vec![Change::Put(Store::Vectors, key, bytes.into())])
            .await
    }

    /// Returns the conversation records whose keys begin with `prefix`, as stored text.
    pub async fn conversation_records(&self, prefix: &str) -> Result<Vec<(String, String)>> {
        let database = self.database().await?;
        let all = database.all_under(Store::Conversations, prefix).await?;
        let texts = all
            .into_iter()
            .filter_map(|(key, value)| Some((key, value.as_string()?)));
        Ok(texts.collect())
    }

    /// Returns the keys of conversation records that begin with `prefix`.
    pub async fn conversation_keys(&self, prefix: &str) -> Result<Vec<String>> {
        let database = self.database().await?;
        database.keys_under(Store::Conversations, prefix).await
    }

    /// Changes conversation records, all or none.
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

    /// Returns which of the texts with these keys a code model read before, with the perplexities
    /// of their lines.
    pub async fn read_before(
        &self,
        repo: &str,
        keys: &[ContentKey],
    ) -> Result<Vec<(ContentKey, Vec<f32>)>> {
        let database = self.database().await?;
        let mut found = Vec::new();
        for key in keys {
            let value = database
                .get(Store::Readings, &reading_key(repo, key))
                .await?;
            let values: Option<Float32Array> = value.and_then(|value| value.dyn_into().ok());
            found.extend(values.map(|values| (*key, values.to_vec())));
        }
        Ok(found)
    }

    pub async fn keep_read(&self, repo: &str, read: &[(ContentKey, Vec<f32>)]) -> Result<()> {
        let put = |(key, lines): &(ContentKey, Vec<f32>)| {
            let lines = Float32Array::from(lines.as_slice());
            Change::Put(Store::Readings, reading_key(repo, key), lines.into())
        };
        self.write(read.iter().map(put).collect()).await
    }

    /// Returns a text of a repository's laboratory.
    pub async fn lab_text(&self, repo: &str, name: &str) -> Result<Option<String>> {
        let key = prefix(repo) + name;
        let value = self.database().await?.get(Store::Laboratory, &key).await?;
        Ok(value.and_then(|value| value.as_string()))
    }

    pub async fn keep_lab_text(&self, repo: &str, name: &str, text: &str) -> Result<()> {
        let key = prefix(repo) + name;
        self.write(vec![Change::Put(Store::Laboratory, key, text.into())])
            .await
    }

    /// Returns bytes of a repository's laboratory.
    pub async fn lab_bytes(&self, repo: &str, name: &str) -> Result<Option<Vec<u8>>> {
        let key = prefix(repo) + name;
        let value = self.database().await?.get(Store::Laboratory, &key).await?;
        Ok(value.and_then(to_bytes))
    }

    pub async fn keep_lab_bytes(&self, repo: &str, name: &str, bytes: &[u8]) -> Result<()> {
        let (key, bytes) = (prefix(repo) + name, Uint8Array::from(bytes));
        self.write(vec![Change::Put(Store::Laboratory, key, bytes.into())])
            .await
    }

    pub async fn forget_lab(&self, repo: &str, name: &str) -> Result<()> {
        let key = prefix(repo) + name;
        self.write(vec![Change::Delete(Store::Laboratory, key)])
            .await
    }

    /// Saves a model that the user added, replacing any other of its kind. `note` is saved with it.
    pub async fn keep_model(&self, kind: ModelKind, model: &Brought, note: &str) -> Result<()> {
        let [name, note] = [&model.name, note].map(JsValue::from_str);
        let value = Array::of4(&name, &model.onnx, &model.tokenizer, &note);
        let key = kind.key().to_owned();
        self.write(vec![Change::Put(Store::Models, key, value.into())])
            .await
    }

    pub async fn forget_model(&self, kind: ModelKind) -> Result<()> {
        let key = kind.key().to_owned();
        self.write(vec![Change::Delete(Store::Models, key)]).await
    }

    /// Returns the saved model of a kind, and its note.
    pub async fn kept_model(&self, kind: ModelKind) -> Result<Option<(Brought, String)>> {
        let value = self
            .database()
            .await?
            .get(Store::Models, kind.key())
            .await?;
        let read = |value: JsValue| {
            let parts: Array = value.dyn_into().ok()?;
            let brought = Brought {
                name: parts.get(0).as_string()?,
                onnx: parts.get(1).dyn_into().ok()?,
                tokenizer: parts.get(2).dyn_into().ok()?,
            };
            Some((brought, parts.get(3).as_string().unwrap_or_default()))
        };
        Ok(value.and_then(read))
    }

    /// Saves the archive that is being read, so that reading can be restarted.
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

    /// Deletes all interrupted readings.
    pub async fn forget_interrupted(&self) -> Result<()> {
        self.write(vec![Change::DeleteUnder(Store::Pending, String::new())])
            .await
    }

    /// Returns the latest interrupted reading; earlier ones are deleted.
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

/// The key of what a code model computed for a text.
fn reading_key(repo: &str, key: &ContentKey) -> String {
    let hex = key.0.iter().map(|byte| format!("{byte:02x}"));
    prefix(repo) + &hex.collect::<String>()
}

fn to_bytes(value: JsValue) -> Option<Vec<u8>> {
    value
        .dyn_into::<Uint8Array>()
        .ok()
        .map(|bytes| bytes.to_vec())
}

/// The key of a section's part below its repository's. The first part's key is the section's name,
/// as it was before sections had parts.
fn part_key(name: &str, number: u32) -> String {
    match number {
        0 => name.to_owned(),
        number => format!("{name}{PART_SIGN}{number:05}"),
    }
}

fn json(value: &impl Serialize) -> Result<JsValue> {
    serde_json::to_string(value)
        .map(|text| JsValue::from_str(&text))
        .map_err(|error| StorageError::Failed(error.to_string()))
}

fn from_json<T: DeserializeOwned>(value: &JsValue) -> Option<T> {
    serde_json::from_str(&value.as_string()?).ok()
}
