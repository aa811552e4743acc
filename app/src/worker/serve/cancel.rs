//! Tells running work that it is no longer wanted.

use std::cell::Cell;
use std::rc::Rc;

/// Whether work should end early. Clones belong to the same work.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Rc<Cell<bool>>);

impl Cancel {
    pub fn ask(&self) {
        self.0.set(true);
    }

    /// Withdraws the cancellation.
    pub fn take_back(&self) {
        self.0.set(false);
    }

    pub fn asked(&self) -> bool {
        self.0.get()
    }
}
