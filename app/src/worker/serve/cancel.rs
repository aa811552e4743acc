//! Tells work that no one wants it any more.

use std::cell::Cell;
use std::rc::Rc;

/// Says whether work should end early. Clones belong to the same work.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Rc<Cell<bool>>);

impl Cancel {
    pub fn ask(&self) {
        self.0.set(true);
    }

    /// The work goes on after all.
    pub fn take_back(&self) {
        self.0.set(false);
    }

    pub fn asked(&self) -> bool {
        self.0.get()
    }
}
