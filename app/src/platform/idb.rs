//! IndexedDB: a handful of stores with text keys. Related keys share a prefix that ends with `/`,
//! so that they can be read, listed and deleted together. All changes of one call are made together
//! or not at all.

use idb::event::DatabaseEvent;
use idb::{Database as Idb, KeyRange, Query, Transaction, TransactionMode, TransactionResult};
use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::DomException;

use super::outside::release;
use super::workers::describe;

const NAME: &str = "footnote";
/// Counts changes to the list of stores, not to their contents.
const VERSION: u32 = 3;

/// A store of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Store {
    /// One record per repository, written last when a repository is saved.
    Repos,
    /// `repository/section` → bytes of the index.
    Sections,
    /// `repository/time` → a batch of vectors.
    Vectors,
    /// `repository/…` → answers and the records that belong to them; the keys are documented in
    /// `worker/serve/conversations/records.rs`.
    Conversations,
    Settings,
    /// `repository/text` → what a code model computed for the lines of a text.
    Readings,
    /// `repository/…` → the laboratory's question set, and what models answered there.
    Laboratory,
    /// Models that the user added.
    Models,
    /// The archive being read, so that reading restarts if the tab is closed.
    Pending,
}

impl Store {
    const ALL: [Store; 9] = [
        Store::Repos,
        Store::Sections,
        Store::Vectors,
        Store::Conversations,
        Store::Settings,
        Store::Readings,
        Store::Laboratory,
        Store::Models,
        Store::Pending,
    ];

    fn name(self) -> &'static str {
        match self {
            Store::Repos => "repos",
            Store::Sections => "sections",
            Store::Vectors => "vectors",
            Store::Conversations => "conversations",
            Store::Settings => "settings",
            Store::Readings => "readings",
            Store::Laboratory => "laboratory",
            Store::Models => "models",
            Store::Pending => "pending",
        }
    }
}

/// Why something could not be stored or read. Whatever the error, everything saved before is
/// intact.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StorageError {
    #[error("this browser window cannot save anything ({0})")]
    Unavailable(String),
    #[error("there is no space left for this page")]
    Full,
    #[error("the browser could not save or read: {0}")]
    Failed(String),
}

/// Values of at least this many bytes are awaited before the next one is created.
const LARGE: u32 = 1 << 20;

/// Deletes the page's database. Tabs that have it open close it (see [`Database::open`]).
pub async fn delete() -> Result<(), StorageError> {
    let request = idb::Factory::new()
        .and_then(|factory| factory.delete(NAME))
        .map_err(|error| StorageError::Unavailable(reason(&error).1))?;
    request.await.map_err(failed)
}

/// One change of a transaction.
#[derive(Clone, Debug)]
pub enum Change {
    Put(Store, String, JsValue),
    Delete(Store, String),
    /// Deletes all records whose keys start with the prefix.
    DeleteUnder(Store, String),
}

impl Change {
    fn store(&self) -> Store {
        match self {
            Change::Put(store, ..) | Change::Delete(store, _) | Change::DeleteUnder(store, _) => {
                *store
            }
        }
    }
}

/// An open database.
pub struct Database(Idb);

impl Database {
    /// Opens the page's database, creating it if there is none. If a newer version of the page
    /// wants to open it in another tab, it is closed here, and nothing more can be saved until this
    /// tab is reloaded.
    pub async fn open() -> Result<Self, StorageError> {
        let stores = Store::ALL.map(|store| idb::builder::ObjectStoreBuilder::new(store.name()));
        let builder = stores.into_iter().fold(
            Idb::builder(NAME).version(VERSION),
            idb::builder::DatabaseBuilder::add_object_store,
        );
        let unavailable = |error: idb::Error| StorageError::Unavailable(reason(&error).1);
        let mut database = builder.build().await.map_err(unavailable)?;
        database.on_version_change(|event| {
            if let Ok(old) = event.database() {
                old.close();
            }
        });
        Ok(Self(database))
    }

    /// The value at `key`.
    pub async fn get(&self, store: Store, key: &str) -> Result<Option<JsValue>, StorageError> {
        let (_transaction, records) = self.reading(store)?;
        let request = records.get(JsValue::from_str(key)).map_err(failed)?;
        request.await.map_err(failed)
    }

    /// All keys and values whose keys start with `prefix`, in order of their keys.
    pub async fn all_under(
        &self,
        store: Store,
        prefix: &str,
    ) -> Result<Vec<(String, JsValue)>, StorageError> {
        let (_transaction, records) = self.reading(store)?;
        let keys = records
            .get_all_keys(Some(under(prefix)?), None)
            .map_err(failed)?;
        let values = records
            .get_all(Some(under(prefix)?), None)
            .map_err(failed)?;
        // Both requests are made before the first is awaited, so that they see the same state.
        let (keys, values) = (keys.into_future(), values.into_future());
        let keys = keys.await.map_err(failed)?;
        let values = values.await.map_err(failed)?;
        let text = |key: JsValue| key.as_string().unwrap_or_default();
        Ok(keys.into_iter().map(text).zip(values).collect())
    }

