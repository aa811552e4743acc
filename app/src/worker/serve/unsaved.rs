//! Conversations that could not be saved. They live in memory until the repository itself is saved,
//! or if nothing can be saved at all, or if there is no space left, so that everything works the
//! same.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use crate::worker::protocol::ConversationId;

/// A change to conversation records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    Put(String, String),
    Delete(String),
    /// Deletes all records whose keys begin with this.
    DeleteUnder(String),
}

/// Records that override those in storage, and deletions that later answers must respect.
#[derive(Debug, Default)]
pub struct Unsaved {
    records: RefCell<BTreeMap<String, String>>,
    deleted: RefCell<BTreeMap<ConversationId, f64>>,
    all_deleted: Cell<f64>,
}

impl Unsaved {
    /// Merges the unsaved records into `saved`, whose keys also begin with `prefix`; in key order.
    pub fn over(&self, prefix: &str, saved: Vec<(String, String)>) -> Vec<(String, String)> {
        let mut all: BTreeMap<String, String> = saved.into_iter().collect();
        let own = self.records.borrow();
        let own = own.iter().filter(|(key, _)| key.starts_with(prefix));
        all.extend(own.map(|(key, value)| (key.clone(), value.clone())));
        all.into_iter().collect()
    }

    /// Adds changes that storage did not accept.
    pub fn keep(&self, changes: Vec<Change>) {
        self.settle(&changes);
        let puts = changes.into_iter().filter_map(|change| match change {
            Change::Put(key, value) => Some((key, value)),
            _ => None,
        });
        self.records.borrow_mut().extend(puts);
    }

    /// Drops what is replaced or deleted by changes that storage has accepted.
    pub fn settle(&self, changes: &[Change]) {
        let mut records = self.records.borrow_mut();
        for change in changes {
            match change {
                Change::Put(key, _) | Change::Delete(key) => {
                    records.remove(key);
                }
                Change::DeleteUnder(prefix) => records.retain(|key, _| !key.starts_with(prefix)),
            }
        }
    }

    /// Takes everything as changes, because it can now be saved.
    pub fn take(&self) -> Vec<Change> {
        let records = self.records.take().into_iter();
        records
            .map(|(key, value)| Change::Put(key, value))
            .collect()
    }

    /// Notes the time at which a conversation, or every one, was deleted.
    pub fn deleted(&self, id: Option<ConversationId>, at_ms: f64) {
        match id {
            Some(id) => {
                self.deleted.borrow_mut().insert(id, at_ms);
            }
            None => self.all_deleted.set(at_ms),
        }
    }

    /// Whether an answer comes too late: it was asked before its conversation was deleted.
    pub fn is_too_late(&self, id: ConversationId, asked_at: f64) -> bool {
        let deleted = self.deleted.borrow();
        let deleted = deleted.get(&id).copied().unwrap_or(f64::MIN);
        asked_at <= deleted || asked_at <= self.all_deleted.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(key: &str, value: &str) -> Change {
        Change::Put(key.into(), value.into())
    }

    fn shown(unsaved: &Unsaved, prefix: &str, saved: &[(&str, &str)]) -> Vec<(String, String)> {
        let saved = saved
            .iter()
            .map(|(key, value)| ((*key).into(), (*value).into()));
        unsaved.over(prefix, saved.collect())
    }

    #[test]
    fn unsaved_changes_override_what_was_saved() {
        let unsaved = Unsaved::default();
        unsaved.keep(vec![put("r/b", "new"), put("r/c", "new"), put("s/a", "x")]);
        let all = shown(&unsaved, "r/", &[("r/a", "old"), ("r/b", "old")]);
        let pairs: Vec<_> = all.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
        assert_eq!(pairs, [("r/a", "old"), ("r/b", "new"), ("r/c", "new")]);
    }

    #[test]
    fn changes_that_storage_takes_in_the_end_are_no_longer_kept_here() {
        let unsaved = Unsaved::default();
        unsaved.keep(vec![put("r/a", "1"), put("r/b/1", "1"), put("r/b/2", "1")]);
        unsaved.settle(&[put("r/a", "2"), Change::DeleteUnder("r/b/".into())]);
        assert_eq!(unsaved.take(), []);
    }

    #[test]
    fn an_answer_does_not_bring_its_deleted_conversation_back() {
        let (one, other) = (ConversationId(1), ConversationId(2));
        let unsaved = Unsaved::default();
        assert!(!unsaved.is_too_late(one, 5.0));
        unsaved.deleted(Some(one), 10.0);
        assert!(unsaved.is_too_late(one, 5.0));
        assert!(!unsaved.is_too_late(one, 11.0), "asked after");
        assert!(!unsaved.is_too_late(other, 5.0));
        unsaved.deleted(None, 20.0);
        assert!(unsaved.is_too_late(other, 5.0));
    }
}
