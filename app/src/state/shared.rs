//! Large values that travel through the state.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A large value that is passed on without copying. Two are equal if they are the same object.
#[derive(Debug)]
pub struct Shared<T> {
    id: u64,
    value: Arc<T>,
}

impl<T> Shared<T> {
    pub fn new(value: T) -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Self {
            id: LAST.fetch_add(1, Ordering::Relaxed),
            value: Arc::new(value),
        }
    }

    /// Identifies the object. Unlike an address, an id is never used again.
    pub fn id(&self) -> u64 {
        self.id
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self {
            id: self.id,
            value: Arc::clone(&self.value),
        }
    }
}

impl<T> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl<T> Eq for Shared<T> {}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}