    /// All keys that start with `prefix`, in order.
    pub async fn keys_under(
        &self,
        store: Store,
        prefix: &str,
    ) -> Result<Vec<String>, StorageError> {
        let (_transaction, records) = self.reading(store)?;
        let request = records
            .get_all_keys(Some(under(prefix)?), None)
            .map_err(failed)?;
        let keys = request.await.map_err(failed)?;
        Ok(keys.iter().filter_map(JsValue::as_string).collect())
    }

    /// Makes the changes in order, all or none. Returns once they are committed.
    pub async fn write(&self, changes: Vec<Change>) -> Result<(), StorageError> {
        let stores: Vec<Store> = changes.iter().map(Change::store).collect();
        self.write_each(&stores, changes.into_iter().map(Ok)).await
    }

    /// Like [`write`](Self::write), for changes to `stores` that are created on demand: the browser
    /// has taken a large value before the next one is created.
    pub async fn write_each(
        &self,
        stores: &[Store],
        changes: impl Iterator<Item = Result<Change, StorageError>>,
    ) -> Result<(), StorageError> {
        let mut names: Vec<&str> = stores.iter().map(|store| store.name()).collect();
        names.sort_unstable();
        names.dedup();
        let Some(first) = names.first() else {
            return Ok(());
        };
        let transaction = self
            .0
            .transaction(&names, TransactionMode::ReadWrite)
            .map_err(failed)?;
        // Awaiting consumes the transaction; this second handle still knows why it was aborted.
        let witness = transaction
            .object_store(first)
            .map_err(failed)?
            .transaction();
        for change in changes {
            let applied = match change {
                Ok(change) => apply(&transaction, change).await.map_err(failed),
                Err(error) => Err(error),
            };
            if let Err(error) = applied {
                // Nothing requested so far may be kept. Aborting fails only if the transaction has
                // already ended.
                let _ = transaction.abort();
                return Err(error);
            }
        }
        match transaction.await {
            Ok(TransactionResult::Committed) => Ok(()),
            Ok(TransactionResult::Aborted) => Err(match witness.error() {
                Some(exception) => failed(idb::Error::DomException(exception)),
                None => StorageError::Failed("the browser stopped it".to_owned()),
            }),
            Err(error) => Err(failed(error)),
        }
    }

    fn reading(&self, store: Store) -> Result<(Transaction, idb::ObjectStore), StorageError> {
        let transaction = self
            .0
            .transaction(&[store.name()], TransactionMode::ReadOnly)
            .map_err(failed)?;
        let records = transaction.object_store(store.name()).map_err(failed)?;
        Ok((transaction, records))
    }
}

async fn apply(transaction: &Transaction, change: Change) -> Result<(), idb::Error> {
    let records = transaction.object_store(change.store().name())?;
    // Small requests are not awaited one by one: the end of the transaction reports whether they
    // all succeeded.
    match change {
        Change::Put(_, key, value) => {
            let request = records.put(&value, Some(&JsValue::from_str(&key)))?;
            let Some(bytes) = value.dyn_ref::<Uint8Array>() else {
                return Ok(());
            };
            let is_large = bytes.length() >= LARGE;
            // The request has its own copy.
            release(bytes);
            if is_large {
                request.await?;
            }
        }
        Change::Delete(_, key) => {
            records.delete(JsValue::from_str(&key))?;
        }
        Change::DeleteUnder(_, prefix) => {
            records.delete(range(&prefix)?)?;
        }
    }
    Ok(())
}

/// The range of keys that start with `prefix`; no real key contains U+FFFF.
fn range(prefix: &str) -> Result<KeyRange, idb::Error> {
    let end = format!("{prefix}\u{ffff}");
    let (start, end) = (JsValue::from_str(prefix), JsValue::from_str(&end));
    KeyRange::bound(&start, &end, None, None)
}

fn under(prefix: &str) -> Result<Query, StorageError> {
    range(prefix).map(Query::from).map_err(failed)
}

fn failed(error: idb::Error) -> StorageError {
    let (name, detail) = reason(&error);
    match name.as_str() {
        "QuotaExceededError" => StorageError::Full,
        "InvalidStateError" | "SecurityError" => StorageError::Unavailable(detail),
        _ => StorageError::Failed(detail),
    }
}

/// Name and message of the exception inside an error.
fn reason(error: &idb::Error) -> (String, String) {
    use idb::Error as E;
    let value: JsValue = match error {
        E::DomException(exception) => exception.clone().into(),
        // An error event of a transaction has the failed request as its target.
        E::UnexpectedJsType(_, target) => Reflect::get(target, &JsValue::from_str("error"))
            .ok()
            .filter(JsValue::is_object)
            .unwrap_or_else(|| target.clone()),
        E::AddFailed(value)
        | E::DeleteFailed(value)
        | E::GetAllFailed(value)
        | E::GetAllKeysFailed(value)
        | E::GetFailed(value)
        | E::IndexedDbOpenFailed(value)
        | E::TransactionOpenFailed(value)
        | E::UpdateFailed(value) => value.clone(),
        E::IndexedDbNotFound(_) => return (String::new(), "it has no IndexedDB".to_owned()),
        other => return (String::new(), other.to_string()),
    };
    match value.dyn_ref::<DomException>() {
        Some(exception) => (exception.name(), exception.message()),
        None => (String::new(), describe(&value)),
    }
}
